"""A position in lines of ASCII, plain or in colours: the map, the track, and the players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.render.text.boxes import boxes, draw
from tkid.games.struggle.render.text.people import DASH
from tkid.games.struggle.render.text.telling import outlook
from tkid.games.struggle.render.text.victory import over
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Swap
from tkid.games.struggle.rules.position import Ban, Position
from tkid.games.struggle.rules.turns.struggles import leaders
from tkid.games.struggle.rules.views import View
from tkid.kernel.game import Event
from tkid.render.lines import WIDTH, columns, comma_separated, event_block, padded, printable, ruled, sentence, wrapped
from tkid.render.markup import CONTESTED, DUE, HEADING, PLAIN, WARNING, WINS, Pen, faction, marked

NAME_ROOM = 12
"""The longest name of a region on the map; longer ones are cut."""
LETTERS = 9
"""The most followers to be written as letters; more are written as counts."""
ROOM = 16
"""The columns for the title and the followers of a region."""
MAP_ROOM = 58
"""The columns of the map; the track is to its right."""
GAP = 2
NAME_COLUMNS = 20
"""The room for players' names; a longer name pushes its own line on."""
PANEL_LABEL = 8
"""The room for the labels `Supply` and `Control`."""
LABEL = 10
"""The room for the labels `hand` and `discards`."""


def position(game: Struggle, view: View, names: Sequence[str], events: Sequence[Event] = (), pen: Pen = PLAIN) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns, with events at the end."""
    shown, names = view.shown, [printable(name) for name in names]
    blocks = [
        [*_headline(game, shown, names), *_forecast(game, shown), *_ban(game, shown, names), "=" * WIDTH],
        _beside(_map(game.board, shown), _panel(game, shown)),
        _legend(game.board),
        *(_player(game, shown, names, seat) for seat in shown.seats),
    ]
    if events:
        blocks.append(event_block(events, names))
    return pen("\n\n".join("\n".join(block) for block in blocks) + "\n")


def board(game: Struggle, view: View, names: Sequence[str]) -> list[str]:
    """The map with the track and the supply to its right, and below it the swap that may not be undone next."""
    shown, names = view.shown, [printable(name) for name in names]
    lines = _beside(_map(game.board, shown), _panel(game, shown))
    warning, ban = phrases.ban(game, shown, names, view.seat), shown.banned
    if warning and ban is not None:
        lines += ["", *sentence(f"{warning} ({_swap(game, shown, ban)}).")]
    return [PLAIN(line) for line in lines]


def legend(game: Struggle) -> tuple[str, str]:
    """What the letters on the map mean, and which regions are neighbours as it is drawn."""
    return PLAIN(_letters(game.board)), _borders(game.board)


# -- lines ------------------------------------------------------------------------------------------------


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    rows = zip_longest(left, right, fillvalue="")
    return [f"{padded(a, MAP_ROOM + GAP)}{b}".rstrip() for a, b in rows]


def _lettered(board: Board, followers: str) -> str:
    """Followers as letters or as counts, those of each faction marked."""
    letters = [each.letter for each in board.factions]
    groups = rf"\d*([{''.join(letters)}])\1*"
    return re.sub(groups, lambda group: marked(faction(letters.index(group[1])), group[0]), followers)


def _on_disc(disc: int, word: str) -> str:
    """The word for a disc, in the colour of its faction or of a warning."""
    return marked(WARNING if disc == UNSTABLE else faction(disc), word)


# -- the turn ---------------------------------------------------------------------------------------------


def _headline(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    """Whose turn it is, or how the game ended; the contested region; the passes in a row."""
    if shown.to_act is None:
        pieces = _over(game, shown, names)
    else:
        acts = f"{names[shown.to_act]} to {phrases.due(game, shown)}"
        pieces = [f"Turn {shown.turn + 1}: {marked(DUE, acts)}"]
        if shown.contested is not None:
            pieces.append(f"contested: {marked(CONTESTED, game.board.name(shown.contested))}")
        pieces.append(f"passes in a row: {shown.passes} of {len(shown.courts)}")
        pieces += phrases.next_starter(shown, names)
    return [line for joined in wrapped(pieces, join=" | ") for line in sentence(joined)]


def _forecast(game: Struggle, shown: Position) -> list[str]:
    """How the contested region would be resolved, in ASCII."""
    text = outlook(game, shown).replace(DASH, "-")
    return wrapped(text.split(" ")) if text else []


def _over(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    rule = next((e.rule for e in game.endings if e.name == shown.ending), "")
    ended = marked(WINS, over(game, shown, names))
    return [marked(HEADING, f"Game over after turn {shown.turn}"), f"{ended} {ruled(rule)}" if rule else ended]


def _ban(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    """The swap that may not be undone next, and by whom."""
    warning, ban = phrases.ban(game, shown, names), shown.banned
    if not warning or ban is None:
        return []
    warning = marked(WARNING, f"{warning} ({_swap(game, shown, ban)})")
    return sentence(f"{warning} {ruled(game.cards[ban.card].undo)}")


def _swap(game: Struggle, shown: Position, ban: Ban) -> str:
    """A swap in canonical notation, `S Moray <> E Devon`; `S Moray > Devon` if one side gave nothing."""
    (left, change), (right, _) = ban.delta
    given: Followers = tuple([max(-n, 0) for n in change])
    taken: Followers = tuple([max(n, 0) for n in change])
    if not (any(given) and any(taken)):
        origin, target, group = (left, right, given) if any(given) else (right, left, taken)
        return f"{game.board.group(group)} {game.board.name(origin)} > {game.board.name(target)}"
    return game.words.resolution(game.cards[ban.card].canonical(shown, Swap(left, right, given, taken)))


# -- the board --------------------------------------------------------------------------------------------


def _map(board: Board, shown: Position) -> list[str]:
    """The drawn map, or for a board without a drawing a list of the regions with their neighbours."""
    places = boxes(board)
    if places is None:
        head = marked(HEADING, f"{'':3}    {'REGION':{NAME_ROOM - 3}} HOME {'FOLLOWERS':{ROOM}} BORDERS")
        return [head, *(line for region in range(len(board.regions)) for line in _listed(board, shown, region))]
    texts = [_region(board, shown, region, box.room) for region, box in enumerate(places)]
    return draw(places, texts, shown.contested)


def _region(board: Board, shown: Position, region: int, room: int) -> tuple[str, str]:
    """The two lines in a region's box: its number, its name and whose home it is; and its followers."""
    room = min(room, ROOM)
    name, home = f"{_number(shown, region)}{_name(board, shown, region)}", _home(board, region)
    gap = " " * (room - columns(f"{name}home {home}"))
    titles = (*([f"{name}{gap}home {home}"] if gap else []), f"{name} ({home})") if home else ()
    title = next((title for title in titles if columns(title) <= room), name)
    return title, _contents(board, shown, region, room)


