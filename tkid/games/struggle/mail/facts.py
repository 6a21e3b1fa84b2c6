"""What each player has, in a line each: court, cards, and whatever else matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.mail.voice import Voice, both
from tkid.notation.numbers import number
from tkid.record.play.replay import Replay

ALIKE = 4
"""Hands of so many cards that are equal are not listed twice."""
GAP = "   "


def facts(known: Replay, seat: int | None) -> tuple[tuple[str, str], ...]:
    """Each player with what the reader may know of court, cards, discard pile, disc and team."""
    game, position = of(known)
    voice = Voice(known.record.names, seat)
    rows, before = [], tuple[str, ...]()
    for each in position.seats:
        hand = position.hands[each]
        same = hand == before and len(hand) >= ALIKE and HIDDEN not in hand
        cards = f"the same {number(len(hand))}" if same else listed_cards(hand)
        more = _more(game, position, each, voice)
        text = f"court {_court(game, position.courts[each])}{GAP}cards: {'; '.join([cards, *more])}"
        who = voice.who(each)
        rows.append((f"{who[:1].upper()}{who[1:]}" if each == seat else who, text))
        before = before or hand
    return tuple(rows)


def _court(game: Struggle, court: Followers) -> str:
    """All factions with their followers, those without any too: `2S 4W 0E`."""
    return " ".join(f"{court[faction]}{game.board.factions[faction].letter}" for faction in game.board.courtly)


def listed_cards(hand: Sequence[str]) -> str:
    """Cards by name, those of one kind together: `Scottish, Welsh and English Support, Assemble x2`; hidden ones as a number."""
    counts = Counter(hand)
    hidden = counts.pop(HIDDEN, 0)
    pieces, names = list[str](), list(counts)
    while names:
        kind = names[0].rpartition(" ")[2]
        alike = [name for name in names if " " in name and name.rpartition(" ")[2] == kind and counts[name] == 1]
        if len(alike) > 1:
            pieces.append(f"{both(name.rpartition(' ')[0] for name in alike)} {kind}")
        else:
            alike = names[:1]
            pieces.append(f"{alike[0]} x{counts[alike[0]]}" if counts[alike[0]] > 1 else alike[0])
        names = [name for name in names if name not in alike]
    pieces += [f"{hidden} hidden"] if hidden else []
    return ", ".join(pieces) or "none"


def _more(game: Struggle, position: Position, seat: int, voice: Voice) -> list[str]:
    """The top of the discard pile where cards copy it, the used disc, the team, the victory."""
    terms, over = game.board.terms, position.to_act is None
    party = next(party for party in game.parties[len(position.courts)] if seat in party)
    mates = [each for each in party if each != seat]
    pile = position.discards[seat]
    told = [f"top discard {pile[-1]}"] if game.names_players and pile and not over else []
    told += [f"{terms.negotiation} used"] if not position.negotiation_discs[seat] and not over else []
    told += [f"team with {voice.every(mates)}"] if mates else []
    return [*told, *(["winner"] if seat in position.winners else [])]
