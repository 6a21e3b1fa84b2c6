"""The second reading: what people type who do not write notation, and what they type without ordering anything."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mail.test_order_finder_kinds import SENTENCES
from tests.notation.scrambling import NAMES as PLAYERS
from tests.notation.scrambling import OPERATIONS, legal_turn, scrambled
from tests.shared.strategies import GAMES, random_game, seeds
from tests.shared.tables import each_row
from tkid.kernel.game import fill_names
from tkid.notation.free_text import Understanding, understand_turn
from tkid.notation.plugin import find_notation_plugin
from tkid.notation.positions import read_position
from tkid.rulebook.rulesets import ruleset

FOLDER = Path(__file__).parent / "phrases"
FILES = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
NAMES = ("Ann", "Bob")
POSITION = "# position: "
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Phrase(NamedTuple):
    """A row of the table: a text in a position, its class, and what it means.

    `sign` is `=` for a turn that is proposed, `?` for turns to choose from, `!` for a rule that is broken and where, `-`
    for nothing.
    """

    file: str
    sort: str
    text: str
    sign: str
    wanted: str


def phrases() -> list[Phrase]:
    """The rows of all files."""
    rows = []
    for path in sorted(FOLDER.glob("*.txt")):
        sort = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("## "):
                sort = line[3:]
            elif line and not line.startswith(POSITION):
                row = re.fullmatch(r"(.*) ([=?!-])(?: (.*?))?\s*", line)
                assert row is not None, line
                rows.append(Phrase(path.stem, sort, row[1].replace("\\n", "\n"), row[2], (row[3] or "").strip()))
    return rows


@cache
def situation(file: str) -> Any:
    """The game and the position of a file."""
    first, *_ = (FOLDER / f"{file}.txt").read_text("utf-8").splitlines()
    return read_position(first.removeprefix(POSITION))


def understood(phrase: Phrase) -> Understanding:
    """What is made of a phrase."""
    game, position = situation(phrase.file)
    return understand_turn(game, NAMES, position, phrase.text)


def fault(phrase: Phrase) -> str:
    """What is wrong with what is made of a phrase, "" where nothing is."""
    found = understood(phrase)
    if phrase.sign == "=":
        right = found.turn == phrase.wanted and found.choices == (phrase.wanted,) and not found.problems
    elif phrase.sign == "?":
        wanted = {turn.strip() for turn in phrase.wanted.split("|") if turn.strip()}
        right = not found.turn and len(found.choices) > 1 and wanted <= {*found.choices} and bool(found.problems)
    elif phrase.sign == "!":
        rule, _, at = phrase.wanted.partition(" @")
        wrong = found.problems[0] if found.problems else None
        right = wrong is not None and not found.turn and wrong.rule == rule
        right = right and (not at or phrase.text[wrong.col - 1 :][: wrong.length] == at)  # type: ignore[union-attr]
    else:
        right = not found.turn and not found.choices
    problems = [(problem.rule, problem.col, problem.message) for problem in found.problems]
    return "" if right else f"{phrase}\n   -> {found.turn!r} {found.certain} {found.choices} {problems}"


EXCLUDING = (
    ("English Support Devon, summon anything but a Scot from Strathclyde", "summon S Strathclyde"),
    ("English Support Devon, summon anything except a Scot from Moray", "summon S Moray"),
    ("English Support EE Devon, summon no Scot from Moray", "summon S Moray"),
    ("English Support Devon, summon someone other than the Welshman from Gwynedd", "summon W Gwynedd"),
    ("English Support anywhere but Devon, summon E Essex", "Devon"),
    ("English Support, not Devon, not Warwick; summon E Essex", "Devon|Warwick"),
    ("Englische Unterstützung überall außer Devon, nimm E aus Essex", "Devon"),
    ("Support anglais partout sauf Devon, je prends un Anglais de Essex", "Devon"),
    ("Manoeuvre S Moray for E Devon, leave the Welshman in Gwynedd alone", "summon W Gwynedd"),
    ("English Support EE Devon; summon E Essex rather than S Moray", "summon S Moray"),
    ("Negotiate Moray Devon disc Devon instead of English Support EE Devon; summon E Essex", "English Support"),
)


@pytest.mark.parametrize(("text", "excluded"), EXCLUDING)
def test_a_turn_that_is_ruled_out_is_not_offered(text: str, excluded: str) -> None:
    """The others are; cites: notation.free.intent."""
    game, position = situation("start")
    found = understand_turn(game, NAMES, position, text)
    assert found.choices
    assert not found.certain
    assert not any(re.search(excluded, turn) for turn in found.choices), found.choices


def test_only_a_turn_that_is_ruled_out_is_none() -> None:
    game, position = situation("winter")
    found = understand_turn(game, NAMES, position, "English Support EE Lancaster, not Lancaster; summon S Moray")
    assert (found.turn, found.choices) == ("", ())
    assert "only says which turn you don't mean" in found.problems[0].message


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("any goblin but the 7", "Goblin 0"),
        ("Knight 8, not Knight 6", "Knight 8"),
        ("goblin 7, no wait, 0", "Goblin 0"),
    ],
)
def test_exclusions_and_corrections_hold_in_every_game(text: str, turn: str) -> None:
    game, position = situation("claim_lead")
    found = understand_turn(game, NAMES, position, text)
    assert found.choices == (turn,)
    assert not found.certain


SAID_BY_THE_WAY = (
    ("English Support to Devon, no wait, Warwick; summon E Essex", "English Support EE Warwick; summon E Essex"),
    ("English Support EE Devon; summon E Essex, ok?", "English Support EE Devon; summon E Essex"),
    ("two english into Devon and take one of them", "English Support EE Devon; summon E Devon"),
    ("Assemble: all three in Devon, summon W Gwynedd", "Assemble S Devon, W Devon, E Devon; summon W Gwynedd"),
    ("j'échange un Écossais de Moray contre un Anglais de Devon et je prends un Gallois de Gwynedd", "Manoeuvre S Moray <> E Devon; summon W Gwynedd"),
    ("cambio un escocés de Moray por un inglés de Devon y tomo un galés de Gwynedd", "Manoeuvre S Moray <> E Devon; summon W Gwynedd"),
    ("Assemble: Devon gets the Scot and the Welsh, Essex gets the English; summon W Gwynedd", "Assemble S Devon, W Devon, E Essex; summon W Gwynedd"),
    ("Yo paso", "Pass"),
    ("nah, nothing from me this time", "Pass"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "turn"), SAID_BY_THE_WAY)
def test_corrections_questions_and_words_for_what_was_named_before(text: str, turn: str) -> None:
    game, position = situation("start")
    found = understand_turn(game, NAMES, position, text)
    assert turn in found.choices
    assert not found.certain


def test_what_words_leave_open_is_named() -> None:
    game, position = situation("start")
    found = understand_turn(game, NAMES, position, "Welsh Support WW in Lancaster & summon E from Lancaster, in Kent")
    assert "`Kent` is not a region" in [problem.message for problem in found.problems]
    found = understand_turn(game, NAMES, position, "two scots and a welshman from moray to essex")
    assert found.problems[0].message == "This names no card, and no legal turn fits its words"


@pytest.mark.parametrize("text", ["S Moray <> E Devon; W Gwynedd", "S Moray <-> E Devon, W Gwynedd"])
def test_a_sign_of_a_swap_names_no_card_that_only_places(text: str) -> None:
    game, position = situation("start")
    found = understand_turn(game, NAMES, position, text)
    assert all("<>" in turn for turn in found.choices)


@each_row("phrase", phrases(), ids=lambda phrase: phrase.text)
def test_phrases(phrase: Phrase) -> None:
    assert fault(phrase) == ""


def test_the_table_has_every_class() -> None:
    rows = phrases()
    classes = {"midnight", "card names", "numbers as words", "factions", "regions", "order of words", "punctuation"}
    classes |= {
        "connecting words",
        "arrows and swaps",
        "history",
        "other languages",
        "several fit",
        "one thing is wrong",
    }
    assert {row.sort for row in rows} >= classes | {"nothing"}


@each_row("phrase", [row for row in phrases() if row.sign == "="], ids=lambda phrase: phrase.text)
def test_only_what_the_strict_reading_reads_is_certain(phrase: Phrase) -> None:
    game, position = situation(phrase.file)
    reader = find_notation_plugin(game).reader(game, NAMES)
    found = understood(phrase)
    typed, meant = (
        [game.canonical(position, move) for move in reader.read_turn(text).moves]
        for text in (phrase.text, phrase.wanted)
    )
    assert found.certain == (typed == meant and phrase.wanted != "Pass")


# -- what orders nothing ----------------------------------------------------------------------------------

REMARKS = (
    *SENTENCES,
    *("Hello Bob, how are you?", "If you like we can play another one next week.", "Why did you do that to me again?"),
    *("English is not my language, sorry about that", "Away with you, villain", "History will judge you for this"),
    *(
        "Thanks for the game!",
        "Summon the devil from hell",
        "Manoeuvre is a nice card",
        "Man",
        "Marc",
        "Edith",
        "",
        "...",
    ),
    *("As I said, a nice evening for all", "A Devon man would pass", "A question; can we talk?", "No; I will not"),
    *(
        "Out for lunch in Essex until two",
        "Sent from my iPhone",
        "Am Sa., 21. Nov. 2026 schrieb tkid <tkid@localhost>:",
    ),
    *(
        "-- Moray: Scottish (2S 1W)",
        "A demain à tous les Gallois",
        "E questa è la mia mossa:",
        "As über《三国》、naja。",
    ),
    *("My Scottish friends support Devon and Moray", "the Crown is in London, the Scots are in Caledonia"),
    *("I will pass on your regards", "Time to pass the crown to the Welsh in Gwynedd", "We pass Essex on the train"),
    *("Two English men and a Scot walk into a bar in Essex", "Seven dwarves went to the goblin market with a knight"),
    *(
        "resign",
        "undo?",
        "status",
        "say to all: I pass",
        "draft Pass",
        "pass until struggle",
        "if Bob passes: Pass; else stop",
    ),
    *(
        "cancel all",
        "away 2026-12-20 to 2026-12-27",
        "legal Negotiate",
        "notify my turns",
        "Pass; then Pass",
        "help Pass",
    ),
)
"""Lines of mails in which nobody orders a turn; orders of other kinds among them."""


@each_row("remark", REMARKS)
def test_prose_yields_no_proposal(remark: str) -> None:
    for file in FILES:
        game, position = situation(file)
        found = understand_turn(game, NAMES, position, remark)
        assert (found.turn, found.choices) == ("", ()), file
        assert found.problems
        assert not found.certain


@each_row("phrase", [row for row in phrases() if row.sign in {"=", "?"}], ids=lambda phrase: phrase.text)
def test_questions_conditions_denials_and_others_order_nothing(phrase: Phrase) -> None:
    game, position = situation(phrase.file)
    text = phrase.text.replace("\n", " ").replace(". ", ", ").replace("! ", ", ").rstrip(".! ")
    for spoiled in (f"{text}?", f"if you agree, {text}", f"I will not {text}", f"maybe {text}", f"you played {text}"):
        found = understand_turn(game, NAMES, position, spoiled)
        assert (found.turn, found.choices) == ("", ()), spoiled


# -- when the game is over, and what is too long ----------------------------------------------------------


def test_nothing_is_proposed_when_the_game_is_over() -> None:
    game, position = situation("start")
    over = position.replace(to_act=None, decision=None, ending="coronation", winners=(0,))
    for typed in ("I pass", "Pass", "English Support EE Devon", "pas encore", ""):
        found = understand_turn(game, NAMES, over, typed)
        assert (found.turn, found.choices) == ("", ())
        assert [problem.rule for problem in found.problems] == ["second.ending.over"]


def test_a_long_text_is_read_strictly_only() -> None:
    game, position = situation("start")
    assert not understand_turn(game, NAMES, position, "I pass. " + "Well. " * 200).choices


@each_row("text", ["Pass", "pass", "PASS!", " pass. "])
def test_a_whole_pass_is_certain(text: str) -> None:
    game, position = situation("start")
    assert understand_turn(game, NAMES, position, text) == Understanding("Pass", certain=True, choices=("Pass",))


@each_row("text", ["p", "P", "pa", "pas", "Pa.", "pss", "Psas", "paas.", "I pass", "passe"])
def test_an_abbreviated_pass_is_asked_about(text: str) -> None:
    game, position = situation("start")
    assert understand_turn(game, NAMES, position, text) == Understanding("Pass", choices=("Pass",))


@each_row("text", ["16. Bob Pass", "2. Bob English Support EE Devon; summon E Essex", "wait, pass", "no pass"])
def test_a_turn_of_somebody_else_or_taken_back_is_none(text: str) -> None:
    game, position = situation("start")
    assert not understand_turn(game, NAMES, position, text).choices


def test_a_hidden_hand_is_read_as_far_as_it_is_known() -> None:
    game, position = situation("advanced")
    shown = game.view(position, 0).shown
    text = "march 2 english from essex to warwick, summon w gwynedd"
    assert understand_turn(game, NAMES, shown, text).turn == "March EE Essex > Warwick; summon W Gwynedd"


@each_row("name", ["Scott", "Marc", "Sumon", "Devin", "Welles", "Ali Take"])
def test_a_player_whose_name_is_like_a_word_of_the_game(name: str) -> None:
    game, position = situation("start")
    found = understand_turn(
        game, ("Ann", name), position, f"Hi {name}, english support 2 to devon, summon english essex"
    )
    assert found.turn == "English Support EE Devon; summon E Essex"


# -- scrambling -------------------------------------------------------------------------------------------


def judged(seed: int) -> tuple[str, str, str, Understanding]:
    """A legal turn by chance in a game by chance, the turn scrambled, and what is made of that."""
    rng = Random(seed)
    name = rng.choice(list(GAMES))
    game, players = GAMES[name], rng.choice((2, 3, 4))
    reached = [position for position, _, _ in random_game(rng, players, 0.3, game) if position.decision == "play"]
    position, names = rng.choice(reached), PLAYERS[:players]
    turn = fill_names(game.words.write_turn(legal_turn(rng, game, position)), names)
    operations = frozenset(rng.sample(OPERATIONS, rng.choice((1, 2, 3, len(OPERATIONS)))))
    text = scrambled(rng, game, turn, operations)
    return name, turn, text, understand_turn(game, names, position, text)


@given(seeds)
@example(82195999)  # a summons is missing where there is none to make
def test_a_scrambled_turn_is_proposed_or_asked_about_and_no_other_is(seed: int) -> None:
    name, turn, text, found = judged(seed)
    assert found.turn in {"", turn}, (name, text)
    assert found.turn or found.problems, (name, text)
    assert not found.certain or found.turn == turn


def test_most_scrambled_turns_are_understood() -> None:
    found = [judged(seed) for seed in range(150)]
    assert sum(understood.turn == turn for _, turn, _, understood in found) >= 0.95 * len(found)


CLAIM = (
    "{f} {n}",
    "{n} {f}",
    "the {n} of {f}s",
    "play my {w} of {f}",
    "i lead the {f} with value {n}",
    "{F}{n}",
    "{f}-{n}",
)


@given(st.integers(0, 2**32 - 1))
def test_a_scrambled_card_of_claim_is_proposed(seed: int) -> None:
    rng = Random(seed)
    game, position = situation(rng.choice(("claim_lead", "claim_follow")))
    options = game.legal(position)
    card = game.words.write_move(options[rng.randrange(len(options))])
    faction, value = card.split()
    text = rng.choice(CLAIM).format(f=faction, F=faction[:3], n=value, w=WORDS[int(value)])
    text = rng.choice((text, text.lower(), text.upper(), f"{text} please", f"7. {text} #ab12cd"))
    found = understand_turn(game, NAMES, position, text)
    assert found.turn == card, text


def test_the_examples_of_the_page_are_right() -> None:
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")
    block = text.partition("```free\n")[2].partition("```")[0]
    rows = [line.split(" => ") for line in block.splitlines()]
    assert len(rows) >= 5
    game, position = situation("start")
    assert [understand_turn(game, NAMES, position, typed).turn for typed, _ in rows] == [turn for _, turn in rows]


@each_row(("code", "turn"), [("second-edition", "Pass"), ("claim", "Goblin 5")])
def test_a_text_that_is_longer_than_any_turn_is_not_parsed(code: str, turn: str) -> None:
    game = ruleset(code).game()
    reader = find_notation_plugin(game).reader(game, ())
    fits, long = (turn + " " * (length - len(turn)) for length in (2000, 2001))
    assert reader.read_turn(fits).moves
    (problem,) = reader.read_turn(long).problems
    assert (problem.rule, problem.col) == ("notation.long", 2001)
    assert problem.message == "This has 2,001 characters; a turn has at most 2,000"


@each_row(
    "text",
    [
        "Pass. Or maybe English Support EE Devon; summon S Moray",
        "English Support EE Devon; summon S Moray. Or maybe pass",
        "Pass\nor Assemble S Moray",
        "English Support EE Devon; summon S Moray. Pass",
        "English Support EE Devon; summon S Moray\nI pass.",
    ],
)
def test_a_turn_with_another_in_its_place_is_only_offered(text: str) -> None:
    game = ruleset("second-edition").game()
    position = game.start(game.seat_players(NAMES), game.deal(2, bytes(32)))
    found = understand_turn(game, NAMES, position, text)
    assert (found.turn, found.certain, len(found.choices)) == (
        "",
        False,
        2 if text.endswith(("Pass", "I pass.")) else 1,
    )
    assert [problem.rule for problem in found.problems] == ["notation.free.several"]


@each_row(
    "text",
    [
        "Bob: Pass",
        "bob : pass",
        "2: Pass",
        "for Bob: pass",
        "Seat 2: Pass",
        "Bob - pass",
        "❌ pass",
        "🤔 pass",
        "👎 Pass",
    ],
)
def test_the_turn_of_somebody_else_or_with_a_sign_of_doubt_is_asked_about(text: str) -> None:
    game, position = situation("winter")
    found = understand_turn(game, ("Ann", "Bob"), position, text)
    assert not found.turn
    assert found.choices == ("Pass",)
    assert found.problems[0].rule == "notation.free.intent"


@each_row("text", ["Ann: Pass", "1: pass", "my turn: pass", "🙂 pass"])
def test_a_label_of_ones_own_changes_nothing(text: str) -> None:
    game, position = situation("winter")
    assert understand_turn(game, ("Ann", "Bob"), position, text).turn == "Pass"


@each_row(
    ("text", "turn"),
    [
        ("Manoeuvre: the scot in Moray with the welshman in Gwynedd. Summon that same scot.", "summon S Gwynedd"),
        ("Outmanoeuvre: the Scot in Lancaster for two Welshmen from Gwynedd. Take the Scot back.", "summon S Gwynedd"),
        ("Assemble all three in Essex, and summon the E again", "summon E Essex"),
        ("🟡🟡 to Devon, 🔵 from Moray", "English Support EE Devon; summon S Moray"),
        (
            "Manoeuvre 🔴 Warwick with 🔵 Northumbria, summon 🟡 Essex",
            "Manoeuvre S Northumbria <> W Warwick; summon E Essex",
        ),
        ("apoio inglês em Devon; convoco um galês de lá", "English Support EE Devon; summon W Devon"),
        ("sostegno inglese a Devon, prendo un gallese da lì", "English Support EE Devon; summon W Devon"),
        ("soutien anglais en Devon, je prends un Gallois de là", "English Support EE Devon; summon W Devon"),
        (
            "Assemble: S in the current region, W in Devon, E in Moray; summon E Moray",
            "Assemble S Strathclyde, W Devon, E Moray",
        ),
        (
            "Assemble: S in the region that's up next, W in Devon, E in Moray; summon E Moray",
            "Assemble S Strathclyde, W Devon",
        ),
        (
            "negotiate the first two cards, disc on Essex, summon W Gwynedd",
            "Negotiate Strathclyde <> Essex, disc Essex",
        ),
        ("negotiate the last two regions, disc on Devon, summon W Gwynedd", "Negotiate Lancaster <> Devon, disc Devon"),
        (
            "english support warwick, and one of the two welshmen there joins me",
            "English Support EE Warwick; summon W Warwick",
        ),
        (
            "English Support Devon. Not the E but the W from Devon comes to court.",
            "English Support EE Devon; summon W Devon",
        ),
        ("english support warwick? no, devon. summon w devon", "English Support EE Devon; summon W Devon"),
        (
            "negotiate strathclyde and moray, disc moray, sorry, I mean disc on moray. take e moray",
            "disc Moray; summon E Moray",
        ),
    ],
)
def test_what_was_named_before_or_is_described_is_found(text: str, turn: str) -> None:
    game, position = situation("start")
    found = understand_turn(game, NAMES, position, text)
    assert [turn in each for each in found.choices] == [True], found


@each_row(
    ("text", "turn", "named"),
    [
        (
            "help (english support) for devon with two yellow ones and take a welshman from devon",
            "English Support EE Devon; summon W Devon",
            "`help`",
        ),
        (
            "english support, both yellows placed in devon; summon w devon",
            "English Support EE Devon; summon W Devon",
            "`placed`",
        ),
        (
            "English Support in Warwick, as Essex is next to it. Welsh follower from Devon.",
            "English Support EE Warwick; summon W Devon",
            "`as Essex is next to it`",
        ),
        (
            "play English Support in Warwick and take the Welshman from Devon before he's gone",
            "English Support EE Warwick; summon W Devon",
            "`he's`",
        ),
        (
            "Methinks a gathering is in order: a Scot unto Devon, a Welshman unto Strathclyde, an Englishman unto Essex. A Welshman of Gwynedd attends me.",
            "Assemble S Devon, W Strathclyde, E Essex; summon W Gwynedd",
            "`gathering`",
        ),
    ],
)
def test_a_whole_turn_beside_other_words_is_asked_about(text: str, turn: str, named: str) -> None:
    """The question names the words that are not understood; cites: notation.free.several."""
    game, position = situation("start")
    found = understand_turn(game, NAMES, position, text)
    assert (found.turn, found.choices) == ("", (turn,))
    assert named in found.problems[0].message


def test_a_region_that_words_only_describe_is_named() -> None:
    game, position = situation("start")
    found = understand_turn(
        game, NAMES, position, "English Support to the region where most English are; summon E Essex"
    )
    assert not found.turn


@each_row("text", ["Pass 😴", "pass 👍", "no thanks, not playing this round", "Not playing this time"])
def test_a_pass_in_other_words_or_beside_a_picture_is_proposed(text: str) -> None:
    game, position = situation("start")
    assert understand_turn(game, NAMES, position, text).turn == "Pass"


@each_row("text", ["I'm not playing Assemble", "I don't play", "not playing Negotiate this time"])
def test_not_playing_a_card_is_no_pass(text: str) -> None:
    game, position = situation("start")
    assert understand_turn(game, NAMES, position, text).turn != "Pass"
