"""The naive oracle of the endings: rank the factions, count the courts, settle ties.

It goes through a finished position as people would at the table, with players and teams
each told in full. A position is the position JSON, of which only `struggles`, `courts`,
`last_acted`, `emptied`, `hands` (for Plot) and `plot` are looked at. Four seats are the
teams 0+2 and 1+3. `plot` is the faction that the owner of Plot has named, if any.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

Position = Mapping[str, Any]
Outcome = tuple[str, frozenset[int]]  # 'coronation' or 'invasion', and the winning seats.

INSTABILITY_DISCS = 3
TEAM_GAME = 4
TEAMS = ((0, 2), (1, 3))
NO_RULINGS: Mapping[str, str] = MappingProxyType({})


def ranking(struggles: Sequence[str]) -> list[str]:
    """Rank the factions that won a struggle, the most powerful first.

    `struggles` are the outcomes in the order resolved: 'S', 'W', 'E' or 'unstable'.
    """
    regions = {"S": 0, "W": 0, "E": 0}
    last_win = {"S": -1, "W": -1, "E": -1}
    for number, outcome in enumerate(struggles):
        if outcome != "unstable":
            regions[outcome] += 1
            last_win[outcome] = number
    left = [faction for faction in ("S", "W", "E") if regions[faction] > 0]
    order: list[str] = []
    while left:
        strongest = left[0]
        for faction in left:
            # More regions means more power; with as many, the later win does.
            if regions[faction] > regions[strongest] or (
                regions[faction] == regions[strongest] and last_win[faction] > last_win[strongest]
            ):
                strongest = faction
        order.append(strongest)
        left.remove(strongest)
    return order


def result(position: Position, rulings: Mapping[str, str] = NO_RULINGS) -> Outcome | Any:
    """Tell how a finished game ended ('coronation' or 'invasion'), and who won it.

    None where that depends on the faction that the owner of Plot has not named yet; it
    never does without Plot, which is why the type does not insist on looking.
    """
    if _plot_owner(position) is None:
        return _settled(position, rulings)
    named = position.get("plot")
    if named is not None:
        return _settled(_with_plot(position, named), rulings)
    # Nothing named: as long as it is all the same, nobody need be asked.
    if plot_matters(position, rulings):
        return None
    return _settled(_with_plot(position, "S"), rulings)


def plot_matters(position: Position, rulings: Mapping[str, str] = NO_RULINGS) -> bool:
    """Tell whether the faction that the owner of Plot names can change who wins.

    It is asked of all three factions, whether or not one has been named; False where
    nobody has Plot.
    """
    if _plot_owner(position) is None:
        return False
    scots = _settled(_with_plot(position, "S"), rulings)
    welsh = _settled(_with_plot(position, "W"), rulings)
    english = _settled(_with_plot(position, "E"), rulings)
    return scots != welsh or scots != english


def _plot_owner(position: Position) -> int | None:
    """Find the seat that has Plot in its hand, where it stays to the end."""
    for seat, hand in enumerate(position.get("hands", ())):
        if "Plot" in hand:
            return seat
    return None


def _with_plot(position: Position, faction: str) -> Position:
    """Reveal Plot: it is one follower more of the faction in its owner's own court."""
    courts = [dict(court) for court in position["courts"]]
    owner = _plot_owner(position)
    if owner is not None:
        courts[owner][faction] = courts[owner].get(faction, 0) + 1
    return {**position, "courts": courts}


def _settled(position: Position, rulings: Mapping[str, str]) -> Outcome:
    """Settle a finished game in which the follower that Plot stands for is in its court."""
    outcomes = [entry["outcome"] for entry in position["struggles"]]
    team_game = len(position["courts"]) == TEAM_GAME
    # With all three instability discs out the French come, even in the last struggle.
    if outcomes.count("unstable") >= INSTABILITY_DISCS:
        winners = _invasion_teams(position) if team_game else _invasion(position)
        return "invasion", frozenset(winners)
    # Otherwise somebody is crowned: first it is the support of players that is counted,
    # in a team game too.
    tied = _best_supported(position, outcomes, rulings)
    # Then Plot's owner wins, if that very player is among the tied, with the partner.
    # Who is not among them gains nothing by it, nor does the partner.
    owner = _plot_owner(position)
    if owner is not None and owner in tied:
        tied = [owner]
    # Then whoever was first to have played all their cards.
    if team_game:
        return "coronation", frozenset(_crowned_teams(position, tied, rulings))
    return "coronation", frozenset(_crowned(position, tied, rulings))


def _sets(court: Mapping[str, int]) -> int:
    """Count the complete sets: as often as one of each faction can be laid aside."""
    left = dict(court)
    sets = 0
    while left.get("S", 0) > 0 and left.get("W", 0) > 0 and left.get("E", 0) > 0:
        left["S"] -= 1
        left["W"] -= 1
        left["E"] -= 1
        sets += 1
    return sets


def _invasion(position: Position) -> list[int]:
    """Tell who wins an invasion that two or three players face."""
    seats = range(len(position["courts"]))
    # Most complete sets.
    most = max(_sets(position["courts"][seat]) for seat in seats)
    tied = [seat for seat in seats if _sets(position["courts"][seat]) == most]
    if len(tied) == 1:
        return tied
    # Of the tied, whoever played an action card last.
    acted = [seat for seat in tied if position["last_acted"][seat] is not None]
    if not acted:
        return tied  # Nobody among them ever did: they share it.
    latest = max(position["last_acted"][seat] for seat in acted)
    return [seat for seat in acted if position["last_acted"][seat] == latest]


