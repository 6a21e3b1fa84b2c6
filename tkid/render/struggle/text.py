"""The King is Dead in plain ASCII text: a position in one glance, and what happened in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from string import ascii_uppercase

from tkid.games.struggle.board import OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.moves import Swap
from tkid.games.struggle.position import Ban, Position
from tkid.games.struggle.views import View
from tkid.kernel.game import NOBODY, Event
from tkid.render.lines import WIDTH, columns, event_lines, sentence, wrapped
from tkid.render.struggle import maps

NAME_ROOM = 12
"""Longer names of regions are cut on the map."""
LETTERS = 9
"""More followers than these are written as counts: nobody counts ten letters at a glance."""
MAP_ROOM = 58
"""The columns of the map; the track stands to its right."""
GAP = 2
NAME_COLUMNS = 20
"""Players' lines are lined up behind names as long as this; a longer one pushes its own line on."""
LABEL = 10
"""Where the text after a player's `hand` and `discards` begins, from the left of the label."""

DUE = {"play": "to play", "summon": "to summon", "plot": "to name a faction for Plot"}


def position(game: Struggle, view: View, names: Sequence[str], last: Sequence[Event] = ()) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns; `last` is told at the end."""
    shown = view.shown
    blocks = [
        [*_headline(game, shown, names), *_ban(game, shown, names), "=" * WIDTH],
        _beside(_map(game.board, shown), _panel(game, shown)),
        _legend(game.board),
        *(_player(game, shown, names, seat) for seat in shown.seats),
    ]
    if last:
        blocks.append(["WHAT HAPPENED", *(f"  {line}" for line in event_lines(last, names, WIDTH - 2))])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


# -- lines ------------------------------------------------------------------------------------------------


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    rows = zip_longest(left, right, fillvalue="")
    return [f"{_padded(a, MAP_ROOM + GAP)}{b}".rstrip() for a, b in rows]


# -- what is due ------------------------------------------------------------------------------------------


def _headline(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    """Whose turn it is, or how the game ended; the contested region; how close its power struggle is."""
    if shown.to_act is None:
        pieces = _over(game, shown, names)
    else:
        pieces = [f"Turn {shown.turn + 1}: {names[shown.to_act]} {DUE[shown.decision or 'play']}"]
        if shown.contested is not None:
            pieces.append(f"contested: {game.board.name(shown.contested)}")
        pieces.append(f"passes in a row: {shown.passes} of {len(shown.courts)}")
        if shown.starter is not None:
            pieces.append(f"then {names[(shown.starter + 1) % len(shown.courts)]} starts")
    return [line for joined in wrapped(pieces, join=" | ") for line in sentence(joined)]


def _over(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    rule = next((e.rule for e in game.endings if e.name == shown.ending), "")
    *others, last = [names[seat] for seat in shown.winners] or [NOBODY]
    winners = f"{', '.join(others)} and {last}" if others else last
    wins = "win" if len(shown.winners) > 1 else "wins"
    ending = (shown.ending or "ended").capitalize()
    return [f"Game over after turn {shown.turn}", f"{ending}: {winners} {wins}" + (f" [{rule}]" if rule else "")]


def _ban(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    """Which swap may not be undone next, and by whom."""
    ban = shown.banned
    if ban is None or shown.to_act is None:
        return []
    by, card = names[ban.by], game.cards[ban.card]
    allowed = shown.to_act == ban.by and not card.binds_all
    may = f"Nobody but {by} may" if allowed else f"{names[shown.to_act]} may not"
    return sentence(f"{may} undo {by}'s {ban.card} ({_swap(game, shown, ban)}) [{card.undo}]")


def _swap(game: Struggle, shown: Position, ban: Ban) -> str:
    """What a banned swap changed, however it was worded: `S Moray <> E Devon`; `S Moray > Devon` if one side is empty."""
    (left, change), (right, _) = ban.delta
    given: Followers = tuple([max(-n, 0) for n in change])
    taken: Followers = tuple([max(n, 0) for n in change])
    if not (any(given) and any(taken)):
        origin, target, group = (left, right, given) if any(given) else (right, left, taken)
        return f"{game.board.group(group)} {game.board.name(origin)} > {game.board.name(target)}"
    return game.words.resolution(game.cards[ban.card].canonical(shown, Swap(left, right, given, taken)))


# -- the board --------------------------------------------------------------------------------------------


def _map(board: Board, shown: Position) -> list[str]:
    """The drawn map, or a list of the regions with their neighbours for a board that nobody has drawn."""
    boxes = maps.boxes(board)
    if boxes is None:
        head = f"{'':3} {'REGION':{NAME_ROOM}} HOME {'FOLLOWERS':16} BORDERS"
        return [head, *(line for region in range(len(board.regions)) for line in _listed(board, shown, region))]
    texts = [_region(board, shown, region, box.room) for region, box in enumerate(boxes)]
    return maps.draw(boxes, texts, shown.contested)


def _region(board: Board, shown: Position, region: int, room: int) -> tuple[str, str]:
    """The two lines in a region's box: its name and whose home it is; what stands there."""
    name, home = _name(board, region), _home(board, region)
    titles = (name + f"home {home}".rjust(min(room, 16) - len(name)), f"{name} ({home})") if home else (name,)
    title = next((title for title in titles if len(title) <= room), name)
    return title, _contents(board, shown, region, room)


def _name(board: Board, region: int) -> str:
    name = board.name(region)
    return name if len(name) <= NAME_ROOM else name[: NAME_ROOM - 1] + "."


