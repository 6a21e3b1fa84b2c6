"""Offers at a real host: the mail that leads to one, each way to answer it, and keys that come from another address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest
from attrs import define, evolve, field

from tests.host.year.players import HOST, TIME, address, game, host, letters, reply
from tests.mail.mails import body
from tests.mail.test_order_finder_kinds import SENTENCES
from tests.shared.tables import each_row, sample
from tkid.host.mails import MAX_ASKED
from tkid.host.service import Host
from tkid.host.store.transaction import Transaction
from tkid.mail.envelope import Required
from tkid.mail.game_service import HostedGame
from tkid.mail.hosted_game import Proposal, ProposalKind, SeatMemory
from tkid.mail.order_offers import STRANGER

NUMBERS = count(1)
SAMPLE = re.compile(r"^    (\S.*summon.*)$", re.MULTILINE)
MEANT = "p"
"""What may be a pass, and is never played without asking."""


@define
class Table:
    """A game at a host, in which `name` is to act and has got `letter`."""

    folder: Path
    at: Host
    name: str = ""
    letter: EmailMessage = field(factory=EmailMessage)
    days: int = 0

    @property
    def game(self) -> HostedGame:
        """The game as it is stored."""
        stored = self.at.store.get_game("game")
        assert stored is not None
        return HostedGame.read_stored(stored.record, stored.memory)

    @property
    def turns(self) -> list[str]:
        """The turns that stand."""
        return [moment.line for moment in self.game.replay.moments if moment.turn]

    @property
    def seat(self) -> SeatMemory:
        """What is remembered of the player."""
        return self.game.memory.seats[self.game.names.index(self.name)]

    @property
    def offers(self) -> tuple[Proposal, ...]:
        """What the host offers to the player."""
        return self.game.memory.list_offers(self.game.names.index(self.name))

    def find(self, kind: ProposalKind) -> Proposal | None:
        """The proposal of a kind to the player."""
        return self.game.memory.find_proposal(kind, self.game.names.index(self.name))

    def take(self, data: bytes) -> list[EmailMessage]:
        """Let the host do a mail, on a day of its own; what the player gets."""
        now = TIME + timedelta(days=self.days)
        self.at.store.keep_mail(data, now)
        self.at.work_on_all(now)
        self.at.send_letters(now)
        return letters(self.folder, self.name)

    def mail(
        self, text: str, letter: EmailMessage | None = None, *, sender: str = "", headers: str = ""
    ) -> list[EmailMessage]:
        """Send an answer to a letter, from the player's own address or another one; what the player gets."""
        data = reply(letter or self.letter, text, self.name, next(NUMBERS), headers)
        return self.take(data.replace(address(self.name).encode(), sender.encode(), 1) if sender else data)

    def reason(self) -> str:
        """Why the last mail was filed."""
        (mail,) = self.at.store.list_finished(
            [self.at.store.count_mails()["done"] + self.at.store.count_mails()["filed"]]
        )
        return mail.reason


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game of two at a host, of which the first player has got the first letter."""
    with begun(tmp_path) as found:
        yield found


@contextmanager
def begun(folder: Path) -> Iterator[Table]:
    """A game of two at a host, of which the first player has got the first letter."""
    with host(folder) as at:
        at.open_game("game", game(5), TIME)
        at.send_letters(TIME)
        found = Table(folder, at)
        awaited = found.game.awaited
        assert awaited is not None
        found.name = found.game.names[awaited]
        (found.letter,) = letters(folder, found.name)
        yield found


# -- each way to answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", ["yes", "Yes.", "y", "ok", "OK!", "ja", "oui", "1", " yes ", "yes\n\nThanks, see you!"]
)
def test_each_way_to_say_yes(table: Table, answer: str) -> None:
    (offer,) = table.mail(MEANT)
    assert table.turns == []
    assert body(offer).startswith("Is this the turn you meant? Nothing has been played yet.\n\n--- ")
    table.mail(answer, offer)
    assert [line.split()[2] for line in table.turns] == ["Pass"]


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, that's what I meant.",
        "That's it",
        "ok do it",
        "YES YES",
        "👍",
        "👍🏽",
        "jawohl, genau so",
        "c'est ça",
        "yes, pass",
    ],
)
def test_agreement_in_words_is_a_yes(table: Table, answer: str) -> None:
    (offer,) = table.mail(MEANT)
    table.mail(answer, offer)
    assert [line.split()[2] for line in table.turns] == ["Pass"]


@pytest.mark.parametrize("answer", ["Yes?", "Yes, if Bob agrees", "ok, let me think", "❤️", "Hmm"])
def test_what_is_not_clearly_agreement_is_asked_again(table: Table, answer: str) -> None:
    (offer,) = table.mail(MEANT)
    (again,) = table.mail(answer, offer)
    assert table.turns == []
    assert "To accept it" in body(again) or "to accept it" in body(again)
    assert table.find("offer") is not None


@pytest.mark.parametrize("answer", ["No, I meant Pass", "No. I meant Pass.", "Nein, ich meinte Pass", "no - pass"])
def test_a_no_with_another_turn_withdraws_and_proposes_that(table: Table, answer: str) -> None:
    (first,) = table.mail("Welsh Support in Warwick, summon from Devon please")
    (was,) = table.offers
    (offer,) = table.mail(answer, first)
    assert table.turns == []
    assert body(offer).startswith("Is this the turn you meant? Nothing has been played yet.\n\n--- ")
    assert was.lines != table.offers[0].lines == ("Pass",)
    table.mail("yes", offer)
    assert [line.split()[2] for line in table.turns] == ["Pass"]


@pytest.mark.parametrize(
    "text",
    [
        *("👍", "❤️", "Ann reacted to your message:\n👍", 'Liked "You passed."', "lol", "Thanks!", "Danke", "ok"),
        "Ok, thank you, Bob\n\nSent from my iPhone",
    ],
)
def test_a_reaction_to_a_letter_that_asked_nothing_gets_no_answer(table: Table, text: str) -> None:
    (answer,) = table.mail("Pass")
    assert table.mail(text, answer) == []
    assert table.reason() == "It is only a reaction to a mail that asked nothing [mail.reaction]"
    assert len(table.mail("Hello!", answer)) == 1


@pytest.mark.parametrize("text", ["ok?", "no", "Thanks. When is it my turn?", "thanks, but undo?"])
def test_more_than_a_reaction_is_answered(table: Table, text: str) -> None:
    (answer,) = table.mail("Pass")
    assert len(table.mail(text, answer)) == 1


@pytest.mark.parametrize("text", ["Either\n{0}\nor\n{1}", "Either\n{0}\nor\n{1}\n- I'll let you know."])
def test_of_two_samples_no_part_is_said_to_be_unplayed(table: Table, text: str) -> None:
    turns = SAMPLE.findall(body(table.letter))
    for first, second in ((turns[0], turns[-1]), (turns[-1], turns[0]), (turns[0], turns[1])):
        (asked,) = table.mail(text.format(first, second))
        assert body(asked).startswith("Which of these turns do you choose?")
        assert "Your mail has more than one." in body(asked)
        assert "Not played either" not in body(asked)


def test_a_reaction_to_a_letter_that_asks_is_answered(table: Table) -> None:
    (told,) = table.mail("👍")
    assert body(told).startswith("Nothing has been played: no line of your mail is an order.")


@pytest.mark.parametrize("answer", ["no", "No.", "n", "nein", "non", "no thanks", "2", "3"])
def test_each_way_not_to(table: Table, answer: str) -> None:
    (offer,) = table.mail(MEANT)
    (told,) = table.mail(answer, offer)
    assert table.turns == []
    assert body(told).startswith("Nothing has been played")
    assert "[mail.no-order]" not in body(told)
    assert bool(table.find("offer")) == answer.isdigit()


@pytest.mark.parametrize(
    ("answer", "order", "turns"),
    [("yes", "status", 1), ("yes", "resign", 0), ("no", "Pass", 1), ("1", "Pass", 1), ("yes", "undo yes", 0)],
)
def test_an_order_in_the_same_mail(table: Table, answer: str, order: str, turns: int) -> None:
    (offer,) = table.mail(MEANT)
    table.mail(f"{answer}\n{order}", offer)
    assert len(table.turns) == turns
    assert not table.game.time.over


def test_a_letter_with_an_offer_has_a_key_of_its_own_that_serves_for_orders_too(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    assert offer["Reply-To"] != table.letter["Reply-To"]
    table.mail("Pass", offer)
    assert len(table.turns) == 1


def test_yes_below_the_quotation_or_within_it_plays_nothing(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    for text in ("\n> yes", "\n> On Saturday Ann wrote:\n> > yes", "\n-- \nyes"):
        table.mail(text, offer)
        table.days += 1
        assert table.turns == []


def test_yes_to_another_letter_plays_nothing(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    (again,) = table.mail("yes", table.letter)
    assert table.turns == []
    assert body(again).startswith("Nothing has been played yet: you answered another mail. This offer is open.")
    assert again["Reply-To"] == offer["Reply-To"], "the offer is shown again, with its key"
    table.mail("yes", again)
    assert len(table.turns) == 1


def test_yes_to_an_offer_that_was_replaced(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    table.mail("Manoeuvre S Mory <> E Devon", offer)
    newer = table.find("offer")
    (told,) = table.mail("yes", offer)
    if newer and newer.lines != ("Pass",):
        assert table.turns == []
        assert body(told).startswith("Nothing has been played: that offer has expired.")


def test_yes_twice_plays_once(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    data = reply(offer, "yes", table.name, next(NUMBERS))
    table.take(data)
    assert table.take(data) == []
    (told,) = table.mail("yes", offer)
    assert len(table.turns) == 1
    assert body(told).startswith("Nothing has been played: that turn is over.")
    assert table.mail("yes", offer) == [], "the same is said once a day"


def test_an_offer_of_before_a_turn_was_taken_back(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    table.days = 1
    table.mail("Pass", offer)
    mine, table.name = table.name, next(name for name in table.game.names if name != table.name)
    table.mail("undo?", letters(table.folder, table.name)[-1])
    table.name = mine
    table.mail("undo yes", letters(table.folder, mine)[-1])
    assert table.offers == ()
    (told,) = table.mail("yes", offer)
    assert [turn.undone for turn in table.game.record.turns] == [True]
    assert body(told).startswith("Nothing has been played: that turn is over.")


def test_a_crash_leaves_no_offer_without_its_letter(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "post_letters", die)
        with pytest.raises(KeyboardInterrupt):
            table.mail(MEANT)
    assert table.offers == ()
    table.at.work_on_all(TIME)
    table.at.send_letters(TIME)
    (offer,) = letters(table.folder, table.name)
    table.mail("yes", offer)
    assert len(table.turns) == 1


# -- prose ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("part", sample(range(4), 4))
def test_no_sentence_of_prose_is_played_or_offered(table: Table, part: int) -> None:
    assert len(SENTENCES) >= 222
    wrong = []
    for sentence in SENTENCES[part::4]:
        table.days += 1
        told = table.mail(sentence)
        if table.turns or table.offers or any("IN WORDS" in body(letter) for letter in told):
            wrong.append(sentence)
            table.mail("no", told[-1])
    assert wrong == []


# -- a key from another address ---------------------------------------------------------------------------


ELSEWHERE = "ann.on.the.move@example.net"
ASKS = "A mail with your key came from another address. Was it you?"


@each_row("sender", [ELSEWHERE, "mallory@example.com", "the other player"])
def test_a_key_from_another_address_is_asked_about(sender: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    with begun(tmp_path_factory.mktemp("host")) as table:
        if sender == "the other player":
            sender = address(next(name for name in table.game.names if name != table.name))
        before = table.at.store.get_game("game")
        (asked,) = table.mail("Pass", sender=sender)
        after = table.at.store.get_game("game")
        assert before is not None
        assert after is not None
        assert evolve(after, memory="") == evolve(before, memory=""), "nothing but the question is remembered"
        assert asked["To"].addresses[0].addr_spec == address(table.name)
        assert sender not in str(asked["References"] or "") + str(asked["In-Reply-To"] or "")
        assert body(asked).startswith(ASKS)
        assert str(asked["Subject"]) == "Re: [game-5] Turn 1: was this mail yours?", "not the subject of somebody else"
        is_player = sender.endswith("@example.org")
        assert f"It came from {'another person here' if is_player else f'`{sender}`'}." in body(asked)
        assert not is_player or sender not in str(asked), "nobody hears the address of another player"
        assert "\n    Pass\n" in body(asked)
        assert "mail.sender" in table.reason()
        assert not (table.folder / "out" / sender / "new").exists() or sender.endswith("@example.org")
        table.mail("yes", asked)
        assert len(table.turns) == 1


def test_yes_from_the_other_address_is_no_yes(table: Table) -> None:
    (asked,) = table.mail("Pass", sender=ELSEWHERE)
    table.mail("yes", asked, sender=ELSEWHERE)
    assert table.turns == []
    table.mail("yes", asked)
    assert len(table.turns) == 1


def test_another_address_cannot_disturb_an_offer(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    table.mail("status\nnotify my turns", sender=ELSEWHERE)
    assert table.find("offer") is not None
    table.mail("yes", offer)
    assert len(table.turns) == 1
    assert table.seat.wish != "my turns"


def test_the_offer_that_was_answered_from_another_address(table: Table) -> None:
    (offer,) = table.mail(MEANT)
    (asked,) = table.mail("yes", offer, sender=ELSEWHERE)
    assert table.turns == []
    assert "\n    Pass\n" in body(asked)
    table.mail("yes", asked)
    assert len(table.turns) == 1


def test_no_to_the_question_about_another_address(table: Table) -> None:
    (asked,) = table.mail("Pass", sender=ELSEWHERE)
    (told,) = table.mail("no", asked)
    assert STRANGER in " ".join(body(told).split())
    assert table.offers == ()
    (told,) = table.mail("yes", asked)
    assert table.turns == []
    assert body(told).startswith("Nothing has been played: that offer has expired.")


def test_words_from_another_address_are_understood_and_asked_about(table: Table) -> None:
    (asked,) = table.mail("Pass, please\nnotify my turns", sender=ELSEWHERE)
    assert body(asked).startswith(ASKS)
    assert table.find("elsewhere") is not None
    assert table.offers[-1].lines == ("notify my turns", "Pass")
    table.mail("yes", asked)
    assert (len(table.turns), table.seat.wish) == (1, "my turns")


def test_who_is_not_to_act_is_asked_too(table: Table) -> None:
    table.name = next(name for name in table.game.names if name != table.name)
    (letter,) = letters(table.folder, table.name)
    (asked,) = table.mail("notify my turns", letter, sender=ELSEWHERE)
    assert table.seat.wish != "my turns"
    table.mail("yes", asked)
    assert table.seat.wish == "my turns"


@pytest.mark.parametrize("order", ["resign", "undo yes", "Assemble the army", "Hello!", ""])
def test_what_is_not_offered_to_another_address(table: Table, order: str) -> None:
    (asked,) = table.mail(order, sender=ELSEWHERE)
    assert body(asked).startswith(ASKS)
    assert table.offers == ()
    assert (f"`{order}` counts only if you write it from this address." in body(asked)) == (
        order in {"resign", "undo yes"}
    )
    table.mail("yes", asked)
    assert table.turns == []
    assert table.game.time.over is False


def test_the_player_is_asked_so_often_a_day(table: Table) -> None:
    asked = [table.mail("Pass", sender=f"{number}@example.net") for number in range(MAX_ASKED + 2)]
    assert [len(mails) for mails in asked] == [1] * MAX_ASKED + [0, 0]
    table.days = 1
    assert len(table.mail("Pass", sender=ELSEWHERE)) == 1


def test_a_key_of_an_older_turn_from_another_address(table: Table) -> None:
    table.mail("Pass")
    other = next(name for name in table.game.names if name != table.name)
    mine, table.name = table.name, other
    table.mail("Pass", letters(table.folder, other)[-1])
    table.name = mine
    letters(table.folder, mine)
    (asked,) = table.mail("Pass", sender=ELSEWHERE)
    assert "It has no order that the host can carry out" in " ".join(body(asked).split())
    assert table.offers == ()


def test_the_mail_server_has_to_vouch_for_the_yes(table: Table) -> None:
    table.at.required = Required("mx.example.org")
    (asked,) = table.mail("Pass", sender=ELSEWHERE)
    table.mail("yes", asked)
    assert table.turns == []
    assert "mail.authenticated" in table.reason()
    passed = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
    table.take(passed.encode() + reply(asked, "yes", table.name, next(NUMBERS)))
    assert len(table.turns) == 1


def test_an_automatic_mail_from_another_address_is_not_asked_about(table: Table) -> None:
    data = b"Auto-Submitted: auto-replied\n" + reply(table.letter, "Pass", table.name).replace(
        address(table.name).encode(), ELSEWHERE.encode(), 1
    )
    assert table.take(data) == []
    assert "mail.automatic" in table.reason()
    assert HOST not in ELSEWHERE
