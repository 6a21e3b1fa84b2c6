"""Claim in ASCII text: a position in one glance; plain or in colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import FACTIONS, HAND, NAMES, Card, Cards
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import PHASES, Position
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN, NOBODY, Event
from tkid.render.lines import WIDTH, columns, happened, padded, printable, ruled, sentence, wrapped
from tkid.render.marks import DUE, HEADING, PLAIN, WINS, Pen, faction, marked

GAP = "   "
FIRST_COLUMN = 14
LABEL = 10
"""Where the text after a player's `hand` begins, from the left of the label."""
MARKS = {letter: faction(place) for place, letter in enumerate(FACTIONS)}


def position(_: Claim, view: View, names: Sequence[str], last: Sequence[Event] = (), pen: Pen = PLAIN) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns; `last` is told at the end."""
    shown, names = view.shown, [printable(name) for name in names]
    table = _table(shown, names)
    blocks = [
        [*_headline(shown, names), "=" * WIDTH],
        *([table] if table else []),
        *(_player(shown, names, seat) for seat in shown.seats),
        _piles(shown),
    ]
    told = [event.seen(view.seat) for event in last]
    if told:
        blocks.append(happened(told, names))
    return pen("\n\n".join("\n".join(block) for block in blocks) + "\n")


def due(shown: Position) -> str:
    """What whoever is to act has to do, behind `to`."""
    return "lead" if shown.led is None else "play"


def who_won(shown: Position, names: Sequence[str]) -> str:
    """Who wins a game that is over, or that nobody does."""
    return f"{next((names[seat] for seat in shown.winners), NOBODY)} wins"


def _headline(shown: Position, names: Sequence[str]) -> list[str]:
    """Phase and trick, and whose turn it is; or how the game ended."""
    if shown.to_act is None:
        ending = shown.ending or scoring.DRAWN
        told = f"{ending.capitalize()}: {marked(WINS, who_won(shown, names))} {ruled(scoring.ENDINGS[ending])}"
        return [marked(HEADING, "Game over"), *sentence(told)]
    acts = marked(DUE, f"{names[shown.to_act]} to {due(shown)} a card")
    pieces = [f"Phase {PHASES[shown.phase]}, trick {shown.trick} of {HAND}", acts]
    return [line for joined in wrapped(pieces, join=" | ") for line in sentence(joined)]


def _table(shown: Position, names: Sequence[str]) -> list[str]:
    """What lies between the players: the prize, the deck, the card that was led."""
    lines = []
    if shown.prize is not None:
        deck = len(shown.deck)
        lines.append(
            f"{marked(HEADING, 'PRIZE')}  {_named(shown.prize)}{GAP}(deck: {deck} card{'s' * (deck != 1)} face down)"
        )
    if shown.led is not None and shown.leader is not None:
        lines += sentence(f"{marked(HEADING, 'TRICK')}  {names[shown.leader]} led {_named(shown.led)}")
    return lines


def _player(shown: Position, names: Sequence[str], seat: int) -> list[str]:
    """A player: name, hand, followers, and the factions of which there is none in hand."""
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
    if shown.lacks[seat]:
        lines += _row("shown: no", [marked(MARKS[letter], FACTIONS[letter].plural) for letter in shown.lacks[seat]])
    return lines


def _labelled(label: str, cards: Cards) -> list[str]:
    """Cards by name, hidden ones as their number."""
    counts = Counter(cards)
    hidden = counts.pop(HIDDEN, 0)
    pieces = [_named(card) + (f" ({n})" if n > 1 else "") for card, n in counts.items()]
    pieces += [f"{HIDDEN} x{hidden}"] if hidden else []
    return _row(label, pieces or ["none"])


def _named(card: Card) -> str:
    """A card's printed name, marked by its faction; one that is not known has none."""
    return marked(MARKS[card[0]], NAMES[card]) if card[0] in MARKS else NAMES[card]


def _row(label: str, pieces: Sequence[str]) -> list[str]:
    listed = [*(f"{piece}," for piece in pieces[:-1]), *pieces[-1:]]
    return wrapped(listed, first=f"     {label:<{LABEL}}", hang=5 + LABEL)


def _piles(shown: Position) -> list[str]:
    """The score piles and the discards by faction, and the votes as they stand."""
    piles = (*shown.scores, shown.discards)
    cast = [each.seat for each in scoring.votes(shown.scores)]
    rows = [[marked(HEADING, each) for each in ("SCORE PILES", *(str(seat + 1) for seat in shown.seats), "DISCARDED")]]
    rows += [
        [marked(MARKS[letter], each) for each in (named.plural, *(_values(pile, letter) for pile in piles))]
        for letter, named in FACTIONS.items()
    ]
    rows.append(["votes" if shown.to_act is None else "votes so far", *(str(cast.count(s)) for s in shown.seats), ""])
    widths = [max(columns(row[column]) for row in rows) for column in range(1, len(rows[0]))]
    if FIRST_COLUMN + sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        rows = [[row[0], *(cell.replace(" ", "") for cell in row[1:])] for row in rows]
        widths = [max(columns(row[column]) for row in rows) for column in range(1, len(rows[0]))]
    rest = (GAP.join(map(padded, row[1:], widths)) for row in rows)
    return [(padded(row[0], FIRST_COLUMN) + cells).rstrip() for row, cells in zip(rows, rest, strict=True)]


def _values(pile: Cards, letter: str) -> str:
    """The values of a faction's cards in a pile; `-` for none."""
    return " ".join(card[1] for card in pile if card[0] == letter) or "-"
