"""What introduces a quotation is the mail program's, and what stands above a turn is the sender's."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest

from tests.intent import HOLD, filled, table
from tests.mail.hall import START
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.mime import take_in
from tkid.mail.model import Intake
from tkid.mail.order_finder import find_orders, get_order_reader

KEY = "tkid+aaaabbbbcccc@games.example"
FOLDED = (
    f"On Fri, Nov 27, 2026 at 10:15 PM The King is Dead <\n{KEY}> wrote:",
    f"On Fri, Nov 27, 2026 at 10:15 PM The King is Dead\n<{KEY}> wrote:",
    f"On Fri, 27 Nov 2026, 22:15 The King is Dead, <\n{KEY}> wrote:",
    f"Am Fr., 27. Nov. 2026 um 22:15 Uhr schrieb The King is Dead <\n{KEY}>:",
    f"Am Fr., 27. Nov. 2026 um 22:15 Uhr schrieb The King is Dead\n<{KEY}>:",
    f"Le ven. 27 nov. 2026 à 22:15, The King is Dead <\n{KEY}> a écrit :",
    f"Il giorno ven 27 nov 2026 alle ore 22:15 The King is Dead <\n{KEY}> ha scritto:",
    f"El vie, 27 nov 2026 a las 22:15, The King is Dead (<\n{KEY}>) escribió:",
    f"Op vr 27 nov 2026 om 22:15 schreef The King is Dead <\n{KEY}>:",
    f"Em sex., 27 de nov. de 2026 às 22:15, The King is Dead <\n{KEY}> escreveu:",
    f"pt., 27 lis 2026 o 22:15 The King is Dead <\n{KEY}> napisał(a):",
)
"""How a mail program introduces a quotation on two lines."""
LEADS = (
    "Please do not play this:", "Not yet:", "I will never play:", "Cancelled:", "Is this legal:", "My sister says:",
    "Bob should have played:", "Bitte noch nicht spielen:", "Ann's idea, not mine:", "Hello Bob, please do not play this:",
)  # fmt: skip
"""The beginnings of mails whose turn is not meant."""


def act(text: str, introduction: str) -> str:
    """What a host does with a reply above a quotation of its letter: `play`, `hold`, `ask` or `nothing`."""
    game, letter, answered = table()
    message = EmailMessage()
    message["From"], message["To"], message["In-Reply-To"] = "Ann <ann@example.org>", "tkid@example.org", answered
    message["Subject"], message["Message-ID"] = "Re: your turn", "<reply@example.org>"
    copied = "\n".join(f"> {line}" for line in letter.text.lines)
    message.set_content(f"{filled(text).strip()}\n\n{introduction}\n{copied}\n", cte="8bit")
    taken = take_in(bytes(message))
    assert isinstance(taken, Intake)
    orders = find_orders(taken, get_order_reader(game.record.game, game.names, 0), [letter])
    outcome = game_service.receive_mail(game, 0, orders, START + timedelta(hours=1), 1, "", hold=HOLD)
    if outcome.game.turns or outcome.game.turn_held:
        return "play" if outcome.game.turns else "hold"
    return "ask" if outcome.letters[0].offer else "nothing"


@each_row("introduction", FOLDED)
def test_an_introduction_on_two_lines_is_not_the_senders(introduction: str) -> None:
    """Cites: mail.introduction."""
    for text in ("TURN", "Pass", "TURN\n\nThanks!"):
        assert act(text, f"{introduction}\n") == "play", text


@pytest.mark.parametrize("quoted", [True, False])
@each_row("lead", LEADS)
def test_a_line_above_a_turn_is_the_senders(lead: str, *, quoted: bool) -> None:
    """Cites: mail.introduction, mail.doubt. Apple Mail quotes the introduction too."""
    introduction = "On 27 Nov 2026, at 22:15, The King is Dead <tkid@example.org> wrote:"
    for text in (f"{lead}\nTURN", f"{lead}\n\nTURN"):
        assert act(text, f"> {introduction}\n>" if quoted else f"{introduction}\n") in {"ask", "hold"}, text
