"""The naive oracle of the first edition's endings: control, invasion, and Mordred's.

Of a position (the JSON) only `struggles`, `courts` and `last_acted` are looked at. Four
seats are the teams 0+2 and 1+3.
"""

from collections.abc import Mapping, Sequence

from tests.oracle.endings import NO_RULINGS, Outcome, Position

TEAMS = ((0, 2), (1, 3))
FACTIONS = ("S", "W", "R")


def result(position: Position, readings: Mapping[str, str] = NO_RULINGS) -> Outcome:
    """Tell how a finished game ended, and who won it."""
    outcomes = [entry["outcome"] for entry in position["struggles"]]
    # The blacks end it with the region they win, the Saxons with their fourth token.
    if "M" in outcomes:
        return "mordred", frozenset(_with_team_mates(position, _mordred(position, outcomes, readings)))
    if outcomes.count("unstable") >= 4:
        return "invasion", frozenset(_invasion(position))
    return "control", frozenset(_with_team_mates(position, _control(position, outcomes)))


def power(outcomes: Sequence[str]) -> list[str]:
    """Rank the factions that control regions."""
    found = [faction for faction in FACTIONS if faction in outcomes]
    # Most regions; of equals the one whose latest victory is the later.
    for _ in found:
        for at in range(len(found) - 1):
            one, other = found[at], found[at + 1]
            mine, its = outcomes.count(one), outcomes.count(other)
            if its > mine or (its == mine and _latest_win(outcomes, other) > _latest_win(outcomes, one)):
                found[at], found[at + 1] = other, one
    return found


def _latest_win(outcomes: Sequence[str], faction: str) -> int:
    latest = -1
    for number, outcome in enumerate(outcomes):
        if outcome == faction:
            latest = number
    return latest


def _control(position: Position, outcomes: Sequence[str]) -> list[int]:
    """Most followers of the faction in power, then of the next; then who acted last loses."""
    tied = list(range(len(position["courts"])))
    for faction in power(outcomes)[:2]:
        tied = _most(position, tied, faction)
    return _undecided(position, tied)


def _undecided(position: Position, tied: list[int]) -> list[int]:
    """Strike out the tied player with the latest card, again and again, until one is left."""
    while len(tied) > 1:
        acted = [seat for seat in tied if position["last_acted"][seat] is not None]
        if not acted:
            return tied  # None of them has ever played: they share.
        latest = max(acted, key=lambda seat: position["last_acted"][seat])
        tied = [seat for seat in tied if seat != latest]
    return tied


def _mordred(position: Position, outcomes: Sequence[str], readings: Mapping[str, str]) -> list[int]:
    """Score as control; with too few struggles for that, the biggest court, then the latest card."""
    tied = list(range(len(position["courts"])))
    ranked = power(outcomes)
    if len(ranked) >= 2:
        return _control(position, outcomes)
    for faction in ranked:
        tied = _most(position, tied, faction)
    if len(tied) > 1 and readings.get("first.ruling.mordred-court") == "everybody":
        tied = list(range(len(position["courts"])))  # Those left behind may have the biggest court.
    biggest = max(sum(position["courts"][seat].values()) for seat in tied)
    tied = [seat for seat in tied if sum(position["courts"][seat].values()) == biggest]
    acted = [seat for seat in tied if position["last_acted"][seat] is not None]
    if len(tied) == 1 or not acted:
        return tied
    return [max(acted, key=lambda seat: position["last_acted"][seat])]


def _most(position: Position, seats: list[int], faction: str) -> list[int]:
    most = max(position["courts"][seat].get(faction, 0) for seat in seats)
    return [seat for seat in seats if position["courts"][seat].get(faction, 0) == most]


def _with_team_mates(position: Position, seats: list[int]) -> list[int]:
    """Add the partners, who share the victory."""
    if len(position["courts"]) < 4:
        return seats
    return [partner for team in TEAMS for partner in team if set(team) & set(seats)]


def _invasion(position: Position) -> list[int]:
    """Most complete sets; of the tied the one who acted last. Teams put their courts together."""
    seats = range(len(position["courts"]))
    sides = [list(team) for team in TEAMS] if len(seats) == 4 else [[seat] for seat in seats]
    sets = []
    for side in sides:
        pooled = dict.fromkeys(FACTIONS, 0)
        for seat in side:
            for faction in FACTIONS:
                pooled[faction] += position["courts"][seat].get(faction, 0)
        sets.append(min(pooled.values()))
    tied = [side for side, number in zip(sides, sets, strict=True) if number == max(sets)]
    if len(tied) == 1:
        return tied[0]
    latest: list[int] = []
    time = -1
    for side in tied:
        for seat in side:
            if position["last_acted"][seat] is not None and position["last_acted"][seat] > time:
                time, latest = position["last_acted"][seat], side
    return latest or [seat for side in tied for seat in side]
