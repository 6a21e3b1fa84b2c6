"""The King is Dead in ASCII text: a position in one glance, and what happened in sentences; plain or in colours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from string import ascii_uppercase

from tkid.games.struggle.render import maps
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Swap
from tkid.games.struggle.rules.position import Ban, Position
from tkid.games.struggle.rules.views import View
from tkid.kernel.game import NOBODY, Event
from tkid.notation.vocabulary import listed
from tkid.render.lines import WIDTH, columns, happened, padded, printable, ruled, sentence, wrapped
from tkid.render.marks import CONTESTED, DUE, HEADING, PLAIN, WARNING, WINS, Pen, faction, marked

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


def position(game: Struggle, view: View, names: Sequence[str], last: Sequence[Event] = (), pen: Pen = PLAIN) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns; `last` is told at the end."""
    shown, names = view.shown, [printable(name) for name in names]
    blocks = [
        [*_headline(game, shown, names), *_ban(game, shown, names), "=" * WIDTH],
        _beside(_map(game.board, shown), _panel(game, shown)),
        _legend(game.board),
        *(_player(game, shown, names, seat) for seat in shown.seats),
    ]
    if last:
        blocks.append(happened(last, names))
    return pen("\n\n".join("\n".join(block) for block in blocks) + "\n")


# -- lines ------------------------------------------------------------------------------------------------


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    rows = zip_longest(left, right, fillvalue="")
    return [f"{padded(a, MAP_ROOM + GAP)}{b}".rstrip() for a, b in rows]


def _lettered(board: Board, written: str) -> str:
    """Followers as letters or as counts, those of each faction marked."""
    letters = [each.letter for each in board.factions]
    groups = rf"\d*([{''.join(letters)}])\1*"
    return re.sub(groups, lambda found: marked(faction(letters.index(found[1])), found[0]), written)


def _standing(disc: int, word: str) -> str:
    """The word for a region's disc, marked by what it stands for."""
    return marked(WARNING if disc == UNSTABLE else faction(disc), word)


# -- what is due ------------------------------------------------------------------------------------------


def due(game: Struggle, shown: Position) -> str:
    """What whoever is to act has to do, behind `to`."""
    return f"name a faction for {game.plot}" if shown.decision == "plot" else shown.decision or ""


def next_starter(shown: Position, names: Sequence[str]) -> list[str]:
    """Who starts after the power struggle to come, where that is not whoever would be next anyway."""
    return [] if shown.starter is None else [f"then {names[(shown.starter + 1) % len(shown.courts)]} starts"]


def who_won(shown: Position, names: Sequence[str]) -> str:
    """Who wins a game that is over, or that nobody does."""
    winners = [names[seat] for seat in shown.winners]
    return f"{listed(winners or [NOBODY], 'and')} {'win' if len(winners) > 1 else 'wins'}"


def bound(game: Struggle, shown: Position, names: Sequence[str]) -> str:
    """Who may not undo the swap that was made last, in a sentence without its end; "" where anybody may."""
    ban = shown.banned
    if ban is None or shown.to_act is None:
        return ""
    by = names[ban.by]
    allowed = shown.to_act == ban.by and not game.cards[ban.card].binds_all
    return f"{f'Nobody but {by} may' if allowed else f'{names[shown.to_act]} may not'} undo {by}'s {ban.card}"


