"""The ranking of the site is the one of the program: the same ids in the same order for every question."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from docs.making.ask_data import FIRST_LETTER, add_facts, pack_data
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.rulebook.test_search import FOUND_FIRST, QUESTIONS, ROOT, questions
from tests.shared.tables import sample
from tkid.rulebook import all_rules
from tkid.rulebook.rulesets import rulesets
from tkid.rulebook.search import make_protocol_data, make_search_data, rank_rules
from tkid.rulebook.search.index import Index
from tkid.rulebook.search.replies import make_facts

UNANSWERED = ROOT / "fixtures" / "unanswered.toml"
DOCS = Path(__file__).parents[2] / "docs"
SCRIPTS = ("vendor/base-stemmer.js", "vendor/english-stemmer.js", "javascripts/ranking.js")
SEED = 20261122
MOST_AT_ONCE = 200
"""Questions that the browser answers in one call."""
ODD = [
    "",
    "?",
    "who",
    "neg",
    "Doppelgänger",
    "doppelga\u0308nger",
    "DOPPLEGANGER",
    "tie-breaker",
    "tie breaker",
    "ß İ ﬁ ½",
    "'s",
    "constructor",
    "I lost winter.deal",
    "/home/ann/winter.SEED, “winter.tkid” and Bob’s from-bob.eml",
    "what is record.deal.seed, record.draw or .draw?",
]

FACTS = [
    "Who is still playing?",
    "is it my turn now",
    "is Gwynedd next to Devon",
    "Which region is the home of the Scots?",
    "Is Lancaster the home of the English?",
    "Is Atlantis a region?",
    "Can I play Manoeuvre twice?",
    "Does Outmanoeuvre work between regions that are not next to each other?",
    "Which faction do I play?",
    "Is it wise to pass?",
    "does Deva border Londinium?",
    "what does Moray border",
    "Can I place Scots in Devon with Scottish Support?",
    "may I put English followers into Strathclyde",
    "can I place English in Devon with Scottish Support",
    "can I use Outmanoeuvre in Essex",
    "what's an invasion",
    "what exactly are meeples",
    "what is en passant",
    "Czy mogę spasować i zagrać później?",
    "how many followers are there",
    "how many Welsh Supports",
    "followers in the supply with three players",
    "how many followers are there with four players",
    "must I tell the others how many cards I have",
    "undo outmanoeuvre straight away",
    "can I summon from Essex while Warwick is contested",
    "capital of scotland",
    "gwyned neighbours",
    "Nobody has played all their cards and we're tied on both factions. Who wins?",
    "number of rounds",
    "may I reverse my own Manoeuvre",
    "May I reverse my own swap?",
    "does my partner win with me",
    "Mag ik een volgeling uit de voorraad ronselen?",
    "Can I use Negotiate on the region we are fighting over?",
    "Must the regions of Ambassador be adjacent?",
    "Must Clash be between neighbouring regions?",
    "How many cards do I have in the first edition?",
    "How many cards do we hold in a three-player game?",
    "Do team-mates add their courts together?",
    "How many passes start a fight with three players?",
    "que se passe-t-il si tout le monde passe ?",
    "grenzt Gwynedd an Devon",
    "wer gewinnt bei Gleichstand",
    "qui gagne en cas d'égalité",
    "¿quién gana en caso de empate?",
    "kto wygrywa przy remisie",
]

pytestmark = IN_A_BROWSER


def asked() -> list[tuple[str, str]]:
    """Questions with their rulesets: those of the tables, what people ask by the register, and words at random."""
    codes = [ruleset.code for ruleset in rulesets()]
    chance = Random(SEED)
    words = sorted({word for rule in all_rules() for word in rule.statement.split()})
    some = [(codes[0], question) for _, question, _ in FOUND_FIRST]
    some += [(question.ruleset, question.text) for question in (questions() if QUESTIONS.exists() else ())]
    some += [(codes[0], question) for question in UNANSWERED.read_text("utf-8").splitlines()]
    some += [(chance.choice(codes), question) for question in FACTS]
    some += [(chance.choice(codes), question) for rule in all_rules() for question, _ in rule.asks]
    some += [(chance.choice(codes), " ".join(chance.sample(words, chance.randint(1, 6)))) for _ in range(150)]
    some += [(chance.choice(codes), _slip(chance, chance.choice(words))) for _ in range(150)]
    return some + [(code, question) for question in ODD for code in (codes[0], "claim")]


def _slip(chance: Random, word: str) -> str:
    place = chance.randrange(len(word))
    return word[:place] + chance.choice(["", "x", word[place] * 2]) + word[place + 1 :]


@pytest.mark.parametrize(("protocol", "each"), sample([(True, 15), (True, 1), (False, 1)], 3))
def test_both_rank_alike(chromium: Chromium, *, protocol: bool, each: int) -> None:
    """Of the questions one in so many is asked."""
    play = add_facts(make_search_data())
    data = (play, make_protocol_data()) if protocol else (play,)
    packed = [pack_data(each) for each in data]
    chromium.open("data:text/html,<title>ranking</title>")
    for script in SCRIPTS:
        chromium.run(f"{(DOCS / script).read_text('utf-8')}\n;0")
    chromium.run(f"globalThis.prepared = tkidRanking.prepare(...{json.dumps(packed)}.map(tkidRanking.unpack));0")
    every = asked()[::each]
    ranked = []
    for start in range(0, len(every), MOST_AT_ONCE):
        ranked += chromium.run(
            f"{json.dumps(every[start : start + MOST_AT_ONCE])}"
            ".map(([ruleset, question]) => tkidRanking.ask(prepared, question, ruleset))"
            ".map(({hits, ...answer}) => ({...answer, hits: hits.slice(0, 30).map(({id, group}) => [id, group])}))"
        )
    index = Index(*data)
    wrong = []
    for (ruleset, question), found in zip(every, ranked, strict=True):
        answer = rank_rules(index, question, ruleset, make_facts)
        here = json.loads(json.dumps(answer._asdict() | {"hits": [[hit.id, hit.group] for hit in answer.hits[:30]]}))
        if here != found:
            wrong.append((ruleset, question, here, found))
    assert len(every) > 300 / each
    assert wrong == []


@pytest.mark.parametrize(
    "rule",
    [{"id": "a^b"}, {"id": "a", "words": ["b", "c|d"]}, {"id": "a", "asks": [("b", "c|d")]}, {"id": chr(FIRST_LETTER)}],
)
def test_a_rule_with_a_character_that_stands_for_something_is_not_packed(rule: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a rule has"):
        pack_data({"rules": [rule]})
