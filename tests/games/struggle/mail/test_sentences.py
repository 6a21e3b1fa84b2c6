"""What mails say about The King is Dead: examples for every sentence, and every card of every edition in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.games.struggle.shared.family import struggle, struggles
from tests.mail.said import cut
from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.games.struggle.mail import write_card_list
from tkid.games.struggle.rules.moves import Play
from tkid.games.struggle.voice import describe_deeds
from tkid.kernel.game import fill_names
from tkid.mail.plugin import find_mail_plugin
from tkid.notation.plugin import find_turn_reader
from tkid.notation.voice import Voice
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import hide_secrets
from tkid.rulebook.rulesets import ruleset as by_code

NAMES = ("Ann", "Bob", "Cal", "Dee")
CARDS = Path(__file__).with_name("cards_in_words.txt")
BOTH = 2


@cache
def game(path: str) -> Replay:
    """A recorded game."""
    record = read_record((FOLDER / f"{path}.tkid").read_bytes()).record
    assert record is not None
    return replay(record)


def known(path: str, seat: int | None, turns: int | None = None) -> Replay:
    """A recorded game as a seat knows it, whole or after so many turns."""
    whole = hide_secrets(game(path), seat)
    return whole if turns is None else cut(whole, turns)


# -- every card -------------------------------------------------------------------------------------------


def in_words() -> Iterator[tuple[str, str, str]]:
    """The rows of the table: a ruleset, a card as it is written, and in words."""
    code = ""
    lines = iter(CARDS.read_text("utf-8").splitlines())
    for line in lines:
        if line.startswith("["):
            code = line.strip("[]")
        elif line:
            yield code, line, next(lines).strip()


@each_row("code, text, words", in_words)
def test_cards_in_words(code: str, text: str, words: str) -> None:
    """Ann, who reads it, has played the card."""
    edition = struggle(by_code(code).game())
    (play,) = find_turn_reader(edition, NAMES).read_turn(text).moves
    assert isinstance(play, Play)
    assert fill_names(edition.words.write_move(play), NAMES) == text
    assert describe_deeds(edition, [play], 0, Voice(NAMES, 0, past=True)) == words


def test_every_card_of_every_edition_is_in_the_table() -> None:
    """All but the one that is never played."""
    listed = {
        (code, card) for code, text, _ in in_words() for card in by_code(code).game().cards if text.startswith(card)
    }
    cards = {
        (ruleset.code, card)
        for ruleset in struggles()
        for card in struggle(ruleset.game()).cards
        if card != struggle(ruleset.game()).plot
    }
    assert cards <= listed


# -- turns ------------------------------------------------------------------------------------------------

PLAYERS_3, PLAYERS_2 = "second-edition/whole-game-for-3", "second-edition/whole-game-for-2"
SHORT = [
    (PLAYERS_3, 4, 0, "Bob played Assemble in Warwick, Moray and Northumbria."),
    (PLAYERS_3, 3, 0, "You played Assemble in Strathclyde and Moray."),
    (PLAYERS_3, 3, None, "Ann played Assemble in Strathclyde and Moray."),
    (PLAYERS_3, 13, 0, "Bob played Negotiate for Moray and Strathclyde."),
    (PLAYERS_3, 18, 0, "You played Scottish Support, without effect."),
    (PLAYERS_3, 21, 0, "You passed."),
    (PLAYERS_3, 29, 0, "Cal passed, and Essex became unstable."),
    (PLAYERS_3, 35, 0, "Cal passed, and the Scots won Northumbria."),
    (PLAYERS_3, 37, 0, "Bob played English Support, and the game is over."),
    ("manual/whole-game-for-2", 5, 0, "Bob played Settlement in three regions."),
    ("manual/whole-game-for-2", 10, 0, "You passed, and Deva fell to the Saxons."),
    ("manual/whole-game-for-2", 13, 1, "Ann summoned a Welsh follower from Caledonia."),
    ("first-edition-mordred/whole-game-for-2", 12, 0, "Bob played the Welsh card in Aquae Sulis."),
]


@each_row("path, number, seat, text", SHORT)
def test_a_turn_in_short(path: str, number: int, seat: int | None, text: str) -> None:
    at = known(path, seat)
    assert find_mail_plugin(at.record.game).shorten_turn(at, number, seat) == text


SINCE = [
    (PLAYERS_3, 1, 0, [
        "Bob played Outmanoeuvre, swapped a Welsh follower from Lancaster for a Scottish and an English one from Warwick, and summoned a Welsh follower from Warwick.",
    ]),
    (PLAYERS_3, 2, 0, [
        "Cal played Assemble, put a Scottish and an English follower into Northumbria and a Welsh one into Moray, and summoned an English follower from Lancaster.",
    ]),
    (PLAYERS_3, 13, 1, [
        "You played Negotiate, swapped the region cards of Moray and Strathclyde, put a negotiation disc on Moray, and summoned an English follower from Essex.",
    ]),
    (PLAYERS_3, 29, 0, ["Cal passed.", "Essex became unstable, as Welsh and English tied at 2."]),
    (PLAYERS_3, 35, 0, ["Cal passed.", "The Scots won Northumbria 4 to 2."]),
    (PLAYERS_3, 37, 0, [
        "Bob played English Support without effect and summoned an English follower from Gwynedd.",
        "Nobody had a card left, so the last regions were decided.",
        "The Welsh won Devon, Strathclyde, Moray and Warwick.",
        "The Scots won Lancaster.",
        "Gwynedd became unstable.",
        "You won with the most Welsh followers at court.",
    ]),
    ("manual/whole-game-for-2", 10, 1, ["Ann passed.", "Deva fell to the Saxons, as Scots and Welsh tied at 2."]),
    ("manual/whole-game-for-2", 13, 0, ["You played no card and summoned a Welsh follower from Caledonia."]),
    ("manual/whole-game-for-2", 27, 0, [
        "Bob played the Welsh card, put a Welsh follower into Caerleon and a Welsh one into Londinium, and summoned nobody.",
    ]),
    ("manual/whole-game-for-2", 42, 0, [
        "Bob passed.",
        "Eboracum fell to the Saxons, as nobody was there.",
        "You won by playing a card last.",
    ]),
    ("first-edition-mordred/whole-game-for-2", 16, 0, [
        "Bob passed.",
        "The Scots won Londinium 5 to 2.",
        "A follower of Mordred came to Din Eidyn.",
    ]),
    ("second-edition-advanced/whole-game-for-2", 12, 0, [
        "Bob played Suppress, returned a Scottish and an English follower from Warwick to the supply, put an English one there, and summoned a Welsh follower from Strathclyde.",
    ]),
]  # fmt: skip


@each_row("path, number, seat, sentences", SINCE)
def test_a_turn_in_full(path: str, number: int, seat: int, sentences: list[str]) -> None:
    at = known(path, seat)
    assert find_mail_plugin(at.record.game).tell_since(at, number, seat) == sentences


HEADLINES = [
    (PLAYERS_3, 0, "a new game"),
    (PLAYERS_3, 1, "Bob played"),
    (PLAYERS_3, 11, "Cal passed"),
    (PLAYERS_3, 29, "Essex became unstable"),
    (PLAYERS_3, 35, "the Scots won Northumbria"),
    (PLAYERS_3, 37, "the game is over"),
    ("manual/whole-game-for-2", 10, "Deva fell to the Saxons"),
    ("manual/whole-game-for-2", 13, "Ann summoned"),
]


@each_row("path, number, text", HEADLINES)
def test_a_turn_in_a_subject(path: str, number: int, text: str) -> None:
    at = known(path, None)
    assert find_mail_plugin(at.record.game).write_headline(at, number) == text


NOTES = [
    ("out of time", 0, "The host passed for you, because time ran out.", "The host passed for you."),
    ("out of time", 1, "The host passed for Ann, because time ran out.", "The host passed for Ann."),
    ("nothing to play", 0, "You passed, with no card left.", "You passed."),
    ("nothing to play", 1, "Ann passed, with no card left.", "Ann passed."),
    ("resigned", 0, "The host passed for you, who have resigned.", "The host passed for you."),
    ("resigned", 1, "The host passed for Ann, who has resigned.", "The host passed for Ann."),
]


@each_row("note, seat, text, short", NOTES)
def test_a_pass_without_its_player_has_its_reason(note: str, seat: int, text: str, short: str) -> None:
    start = (
        (FOLDER / f"{PLAYERS_2}.tkid")
        .read_text("utf-8")
        .partition("Turns\n")[0]
        .replace("First        Bob", "First        Ann")
    )
    record = read_record(f"{start}Turns\n1. Ann Pass {{{note}}}\n".encode()).record
    assert record is not None
    at, plugin = replay(record), find_mail_plugin(record.game)
    assert plugin.tell_since(at, 1, seat) == [text]
    assert plugin.shorten_turn(at, 1, seat) == short


def test_a_turn_that_was_taken_back() -> None:
    start = (FOLDER / f"{PLAYERS_2}.tkid").read_text("utf-8").partition("Turns\n")[0]
    first = start.partition("First        ")[2].split()[0]
    turn = f"1. {first} Pass {{undone: Ann, Bob agreed at 2026-11-21T10:04Z}}"
    record = read_record(f"{start}Turns\n{turn}\n".encode()).record
    assert record is not None
    at, plugin, seat = replay(record), find_mail_plugin(record.game), NAMES.index(first)
    assert plugin.tell_since(at, 1, seat) == ["Your turn 1 was taken back; everybody agreed."]
    assert plugin.shorten_turn(at, 1, 1 - seat) == f"{first}'s turn 1 was taken back."
    assert plugin.write_headline(at, 1) == "turn 1 was taken back"


# -- what may come ----------------------------------------------------------------------------------------

TURNS = [
    (PLAYERS_3, 0, "Pass", "You pass."),
    (PLAYERS_3, 28, "Pass", "You pass, and Essex becomes unstable, as Welsh and English tie at 2."),
    (PLAYERS_3, 6, "Assemble S Northumbria, W Essex; summon S Strathclyde",
     "You play Assemble, put a Scottish follower into Northumbria and a Welsh one into Essex, and summon a Scottish follower from Strathclyde."),
    (PLAYERS_3, 12, "Negotiate Moray <> Strathclyde, disc Moray; summon E Essex",
     "You play Negotiate, swap the region cards of Moray and Strathclyde, put a negotiation disc on Moray, and summon an English follower from Essex."),
    ("manual/whole-game-for-2", 12, "summon W Caledonia", "You play no card and summon a Welsh follower from Caledonia."),
    ("manual/whole-game-for-2", 26, "Welsh W Caerleon, W Londinium; no summon",
     "You play the Welsh card, put a Welsh follower into Caerleon and a Welsh one into Londinium, and summon nobody."),
    ("manual/whole-game-for-2", 41, "Pass",
     "You pass, and Eboracum falls to the Saxons, as nobody is there. That ends the game."),
    (PLAYERS_3, 0, "nonsense", ""),
]  # fmt: skip


@each_row("path, turns, text, words", TURNS)
def test_a_turn_before_it_is_played(path: str, turns: int, text: str, words: str) -> None:
    at = known(path, game(path).moments[turns].position.to_act, turns)
    assert find_mail_plugin(at.record.game).tell_turn(at, text) == words


OUTLOOKS = [
    (PLAYERS_3, 0, 0, "If Bob passes and Cal and you then pass too, the English win Warwick 2 to 1."),
    (PLAYERS_3, 6, 0, "If Bob passes and Cal and you then pass too, Warwick becomes unstable, as Scots and Welsh tie at 1."),
    (PLAYERS_3, 27, 0, "If Bob passes and Cal then passes too, Essex becomes unstable, as Welsh and English tie at 2."),
    (PLAYERS_3, 28, 2, "If you pass, Essex becomes unstable, as Welsh and English tie at 2."),
    (PLAYERS_3, 37, 0, ""),
    ("first-edition-mordred/whole-game-for-2", 10, 0, "If you pass and Bob then passes too, the Scots win Londinium 5 to 2."),
    ("manual/whole-game-for-2", 40, 0,
     "If you pass and Bob then passes too, Eboracum falls to the Saxons, as nobody is there. That ends the game, and you win."),
    ("manual/whole-game-for-2", 41, 1, "If you pass, Eboracum falls to the Saxons, as nobody is there. That ends the game, and Ann wins."),
    ("second-edition-advanced/whole-game-for-2", 20, 0, "If you pass, Essex becomes unstable, as Scots and English tie at 2."),
]  # fmt: skip


@each_row("path, turns, seat, text", OUTLOOKS)
def test_what_passing_does(path: str, turns: int, seat: int, text: str) -> None:
    at = known(path, seat, turns)
    assert find_mail_plugin(at.record.game).describe_outlook(at, seat) == text


def test_samples_differ_in_kind_and_say_something() -> None:
    at = known(PLAYERS_3, 1, 0)
    samples = find_mail_plugin(at.record.game).list_samples(at)
    assert [sample.split(";")[0].split(" ")[0] for sample in samples] == ["Scottish", "Assemble", "Negotiate"]
    spent = known(PLAYERS_3, 0, 23)
    assert find_mail_plugin(spent.record.game).list_samples(spent) == ["Welsh Support nothing; summon E Northumbria"]
    assert (
        find_mail_plugin(spent.record.game).list_samples(known("second-edition-advanced/whole-game-for-2", 0, 1)) == []
    )


# -- what each has ----------------------------------------------------------------------------------------

FACTS = [
    (PLAYERS_2, 0, 0, [
        ("You", "court 0S 2W 0E   cards: Scottish, Welsh and English Support, Assemble x2, Negotiate, Manoeuvre, Outmanoeuvre"),
        ("Bob", "court 0S 1W 1E   cards: the same eight"),
    ]),
    ("second-edition-advanced/whole-game-for-2", 11, 0, [
        ("You", "court 3S 3W 0E   cards: Negotiate, Ambush, Influence, Muster; top discard Assemble"),
        ("Bob", "court 3S 3W 1E   cards: 3 hidden; top discard Negotiate; negotiation disc used"),
    ]),
    ("second-edition-advanced/whole-game-for-2", None, 1, [
        ("Ann", "court 4S 4W 2E   cards: none; winner"),
        ("You", "court 3S 5W 2E   cards: none"),
    ]),
    ("manual/whole-game-for-2", 12, 1, [
        ("Ann", "court 4S 3W 0R   cards: Scots, Welsh, Romano-British; Crown token used"),
        ("You", "court 0S 1W 3R   cards: Scots, Welsh, Romano-British, Crown, Ambassador, Garrison"),
    ]),
]  # fmt: skip


@each_row("path, turns, seat, rows", FACTS)
def test_what_each_has(path: str, turns: int | None, seat: int, rows: list[tuple[str, str]]) -> None:
    at = known(path, seat, turns)
    assert list(find_mail_plugin(at.record.game).list_facts(at, seat)) == rows


def test_team_mates_are_named() -> None:
    at = known("second-edition/whole-game-for-4", 2, 0)
    rows = dict(find_mail_plugin(at.record.game).list_facts(at, 2))
    assert [rows[name].rpartition("; ")[2] for name in ("Ann", "Bob", "You", "Dee")] == [
        "team with you",
        "team with Dee",
        "team with Ann",
        "team with Bob",
    ]


LISTS = [
    (("Assemble", "Assemble", "Negotiate"), "Assemble x2, Negotiate"),
    (("Scottish Support", "English Support", "Negotiate"), "Scottish and English Support, Negotiate"),
    (("English Support",), "English Support"),
    (("?", "?"), "2 hidden"),
    (("Plot", "?"), "Plot, 1 hidden"),
    ((), "none"),
]


@each_row("cards, text", LISTS)
def test_cards_are_listed(cards: tuple[str, ...], text: str) -> None:
    assert write_card_list(cards) == text
