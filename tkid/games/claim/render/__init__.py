"""Claim's part for text: positions, turns and results in lines and sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tkid.games.claim import rules
from tkid.games.claim.notation.turns import TurnReader
from tkid.games.claim.voice import (
    compare_votes,
    count_votes,
    describe_card,
    describe_claim_result,
    describe_winning,
    find_drawn_card,
    list_gains,
)
from tkid.kernel.game import HIDDEN, Result, fill_names
from tkid.notation.names import Unknown, add_article, list_names
from tkid.notation.text import capitalize_text, count_noun, count_noun_in_words, spell_number
from tkid.notation.voice import Voice, make_sentence
from tkid.render import plugin
from tkid.render.lines import (
    DUE,
    HEADING,
    PLAIN,
    WIDTH,
    WINS,
    comma_separated,
    count_columns,
    fill_with_blanks,
    get_faction_mark,
    make_printable,
    mark_rule_id,
    mark_text,
    wrap_pieces,
    wrap_sentence,
)

if TYPE_CHECKING:
    from tkid.render.picture import LastTurn

HIGHEST = 9


def write_claim_headline(_: rules.Claim, view: rules.View, names: Sequence[str]) -> str:
    shown = view.shown
    if shown.to_act is None:
        return capitalize_text(describe_claim_result(shown, Voice(names)))
    name = names[shown.to_act]
    if shown.led is not None:
        return f"{name} to play: {rules.NAMES[shown.led]} was led"
    if shown.prize is None:
        return f"{name} to lead: {_format_stage(shown)}"
    return f"{name} to lead: {_name_prize(shown.prize)} is the prize"


def write_stage(shown: rules.Position) -> str:
    """Return phase and trick as the start of a sentence; "" if the headline has them or the game is over."""
    said = shown.to_act is None or (shown.led is None and shown.prize is None)
    return "" if said else _format_stage(shown).capitalize()


def _format_stage(shown: rules.Position) -> str:
    return f"phase {rules.PHASES[shown.phase]}, trick {shown.trick} of {rules.HAND}"


def write_claim_forecast(_: rules.Claim, view: rules.View, names: Sequence[str]) -> str:
    shown = view.shown
    if shown.to_act is None:
        return ""
    if shown.led is not None:
        return _describe_follow(shown, shown.led, names[shown.to_act])
    if shown.prize is None:
        return write_standing(shown, names)
    return f"The winner takes {_name_prize(shown.prize)}, the loser the next card of the deck."


def _describe_follow(shown: rules.Position, led: rules.Card, name: str) -> str:
    """Return which cards may certainly follow a led card, and which would win."""
    faction, hand = rules.FACTIONS[led[0]], rules.hand_of(shown)
    one = add_article(faction.name)
    wild = led[0] != rules.DOPPELGANGER
    if not any(card[0] == led[0] for card in hand.cards):
        ways = ["a higher Doppelganger"] * (wild and rules.VALUES[led] < HIGHEST)
        ways += ["a Knight"] * (led[0] == rules.GOBLIN)
        return f"{name} has no {faction.plural} and may play any card; {_describe_winners(led, ways)}."
    higher = ["a higher one"] * (rules.VALUES[led] < HIGHEST)
    if hand.follows is not None:
        return f"{name} must follow with {one}{' or a Doppelganger' * wild}; {_describe_winners(led, higher)}."
    also = ", or play a Doppelganger" * wild
    return f"{name} must follow with {one} if possible{also}; {_describe_winners(led, [*higher, *['a Knight'] * (led[0] == rules.GOBLIN)])}."


def _describe_winners(led: rules.Card, ways: Sequence[str]) -> str:
    return f"only {list_names(ways, 'or')} wins" if ways else f"nothing beats {rules.NAMES[led]}"


def write_standing(shown: rules.Position, names: Sequence[str]) -> str:
    votes = count_votes(shown)
    ahead = max(shown.seats, key=votes.__getitem__)
    if votes[ahead] >= rules.NEEDED:
        return f"As it stands, {names[ahead]} wins by {compare_votes(shown, ahead)}."
    needed = f"{spell_number(rules.NEEDED)} win"
    held = count_noun_in_words(votes[ahead], "faction")
    if votes[0] == votes[1]:
        return f"As it stands, {f'both have {held}' if votes[0] else 'nobody has a faction'}; {needed}."
    other = names[1 - ahead]
    return f"As it stands, {names[ahead]} has {held} and {other} {spell_number(votes[1 - ahead]) if votes[1 - ahead] else 'none'}; {needed}."


def _name_prize(card: rules.Card) -> str:
    return "the hidden card" if card == HIDDEN else rules.NAMES[card]


def _find_trick(last: LastTurn) -> rules.Trick | None:
    """Return the trick that a turn completed; None for a lead or an unknown position before."""
    return None if last.before is None else rules.Trick.from_second_card(last.before, last.moves[0].card)


def tell_claim_turn(_: rules.Claim, view: rules.View, names: Sequence[str], last: LastTurn) -> str:
    move, voice, trick = last.moves[0], Voice(names), _find_trick(last)
    assert isinstance(move, rules.Play)
    told = [describe_card(voice, last.seat, move.card, trick)]
    if trick is not None:
        told += list_gains(voice, trick, find_drawn_card([event.seen(view.seat) for event in last.events]))
    return " ".join(map(make_sentence, told))


def _tell_count(shown: rules.Position, names: Sequence[str]) -> Iterator[plugin.TaleSentence]:
    for vote in rules.list_votes(shown.scores):
        counts = [sum(card[0] == vote.faction.letter for card in pile) for pile in shown.scores]
        whose = "nobody" if vote.seat is None else names[vote.seat]
        most, least = max(counts), min(counts)
        how = f"{count_noun(most, 'card')} to {least}"
        if most == least:
            held = (card for pile in shown.scores for card in pile if card[0] == vote.faction.letter)
            best = max((rules.VALUES[card] for card in held), default=0)
            how = f"{most} each" + (f", and {vote.faction.name} {best} is the highest" if vote.seat is not None else "")
        yield plugin.TaleSentence(f"The {vote.faction.plural} vote for {whose}: {how}.", vote.step.rule)
    result = make_sentence(describe_claim_result(shown, Voice(names)))
    yield plugin.TaleSentence(result, rules.ENDINGS[shown.ending or rules.DRAWN])


def _list_changes(shown: rules.Position, names: Sequence[str], before: rules.Position | None) -> Iterator[str]:
    if before is None or shown.to_act is None:
        return
    changed = False
    for then, now in zip(rules.list_votes(before.scores), rules.list_votes(shown.scores), strict=True):
        if then.seat != now.seat:
            changed = True
            yield f"The {now.faction.plural} now vote for {'nobody' if now.seat is None else names[now.seat]}."
    if changed:
        yield write_standing(shown, names)


def _describe_next(shown: rules.Position, names: Sequence[str]) -> str:
    if shown.to_act is None:
        return ""
    return f"{names[shown.to_act]} {'leads the next trick' if shown.led is None else 'plays next'}."


GAP = "   "
FIRST_COLUMN = 14
LONGEST_HEAD = 14
LABEL = 10
"""The room for the labels `hand` and `followers`."""
MARKS = {letter: get_faction_mark(place) for place, letter in enumerate(rules.FACTIONS)}


def _shorten_name(name: str) -> str:
    if count_columns(name) <= LONGEST_HEAD:
        return name
    while count_columns(name) > LONGEST_HEAD - 2:
        name = name[:-1]
    return f"{name}.."


def name_decision(_: rules.Claim, shown: rules.Position) -> str:
    """Return the next decision, to go behind `to`."""
    return "lead" if shown.led is None else "play"


def _format_headline(game: rules.Claim, view: rules.View, names: Sequence[str]) -> list[str]:
    shown, words = view.shown, write_claim_headline(game, view, names)
    if shown.to_act is None:
        return [
            mark_text(HEADING, "Game over"),
            *wrap_sentence(f"{mark_text(WINS, words)} {mark_rule_id(rules.ENDINGS[shown.ending or rules.DRAWN])}"),
        ]
    pieces = [*filter(None, [write_stage(shown)]), mark_text(DUE, words)]
    lines = [line for joined in wrap_pieces(pieces, join=" | ") for line in wrap_sentence(joined)]
    return [*lines, *wrap_sentence(write_claim_forecast(game, view, names))]


def _list_table(shown: rules.Position, names: Sequence[str]) -> list[str]:
    lines = []
    if shown.prize is not None:
        deck = len(shown.deck)
        lines.append(
            f"{mark_text(HEADING, 'PRIZE')}  {_print_card(shown.prize)}{GAP}(deck: {count_noun(deck, 'card')} face down)"
        )
    if shown.led is not None and shown.leader is not None:
        lines += wrap_sentence(f"{mark_text(HEADING, 'TRICK')}  {names[shown.leader]} led {_print_card(shown.led)}")
    return lines


def _list_player(shown: rules.Position, names: Sequence[str], seat: int, *, own: bool) -> list[str]:
    """Write a player; hidden followers of one's `own` are cards that the other player has not unlocked yet."""
    name = f"{seat + 1} {names[seat]}"
    if seat == shown.to_act:
        lines = wrap_sentence(f"{mark_text(DUE, '->')} {mark_text(DUE, name)}")
    elif seat in shown.winners:
        lines = wrap_sentence(f"   {mark_text(WINS, name)}{GAP}{mark_text(WINS, 'WINS')}")
    else:
        lines = wrap_sentence(f"   {name}")
    if shown.to_act is None:
        return lines
    lines += _format_cards("hand", shown.hands[seat])
    if shown.phase == 1:
        lines += _format_cards("followers", shown.followers[seat])
        if own and HIDDEN in shown.followers[seat]:
            note = f"({HIDDEN}: face down until {names[1 - seat]}'s next letter turns it up)"
            lines += wrap_pieces(note.split(" "), first=" " * (5 + LABEL), hang=5 + LABEL)
    if shown.lacks[seat]:
        lacking = [mark_text(MARKS[letter], rules.FACTIONS[letter].plural) for letter in shown.lacks[seat]]
        lines += comma_separated(lacking, "shown: no", LABEL)
    return lines