def _headline(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    """Whose turn it is, or how the game ended; the contested region; how close its power struggle is."""
    if shown.to_act is None:
        pieces = _over(game, shown, names)
    else:
        acts = f"{names[shown.to_act]} to {due(game, shown)}"
        pieces = [f"Turn {shown.turn + 1}: {marked(DUE, acts)}"]
        if shown.contested is not None:
            pieces.append(f"contested: {marked(CONTESTED, game.board.name(shown.contested))}")
        pieces.append(f"passes in a row: {shown.passes} of {len(shown.courts)}")
        pieces += next_starter(shown, names)
    return [line for joined in wrapped(pieces, join=" | ") for line in sentence(joined)]


def _over(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    rule = next((e.rule for e in game.endings if e.name == shown.ending), "")
    ending = (shown.ending or "ended").capitalize()
    told = f"{ending}: {marked(WINS, who_won(shown, names))}"
    return [marked(HEADING, f"Game over after turn {shown.turn}"), f"{told} {ruled(rule)}" if rule else told]


def _ban(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    """Which swap may not be undone next, and by whom."""
    told, ban = bound(game, shown, names), shown.banned
    if not told or ban is None:
        return []
    warning = marked(WARNING, f"{told} ({_swap(game, shown, ban)})")
    return sentence(f"{warning} {ruled(game.cards[ban.card].undo)}")


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
        head = marked(HEADING, f"{'':3} {'REGION':{NAME_ROOM}} HOME {'FOLLOWERS':16} BORDERS")
        return [head, *(line for region in range(len(board.regions)) for line in _listed(board, shown, region))]
    texts = [_region(board, shown, region, box.room) for region, box in enumerate(boxes)]
    return maps.draw(boxes, texts, shown.contested)


def _region(board: Board, shown: Position, region: int, room: int) -> tuple[str, str]:
    """The two lines in a region's box: its name and whose home it is; what stands there."""
    name, home = _name(board, shown, region), _home(board, region)
    gap = " " * (min(room, 16) - columns(f"{name}home {home}"))
    titles = (f"{name}{gap}home {home}", f"{name} ({home})") if home else (name,)
    title = next((title for title in titles if columns(title) <= room), name)
    return title, _contents(board, shown, region, room)


def _name(board: Board, shown: Position, region: int) -> str:
    name = board.name(region)
    short = name if len(name) <= NAME_ROOM else name[: NAME_ROOM - 1] + "."
    return marked(CONTESTED, short) if region == shown.contested else short


def _home(board: Board, region: int) -> str:
    """The letters of the factions whose home a region is."""
    homes = zip(board.factions, board.homes, strict=True)
    return _lettered(board, "".join(each.letter for each, home in homes if home == region))


def _contents(board: Board, shown: Position, region: int, room: int) -> str:
    """The followers in a region, as letters or as counts, or its disc; arrows where it is contested."""
    disc, followers = shown.discs[region], shown.regions[region]
    if disc != OPEN:
        return f"* {_standing(disc, board.disc(disc) if disc == UNSTABLE else board.disc(disc).upper())}"
    counts = board.counted(followers)
    forms = [counts, counts.replace(" ", "")]
    if sum(followers) <= LETTERS:
        forms.insert(0, board.group(followers))
    if region == shown.contested:
        forms = [f"{marked(CONTESTED, '>>')} {form} {marked(CONTESTED, '<<')}" for form in forms]
    return _lettered(board, next((form for form in forms if columns(form) <= room), forms[-1]))


def _listed(board: Board, shown: Position, region: int) -> list[str]:
    """A region as a line of a list: name, home, what stands there, and the codes of its neighbours."""
    title = f"{board.regions[region].code} {padded(_name(board, shown, region), NAME_ROOM)} "
    first = f"{title}{padded(_home(board, region), 4)} {padded(_contents(board, shown, region, 16), 16)} "
    neighbours = [board.regions[neighbour].code for neighbour in board.neighbours[region]]
    return wrapped(neighbours, MAP_ROOM, first=first, hang=columns(first))


def _panel(game: Struggle, shown: Position) -> list[str]:
    """What stands to the right of the map: the track with its legend, the supply, how the factions stand."""
    power = tuple(shown.discs.count(disc) for disc in range(len(game.board.factions)))
    lost = f"{game.board.terms.lost.capitalize()} {shown.unstable} of {game.invaders}"
    width = WIDTH - MAP_ROOM - GAP
    return [
        marked(HEADING, "TRACK"),
        *(_space(game.board, shown, space, width) for space in range(len(shown.track))),
        "[ ] face down",
        " o  negotiated",
        "",
        *wrapped(_tally(game.board, shown.supply), width, first=f"{game.board.terms.stock:<6} ", hang=7),
        *wrapped(_tally(game.board, power), width, first="Power  ", hang=7),
        marked(WARNING, lost) if shown.unstable else lost,
    ]


def _space(board: Board, shown: Position, space: int, width: int) -> str:
    """A space of the track with its region card."""
    region = shown.track[space]
    disc, contested = shown.discs[region], region == shown.contested
    code = board.regions[region].code
    card = marked(CONTESTED, f">{code}<") if contested else f" {code} " if disc == OPEN else f"[{code}]"
    line = f"{space + 1} {card}{'o' if region in shown.negotiated else ' '} "
    if disc == OPEN:
        return line + marked(CONTESTED, "contested") if contested else line.rstrip()
    word = board.disc(disc)
    return line + _standing(disc, word if len(line + word) <= width else board.factions[disc].letter)


def _tally(board: Board, followers: Followers) -> list[str]:
    """Counts with letters, zeros too: `4S 0W 3E`."""
    counts = zip(board.factions, followers, strict=True)
    return [marked(faction(at), f"{n}{each.letter}") for at, (each, n) in enumerate(counts)]


def _legend(board: Board) -> list[str]:
    letters = ", ".join(marked(faction(at), f"{each.letter} {each.name}") for at, each in enumerate(board.factions))
    borders = "Boxes that touch are neighbours." if maps.boxes(board) else ""
    return sentence(f"{letters}. {borders}".rstrip())


# -- the players ------------------------------------------------------------------------------------------


def _player(game: Struggle, shown: Position, names: Sequence[str], seat: int) -> list[str]:
    """A player in three lines: name, court and negotiation disc; hand; discard pile."""
    acts, wins = seat == shown.to_act, seat in shown.winners
    arrow = marked(DUE, "->") if acts else "  "
    name = marked(DUE, names[seat]) if acts else marked(WINS, names[seat]) if wins else names[seat]
    pieces = [
        padded(name, min(max(map(columns, names)), NAME_COLUMNS)),
        *team(game, shown, seat),
        "court " + " ".join(_tally(game.board, shown.courts[seat])[: len(game.board.courtly)]),
        negotiation(game.board.terms.negotiation, shown.negotiation_discs[seat]),
    ]
    if wins:
        pieces.append(marked(WINS, "WINS"))
    hand = _label("hand", _hand(shown, seat))
    discards = _label("discards", _discards(shown, seat))
    return [*wrapped(pieces, first=f"{arrow} {seat + 1} ", hang=5, join="   "), *hand, *discards]


def _label(label: str, pieces: Sequence[str]) -> list[str]:
    listed = [*(f"{piece}," for piece in pieces[:-1]), *pieces[-1:]]
    return wrapped(listed, first=f"     {label:<{LABEL}}", hang=5 + LABEL)


def team(game: Struggle, shown: Position, seat: int) -> list[str]:
    """The team's letter where several seats win together."""
    parties = game.parties[len(shown.courts)]
    if len(parties) == len(shown.courts):
        return []
    return [f"team {letter}" for letter, party in zip(ascii_uppercase, parties, strict=False) if seat in party]


def negotiation(printed: str, left: int) -> str:
    """What a player has left to mark region cards with."""
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
