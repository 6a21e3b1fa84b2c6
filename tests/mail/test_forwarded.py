"""Turns in forwarded mails are never played without asking, and a subject that the sender changed is part of the mail."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.intent import HOLD, filled, reply, table
from tests.mail.hall import START
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.game_service import Outcome
from tkid.mail.mime import take_in
from tkid.mail.model import Intake
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.quotation import is_forward_start

HEADERS = "From: Bob <bob@example.org>\nDate: Sat, 21 Nov 2026 at 10:00\nSubject: an idea\nTo: Ann <ann@example.org>\n"
INTRODUCTIONS = (
    "---------- Forwarded message ---------",
    "---------- Forwarded message ----------",
    "----- Forwarded Message -----",
    "-------- Forwarded Message --------",
    "------- Original message -------",
    "-----Original Message-----",
    "-----Ursprüngliche Nachricht-----",
    "-------- Weitergeleitete Nachricht --------",
    "---------- Message transféré ---------",
    "-------- Message transféré --------",
    "-----Message d'origine-----",
    "---------- Mensaje reenviado ---------",
    "-------- Messaggio Inoltrato --------",
    "---------- Doorgestuurd bericht ---------",
    "-----Oorspronkelijk bericht-----",
    "---------- Mensagem encaminhada ---------",
    "---------- Przekazana wiadomość ---------",
    "-------- Пересылаемое сообщение --------",
    "-------- 転送メッセージ --------",
    "---------- 转发的邮件 ---------",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:",
    "Début du message réexpédié :",
    "Début du message transféré :",
    "Inicio del mensaje reenviado:",
    "Inizio messaggio inoltrato:",
    "Begin doorgestuurd bericht:",
    "Início da mensagem encaminhada:",
    "Forwarded message from Bob:",
)


def do(text: str, *, subject: str = "", quotes: bool = False) -> Outcome:
    """What a host does with a reply to its first letter."""
    game, letter, _ = table()
    data = reply(text, quotes=quotes)
    taken = take_in(data.replace(b"Subject: Re: your turn", f"Subject: {subject}".encode()) if subject else data)
    assert isinstance(taken, Intake)
    orders = find_orders(taken, get_order_reader(game.record.game, game.names, 0), [letter])
    return game_service.receive_mail(game, 0, orders, START + timedelta(hours=1), 1, "", hold=HOLD)


def act(outcome: Outcome) -> str:
    """The result in a word: `play`, `hold`, `ask` or `nothing`."""
    if outcome.game.turns or outcome.game.turn_held:
        return "play" if outcome.game.turns else "hold"
    return "ask" if outcome.letters[0].offer else "nothing"


@each_row("introduction", INTRODUCTIONS)
def test_a_turn_in_a_forwarded_mail_is_asked_about(introduction: str) -> None:
    """Cites: mail.offer."""
    bare, headers = f"{introduction}\n\nTURN", f"{introduction}\n{HEADERS}\nTURN"
    nameless = headers.replace(" <bob@example.org>", "").replace(" <ann@example.org>", "")
    for text in (bare, headers, nameless, f"FYI\n\n{headers}"):
        outcome = do(text)
        assert act(outcome) == "ask", text
        offer = outcome.game.memory.find_proposal("offer", 0)
        assert offer is not None
        assert offer.lines == (filled("TURN"),)


def test_a_forwarded_mail_whose_lines_are_marked_is_asked_about() -> None:
    marked = "".join(f"> {line}\n" for line in f"{HEADERS}\nTURN".split("\n"))
    assert act(do(f"Begin forwarded message:\n\n{marked}")) == "ask"


def test_labels_alone_begin_a_forwarded_mail() -> None:
    labels = "From: Bob\nSent: Saturday\nTo: Ann\nSubject: an idea"
    assert act(do(f"{labels}\n\nTURN")) == "ask"
    assert act(do("Von: Bob\nGesendet: Samstag\nAn: Ann\nBetreff: Idee\n\nTURN")) == "ask"


@pytest.mark.parametrize("forwarded", ["Hello there", "OTHER"])
def test_a_turn_above_a_forwarded_mail_is_the_senders(forwarded: str) -> None:
    outcome = do(f"TURN\n\n{INTRODUCTIONS[0]}\n{HEADERS}\n{forwarded}")
    assert act(outcome) == "play"
    assert "Assemble" in outcome.game.replay.last.line


def test_a_sentence_about_forwarding_begins_no_forwarded_mail() -> None:
    for text in (
        "I forwarded your mail.",
        "I forwarded your very funny mail to my old friend in Leeds last week:",
        "---",
    ):
        assert not is_forward_start(text)


SUBJECTS = (
    *(
        "DRAFT - not final yet",
        "Please ignore this mail",
        "do not play",
        "Re: DRAFT",
        "Ignore this",
        "Not yet!",
        "Wrong mail",
    ),
    *(
        "Entwurf",
        "AW: Entwurf",
        "Bitte nicht werten",
        "Brouillon",
        "Ne pas jouer",
        "borrador",
        "Bozza",
        "Concept",
        "Hmm?",
        "WIP",
        "[game] Turn 3 - WIP",
        "Draft: my turn",
        "thinking…",
        "unfinished",
        "my draft",
        "trial",
        "under construction",
        "Sketch",
        "provisional turn",
        "legal?",
        "?",
    ),
)


@each_row("subject", SUBJECTS)
def test_a_doubt_in_a_changed_subject_is_asked_about(subject: str) -> None:
    """Cites: mail.doubt."""
    for quotes in (True, False):
        assert act(do("TURN", subject=subject, quotes=quotes)) == "ask"


def test_a_doubt_beside_the_subject_of_our_letter_is_asked_about() -> None:
    ours = table()[1].subject
    for subject in (f"DRAFT Re: {ours}", f"Re: {ours} (draft, do not play)", f"do not play (was: {ours})"):
        assert act(do("TURN", subject=subject)) == "ask"
    for subject in (ours, f"Re: {ours}", f"AW: Re: {ours}", f"Fwd: {ours}", f"回复: {ours}"):
        assert act(do("TURN", subject=subject)) == "play"


@pytest.mark.parametrize(
    "subject",
    [
        "my turn",
        "Turn 5",
        "Hello",
        "Pass",
        "Mein Zug",
        "Re:",
        "Mon tour",
        "(no subject)",
        "kein Betreff",
        "Trial by fire",
    ],
)
def test_an_ordinary_subject_changes_nothing(subject: str) -> None:
    assert act(do("TURN", subject=subject)) == "play"


def test_the_subject_of_our_answer_is_no_doubt_of_the_senders() -> None:
    game, letter, _ = table()
    letters = [type(letter)(letter.raw.replace(b"Subject: ", b"Subject: Re: DRAFT ", 1))]
    data = reply("TURN", quotes=False).replace(b"Subject: Re: your turn", f"Subject: {letters[0].subject}".encode())
    taken = take_in(data)
    assert isinstance(taken, Intake)
    assert find_orders(taken, get_order_reader(game.record.game, game.names, 0), letters).subject == ""