def _format_cards(label: str, cards: rules.Cards) -> list[str]:
    counts = Counter(cards)
    hidden = counts.pop(HIDDEN, 0)
    pieces = [_print_card(card) + (f" ({n})" if n > 1 else "") for card, n in counts.items()]
    pieces += [f"{HIDDEN} x{hidden}"] if hidden else []
    return comma_separated(pieces or ["none"], label, LABEL)


def _print_card(card: rules.Card) -> str:
    return mark_text(MARKS[card[0]], rules.NAMES[card]) if card[0] in MARKS else rules.NAMES[card]


def _format_piles(shown: rules.Position, heads: Sequence[str]) -> list[str]:
    piles = (*shown.scores, shown.discards)
    rows = [[mark_text(HEADING, each) for each in ("SCORE PILES", *heads, "DISCARDED")]]
    rows += [
        [mark_text(MARKS[letter], each) for each in (named.plural, *(_format_values(pile, letter) for pile in piles))]
        for letter, named in rules.FACTIONS.items()
    ]
    rows.append(["votes" if shown.to_act is None else "votes so far", *map(str, count_votes(shown)), ""])
    widths = _measure_columns(rows)
    if FIRST_COLUMN + sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        rows = [[row[0], *(cell.replace(" ", "") for cell in row[1:])] for row in rows]
        widths = _measure_columns(rows)
    rest = (GAP.join(map(fill_with_blanks, row[1:], widths)) for row in rows)
    return [(fill_with_blanks(row[0], FIRST_COLUMN) + cells).rstrip() for row, cells in zip(rows, rest, strict=True)]