def _invasion_teams(position: Position) -> list[int]:
    """Tell which seats win an invasion that two teams face."""
    # Partners put their courts together; most complete sets.
    sets = []
    for one, other in TEAMS:
        both = {
            faction: position["courts"][one].get(faction, 0) + position["courts"][other].get(faction, 0)
            for faction in ("S", "W", "E")
        }
        sets.append(_sets(both))
    if sets[0] > sets[1]:
        return list(TEAMS[0])
    if sets[1] > sets[0]:
        return list(TEAMS[1])
    # As many: the team that played an action card last.
    first = _latest_card(position, TEAMS[0])
    second = _latest_card(position, TEAMS[1])
    if first is not None and (second is None or first > second):
        return list(TEAMS[0])
    if second is not None and (first is None or second > first):
        return list(TEAMS[1])
    return [*TEAMS[0], *TEAMS[1]]  # No card was ever played: they share it.


def _latest_card(position: Position, team: tuple[int, int]) -> int | None:
    """Look up the turn of the team's latest action card; None if it has played none."""
    one = position["last_acted"][team[0]]
    other = position["last_acted"][team[1]]
    if one is None or (other is not None and other > one):
        one = other
    return None if one is None else int(one)


def _best_supported(position: Position, outcomes: Sequence[str], rulings: Mapping[str, str]) -> list[int]:
    """Keep the seats that neither the strongest nor the second faction tells apart."""
    tied = list(range(len(position["courts"])))
    power = ranking(outcomes)
    # Most followers of the most powerful faction.
    if power:
        tied = _most_followers(position, tied, power[0])
    # Of the tied, most followers of the second most powerful one.
    if len(power) > 1:
        return _most_followers(position, tied, power[1])
    # One faction took all there was to take, so nobody is second: either that question
    # is not asked, or the two others are second together and counted together.
    if power and rulings.get("second.ruling.second-rank") == "none-ranked":
        landless = "SWE".replace(power[0], "")
        return _most_followers(position, tied, landless)
    return tied


def _most_followers(position: Position, seats: list[int], factions: str) -> list[int]:
    """Keep the seats with the most followers of the factions in their own courts."""
    counted = {}
    for seat in seats:
        counted[seat] = 0
        for faction in factions:
            counted[seat] += position["courts"][seat].get(faction, 0)
    most = max(counted.values())
    return [seat for seat in seats if counted[seat] == most]


def _crowned(position: Position, tied: list[int], rulings: Mapping[str, str]) -> list[int]:
    """Settle a coronation between tied players who play for themselves."""
    if len(tied) == 1:
        return tied
    # The first to have played every card; to have done so at all beats not. Nobody who is
    # still tied here with another keeps Plot, so its ruling is not asked for.
    done = [seat for seat in tied if position["emptied"][seat] is not None]
    if done:
        first = min(position["emptied"][seat] for seat in done)
        return [seat for seat in done if position["emptied"][seat] == first]
    # None of them has. They share the throne, unless the other reading is chosen.
    if rulings.get("second.ruling.final-tie") != "last-card":
        return tied
    # Then the older latest card wins, and no card at all is older than any.
    never = [seat for seat in tied if position["last_acted"][seat] is None]
    if never:
        return never
    oldest = min(position["last_acted"][seat] for seat in tied)
    return [seat for seat in tied if position["last_acted"][seat] == oldest]


def _crowned_teams(position: Position, tied: list[int], rulings: Mapping[str, str]) -> list[int]:
    """Settle a coronation in a team game; a winner's partner wins as well."""
    # One player is ahead, or two partners are: their team has it.
    for team in TEAMS:
        if all(seat in team for seat in tied):
            return list(team)
    # The team that was first to have played every card of both its hands.
    first = _both_done(position, TEAMS[0], rulings)
    second = _both_done(position, TEAMS[1], rulings)
    if first is not None and (second is None or first < second):
        return list(TEAMS[0])
    if second is not None and (first is None or second < first):
        return list(TEAMS[1])
    # Neither has. They share the throne, unless the other reading is chosen.
    if first is None and rulings.get("second.ruling.final-tie") == "last-card":
        return _older_card(position)
    return [*TEAMS[0], *TEAMS[1]]


def _both_done(position: Position, team: tuple[int, int], rulings: Mapping[str, str]) -> int | None:
    """Look up when the later of the two hands ran out; None while either has cards."""
    one = _done(position, team[0], rulings)
    other = _done(position, team[1], rulings)
    if one is None or other is None:
        return None
    return max(one, other)


def _done(position: Position, seat: int, rulings: Mapping[str, str]) -> int | None:
    """Look up when a seat had played all its cards; None while it has any."""
    emptied = position["emptied"][seat]
    # Plot cannot be played, so one reading holds a hand of nothing else to be empty. It
    # has been so since the seat's latest card.
    only_plot = "hands" in position and list(position["hands"][seat]) == ["Plot"]
    if only_plot and rulings.get("second.ruling.plot-hand") == "counts-as-empty":
        emptied = position["last_acted"][seat]
    return None if emptied is None else int(emptied)


def _older_card(position: Position) -> list[int]:
    """Compare the teams' latest cards: the older wins, none at all being the oldest."""
    first = _latest_card(position, TEAMS[0])
    second = _latest_card(position, TEAMS[1])
    if second is not None and (first is None or first < second):
        return list(TEAMS[0])
    if first is not None and (second is None or second < first):
        return list(TEAMS[1])
    return [*TEAMS[0], *TEAMS[1]]
