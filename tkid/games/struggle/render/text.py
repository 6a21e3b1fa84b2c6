"""A position of The King is Dead and its legal turns, as lines of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product, zip_longest

from attrs import frozen

from tkid.games.struggle import voice
from tkid.games.struggle.rules.board import HIDDEN, OPEN, UNSTABLE, Ban, Board, Followers, Position, View, find_leaders
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, Play, Swap
from tkid.games.struggle.verdict import describe_ending
from tkid.kernel.game import Result, fill_names
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.text import capitalize_text, count_noun
from tkid.notation.voice import Voice
from tkid.render.lines import (
    CONTESTED,
    DUE,
    END,
    HEADING,
    PLAIN,
    WARNING,
    WIDTH,
    WINS,
    comma_separated,
    count_columns,
    fill_with_blanks,
    get_faction_mark,
    make_printable,
    mark_rule_id,
    mark_text,
    split_cells,
    wrap_pieces,
    wrap_sentence,
)
from tkid.render.plugin import UnknownCardError, explain_unseen_hand

EXAMPLES = 3
"""Maximum number of ways to play a card that are listed, unless all are requested."""
WHOLE = "Each line is a whole turn, with one of the summonses that may follow."
MORE = " `--card CARD` lists every way to play a card, `--all` every way to play any."


def list_legal_turns(game: Struggle, position: Position, names: Sequence[str], card: str, *, every: bool) -> list[str]:
    """List whole turns with a card, or with "" all, below their cards, each with one summons. Raises UnknownCardError."""
    seat = position.to_act or 0
    if position.decision == "play" and HIDDEN in position.hands[seat] and not (card or every):
        return list(explain_unseen_hand(names[seat]))
    return list(_iter_legal_turns(game, position, names, card, every=every))


def _iter_legal_turns(
    game: Struggle, position: Position, names: Sequence[str], card: str, *, every: bool
) -> Iterator[str]:
    seat = position.actor
    name = names[seat]
    if position.decision != "play":
        due = {
            "summon": "may summon" if game.summons.optional else "must summon",
            "plot": f"must name the faction that {game.plot} counts for",
        }
        yield f"{name} {due[position.decision or 'summon']}:"
        for move in game.legal(position):
            yield f"  {game.words.write_move(move)}"
        return
    cards = [_find_card(game, card)] if card else list(game.list_held(position, seat))
    if not card:
        hidden = HIDDEN in position.hands[seat]
        yield f"{name} may pass (`Pass`)" + (" or play:" if cards and not hidden else ".")
        if cards and hidden:
            yield f"You cannot see {name}'s hand. If {name} holds them, these cards could be played:"
    elif not game.may_hold(position, seat, cards[0]):
        yield f"{name} does not have {cards[0]}. A player who has it could play:"
    most = 0
    for held in cards:
        plays = [Play(held, resolution) for resolution in game.list_options(position, held)]
        if plays:
            ways = f"  {held}: {count_noun(len(plays), 'way')} [{game.cards[held].rule}]"
            most = max(most, len(plays))
            yield from _list_turns(game, position, ways, plays, names, every=every or bool(card))
        else:
            broken = game.explain_unplayable(position, held)
            yield f"  {held}: not now. {broken.sentence} [{broken.rule}]"
    summonses = game.summons.list_without_action(position)
    if summonses and not card:
        ways = f"  summon, without a card: {count_noun(len(summonses), 'way')} [{game.summons.alone}]"
        yield from _list_turns(game, position, ways, summonses, names, every=every)
    if most and game.may_hold(position, seat, cards[0]):
        yield WHOLE + (MORE if most > EXAMPLES and not (card or every) else "")


def _find_card(game: Struggle, name: str) -> str:
    card = Vocabulary(game.cards, {}).find(name)
    if isinstance(card, Unknown):
        hint = card.make_hint() or f"The cards are {list_names(game.cards, 'and')}."
        raise UnknownCardError(f"`{name}` is not a card of {game.code}. {hint}")
    return card


def _list_turns(
    game: Struggle, position: Position, heading: str, moves: Sequence[Move], names: Sequence[str], *, every: bool
) -> Iterator[str]:
    yield heading
    count = len(moves)
    for index in range(count) if every else dict.fromkeys(i * count // EXAMPLES for i in range(min(EXAMPLES, count))):
        move = moves[index]
        is_held = not isinstance(move, Play) or game.may_hold(position, position.actor, move.card)
        turn = game.add_summons(position, move) if is_held else (move,)
        yield f"    {fill_names(game.words.write_turn(turn), names)}"


SECOND_EDITION = ("MOR", "STR", "LAN", "NOR", "GWY", "WAR", "ESS", "DEV")
FIRST_EDITION = ("CAL", "DIN", "DVA", "EBO", "CAE", "RAT", "LON", "AQU")
"""The same regions by the codes of the editions; the first edition's map is inferred to have the same borders."""


