"""Claim in plain ASCII text: a position in one glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tkid.games.tricks import scoring
from tkid.games.tricks.deck import FACTIONS, HAND, NAMES, Cards
from tkid.games.tricks.game import Tricks
from tkid.games.tricks.position import PHASES, Position
from tkid.games.tricks.views import View
from tkid.kernel.game import HIDDEN, Event
from tkid.render.lines import WIDTH, event_lines, sentence, wrapped

GAP = "   "
FIRST_COLUMN = 14
LABEL = 10
"""Where the text after a player's `hand` begins, from the left of the label."""


def position(_: Tricks, view: View, names: Sequence[str], last: Sequence[Event] = ()) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns; `last` is told at the end."""
    shown = view.shown
    table = _table(shown, names)
    blocks = [
        [*_headline(shown, names), "=" * WIDTH],
        *([table] if table else []),
        *(_player(shown, names, seat) for seat in shown.seats),
        _piles(shown),
    ]
    told = [event.seen(view.seat) for event in last]
    if told:
        blocks.append(["WHAT HAPPENED", *(f"  {line}" for line in event_lines(told, names, WIDTH - 2))])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _headline(shown: Position, names: Sequence[str]) -> list[str]:
    """Phase and trick, and whose turn it is; or how the game ended."""
    if shown.to_act is None:
        winners = " and ".join(names[seat] for seat in shown.winners)
        told = f"{shown.ending.capitalize()}: {winners} wins" if winners and shown.ending else "Drawn: nobody wins"
        return ["Game over", *sentence(f"{told} [{scoring.ENDINGS[shown.ending or scoring.DRAWN]}]")]
    due = f"{names[shown.to_act]} to {'lead' if shown.led is None else 'play'} a card"
    pieces = [f"Phase {PHASES[shown.phase]}, trick {shown.trick} of {HAND}", due]
    return [line for joined in wrapped(pieces, join=" | ") for line in sentence(joined)]


def _table(shown: Position, names: Sequence[str]) -> list[str]:
    """What lies between the players: the prize, the deck, the card that was led."""
    lines = []
    if shown.prize is not None:
        deck = len(shown.deck)
        lines.append(f"PRIZE  {NAMES[shown.prize]}{GAP}(deck: {deck} card{'s' * (deck != 1)} face down)")
    if shown.led is not None and shown.leader is not None:
        lines += sentence(f"TRICK  {names[shown.leader]} led {NAMES[shown.led]}")
    return lines


def _player(shown: Position, names: Sequence[str], seat: int) -> list[str]:
    """A player: name, hand, followers, and the factions of which there is none in hand."""
    mark = "->" if seat == shown.to_act else "  "
    wins = f"{GAP}WINS" if seat in shown.winners else ""
    lines = sentence(f"{mark} {seat + 1} {names[seat]}{wins}")
    if shown.to_act is None:
        return lines
    lines += _labelled("hand", shown.hands[seat])
    if shown.phase == 1:
        lines += _labelled("followers", shown.followers[seat])
    if shown.lacks[seat]:
        lines += _row("shown: no", [FACTIONS[letter].plural for letter in shown.lacks[seat]])
    return lines


def _labelled(label: str, cards: Cards) -> list[str]:
    """Cards by name, hidden ones as their number."""
    counts = Counter(cards)
    hidden = counts.pop(HIDDEN, 0)
    pieces = [f"{NAMES[card]} ({n})" if n > 1 else NAMES[card] for card, n in counts.items()]
    pieces += [f"{HIDDEN} x{hidden}"] if hidden else []
    return _row(label, pieces or ["none"])


def _row(label: str, pieces: Sequence[str]) -> list[str]:
    listed = [*(f"{piece}," for piece in pieces[:-1]), *pieces[-1:]]
    return wrapped(listed, first=f"     {label:<{LABEL}}", hang=5 + LABEL)


def _piles(shown: Position) -> list[str]:
    """The score piles and the discards by faction, and the votes as they stand."""
    piles = (*shown.scores, shown.discards)
    cast = [each.seat for each in scoring.votes(shown.scores)]
    rows = [["SCORE PILES", *(str(seat + 1) for seat in shown.seats), "DISCARDED"]]
    rows += [[each.plural, *(_values(pile, letter) for pile in piles)] for letter, each in FACTIONS.items()]
    rows.append(["votes" if shown.to_act is None else "votes so far", *(str(cast.count(s)) for s in shown.seats), ""])
    widths = [max(len(row[column]) for row in rows) for column in range(1, len(rows[0]))]
    if FIRST_COLUMN + sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        rows = [[row[0], *(cell.replace(" ", "") for cell in row[1:])] for row in rows]
        widths = [max(len(row[column]) for row in rows) for column in range(1, len(rows[0]))]
    return [
        f"{row[0]:<{FIRST_COLUMN}}{GAP.join(f'{c:<{w}}' for c, w in zip(row[1:], widths, strict=True))}".rstrip()
        for row in rows
    ]


def _values(pile: Cards, letter: str) -> str:
    """The values of a faction's cards in a pile; `-` for none."""
    return " ".join(card[1] for card in pile if card[0] == letter) or "-"