def _home(board: Board, region: int) -> str:
    """The letters of the factions whose home a region is."""
    return "".join(f.letter for f, home in zip(board.factions, board.homes, strict=True) if home == region)


def _contents(board: Board, shown: Position, region: int, room: int) -> str:
    """The followers in a region, as letters or as counts, or its disc; arrows where it is contested."""
    disc, followers = shown.discs[region], shown.regions[region]
    if disc != OPEN:
        return f"* {board.disc(disc)}" if disc == UNSTABLE else f"* {board.disc(disc).upper()}"
    counts = board.counted(followers)
    forms = [counts, counts.replace(" ", "")]
    if sum(followers) <= LETTERS:
        forms.insert(0, board.group(followers))
    if region == shown.contested:
        forms = [f">> {form} <<" for form in forms]
    return next((form for form in forms if len(form) <= room), forms[-1])


def _listed(board: Board, shown: Position, region: int) -> list[str]:
    """A region as a line of a list: name, home, what stands there, and the codes of its neighbours."""
    title = f"{board.regions[region].code} {_name(board, region):{NAME_ROOM}} {_home(board, region):4}"
    first = f"{title} {_contents(board, shown, region, 16):16} "
    neighbours = [board.regions[neighbour].code for neighbour in board.neighbours[region]]
    return wrapped(neighbours, MAP_ROOM, first=first, hang=len(first))


def _panel(game: Struggle, shown: Position) -> list[str]:
    """What stands to the right of the map: the track with its legend, the supply, how the factions stand."""
    ruled = tuple(shown.discs.count(faction) for faction in range(len(game.board.factions)))
    width = WIDTH - MAP_ROOM - GAP
    return [
        "TRACK",
        *(_space(game.board, shown, space, width) for space in range(len(shown.track))),
        "[ ] face down",
        " o  negotiated",
        "",
        *wrapped(_tally(game.board, shown.supply), width, first=f"{game.board.terms.stock:<6} ", hang=7),
        *wrapped(_tally(game.board, ruled), width, first="Power  ", hang=7),
        f"{game.board.terms.lost.capitalize()} {shown.unstable} of {game.invaders}",
    ]


def _space(board: Board, shown: Position, space: int, width: int) -> str:
    """A space of the track with its region card."""
    region = shown.track[space]
    disc, contested = shown.discs[region], region == shown.contested
    around = "[]" if disc != OPEN else "><" if contested else "  "
    mark = "o" if region in shown.negotiated else " "
    line = f"{space + 1} {around[0]}{board.regions[region].code}{around[1]}{mark} "
    if disc == OPEN:
        return (line + "contested" * contested).rstrip()
    word = board.disc(disc)
    return line + (word if len(line + word) <= width else board.factions[disc].letter)


def _tally(board: Board, followers: Followers) -> list[str]:
    """Counts with letters, zeros too: `4S 0W 3E`."""
    return [f"{n}{f.letter}" for f, n in zip(board.factions, followers, strict=True)]


def _legend(board: Board) -> list[str]:
    letters = ", ".join(f"{faction.letter} {faction.name}" for faction in board.factions)
    borders = "Boxes that touch are neighbours." if maps.boxes(board) else ""
    return sentence(f"{letters}. {borders}".rstrip())


# -- the players ------------------------------------------------------------------------------------------


def _player(game: Struggle, shown: Position, names: Sequence[str], seat: int) -> list[str]:
    """A player in three lines: name, court and negotiation disc; hand; discard pile."""
    mark = "->" if seat == shown.to_act else "  "
    widest = min(max(map(columns, names)), NAME_COLUMNS)
    pieces = [
        _padded(names[seat], widest),
        *_team(game, shown, seat),
        "court " + " ".join(_tally(game.board, shown.courts[seat])[: len(game.board.courtly)]),
        _negotiation(game.board.terms.negotiation, shown.negotiation_discs[seat]),
    ]
    if seat in shown.winners:
        pieces.append("WINS")
    hand = _label("hand", _hand(shown, seat))
    discards = _label("discards", _discards(shown, seat))
    return [*wrapped(pieces, first=f"{mark} {seat + 1} ", hang=5, join="   "), *hand, *discards]


def _label(label: str, pieces: Sequence[str]) -> list[str]:
    listed = [*(f"{piece}," for piece in pieces[:-1]), *pieces[-1:]]
    return wrapped(listed, first=f"     {label:<{LABEL}}", hang=5 + LABEL)


def _team(game: Struggle, shown: Position, seat: int) -> list[str]:
    """The team's letter where several seats win together."""
    parties = game.parties[len(shown.courts)]
    if len(parties) == len(shown.courts):
        return []
    return [f"team {letter}" for letter, party in zip(ascii_uppercase, parties, strict=False) if seat in party]


def _negotiation(printed: str, left: int) -> str:
    return {0: f"{printed} used", 1: f"{printed} left"}.get(left, f"{left} {printed}s left")


def _hand(shown: Position, seat: int) -> list[str]:
    counts = Counter(shown.hands[seat])
    if not counts:
        since = shown.emptied[seat]
        return ["empty" + (f" since turn {since}" if since is not None else "")]
    return [f"{card} x{n}" if n > 1 or card == "?" else card for card, n in counts.items()]


def _discards(shown: Position, seat: int) -> list[str]:
    pile, played = shown.discards[seat], shown.last_acted[seat]
    if not pile:
        return ["none"]
    turn = f" (turn {played})" if played is not None else ""
    return [str(len(pile)), f"{pile[-1]} on top{turn}"]