def find_britain_regions(board: Board, borders: set[frozenset[str]]) -> list[str] | None:
    """Return the second edition's codes for a board's regions; None unless a drawing with these borders has exactly them."""
    codes = [region.code for region in board.regions]
    for edition in (SECOND_EDITION, FIRST_EDITION):
        drawn = dict(zip(edition, SECOND_EDITION, strict=True))
        if drawn.keys() == set(codes):
            regions = [drawn[code] for code in codes]
            if {frozenset((regions[a], regions[b])) for a, b in board.borders} == borders:
                return regions
    return None


@frozen
class Box:
    """A box in characters: its upper left corner, and how far its other walls are; neighbours share a wall."""

    x: int
    y: int
    width: int = 19
    height: int = 3

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def room(self) -> int:
        """The characters of a line inside, with a blank at each wall."""
        return self.width - 3

    def is_touching(self, other: Box) -> bool:
        """Return True if the boxes share more than a corner."""
        wide = min(self.right, other.right) - max(self.x, other.x)
        high = min(self.bottom, other.bottom) - max(self.y, other.y)
        return (wide == 0 and high > 1) or (high == 0 and wide > 1)


BRITAIN = {
    "MOR": Box(22, 0), "STR": Box(18, 3), "LAN": Box(10, 6), "NOR": Box(29, 6), "GWY": Box(0, 9), "WAR": Box(19, 9),
    "ESS": Box(38, 9), "DEV": Box(5, 12, width=40),
}  # fmt: skip


def find_box_borders() -> set[frozenset[str]]:
    return {frozenset((a, b)) for a, b in combinations(BRITAIN, 2) if BRITAIN[a].is_touching(BRITAIN[b])}


@cache
def find_boxes(board: Board) -> tuple[Box, ...] | None:
    """Return the boxes of a board's regions; None for a board that is not Britain."""
    regions = find_britain_regions(board, find_box_borders())
    return tuple(BRITAIN[region] for region in regions) if regions else None


def _find_contested(shown: Position) -> int | None:
    """Return the contested region; None once the game is over, although regions may be left."""
    return None if shown.to_act is None else shown.contested


def _draw_boxes(boxes: tuple[Box, ...], texts: Sequence[Sequence[str]], contested: int | None) -> list[str]:
    canvas = [list(row) for row in _draw_outline(boxes, contested)]
    for box, lines in zip(boxes, texts, strict=True):
        for row, line in enumerate(lines, box.y + 1):
            characters = split_cells(line)
            canvas[row][box.x + 2 : box.x + 2 + len(characters)] = characters
    return ["".join(row).rstrip() for row in canvas]


@cache
def _draw_outline(boxes: tuple[Box, ...], contested: int | None) -> tuple[tuple[str, ...], ...]:
    canvas = [[" "] * (max(box.right for box in boxes) + 1) for _ in range(max(box.bottom for box in boxes) + 1)]
    for box in boxes:
        _draw_walls(canvas, box, "-", "|")
    for box in boxes:
        _draw_corners(canvas, box, "+")
    if contested is not None:
        _draw_walls(canvas, boxes[contested], "=", "#", keep="+")
        _draw_corners(canvas, boxes[contested], "#")
        box = boxes[contested]
        for y in (box.y, box.bottom):
            canvas[y][box.x] = CONTESTED + canvas[y][box.x]
            canvas[y][box.right] += END
        for x, y in product((box.x, box.right), range(box.y + 1, box.bottom)):
            canvas[y][x] = mark_text(CONTESTED, canvas[y][x])
    return tuple(map(tuple, canvas))


def _draw_walls(canvas: list[list[str]], box: Box, level: str, upright: str, keep: str = "") -> None:
    level_cells = product(range(box.x, box.right + 1), (box.y, box.bottom), [level])
    upright_cells = product((box.x, box.right), range(box.y, box.bottom + 1), [upright])
    for x, y, wall in (*level_cells, *upright_cells):
        if canvas[y][x] not in keep:
            canvas[y][x] = wall


