"""Problems: what they propose, as data."""

from attrs import evolve

from tkid.kernel.problems import Fix, Kind, Problem, Scope

UNKNOWN = Problem(
    Kind.NAME,
    "notation.region",
    "`Dvon` is not a region",
    col=11,
    length=4,
    hint="Did you mean Devon or Essex?",
    fixes=(Fix("Devon", Scope.PLACE), Fix("Essex", Scope.PLACE), Fix("Pass", Scope.LINE)),
)


def test_a_line_is_mended_in_every_way_that_is_proposed_for_the_place() -> None:
    assert UNKNOWN.apply_fixes("summon W  Dvon!") == ("summon W  Devon!", "summon W  Essex!")


def test_fixes_are_proposed_by_their_scope() -> None:
    assert UNKNOWN.list_fixes(Scope.LINE) == ("Pass",)
    assert UNKNOWN.list_fixes(Scope.LINE, Scope.PLACE) == ("Devon", "Essex", "Pass")
    assert UNKNOWN.list_fixes(Scope.DECISION, Scope.END) == ()


def test_fixes_do_not_count_when_problems_are_compared_and_stay_when_they_move() -> None:
    bare = evolve(UNKNOWN, fixes=())
    assert bare == UNKNOWN
    assert hash(bare) == hash(UNKNOWN)
    assert UNKNOWN.move_to(line=3, col=2).fixes == UNKNOWN.fixes