def _measure_columns(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(count_columns, column)) for column in list(zip(*rows, strict=True))[1:]]


def _format_values(pile: rules.Cards, letter: str) -> str:
    return " ".join(card[1] for card in pile if card[0] == letter) or "-"


def _describe_table(shown: rules.Position, names: Sequence[str]) -> Iterator[str]:
    if shown.to_act is None:
        yield "The game is over."
        return
    if where := write_stage(shown):
        yield f"{where}."
    if shown.led is not None and shown.leader is not None:
        yield f"{names[shown.leader]} led {rules.NAMES[shown.led]}."
    if shown.prize is not None:
        prize, deck = "not known" if shown.prize == HIDDEN else rules.NAMES[shown.prize], len(shown.deck)
        yield f"The prize is {prize}; {count_noun(deck, 'card')} in the deck."


def _describe_player(view: rules.View, name: str, seat: int) -> str:
    shown, pieces = view.shown, list[str]()
    if shown.to_act is not None:
        hand = shown.hands[seat]
        own = seat == view.seat and HIDDEN not in hand
        pieces.append(f"in hand {rules.format_card_list(hand)}" if own and hand else f"{len(hand)} in hand")
        if shown.phase == 1:
            pieces.append(f"followers {len(shown.followers[seat])}")
        if shown.lacks[seat]:
            lacking = list_names((rules.FACTIONS[letter].plural for letter in shown.lacks[seat]), "or")
            pieces.append(f"has no {lacking}")
    scored = rules.count_by_faction(shown.scores[seat]) or "nothing"
    pieces += [f"score pile {scored}", f"votes {count_votes(shown)[seat]}"]
    return f"{name}: {'; '.join(pieces)}"


