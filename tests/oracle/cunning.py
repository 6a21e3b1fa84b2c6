"""The cunning cards of the advanced game: try everything conceivable, keep what is legal."""

from tests.oracle.pieces import (
    NAMES,
    PAIRS,
    SINGLES,
    Attempts,
    Borders,
    Position,
    is_open,
    near,
    on_board,
    put,
    swap,
    take,
)

NOT_SCOTTISH = ("WW", "WE", "EE", "W", "E")
NOT_WELSH = ("S", "E")
NOT_ENGLISH = ("SS", "SW", "WW", "S", "W")


def ambush(position: Position) -> Attempts:
    """Place two Scots in a region, then return one follower of that region."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code):
            continue
        # A supply that is short of two gives what it has, which may be nobody.
        for placed in ("SS", "S", ""):
            for returned in SINGLES:
                supply = dict(position["supply"])
                followers = dict(position["regions"][code]["followers"])
                if not take(supply, placed):
                    continue
                put(followers, placed)
                # It may be one of those that have just come.
                if not take(followers, returned):
                    continue
                attempts.append(
                    (len(placed) + 1, _words(code, f"place {placed}" if placed else "", f"return {returned}"))
                )
    return attempts


def march(position: Position, borders: Borders) -> Attempts:
    """Move two followers of one region to one bordering region."""
    attempts: Attempts = []
    for here in on_board(position):
        for there in on_board(position):
            if there not in borders.get(here, frozenset()):
                continue
            # Nobody marches into a region that holds a disc.
            if not is_open(position, there):
                continue
            # If no two can march anywhere, one does.
            for group in PAIRS + SINGLES:
                followers = dict(position["regions"][here]["followers"])
                if take(followers, group):
                    attempts.append((len(group), f"{group} {NAMES[here]} > {NAMES[there]}"))
    return attempts


def aid(position: Position) -> Attempts:
    """Place two followers of the faction that the supply has most of."""
    attempts: Attempts = []
    most = max(position["supply"].get(faction, 0) for faction in SINGLES)
    for faction in SINGLES:
        # As many of several factions: any one of them.
        if position["supply"].get(faction, 0) != most:
            continue
        for code in on_board(position):
            if not is_open(position, code):
                continue
            for group in (faction + faction, faction):
                supply = dict(position["supply"])
                if take(supply, group):
                    attempts.append((len(group), f"{group} {NAMES[code]}"))
    return attempts


def influence(position: Position) -> Attempts:
    """Swap an English follower for two others of any other region."""
    attempts: Attempts = []
    for here in on_board(position):
        for there in on_board(position):
            if here == there:
                continue
            # Two; if that can be done nowhere, one.
            for get in NOT_ENGLISH:
                if swap(position, (here, "E"), (there, get)) is not None:
                    attempts.append((len(get), f"E {NAMES[here]} <> {get} {NAMES[there]}"))
    return attempts


def dispute(position: Position) -> Attempts:
    """Swap a Welsh follower for one that is not, of any other region."""
    attempts: Attempts = []
    for here in on_board(position):
        for there in on_board(position):
            if here == there:
                continue
            for get in NOT_WELSH:
                if swap(position, (here, "W"), (there, get)) is not None:
                    attempts.append((1, f"W {NAMES[here]} <> {get} {NAMES[there]}"))
    return attempts


def edict(position: Position, borders: Borders) -> Attempts:
    """Swap two Scots for two others of a bordering region."""
    attempts: Attempts = []
    for here in on_board(position):
        for there in on_board(position):
            if there not in borders.get(here, frozenset()):
                continue
            # Two for two; then one for two or two for one, which are equally good; then
            # one for one. So it is the followers who change places that count.
            for give in ("SS", "S"):
                for get in NOT_SCOTTISH:
                    if swap(position, (here, give), (there, get)) is not None:
                        text = f"{give} {NAMES[here]} <> {get} {NAMES[there]}"
                        attempts.append((len(give) + len(get), text))
    return attempts


def resist(position: Position, borders: Borders, home: str) -> Attempts:
    """Place two followers who are no Scots in one region near the Scots."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, "S", borders, home):
            continue
        for group in NOT_SCOTTISH:
            supply = dict(position["supply"])
            if take(supply, group):
                attempts.append((len(group), f"{group} {NAMES[code]}"))
    return attempts


def quell(position: Position, faction: str, borders: Borders, home: str) -> Attempts:
    """Quell and Muster: return one of the faction, then place any two there."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, faction, borders, home):
            continue
        for returned in (faction, ""):
            for placed in PAIRS + SINGLES:
                supply = dict(position["supply"])
                followers = dict(position["regions"][code]["followers"])
                if not take(followers, returned):
                    continue
                # Who has been returned may be placed again at once.
                put(supply, returned)
                if not take(supply, placed):
                    continue
                # Only where nobody can be returned in any region is that left out; who
                # cannot place two places one.
                fullness = 10 * len(returned) + len(placed)
                text = _words(code, f"return {returned}" if returned else "", f"place {placed}")
                attempts.append((fullness, text))
    return attempts


def suppress(position: Position, borders: Borders, home: str, second: str) -> Attempts:
    """Return an Englishman and another follower of a region, then place one there.

    `second` are the factions that the other follower may belong to.
    """
    attempts: Attempts = []
    # What may be returned, and how good that is: an Englishman and another; the
    # Englishman alone; where there are none in any region, somebody else; nobody.
    returns = {"E" + other: 4 for other in second} | {"E": 3, "S": 2, "W": 2, "": 1}
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, "E", borders, home):
            continue
        for returned, fullness in returns.items():
            for placed in SINGLES:
                supply = dict(position["supply"])
                followers = dict(position["regions"][code]["followers"])
                if not take(followers, returned):
                    continue
                # Who has been returned may be placed again at once.
                put(supply, returned)
                if not take(supply, placed):
                    continue
                text = _words(code, f"return {returned}" if returned else "", f"place {placed}")
                attempts.append((fullness, text))
    return attempts


def _words(code: str, *steps: str) -> str:
    """Put a region and what happened there into words, leaving out what did not."""
    return " ".join([NAMES[code], *(step for step in steps if step)])
