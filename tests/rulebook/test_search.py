"""Questions in people's own words find their rules: in a small rulebook of the test's own, and in the register."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from attrs import frozen

from tests.makers.stems import FILE, list_stems
from tests.shared.tables import each_row
from tkid.rulebook import all_rules
from tkid.rulebook.register import find_game_name, list_prefixes, read_heading
from tkid.rulebook.rulesets import ruleset, rulesets
from tkid.rulebook.search import Answer, ask, explain_unknown_ruleset, make_protocol_data, make_search_data, rank_rules
from tkid.rulebook.search.index import Index, Language, is_misspelt, is_slip, load_word_table, translate_words

ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "fixtures" / "questions.toml"


@frozen
class Question:
    """A question as a player asks it, of a ruleset, with the ids that answer it."""

    text: str
    ruleset: str
    rules: frozenset[str]


def questions() -> list[Question]:
    """The table of questions."""
    rows = tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]
    return [Question(row["text"], row.get("ruleset", "second-edition"), frozenset(row["rules"])) for row in rows]


def test_a_ruleset_that_there_is_not_is_told() -> None:
    with pytest.raises(LookupError, match="Did you mean claim"):
        ask("who wins a tie", "clam")


# -- a small rulebook --------------------------------------------------------------------------------------


def _rule(rule_id: str, title: str, statement: str, *asks: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"id": rule_id, "kind": "definition", "title": title, "statement": statement, "asks": list(asks)} | more


EDITIONS = [
    {
        "prefix": "new",
        "game": "cubes",
        "rulesets": ["new", "new-storm"],
        "names": ["second edition"],
        "variants": [["storm", "card.gale"]],
    },
    {"prefix": "old", "game": "cubes", "rulesets": ["old"], "names": ["first edition"], "signs": ["saxon", "saxons"]},
    {"prefix": "cards", "game": "cards", "rulesets": ["cards"], "names": ["cards"], "signs": ["trick"]},
]
RULES = [
    _rule("new.struggle.tie", "Ties in a region", "Nobody takes control.", ("Who wins a tie?", "Nobody.")),
    _rule("new.summon.must", "You must summon", "After every action, take a follower to your own court."),
    _rule("new.card.manoeuvre", "Manoeuvre", "Swap any two followers."),
    _rule("new.card.negotiate", "Negotiate", "Swap two region cards.", related=["new.card.manoeuvre"]),
    _rule("new.storm.wind", "The wind", "A storm moves a follower."),
    _rule("new.card.gale", "Gale", "Move a follower to a region with a cape."),
    _rule("new.card.stroll", "Stroll", "Walk with a follower to a region past a cape."),
    _rule("new.calm.wind", "The wind", "A storm moves a follower in a calm."),
    _rule("old.struggle.tie", "Ties in a region", "The Saxons take the region.", ("Who wins a tie?", "The Saxons.")),
    _rule("old.draw.again", "Drawing again", "Players with followers of one faction draw again."),
    _rule("cards.trick.tie", "Equal cards", "The Leader wins a trick of equal cards.", words=["tie"]),
    _rule("cards.double", "Doppelgänger", "Counts as a card of the led faction."),
]
PROTOCOL = {
    "editions": [{"prefix": "post"}],
    "rules": [
        _rule("post.tie", "Ties in a mail", "A mail about a tie in a region is read."),
        _rule("post.hat", "Hats", "A hat."),
    ],
}
SMALL: dict[str, Any] = {"words": load_word_table(), "editions": EDITIONS, "rules": RULES}


@pytest.fixture(scope="module")
def small() -> Index:
    return Index(SMALL, PROTOCOL)


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer.hits]


SPELT_ALIKE = [
    ("Doppelgänger", "Doppelganger", "Doppelgaenger", "doppelga\u0308nger", "DOPPELGÄNGER’s"),
    ("manoeuvre", "maneuver", "manoeuvres", "Maneuvers", "manouver", "manuver"),
    ("colour", "color", "colours"),
    ("neighbouring", "neighboring"),
    ("defence", "defense"),
    ("player's", "players", "player’s"),
    ("summoned", "summons", "summoning", "summon"),
    ("3", "three"),
    ("tied", "tie", "ties"),
]


@each_row("spellings", SPELT_ALIKE)
def test_what_is_spelt_in_several_ways_is_one_word(spellings: tuple[str, ...]) -> None:
    language = Language(load_word_table())
    assert len({tuple(word.stem for word in language.split_words(text)) for text in spellings}) == 1


@each_row(
    "asked, plain",
    [
        ("I lost winter.deal", "I lost deal file"),
        ("/home/ann/my-game.SEED, my game.draw", "seed file, my draw file"),
        ('read "from-bob.eml" into (winter.tkid)', 'read "mail" into (game file)'),
        ("where is .deal?", "where is deal file?"),
        ("what is record.deal.seed", "what is record.deal.seed"),
        ("winter.dealer deal. seed .", "winter.dealer deal. seed ."),
    ],
)
def test_a_file_name_is_read_as_its_kind(asked: str, plain: str) -> None:
    assert Language(load_word_table()).replace_file_names(asked, {"record.deal.seed"}) == plain


def test_the_stems_are_those_of_the_stemmer() -> None:
    assert json.loads(FILE.read_text("utf-8")) == list_stems(), "run `python -m tests.makers.stems`"


@each_row("text", ["tie-breaker", "tie breaker", "Tie–Breaker", "tie break-er"[:11]])
def test_words_with_and_without_a_hyphen_meet(text: str) -> None:
    language = Language(load_word_table())
    assert [phrase.stem for phrase in language.find_phrases(language.split_words(text))] == [
        language.make_word("tiebreaker").stem
    ]


@each_row(
    "one, other, alike",
    [
        ("negotiate", "negociate", True),
        ("negotiate", "negotate", True),
        ("negotiate", "negootiate", True),
        ("negotiate", "negotaite", True),
        ("negotiate", "negociat", False),
        ("region", "regnoi", False),
    ],
)
def test_one_wrong_letter(one: str, other: str, *, alike: bool) -> None:
    assert is_misspelt(one, other) == is_misspelt(other, one) == alike


@each_row(
    "text, word, meant",
    [
        ("tei", "tie", True),
        ("pas", "pass", True),
        ("crds", "cards", True),
        ("bob", "box", False),
        ("carl", "card", False),
        ("regoin", "region", True),
    ],
)
def test_a_short_word_with_a_different_letter_is_another_word(text: str, word: str, *, meant: bool) -> None:
    assert is_slip(text, word) == meant


def test_two_slips_are_forgiven_where_it_is_asked() -> None:
    assert is_misspelt("outmanover", "outmaneuver", slips=2)
    assert not is_misspelt("outmanover", "outmaneuver")


FOUND_FIRST = [
    ("new", "who wins a tie?", "new.struggle.tie"),
    ("new", "deadlock", "new.struggle.tie"),
    ("new", "same number of cubes", "new.struggle.tie"),
    ("new", "maneuver", "new.card.manoeuvre"),
    ("new", "how do I exchange meeples", "new.card.manoeuvre"),
    ("new", "nego", "new.card.negotiate"),
    ("new", "negociate?", "new.card.negotiate"),
    ("new", "do I have to recruit", "new.summon.must"),
    ("new", "summoning", "new.summon.must"),
    ("new", "doppleganger", "cards.double"),
    ("new", "Doppelgaenger", "cards.double"),
    ("old", "who wins a tie?", "old.struggle.tie"),
    ("new", "who wins a tie in the first edition?", "old.struggle.tie"),
    ("old", "second edition: who wins a tie", "new.struggle.tie"),
    ("new", "do the Saxons win a tie", "old.struggle.tie"),
    ("new", "who wins a trick with a tie", "cards.trick.tie"),
    ("new-storm", "wind", "new.storm.wind"),
    ("new", "wind", "new.calm.wind"),
    ("new-storm", "cape", "new.card.gale"),
    ("new", "cape", "new.card.stroll"),
    ("new", "gale to a cape", "new.card.gale"),
    ("new", "who winns a tei in a regoin", "new.struggle.tie"),
    ("new", "NEW.card.negotiate", "new.card.negotiate"),
    ("new", "card.negotiate", "new.card.negotiate"),
    ("new", "post.hat", "post.hat"),
    ("new", "what may I write in a mail about a tie", "post.tie"),
    ("new", "I have 3 and she has 3", "new.struggle.tie"),
    ("new", "must the wooden cube go next", "new.summon.must"),
]


@each_row("ruleset, question, expected", FOUND_FIRST)
def test_what_comes_first(small: Index, ruleset: str, question: str, expected: str) -> None:
    assert ids(rank_rules(small, question, ruleset))[0] == expected


@each_row("question", ["three", "one for one", "three or four"])
def test_a_number_alone_is_no_tie(small: Index, question: str) -> None:
    assert "new.struggle.tie" not in ids(rank_rules(small, question, "new"))


@each_row("one, other", [("tie tie tie summon", "tie summon"), ("region summon summon", "region summon")])
def test_a_word_counts_once(small: Index, one: str, other: str) -> None:
    assert rank_rules(small, one, "new") == rank_rules(small, other, "new")


def test_words_of_every_day_are_not_taken_for_words_of_rules(small: Index) -> None:
    assert ids(rank_rules(small, "strom", "new"))
    assert ids(rank_rules(small, "story", "new")) == []
    assert ids(rank_rules(small, "some", "new")) == []


@each_row(
    "question, protocol",
    [
        ("a tie after my typo", True),
        ("how do I send my move", True),
        ("three letters for a region", True),
        ("a walrus in a region", True),
        ("may I move a follower to a region", False),
        ("do followers come back automatically", True),
        ("who wins a tie in a region", False),
    ],
)
def test_what_is_asked_of_the_rules_about_mails_too(small: Index, question: str, *, protocol: bool) -> None:
    """They are asked if the question has one of their words, or one that no rule of play has."""
    assert rank_rules(small, question, "new").protocol == protocol


def test_the_same_rule_of_another_edition_comes_after_all_others(small: Index) -> None:
    hits = rank_rules(small, "tie in a region", "new").hits
    assert hits[0].id == "new.struggle.tie"
    assert next(hit.group for hit in hits if hit.id == "old.struggle.tie") == "editions"
    assert [hit.id for hit in hits].index("cards.trick.tie") < [hit.id for hit in hits].index("old.struggle.tie")


def test_rules_about_mails_come_last(small: Index) -> None:
    assert ids(rank_rules(small, "tie in a region", "new"))[:1] == ["new.struggle.tie"]
    assert ids(rank_rules(small, "tie", "new")).index("post.tie") > ids(rank_rules(small, "tie", "new")).index(
        "cards.trick.tie"
    )


def test_what_belongs_together_is_grouped(small: Index) -> None:
    answer = rank_rules(small, "negotiate or manoeuvre", "new")
    assert answer.hits[0].group in {"answer", "maybe"}
    found = ask("who wins a tie in a region")
    assert found.certain
    assert [hit.group for hit in found.hits].count("answer") == 1
    assert found.hits[0].group == "answer"


def test_something_is_found_wherever_a_word_fits(small: Index) -> None:
    answer = rank_rules(small, "could a flying walrus with a top summon bananas", "new")
    assert ids(answer)[0] == "new.summon.must"
    assert not answer.fits
    assert answer.unknown == ("flying", "walrus", "top", "bananas")


def test_unknown_words_are_named_as_they_were_typed(small: Index) -> None:
    assert rank_rules(small, "Zäune „Wälder“ summon?", "new").unknown == ("Zäune", "Wälder")


def test_a_question_whose_words_are_mostly_unknown_is_not_certain(small: Index) -> None:
    assert (
        rank_rules(small, "must I summon", "new").confidence
        > rank_rules(small, "must I summon a walrus", "new").confidence
    )
    assert ask("who wins a tie in a region").certain
    assert not ask("who wins a tie with a walrus").certain


@each_row("question", ["", "?", "walrus", "walrus bananas"])
def test_nothing_is_found_where_nothing_fits(small: Index, question: str) -> None:
    answer = rank_rules(small, question, "new")
    assert answer.hits == ()
    assert not answer.fits
    assert not answer.certain


@pytest.fixture(scope="module")
def register() -> Index:
    return Index(make_search_data())


# -- the register ------------------------------------------------------------------------------------------


def test_the_data_has_every_rule_once_and_no_retired_one() -> None:
    listed = [record["id"] for data in (make_search_data(), make_protocol_data()) for record in data["rules"]]
    assert sorted(listed) == sorted(rule.id for rule in all_rules() if not rule.moved)


def test_every_ruleset_is_that_of_the_register_that_it_names() -> None:
    stated = {code: prefix for prefix in list_prefixes() for code in read_heading(prefix).get("rulesets", ())}
    assert stated == {ruleset.code: ruleset.rule_prefix for ruleset in rulesets()}
    assert {prefix: find_game_name(prefix) for prefix in stated.values()} == {
        ruleset.rule_prefix: ruleset.game_name for ruleset in rulesets()
    }


def test_a_ruleset_that_is_not_there_is_named_with_one_that_is() -> None:
    assert explain_unknown_ruleset("clam") == "There is no ruleset 'clam'. Did you mean claim?"
    assert "second-edition" in explain_unknown_ruleset("xyzzy")
    assert explain_unknown_ruleset("claim") == ""


@each_row("code", [ruleset.code for ruleset in rulesets()])
def test_the_rules_of_the_readers_edition_come_first(register: Index, code: str) -> None:
    prefix, _ = register.rulesets[code]
    words = "follow a faction" if prefix == "claim" else "power struggle"
    assert register.by_id[rank_rules(register, words, code).hits[0].id] in register.in_force[prefix]


def test_the_table_of_words_has_no_word_in_vain() -> None:
    table = load_word_table()
    for kind in ("same", "names"):
        assert all(len(group) == len(set(group)) > 1 for group in table[kind]["groups"])
    language = Language(table)
    assert not [text for text in table["asking"] if not language.split_words(text)]


@pytest.mark.slow
def test_a_question_takes_milliseconds() -> None:
    ask("who wins a tie?")
    times = []
    for question in (
        "who wins a tie in a region?",
        "can I undo my team-mate's manoeuvre",
        "negociate",
        "what if nobody has cards",
    ):
        begin = perf_counter()
        ask(question)
        times.append(perf_counter() - begin)
    assert min(times) < 0.05


def misses(wanted: list[Question]) -> Iterator[str]:
    """The questions of which the first three rules are wrong, with these."""
    for question in wanted:
        found = ids(ask(question.text, question.ruleset))[:3]
        if question.rules.isdisjoint(found):
            yield f"[{question.ruleset}] {question.text}\n  found {found}, wanted {sorted(question.rules)}"


@pytest.mark.skipif(not QUESTIONS.exists(), reason="fixtures/questions.toml is not written yet")
def test_the_questions_of_players_are_answered() -> None:
    wanted = questions()
    missed = list(misses(wanted))
    assert len(missed) <= 0.05 * len(wanted), "\n".join(missed)


# -- how sure an answer is -----------------------------------------------------------------------------------

UNANSWERED = tomllib.loads((ROOT / "fixtures" / "unanswered.toml").read_text("utf-8"))["asked"].strip().splitlines()


def test_what_the_rules_do_not_say_is_seldom_answered_and_never_surely() -> None:
    found = [ask(text) for text in UNANSWERED]
    assert len(found) > 200
    assert sum(each.certain for each in found) <= 0.01 * len(found)
    assert sum(each.fits for each in found) <= 0.16 * len(found)


def test_a_sure_answer_is_right() -> None:
    found = [(question, ask(question.text, question.ruleset)) for question in questions()]
    sure = [(question, ids(answer)[0]) for question, answer in found if answer.certain]
    assert len(sure) > 100
    wrong = [(question.text, first) for question, first in sure if first not in question.rules]
    assert len(wrong) <= 0.03 * len(sure), wrong
    assert sum(answer.fits for _, answer in found) >= 0.94 * len(found)


@each_row(
    "ruleset, question, expected",
    [
        ("second", "I passed already. Am I out of this power struggle?", "second.turn.pass"),
        ("second", "If all the followers in a region are gone, who wins it?", "second.struggle.empty"),
        ("second", "Can I pick up my played cards again for the next round?", "second.turn.once"),
        ("second", "may I tell my partner what cards I have left", "second.team.secrets"),
        ("second", "if Scots and English have 3 regions each who is stronger", "second.ending.power-tie"),
        ("second", "Can two players both have plot, who wins", "second.ending.plot"),
        ("first", "which colour are the Romano-British", "first.board.factions"),
        ("claim", "Can I look at my follower cards during phase one?", "claim.ruling.open-cards"),
        ("claim", "0 goblins are five, tie for highest goblins", "claim.ruling.vote-tie"),
        ("digest-advanced", "how does swift strike work", "digest.card.swift-strike"),
        ("digest", "who wins if the french land", "digest.ruling.invasion"),
        ("second", "tie", "second.struggle.tie"),
        ("second", "draw", "second.struggle.tie"),
        ("second", "winner", "second.ending.coronation.support"),
        ("second", "end", "second.ending.trigger"),
        ("second", "three players", "second.board.players"),
        ("second", "spy", "second.card.spy"),
        ("second", "borders", "second.ruling.borders"),
    ],
)
def test_the_right_rule_comes_first(ruleset: str, question: str, expected: str) -> None:
    answer = ask(question, ruleset)
    assert ids(answer)[0] == expected
    assert answer.fits


def test_an_impossible_card_may_be_played_to_summon() -> None:
    found = ask("No Scottish region and Moray is lost: can I still play Scottish Support just to take a cube?")
    assert {"second.card.support.near", "second.partial.nothing"} & {*ids(found)[:3]}


@each_row(
    "question", ["how are taxes paid", "are there roads", "where is the castle's kitchen", "who reads the mission"]
)
def test_no_everyday_word_becomes_another(question: str) -> None:
    assert ask(question).corrected == ()


@each_row(
    "question",
    [
        "wer gewinnt bei Gleichstand",
        "qui gagne en cas d'égalité",
        "¿quién gana en caso de empate?",
        "chi vince in caso di pareggio",
        "kto wygrywa przy remisie",
    ],
)
def test_a_question_in_another_language_finds_the_rule(question: str) -> None:
    assert ids(ask(question))[0] == "second.struggle.tie"


@each_row(
    "question, expected",
    [
        ("darf ich zweimal passen", "second.turn.pass"),
        ("Muss ich passen, wenn ich keine Karten mehr habe?", "second.ruling.empty-hand"),
        ("quand finit la partie", "second.ending.trigger"),
        ("qui commence", "second.setup.first"),
        ("¿cuándo termina el juego?", "second.ending.trigger"),
        ("quanti giocatori", "second.board.players"),
        ("kiedy kończy się gra", "second.ending.trigger"),
        ("czy Gwynedd graniczy z Devon", "second.ruling.borders"),
    ],
)
def test_more_questions_in_other_languages(question: str, expected: str) -> None:
    assert expected in ids(ask(question))[:3]


@each_row("question", ["can a man die in a region", "was a follower on the land", "is a place on the map near"])
def test_english_stays_english(register: Index, question: str) -> None:
    words = register.language.split_words(question)
    assert translate_words(register, words) == words


@each_row("code", [ruleset.code for ruleset in rulesets()])
def test_a_replaced_rule_is_never_offered(register: Index, code: str) -> None:
    prefix = register.rulesets[code][0]
    base = next(edition.get("base") for edition in register.editions if edition["prefix"] == prefix)
    for question in (
        "who wins if the french land",
        "which cards do I have",
        "take a follower",
        "swap two followers",
        "Mordred",
    ):
        found = ids(ask(question, code))
        wrong = [each for each in found if each.partition(".")[0] == base]
        assert not [each for each in wrong if register.by_id[each] not in register.in_force[prefix]]


@each_row(
    "ruleset, question, reply",
    [
        ("second", "is gwynedd next to devon", "Yes, Gwynedd and Devon border each other."),
        ("second", "does Moray border Essex?", "No. Moray borders Strathclyde."),
        ("first", "are Deva and Din Eidyn neighbours", "Yes, Deva and Din Eidyn border each other."),
        ("digest", "what does moray border", "Moray borders Strathclyde."),
        ("second", "how many followers are there", "48 with 2 players, 54 with 3 players, 54 with 4 players."),
        ("second", "how many Welsh Supports", "1 in each hand."),
        ("first", "how many Settlements do I have", "2 in each hand."),
        ("second-edition", "how many Support cards do I have", "3 in each hand."),
    ],
)
def test_the_engine_answers_questions_about_the_map_and_the_set_up(ruleset: str, question: str, reply: str) -> None:
    code = next(each.code for each in rulesets() if each.code.startswith(ruleset))
    found = ask(question, code)
    assert found.reply == reply
    assert found.certain


@each_row("code", [ruleset.code for ruleset in rulesets() if ruleset.game_name != "claim"])
def test_every_pair_of_regions_is_answered_as_the_map_is(code: str) -> None:
    board = ruleset(code).game().board
    names = [region.name for region in board.regions]
    for one, other in combinations(range(len(names)), 2):
        reply = ask(f"does {names[one]} border {names[other]}?", code).reply
        assert reply.startswith("Yes" if board.borders & {(one, other), (other, one)} else "No"), (
            names[one],
            names[other],
        )


@each_row("code", [ruleset.code for ruleset in rulesets() if ruleset.game_name != "claim"])
def test_a_way_between_two_regions_is_one_over_a_border(code: str) -> None:
    board = ruleset(code).game().board
    names = [region.name for region in board.regions]
    for one, other in combinations(range(len(names)), 2):
        reply = ask(f"can you walk from {names[one]} straight to {names[other]}", code).reply
        assert reply.startswith("Yes" if board.borders & {(one, other), (other, one)} else "No"), reply
    for name in names:
        assert ask(f"which regions are around {name}", code).reply.startswith(f"{name} borders"), name


@each_row("code", ["second-edition-advanced", "digest-advanced"])
def test_a_variant_has_its_own_hand(code: str) -> None:
    """Its players never get the rule about the hand of the game without it."""
    prefix = code.partition("-")[0]
    for question in (
        "which cards do I start with",
        "starting hand",
        "how many special cards do I get",
    ):
        found = ids(ask(question, code))
        assert f"{prefix}.setup.hands" not in found
        assert f"{prefix}.advanced.hands" in found[:3], question
    assert f"{prefix}.setup.hands" in ids(ask("starting hand", code.removesuffix("-advanced")))


@each_row("question", ["3-3 in Essex", "2 2 in Essex", "3 Scots and 3 Welsh in Essex"])
def test_a_number_twice_is_a_tie(question: str) -> None:
    assert "second.struggle.tie" in ids(ask(question))[:3]


@each_row(
    "question", ["how many followers do I take", "can I march from Gwynedd to Devon next turn", "how many regions win"]
)
def test_other_questions_are_left_to_the_rules(question: str) -> None:
    assert not ask(question).reply.startswith(("48", "Yes, Gwynedd", "8:"))