def _iter_plays(
    game: rules.Claim, position: rules.Position, names: Sequence[str], card: str, *, every: bool
) -> Iterator[str]:
    assert position.to_act is not None
    name, hand = names[position.to_act], rules.hand_of(position)
    options = list(game.legal(position))
    if not card:
        if hand.hidden and not every:
            yield from plugin.explain_unseen_hand(name)
            return
        may = "may, as far as you know the hand," if hand.hidden else "may"
        due = "lead" if position.led is None else f"play on {rules.NAMES[position.led]}"
        why = f" {name} must follow with {rules.FACTIONS[hand.follows].plural}." if hand.follows else ""
        yield f"{name} {may} {due}:{why}"
    for move in _find_plays(game, card) if card else options:
        words = game.words.write_move(move)
        if move in options:
            yield f"  {words}"
            continue
        for violation in game.check(position, move):
            yield f"  {words}: no. {fill_names(violation.sentence, names)} [{violation.rule}]"


def _find_plays(game: rules.Claim, name: str) -> list[rules.Play]:
    reader = TurnReader(game)
    turn = reader.read_turn(name)
    if turn.moves:
        return list(turn.moves)
    faction = reader.cards.find(name)
    if isinstance(faction, Unknown):
        hint = turn.problems[0].hint or f"The factions are {list_names(reader.cards.names, 'and')}."
        raise plugin.UnknownCardError(f"`{name}` is not a card of {game.code}. {hint}")
    letter = next(letter for letter, each in rules.FACTIONS.items() if each.name == faction)
    return [rules.Play(card) for card in game.cards.values() if card[0] == letter]


KIND, DONE = "phase", "\u2713"


def describe_consequence(game: rules.Claim, position: rules.Position, move: rules.Play, names: Sequence[str]) -> str:
    """Return the outcome of a legal card for its player, "you": `You take the trick; you recruit Goblin 5`; "" for a lead."""
    trick = rules.Trick.from_second_card(position, move.card)
    if trick is None:
        return ""
    after, _ = game.apply(position, move)
    voice = Voice(names, position.to_act)
    told = [describe_winning(voice, trick), *list_gains(voice, trick)]
    return capitalize_text("; ".join([*told, *([describe_claim_result(after, voice)] if after.to_act is None else [])]))


