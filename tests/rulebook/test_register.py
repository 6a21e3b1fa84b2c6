"""What holds under each prefix of the register, how ids are found, and that code cites only rules that exist."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from tkid.games.claim import rules
from tkid.games.struggle.rules import struggles
from tkid.kernel.plugins import find_rooms, list_game_names
from tkid.rulebook import Ids, UnknownRuleError, find_base, is_known_rule, list_in_force
from tkid.rulebook import register as code
from tkid.rulebook.register import CITATIONS, list_prefixes
from tkid.rulebook.rulesets import Ruleset, ruleset, rulesets

BASED = [prefix for prefix in list_prefixes() if find_base(prefix)]


def test_a_rule_is_the_prefixs_own_or_its_bases() -> None:
    ids = Ids("digest")
    assert ids("card.influence") == "digest.card.influence"
    assert ids("card.influence.english") == "second.card.influence.english"
    assert ids.cited == {"digest.card.influence", "second.card.influence.english"}
    with pytest.raises(UnknownRuleError, match=r"digest\.card\.walrus"):
        ids("card.walrus")
    with pytest.raises(UnknownRuleError, match=r"walrus\.turn\.pass"):
        Ids("walrus")("turn.pass")


@pytest.mark.parametrize("prefix", BASED)
def test_what_is_in_force_is_that_of_the_base_replaced_and_added_to(prefix: str) -> None:
    here, there = list_in_force(prefix), list_in_force(find_base(prefix))
    assert find_base(prefix) in list_prefixes()
    for local, entry in here.items():
        assert entry.id.partition(".")[2] == local
        assert is_known_rule(entry.id)
        assert entry.prefix == prefix or there[local] == entry
    assert [local for local in here if local in there] == [local for local in there if local in here], "in its order"


def test_a_prefix_without_a_base_has_its_own_rules_only() -> None:
    assert find_base("second") == ""
    assert {entry.prefix for entry in list_in_force("second").values()} == {"second"}


def test_rules_that_have_no_counterpart_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    written = {"base": "second", "without": ["turn.once"]}
    monkeypatch.setattr(code, "_read_file", lambda prefix: written if prefix == "third" else {})
    monkeypatch.setattr(code, "find_base", lambda prefix: "second" if prefix == "third" else "")
    second = list_in_force("second")
    fresh = code.list_in_force.__wrapped__
    monkeypatch.setattr(
        code, "list_own_rules", lambda _: {"third.turn.pass": second["turn.pass"]._replace(id="third.turn.pass")}
    )
    found = fresh("third")
    assert "turn.once" not in found
    assert found["turn.pass"].id == "third.turn.pass"
    assert found["turn.hand"] == second["turn.hand"]
    assert len(found) == len(second) - 1


def check_citations(entries: Sequence[Ruleset]) -> None:
    """Check that every citation of a function exists: as a whole id, or as a local id of one of its game's rulesets.

    Only functions of loaded modules are known. Raises UnknownRuleError.
    """
    folders = {game: Path(str(files(room))) for game, room in find_rooms().items()}
    for function, cited in CITATIONS.items():
        place = Path(function.co_filename)
        game = next((game for game, folder in folders.items() if folder in place.parents), "")
        played = [list_in_force(entry.rule_prefix) for entry in entries if entry.game_name == game]
        for rule_id in cited:
            if not is_known_rule(rule_id) and not any(rule_id in rules for rules in played):
                raise UnknownRuleError(f"{place} cites {rule_id!r}, which is not in the register")


def test_code_cites_rules_that_exist() -> None:
    check_citations(rulesets())


ROOMS = {"struggle": (struggles.find_struggle_outcome, "trick.tie"), "claim": (rules.judge_trick, "struggle.tie")}
"""A function of each game, and a local id that is the other game's."""


@pytest.mark.parametrize("game", list_game_names())
@pytest.mark.parametrize("whose", ["nobody's", "the other game's"])
def test_a_function_of_a_game_cites_rules_of_its_game_only(
    game: str, whose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, foreign = ROOMS[game]
    cited = foreign if whose == "the other game's" else "turn.walrus"
    monkeypatch.setitem(CITATIONS, function.__code__, (cited,))
    with pytest.raises(UnknownRuleError, match=rf"{game}/rules.* cites '{cited}', which is not in the register"):
        check_citations(rulesets())


@pytest.mark.parametrize(
    ("game", "own"), [("struggle", "turn.pass"), ("claim", "trick.tie"), ("claim", "record.encoding")]
)
def test_a_function_of_a_game_cites_local_ids_of_its_rulesets_and_whole_ones(
    game: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CITATIONS, ROOMS[game][0].__code__, (own,))
    check_citations(rulesets())


def test_code_outside_of_games_cites_whole_ids_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CITATIONS, ruleset.__code__, ("turn.pass",))
    with pytest.raises(UnknownRuleError, match=r"cites 'turn\.pass'"):
        check_citations(rulesets())