def _number(shown: Position, region: int) -> str:
    """When a region is contested, as on the track."""
    number = str(shown.track.index(region) + 1)
    return f"{marked(CONTESTED, f'>{number}')} " if region == shown.contested else f"{number} "


def _name(board: Board, shown: Position, region: int) -> str:
    name = board.name(region)
    short = name if len(name) <= NAME_ROOM else name[: NAME_ROOM - 1] + "."
    return marked(CONTESTED, short) if region == shown.contested else short


def _home(board: Board, region: int) -> str:
    """The letters of the factions whose home a region is."""
    homes = zip(board.factions, board.homes, strict=True)
    return _lettered(board, "".join(each.letter for each, home in homes if home == region))


def _contents(board: Board, shown: Position, region: int, room: int) -> str:
    """The followers in a region and who leads, or its disc."""
    disc, followers = shown.discs[region], shown.regions[region]
    if disc != OPEN:
        return f"* {_on_disc(disc, board.disc(disc) if disc == UNSTABLE else board.disc(disc).upper())}"
    counts = board.counted(followers)
    letters = [board.group(followers)] if sum(followers) <= LETTERS else []
    forms = [(form, lead) for lead in _lead(board, followers) for form in (*letters, counts, counts.replace(" ", ""))]
    left, right = next((form for form in forms if len(" ".join(form)) <= room), (forms[-1][0], ""))
    return _lettered(board, f"{left:<{room - len(right)}}{right}".rstrip())