def _draw_corners(canvas: list[list[str]], box: Box, corner: str) -> None:
    for x, y in product((box.x, box.right), (box.y, box.bottom)):
        canvas[y][x] = corner


NAME_ROOM = 12
"""Maximum length of a region's name on the map; longer ones are cut."""
LETTERS = 9
"""Maximum number of followers that are written as letters; more are written as counts."""
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


def list_position_blocks(game: Struggle, view: View, names: Sequence[str]) -> list[list[str]]:
    shown = view.shown
    forecast, ban = voice.predict_contested(game, shown), _describe_ban(game, shown, names)
    undo = mark_rule_id(game.cards[shown.banned.card].undo) if shown.banned else ""
    return [
        [
            *_format_headline(game, shown, names),
            *(wrap_pieces(forecast.split(" ")) if forecast else []),
            *(wrap_sentence(f"{mark_text(WARNING, ban)} {undo}") if ban else []),
        ],
        _join_columns(_format_map(game.board, shown), _format_panel(game, shown)),
        wrap_sentence(f"{_explain_letters(game.board)} {_explain_borders(game.board)}".rstrip()),
        *(_format_player(game, shown, names, seat) for seat in shown.seats),
    ]


def format_board(game: Struggle, view: View, names: Sequence[str]) -> list[str]:
    """Return the map with the track and the supply to its right, and the swap that may not be undone next."""
    shown, names = view.shown, [make_printable(name) for name in names]
    lines = _join_columns(_format_map(game.board, shown), _format_panel(game, shown))
    ban = _describe_ban(game, shown, names, view.seat)
    return [PLAIN(line) for line in (*lines, *(["", *wrap_sentence(f"{ban}.")] if ban else []))]


def explain_map(game: Struggle) -> tuple[str, str]:
    return PLAIN(_explain_letters(game.board)), _explain_borders(game.board)


def _join_columns(left: Sequence[str], right: Sequence[str]) -> list[str]:
    rows = zip_longest(left, right, fillvalue="")
    return [f"{fill_with_blanks(a, MAP_ROOM + GAP)}{b}".rstrip() for a, b in rows]


def _mark_followers(board: Board, followers: str) -> str:
    letters = [each.letter for each in board.factions]
    groups = rf"\d*([{''.join(letters)}])\1*"
    return re.sub(groups, lambda group: mark_text(get_faction_mark(letters.index(group[1])), group[0]), followers)


def _mark_disc(disc: int, word: str) -> str:
    return mark_text(WARNING if disc == UNSTABLE else get_faction_mark(disc), word)


def _format_headline(game: Struggle, shown: Position, names: Sequence[str]) -> list[str]:
    if shown.to_act is None:
        rule = next((e.rule for e in game.endings if e.name == shown.ending), "")
        ended = mark_text(WINS, capitalize_text(describe_ending(game, shown, Voice(names))))
        pieces = [
            mark_text(HEADING, f"Game over after turn {shown.turn}"),
            f"{ended} {mark_rule_id(rule)}" if rule else ended,
        ]
    else:
        acts = f"{names[shown.to_act]} to {voice.describe_due(game, shown)}"
        pieces = [f"Turn {shown.turn + 1}: {mark_text(DUE, acts)}"]
        if shown.contested is not None:
            pieces.append(f"contested: {mark_text(CONTESTED, game.board.name_region(shown.contested))}")
        pieces.append(f"passes in a row: {shown.passes} of {len(shown.courts)}")
        pieces += voice.describe_next_starter(shown, names)
    return [line for joined in wrap_pieces(pieces, join=" | ") for line in wrap_sentence(joined)]


def _describe_ban(game: Struggle, shown: Position, names: Sequence[str], reader: int | None = None) -> str:
    """Name who may not undo the last swap, and the swap, without a full stop; "" if all may."""
    told = voice.describe_ban(game, shown, names, reader)
    return f"{told} ({_format_swap(game, shown, shown.banned)})" if told and shown.banned else ""


def _format_swap(game: Struggle, shown: Position, ban: Ban) -> str:
    """Write a swap in canonical notation, `S Moray <> E Devon`; `S Moray > Devon` if one side gave nothing."""
    (left, change), (right, _) = ban.delta
    given: Followers = tuple([max(-n, 0) for n in change])
    taken: Followers = tuple([max(n, 0) for n in change])
    if not (any(given) and any(taken)):
        origin, target, group = (left, right, given) if any(given) else (right, left, taken)
        return f"{game.board.write_group(group)} {game.board.name_region(origin)} > {game.board.name_region(target)}"
    return game.words.resolution(game.cards[ban.card].canonical(shown, Swap(left, right, given, taken)))


