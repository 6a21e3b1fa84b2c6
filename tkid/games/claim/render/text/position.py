"""A position in lines of ASCII, plain or in colours: the table, the players, and the piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tkid.games.claim.render.text.telling import forecast, headline, stage
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import FACTIONS, NAMES, Card, Cards
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN, Event
from tkid.notation.numbers import counted
from tkid.render.lines import WIDTH, columns, comma_separated, event_block, padded, printable, ruled, sentence, wrapped
from tkid.render.markup import DUE, HEADING, PLAIN, WINS, Pen, faction, marked

GAP = "   "
FIRST_COLUMN = 14
LONGEST_HEAD = 14
LABEL = 10
"""The room for the labels `hand` and `followers`."""
MARKS = {letter: faction(place) for place, letter in enumerate(FACTIONS)}


def position(game: Claim, view: View, names: Sequence[str], events: Sequence[Event] = (), pen: Pen = PLAIN) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns, with events at the end."""
    shown, names = view.shown, [printable(name) for name in names]
    table = _table(shown, names)
    blocks = [
        [*_headline(game, view, names), "=" * WIDTH],
        *([table] if table else []),
        *(_player(shown, names, seat, own=seat == view.seat) for seat in shown.seats),
        _piles(shown, [str(seat + 1) for seat in shown.seats]),
    ]
    if events:
        blocks.append(event_block((event.seen(view.seat) for event in events), names))
    return pen("\n\n".join("\n".join(block) for block in blocks) + "\n")


def board(_: Claim, view: View, names: Sequence[str]) -> list[str]:
    """The prize and the card that was led, and what each player has won of each faction; the viewer is called "You"."""
    shown, names = view.shown, [printable(name) for name in names]
    table = _table(shown, names)
    heads = ["You" if seat == view.seat else _shortened(names[seat]) for seat in shown.seats]
    return [PLAIN(line) for line in (*table, *([""] if table else []), *_piles(shown, heads))]


def _shortened(name: str) -> str:
    """A name for the head of a column."""
    if columns(name) <= LONGEST_HEAD:
        return name
    while columns(name) > LONGEST_HEAD - 2:
        name = name[:-1]
    return f"{name}.."


def legend(_: Claim) -> tuple[str, str]:
    """Nothing: the cards are called by their names."""
    return "", ""


def due(shown: Position) -> str:
    """The next decision, to go behind `to`."""
    return "lead" if shown.led is None else "play"


def _headline(game: Claim, view: View, names: Sequence[str]) -> list[str]:
    """Phase and trick, whose turn it is, and what the trick would bring; or how the game ended."""
    shown, words = view.shown, headline(game, view, names)
    if shown.to_act is None:
        return [
            marked(HEADING, "Game over"),
            *sentence(f"{marked(WINS, words)} {ruled(scoring.ENDINGS[shown.ending or scoring.DRAWN])}"),
        ]
    pieces = [*filter(None, [stage(shown)]), marked(DUE, words)]
    lines = [line for joined in wrapped(pieces, join=" | ") for line in sentence(joined)]
    return [*lines, *sentence(forecast(game, view, names))]


def _table(shown: Position, names: Sequence[str]) -> list[str]:
    """The prize, the deck, and the card that was led."""
    lines = []
    if shown.prize is not None:
        deck = len(shown.deck)
        lines.append(f"{marked(HEADING, 'PRIZE')}  {_named(shown.prize)}{GAP}(deck: {counted(deck, 'card')} face down)")
    if shown.led is not None and shown.leader is not None:
        lines += sentence(f"{marked(HEADING, 'TRICK')}  {names[shown.leader]} led {_named(shown.led)}")
    return lines


def _player(shown: Position, names: Sequence[str], seat: int, *, own: bool) -> list[str]:
    """A player: name, hand, followers, and the factions shown not to be in hand.

    A follower of one's `own` that is hidden is a card that the other player has not unlocked yet.
    """
    name = f"{seat + 1} {names[seat]}"
    if seat == shown.to_act:
        lines = sentence(f"{marked(DUE, '->')} {marked(DUE, name)}")
    elif seat in shown.winners:
        lines = sentence(f"   {marked(WINS, name)}{GAP}{marked(WINS, 'WINS')}")
    else:
        lines = sentence(f"   {name}")
    if shown.to_act is None:
        return lines
    lines += _labelled("hand", shown.hands[seat])
    if shown.phase == 1:
        lines += _labelled("followers", shown.followers[seat])
        if own and HIDDEN in shown.followers[seat]:
            note = f"({HIDDEN}: face down until {names[1 - seat]}'s next letter turns it up)"
            lines += wrapped(note.split(" "), first=" " * (5 + LABEL), hang=5 + LABEL)
    if shown.lacks[seat]:
        lacking = [marked(MARKS[letter], FACTIONS[letter].plural) for letter in shown.lacks[seat]]
        lines += comma_separated(lacking, "shown: no", LABEL)
    return lines


def _labelled(label: str, cards: Cards) -> list[str]:
    """Cards by name, hidden ones as a number."""
    counts = Counter(cards)
    hidden = counts.pop(HIDDEN, 0)
    pieces = [_named(card) + (f" ({n})" if n > 1 else "") for card, n in counts.items()]
    pieces += [f"{HIDDEN} x{hidden}"] if hidden else []
    return comma_separated(pieces or ["none"], label, LABEL)


def _named(card: Card) -> str:
    """A card's printed name, marked by its faction if the card is known."""
    return marked(MARKS[card[0]], NAMES[card]) if card[0] in MARKS else NAMES[card]


def _piles(shown: Position, heads: Sequence[str]) -> list[str]:
    """The score piles, under the heads of their players, and the discards by faction, and the votes as they stand."""
    piles = (*shown.scores, shown.discards)
    cast = [each.seat for each in scoring.votes(shown.scores)]
    rows = [[marked(HEADING, each) for each in ("SCORE PILES", *heads, "DISCARDED")]]
    rows += [
        [marked(MARKS[letter], each) for each in (named.plural, *(_values(pile, letter) for pile in piles))]
        for letter, named in FACTIONS.items()
    ]
    rows.append(["votes" if shown.to_act is None else "votes so far", *(str(cast.count(s)) for s in shown.seats), ""])
    widths = _widths(rows)
    if FIRST_COLUMN + sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        rows = [[row[0], *(cell.replace(" ", "") for cell in row[1:])] for row in rows]
        widths = _widths(rows)
    rest = (GAP.join(map(padded, row[1:], widths)) for row in rows)
    return [(padded(row[0], FIRST_COLUMN) + cells).rstrip() for row, cells in zip(rows, rest, strict=True)]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column but the first."""
    return [max(map(columns, column)) for column in list(zip(*rows, strict=True))[1:]]


def _values(pile: Cards, letter: str) -> str:
    """The values of a faction's cards in a pile; `-` for none."""
    return " ".join(card[1] for card in pile if card[0] == letter) or "-"