def _lead(board: Board, followers: Followers) -> tuple[str, ...]:
    """Who leads in a region, from the longest wording to the shortest: `W leads`, `S=W tie`, `nobody`."""
    letters = [board.factions[faction].letter for faction in leaders(followers)]
    return (
        (f"{'='.join(letters)} {'leads' if len(letters) == 1 else 'tie'}", "=".join(letters))
        if letters
        else ("nobody",)
    )


def _listed(board: Board, shown: Position, region: int) -> list[str]:
    """A region in a list: name, home, followers, and the codes of its neighbours."""
    number = padded(_number(shown, region), 3)
    title = f"{board.regions[region].code} {number}{padded(_name(board, shown, region), NAME_ROOM)} "
    first = f"{title}{padded(_home(board, region), 1)} {padded(_contents(board, shown, region, ROOM), ROOM)} "
    neighbours = [board.regions[neighbour].code for neighbour in board.neighbours[region]]
    return wrapped(neighbours, MAP_ROOM, first=first, hang=columns(first))


def _panel(game: Struggle, shown: Position) -> list[str]:
    """The lines to the right of the map: the track with its legend, the supply, the factions' regions."""
    board, width = game.board, WIDTH - MAP_ROOM - GAP
    control = _tally(board, tuple(shown.discs.count(disc) for disc in range(len(board.factions))))
    control = [each for disc, each in enumerate(control) if disc in board.courtly or disc in shown.discs]
    lost = f"{board.terms.lost.capitalize()} {shown.unstable} of {game.invaders}"
    return [
        marked(HEADING, "TRACK"),
        *(_space(board, shown, space, width) for space in range(len(shown.track))),
        "[ ] face down",
        " o  negotiated",
        "",
        *_row(board.terms.stock, _tally(board, shown.supply), width),
        *_row("Control", control, width),
        marked(WARNING, lost) if shown.unstable else lost,
    ]


def _row(label: str, counts: Sequence[str], width: int) -> list[str]:
    """Counts behind a label, in columns if there is room."""
    room = PANEL_LABEL if columns(" ".join(counts)) <= width - PANEL_LABEL else len(label) + 1
    return wrapped(counts, width, first=f"{label:<{room}}", hang=room)


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
    return line + _on_disc(disc, word if len(line + word) <= width else board.factions[disc].letter)


def _tally(board: Board, followers: Followers) -> list[str]:
    """Counts with letters, zeros too: `4S 0W 3E`."""
    counts = zip(board.factions, followers, strict=True)
    return [marked(faction(at), f"{n}{each.letter}") for at, (each, n) in enumerate(counts)]


def _legend(board: Board) -> list[str]:
    return sentence(f"{_letters(board)} {_borders(board)}".rstrip())


def _letters(board: Board) -> str:
    names = (marked(faction(at), f"{each.letter} {each.name}") for at, each in enumerate(board.factions))
    return f"{', '.join(names)}."


def _borders(board: Board) -> str:
    return "Regions whose boxes touch are neighbours." if boxes(board) else ""


# -- the players ------------------------------------------------------------------------------------------


def _player(game: Struggle, shown: Position, names: Sequence[str], seat: int) -> list[str]:
    """A player in three lines: name, court and negotiation disc; hand; discard pile."""
    acts, wins = seat == shown.to_act, seat in shown.winners
    arrow = marked(DUE, "->") if acts else "  "
    name = marked(DUE, names[seat]) if acts else marked(WINS, names[seat]) if wins else names[seat]
    pieces = [
        padded(name, min(max(map(columns, names)), NAME_COLUMNS)),
        *phrases.team(game, shown, seat),
        "court " + " ".join(_tally(game.board, shown.courts[seat])[: len(game.board.courtly)]),
        phrases.discs_left(game, shown, seat),
    ]
    if wins:
        pieces.append(marked(WINS, "WINS"))
    hand = comma_separated(_hand(shown, seat), "hand", LABEL)
    discards = comma_separated(_discards(shown, seat), "discards", LABEL)
    return [*wrapped(pieces, first=f"{arrow} {seat + 1} ", hang=5, join="   "), *hand, *discards]


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