def _format_map(board: Board, shown: Position) -> list[str]:
    """Return the drawn map, or for a board without a drawing a list of the regions with their neighbours."""
    places = find_boxes(board)
    if places is None:
        head = mark_text(HEADING, f"{'':3}    {'REGION':{NAME_ROOM - 3}} HOME {'FOLLOWERS':{ROOM}} BORDERS")
        return [head, *(line for region in range(len(board.regions)) for line in _list_region(board, shown, region))]
    texts = [_format_region(board, shown, region, box.room) for region, box in enumerate(places)]
    return _draw_boxes(places, texts, _find_contested(shown))


def _format_region(board: Board, shown: Position, region: int, room: int) -> tuple[str, str]:
    """Return the two lines in a region's box: its number, name and home factions; and its followers."""
    room = min(room, ROOM)
    name, home = f"{_format_number(shown, region)}{_format_name(board, shown, region)}", _format_home(board, region)
    gap = " " * (room - count_columns(f"{name}home {home}"))
    titles = (*([f"{name}{gap}home {home}"] if gap else []), f"{name} ({home})") if home else ()
    title = next((title for title in titles if count_columns(title) <= room), name)
    return title, _format_contents(board, shown, region, room)


def _format_number(shown: Position, region: int) -> str:
    number = str(shown.track.index(region) + 1)
    return f"{mark_text(CONTESTED, f'>{number}')} " if region == _find_contested(shown) else f"{number} "


def _format_name(board: Board, shown: Position, region: int) -> str:
    name = board.name_region(region)
    short = name if len(name) <= NAME_ROOM else name[: NAME_ROOM - 1] + "."
    return mark_text(CONTESTED, short) if region == _find_contested(shown) else short


def _format_home(board: Board, region: int) -> str:
    homes = zip(board.factions, board.homes, strict=True)
    return _mark_followers(board, "".join(each.letter for each, home in homes if home == region))


def _format_contents(board: Board, shown: Position, region: int, room: int) -> str:
    disc, followers = shown.discs[region], shown.regions[region]
    if disc != OPEN:
        return f"* {_mark_disc(disc, board.name_disc(disc) if disc == UNSTABLE else board.name_disc(disc).upper())}"
    counts = board.format_counts(followers)
    letters = [board.write_group(followers)] if sum(followers) <= LETTERS else []
    forms = [
        (form, lead)
        for lead in _list_lead_forms(board, followers)
        for form in (*letters, counts, counts.replace(" ", ""))
    ]
    left, right = next((form for form in forms if len(" ".join(form)) <= room), (forms[-1][0], ""))
    return _mark_followers(board, f"{left:<{room - len(right)}}{right}".rstrip())


def _list_lead_forms(board: Board, followers: Followers) -> tuple[str, ...]:
    """Return forms from the longest to the shortest: `W leads`, `S=W tie`, `nobody`."""
    letters = [board.factions[faction].letter for faction in find_leaders(followers)]
    if letters:
        return (f"{'='.join(letters)} {'leads' if len(letters) == 1 else 'tie'}", "=".join(letters))
    return ("nobody",)


def _list_region(board: Board, shown: Position, region: int) -> list[str]:
    number = fill_with_blanks(_format_number(shown, region), 3)
    title = f"{board.regions[region].code} {number}{fill_with_blanks(_format_name(board, shown, region), NAME_ROOM)} "
    first = f"{title}{fill_with_blanks(_format_home(board, region), 1)} {fill_with_blanks(_format_contents(board, shown, region, ROOM), ROOM)} "
    neighbours = [board.regions[neighbour].code for neighbour in board.neighbours[region]]
    return wrap_pieces(neighbours, MAP_ROOM, first=first, hang=count_columns(first))