def _iter_side_rows(view: rules.View, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    shown = view.shown
    if shown.to_act is not None:
        yield "Phase", f"{rules.PHASES[shown.phase]}, trick {shown.trick} of {rules.HAND}"
    if shown.led is not None and shown.leader is not None:
        yield "Trick", f"{names[shown.leader]} led {rules.NAMES[shown.led]}"
    if shown.prize is not None:
        prize = "face down" if shown.prize == HIDDEN else rules.NAMES[shown.prize]
        yield "Prize", f"{prize}; {count_noun(len(shown.deck), 'card')} in the deck"
    votes = tuple(rules.list_votes(shown.scores))
    won = [[vote.faction.plural for vote in votes if vote.seat == seat] for seat in shown.seats]
    counts = [f"{len(factions)} ({', '.join(factions)})" if factions else "0" for factions in won]
    yield "Votes", "; ".join(map(" ".join, zip(names, counts, strict=True)))


class ClaimRender(plugin.RenderPlugin):
    """Claim's side of the rendering interface."""

    def list_blocks(self, game: rules.Claim, view: rules.View, names: Sequence[str]) -> list[list[str]]:
        shown = view.shown
        return [
            _format_headline(game, view, names),
            *filter(None, [_list_table(shown, names)]),
            *(_list_player(shown, names, seat, own=seat == view.seat) for seat in shown.seats),
            _format_piles(shown, [str(seat + 1) for seat in shown.seats]),
        ]

    def format_board(self, _: rules.Claim, view: rules.View, names: Sequence[str]) -> list[str]:
        shown, names = view.shown, [make_printable(name) for name in names]
        table = _list_table(shown, names)
        heads = ["You" if seat == view.seat else _shorten_name(names[seat]) for seat in shown.seats]
        return [PLAIN(line) for line in (*table, *([""] if table else []), *_format_piles(shown, heads))]

    write_headline = staticmethod(write_claim_headline)
    write_forecast = staticmethod(write_claim_forecast)
    describe_last_turn = staticmethod(tell_claim_turn)

    def tell_turn(self, _: rules.Claim, view: rules.View, names: Sequence[str], last: LastTurn) -> plugin.Tale:
        shown, trick = view.shown, _find_trick(last)
        card, who = rules.NAMES[last.moves[0].card], names[last.seat]
        heading = f"{who} leads {card}" if trick is None else f"{who} plays {card} on {rules.NAMES[trick.led]}"
        steps = [plugin.TaleSentence(f"{event.seen(view.seat).read(names)}.", event.rule) for event in last.events]
        if shown.to_act is None:
            steps = [*steps[: -1 - len(rules.score_result(shown.scores).chain)], *_tell_count(shown, names)]
        changes, after = tuple(_list_changes(shown, names, last.before)), _describe_next(shown, names)
        return plugin.Tale(heading, tuple(steps), changes, after)

    def list_chapters(
        self, _: rules.Claim, positions: Sequence[rules.Position]
    ) -> tuple[plugin.Chapter, plugin.Chapter]:
        end = len(positions) - 1
        second = next((index for index, position in enumerate(positions) if position.phase > 1), end + 1)
        last, over = min(second, end), positions[end].to_act is None
        done = "followers recruited" if second <= end else ""
        names = ((second, "gathering supporters"),) if second <= end else ()
        return (
            plugin.Chapter(KIND, ((0, "recruiting followers"),), 1, last, done, DONE),
            plugin.Chapter(KIND, names, last + 1, end, "votes counted" if over else "", DONE),
        )

    def list_tallies(self, _: rules.Claim, view: rules.View, names: Sequence[str]) -> tuple[plugin.Tally, ...]:
        shown = view.shown
        votes = count_votes(shown)
        return tuple(
            plugin.Tally(
                names[seat],
                (
                    plugin.Count(votes[seat], "votes", "votes"),
                    plugin.Count(len(shown.followers[seat]), "followers", "followers"),
                    plugin.Count(len(shown.scores[seat]), "score", "cards in the score pile"),
                ),
            )
            for seat in shown.seats
        )

    def list_side_notes(self, _: rules.Claim, view: rules.View, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return tuple(_iter_side_rows(view, list(map(make_printable, names))))

    def describe_position(self, game: rules.Claim, view: rules.View, names: Sequence[str]) -> str:
        names = [make_printable(name) for name in names]
        shown = view.shown
        sentences = [
            f"{write_claim_headline(game, view, names)}.",
            write_claim_forecast(game, view, names),
            *_describe_table(shown, names),
            *(f"{_describe_player(view, names[seat], seat)}." for seat in shown.seats),
            f"Discarded: {rules.count_by_faction(shown.discards) or 'nothing'}.",
        ]
        return " ".join(filter(None, sentences))

    def state_ending(self, _: rules.Claim, __: rules.Position, result: Result) -> tuple[str, str]:
        return f"{result.ending.capitalize()}, after two phases.", rules.ENDINGS[result.ending]

    def list_legal(
        self, game: rules.Claim, position: rules.Position, names: Sequence[str], card: str, *, every: bool
    ) -> list[str]:
        """List the legal cards, or say if a card or a faction may be played. Raises UnknownCardError."""
        return list(_iter_plays(game, position, names, card, every=every))

    describe_due = staticmethod(name_decision)


PLUGIN = ClaimRender()