def _format_panel(game: Struggle, shown: Position) -> list[str]:
    board, width = game.board, WIDTH - MAP_ROOM - GAP
    control = _format_tally(board, tuple(shown.discs.count(disc) for disc in range(len(board.factions))))
    control = [each for disc, each in enumerate(control) if disc in board.courtly or disc in shown.discs]
    lost = f"{board.terms.lost.capitalize()} {shown.unstable} of {game.invaders}"
    return [
        mark_text(HEADING, "TRACK"),
        *(_format_space(board, shown, space, width) for space in range(len(shown.track))),
        "[ ] face down",
        " o  negotiated",
        "",
        *_format_row(board.terms.stock, _format_tally(board, shown.supply), width),
        *_format_row("Control", control, width),
        mark_text(WARNING, lost) if shown.unstable else lost,
    ]


def _format_row(label: str, counts: Sequence[str], width: int) -> list[str]:
    room = PANEL_LABEL if count_columns(" ".join(counts)) <= width - PANEL_LABEL else len(label) + 1
    return wrap_pieces(counts, width, first=f"{label:<{room}}", hang=room)


def _format_space(board: Board, shown: Position, space: int, width: int) -> str:
    region = shown.track[space]
    disc, contested = shown.discs[region], region == _find_contested(shown)
    code = board.regions[region].code
    card = mark_text(CONTESTED, f">{code}<") if contested else f" {code} " if disc == OPEN else f"[{code}]"
    line = f"{space + 1} {card}{'o' if region in shown.negotiated else ' '} "
    if disc == OPEN:
        return line + mark_text(CONTESTED, "contested") if contested else line.rstrip()
    word = board.name_disc(disc)
    return line + _mark_disc(disc, word if len(line + word) <= width else board.factions[disc].letter)


def _format_tally(board: Board, followers: Followers) -> list[str]:
    counts = zip(board.factions, followers, strict=True)
    return [mark_text(get_faction_mark(at), f"{n}{each.letter}") for at, (each, n) in enumerate(counts)]


def _explain_letters(board: Board) -> str:
    names = (mark_text(get_faction_mark(at), f"{each.letter} {each.name}") for at, each in enumerate(board.factions))
    return f"{', '.join(names)}."


def _explain_borders(board: Board) -> str:
    return "Regions whose boxes touch are neighbours." if find_boxes(board) else ""


def _format_player(game: Struggle, shown: Position, names: Sequence[str], seat: int) -> list[str]:
    acts, wins = seat == shown.to_act, seat in shown.winners
    arrow = mark_text(DUE, "->") if acts else "  "
    name = mark_text(DUE, names[seat]) if acts else mark_text(WINS, names[seat]) if wins else names[seat]
    pieces = [
        fill_with_blanks(name, min(max(map(count_columns, names)), NAME_COLUMNS)),
        *voice.describe_team(game, shown, seat),
        "court " + " ".join(_format_tally(game.board, shown.courts[seat])[: len(game.board.courtly)]),
        voice.describe_discs_left(game, shown, seat),
    ]
    if wins:
        pieces.append(mark_text(WINS, "WINS"))
    hand = comma_separated(_list_hand(shown, seat), "hand", LABEL)
    discards = comma_separated(_list_discards(shown, seat), "discards", LABEL)
    return [*wrap_pieces(pieces, first=f"{arrow} {seat + 1} ", hang=5, join="   "), *hand, *discards]


def _list_hand(shown: Position, seat: int) -> list[str]:
    counts = Counter(shown.hands[seat])
    if not counts:
        since = shown.emptied[seat]
        return ["empty" + (f" since turn {since}" if since is not None else "")]
    return [f"{card} x{n}" if n > 1 or card == "?" else card for card, n in counts.items()]


def _list_discards(shown: Position, seat: int) -> list[str]:
    pile, played = shown.discards[seat], shown.last_acted[seat]
    if not pile:
        return ["none"]
    turn = f" (turn {played})" if played is not None else ""
    return [str(len(pile)), f"{pile[-1]} on top{turn}"]


def state_ending(game: Struggle, position: Position, result: Result) -> tuple[str, str]:
    board = game.board
    rule = next(each.rule for each in game.endings if each.name == result.ending)
    struggles = ", ".join(
        f"{board.name_region(each)} {board.name_disc(position.discs[each])}" for each in position.struggles
    )
    return f"{result.ending.capitalize()}, after the power struggles: {struggles}.", rule


def list_side_rows(game: Struggle, view: View, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    shown, people = view.shown, list(map(make_printable, names))
    if shown.to_act is None:
        return ()
    rows = (
        ("Passes", ", ".join(voice.describe_next_starter(shown, people))),
        ("Note", voice.describe_ban(game, shown, people, view.seat)),
    )
    return tuple((label, words) for label, words in rows if words)
