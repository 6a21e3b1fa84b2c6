"""Claim's part for mail: sentences, samples, facts, and the judge of plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from attrs import evolve, frozen

from tkid.games.claim import rules
from tkid.games.claim.notation.orders import Condition, Led, NothingLed, PhaseTwo, Prize, Standing
from tkid.games.claim.voice import describe_card, describe_claim_result, find_drawn_card, list_gains, say
from tkid.kernel.game import HIDDEN, Result
from tkid.kernel.problems import Kind, Problem
from tkid.kernel.values import derive
from tkid.mail import plugin
from tkid.notation.names import list_names
from tkid.notation.plugin import find_turn_reader
from tkid.notation.text import count_noun
from tkid.notation.voice import Voice, list_and, make_sentence
from tkid.record.play.replay import Replay
from tkid.rulebook import cites


def get_game_and_position(replay: Replay) -> tuple[rules.Claim, rules.Position]:
    game, position = replay.record.game, replay.position
    assert isinstance(game, rules.Claim)
    assert isinstance(position, rules.Position)
    return game, position


def list_playable_cards(known: Replay) -> rules.Cards:
    game, position = get_game_and_position(known)
    return tuple(move.card for move in game.legal(position))


RULES = {
    "follow": "post.standing.led",
    "lead": "post.standing.lead",
    "either": "post.standing.prize",
    "forced": "post.standing.forced",
}


class ClaimJudge(plugin.PlanJudge):
    """Judges standing orders and conditions for a seat by what it knows of a game."""

    @property
    def position(self) -> rules.Position:
        """The position as the seat knows it; it is the seat's turn."""
        return get_game_and_position(self.known)[1]

    @property
    def _lead_words(self) -> str:
        led, leader = self.position.led, self.position.leader
        if led is None or leader is None:
            return "nothing is led"
        return f"{self.known.record.names[leader]} led {rules.NAMES[led]}"

    @cites("post.condition.led", "post.condition.phase")
    def judge_one(self, condition: Condition) -> plugin.Judged:
        led, phase = self.position.led, self.position.phase
        match condition:
            case Led(faction):
                met = led is not None and faction in {"", led[0]}
                return plugin.Judged(met, self._lead_words, "post.condition.led")
            case NothingLed():
                return plugin.Judged(led is None, self._lead_words, "post.condition.led")
            case Prize(of):
                return self._judge_prize(of)
            case PhaseTwo():
                return plugin.Judged(phase == 2, f"it is phase {rules.PHASES[phase]}", "post.condition.phase")

    @cites("post.condition.prize")
    def _judge_prize(self, of: str) -> plugin.Judged:
        prize, rule = self.position.prize, "post.condition.prize"
        if prize is None:
            return plugin.Judged(met=False, reason="there is no prize in phase two", rule=rule, possible=False)
        return plugin.Judged(of in {prize, prize[0]}, f"the prize is {rules.NAMES[prize]}", rule)

    def is_replacing(self, order: Standing, older: Standing) -> bool:
        """Return True if the older order is about the same tricks and the same faction's cards."""
        return evolve(order, which=older.which, phase=older.phase) == older

    def explain_pointless(self, order: Standing, since: int) -> Problem | None:  # noqa: ARG002 - there is another trick
        if not order.prize or self.position.phase == 1:
            return None
        message = "There is nothing to wait for: there is no prize in phase two"
        return Problem(Kind.ILLEGAL, "post.plan.over", message, hint="Leave the prize out.")

    @cites("post.standing.phase")
    def judge_end(self, order: Standing, since: int) -> plugin.Judged:
        turns = plugin.list_standing_turns(self.known)
        before = [moment for moment in turns if moment.turn and moment.turn.number < since]
        given = (before or self.known.moments)[-1 if before else 0].position
        assert isinstance(given, rules.Position)
        if (order.phase or order.prize) and given.phase != self.position.phase:
            return plugin.Judged(
                met=True, reason=f"phase {rules.PHASES[given.phase]} is over", rule="post.standing.phase"
            )
        return plugin.Judged(met=False, reason="it stays until you cancel it", rule=RULES[order.kind])

    @cites("post.standing.led", "post.standing.lead", "post.standing.prize", "post.standing.forced")
    def choose_turn(self, order: Standing, lasts: plugin.Judged) -> plugin.Chosen:
        prize, led = self._judge_prize(order.prize) if order.prize else None, self.position.led
        if prize is not None and not prize.met:
            return plugin.Chosen("", prize.reason, "post.standing.prize")
        if order.kind == "forced":
            cards = list_playable_cards(self.known)
            if len(cards) > 1:
                return plugin.Chosen("", f"you can play {len(cards)} different cards", lasts.rule)
            return plugin.Chosen(self._write_card(cards[0]), "it is the only card you can play", lasts.rule)
        is_other_lead = order.kind == "follow" and (led is None or order.led not in {"", led[0]})
        if is_other_lead or (order.kind == "lead" and led is not None):
            return plugin.Chosen("", self._lead_words, lasts.rule)
        return self._choose_card(order, lasts.rule, f" that may be played on {rules.NAMES[led]}" if led else "")

    @cites("post.standing.choice")
    def _choose_card(self, order: Standing, rule: str, where: str) -> plugin.Chosen:
        """Choose the lowest or the highest card; of equal cards, that of the faction listed first."""
        name = rules.FACTIONS[order.faction].name if order.faction else "card"
        cards = [card for card in list_playable_cards(self.known) if order.faction in {"", card[0]}]
        if not cards:
            return plugin.Chosen("", self._explain_missing(order.faction), rule)
        best = (min if order.which == "lowest" else max)(cards, key=rules.VALUES.__getitem__)
        return plugin.Chosen(self._write_card(best), f"it is your {order.which} {name}{where}", rule)

    def _explain_missing(self, faction: str) -> str:
        name, hand = rules.FACTIONS[faction].name, rules.hand_of(self.position)
        if not any(card[0] == faction for card in hand.cards):
            return f"you have no {name}"
        assert hand.follows is not None
        follow = rules.FACTIONS[hand.follows].plural
        other = f" or {rules.FACTIONS[rules.DOPPELGANGER].plural}" if hand.follows != rules.DOPPELGANGER else ""
        return f"you cannot play {rules.FACTIONS[faction].plural}: you have {follow}, so only {follow}{other} follow"

    def _write_card(self, card: rules.Card) -> str:
        return get_game_and_position(self.known)[0].words.write_move(rules.PLAYS[card])


def _iter_facts(position: rules.Position, seat: int) -> Iterable[str]:
    if position.to_act is not None:
        yield _format_hand(position.hands[seat], "in hand")
        if position.lacks[seat]:
            lacking = (each.plural for letter, each in rules.FACTIONS.items() if letter in position.lacks[seat])
            yield f"no {list_names(lacking)} in hand"
        if position.phase == 1:
            yield _format_hand(position.followers[seat], "recruited")
    yield f"score pile: {rules.count_by_faction(position.scores[seat]) or 'empty'}"
    if seat in position.winners:
        yield "winner"


def _format_hand(cards: rules.Cards, where: str) -> str:
    if HIDDEN in cards or not cards:
        return f"{count_noun(len(cards), 'card', 'no')} {where}"
    values = {letter: [card[1] for card in cards if card[0] == letter] for letter in rules.FACTIONS}
    kinds = (
        f"{rules.FACTIONS[letter].name if len(held) == 1 else rules.FACTIONS[letter].plural} {' '.join(held)}"
        for letter, held in values.items()
        if held
    )
    return f"{where}: {', '.join(kinds)}"


def _describe_ties(position: rules.Position, voice: Voice) -> Iterable[str]:
    ties = []
    for vote in rules.list_votes(position.scores):
        counts = [sum(card[0] == vote.faction.letter for card in pile) for pile in position.scores]
        if counts[0] != counts[1]:
            continue
        if vote.seat is None:
            ties.append(f"the {vote.faction.plural} voted for nobody")
            continue
        best = max(rules.VALUES[card] for card in position.scores[vote.seat] if card[0] == vote.faction.letter)
        ties.append(
            f"{voice.name_owner(vote.seat)} {vote.faction.name} {best} broke a tie of {counts[0]} to {counts[0]}"
        )
    if ties:
        yield list_and(ties)


@frozen
class Telling(plugin.TurnTelling):
    """Tells one card to a reader; `trick` is the trick that it completed, None where it was led."""

    card: rules.Card = derive(lambda self: self.moment.moves[0].card)
    trick: rules.Trick | None = derive(lambda self: rules.Trick.from_second_card(self.before, self.card))
    tells_end = False

    def list_short_wordings(self) -> Sequence[str]:
        if self.trick is None:
            return (describe_card(self.voice, self.turn.seat, self.card, None),)
        won = say(self.voice, self.trick.winner, "win", f"the {'last ' * self.trick.last}trick")
        if self.trick.winner == self.turn.seat:
            return f"{won} with {rules.NAMES[self.card]}", won
        played = say(self.voice, self.turn.seat, "play", rules.NAMES[self.card])
        return f"{played}, and {won}", played

    def iter_sentences(self) -> Iterator[str]:
        yield describe_card(self.voice, self.turn.seat, self.card, self.trick)
        if self.trick is not None:
            yield from list_gains(self.voice, self.trick, find_drawn_card(self.moment.events))
            if self.trick.before.phase == 1:
                yield self._describe_what_is_next(self.trick.winner)

    def list_headlines(self) -> Sequence[str]:
        if self.trick is None:
            return f"{self.who} led {rules.NAMES[self.card]}", f"{rules.NAMES[self.card]} was led"
        return say(self.voice, self.trick.winner, "win", "the trick"), "the trick was won"

    def _describe_what_is_next(self, leader: int) -> str:
        after = self.moment.position
        assert isinstance(after, rules.Position)
        if after.phase == 1:
            return f"{'another card' if after.prize in {None, HIDDEN} else rules.NAMES[after.prize]} is the next prize"
        leads = f"{self.voice.name_player(leader)} {self.voice.choose_verb([leader], 'leads', 'lead')}"
        return f"phase two begins: the followers are the hands now, and {leads}"


class ClaimMail(plugin.MailPlugin):
    """Sentences of letters about Claim, and turns without the player."""

    title = "Claim"
    learn = "claim/"
    helps: Mapping[str, str] = MappingProxyType({
        "standing": "play a card by a rule, trick after trick, until you cancel it or the phase ends",
        "why": "see why somebody won, or who has won the tricks so far",
    })  # fmt: skip
    turn = "`Goblin 5`, or another card as shown under YOUR ANSWER"
    news = "of tricks, and when the game ends"
    history = "The tricks so far:"
    no_history = "No trick has been played yet."
    telling = Telling
    make_plan_judge = staticmethod(ClaimJudge)

    def list_offered(self, known: Replay) -> tuple[str, list[str]]:
        shown = get_game_and_position(known)[1]
        if shown.to_act is None:
            return "The game is over.", []
        turns = [rules.NAMES[card] for card in list_playable_cards(known)]
        text = "Copy one of these cards to the top of your answer."
        if len(turns) == 1:
            text = "You can play only this card. Copy it to the top of your answer."
        return f"{self._describe_due(shown)} {text}", turns

    def list_playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        game, shown = get_game_and_position(known)
        if not card:
            return self.list_offered(known)
        faction = next(each for each in rules.FACTIONS.values() if each.name == card)
        if not any(held[0] == faction.letter for held in shown.hands[seat]):
            return f"You have no {card}. [{game.ids('trick.hand')}]", []
        turns = [rules.NAMES[held] for held in list_playable_cards(known) if held[0] == faction.letter]
        if not turns:
            return f"You cannot play {faction.plural} now. {self._describe_due(shown)} [{game.ids('trick.follow')}]", []
        return f"{self._describe_due(shown)} You may play these {faction.plural}:", turns

    @staticmethod
    def _describe_due(shown: rules.Position) -> str:
        if shown.led is None:
            return "You lead. Play any card."
        follows = rules.hand_of(shown).follows
        if follows is None:
            return f"{rules.NAMES[shown.led]} is led. You have no {rules.FACTIONS[shown.led[0]].name}, so you may play any card."
        other = "" if follows == rules.DOPPELGANGER else f", or play a {rules.FACTIONS[rules.DOPPELGANGER].name}"
        return f"{rules.NAMES[shown.led]} is led. You must follow with one of your {rules.FACTIONS[follows].plural}{other}."

    def explain_shorthand(self, _: Replay) -> str:
        return "You may shorten names: `gob 5` and `G5` are `Goblin 5`."

    def list_aims(self, known: Replay, seat: int) -> tuple[tuple[str, str], ...]:
        hand = [card for card in get_game_and_position(known)[1].hands[seat] if card != HIDDEN]
        card = rules.NAMES[hand[0]] if hand else "Goblin 5"
        return (
            ("Play a card", card),
            ("Only check a card", f"draft {card}"),
            ("See what you can play", "legal, or legal Goblin"),
            ("Play by a rule", "lead my highest, or play what is forced"),
            ("Make a plan", "if led Goblin: play my lowest"),
        )

    def list_samples(self, known: Replay) -> list[str]:
        """Return up to three cards of the next player, of different factions if possible."""
        _, position = get_game_and_position(known)
        if position.to_act is None or HIDDEN in position.hands[position.to_act]:
            return []
        cards = list_playable_cards(known)
        first = {card[0]: card for card in reversed(cards)}
        chosen = sorted(first.values(), key=cards.index)
        others = (card for card in cards if card not in chosen)
        return [rules.NAMES[card] for card in [*chosen, *others][: plugin.MAX_SAMPLES]]

    def tell_turn(self, known: Replay, text: str) -> str:
        game, position = get_game_and_position(known)
        moves = find_turn_reader(game, known.record.names).read_turn(text).moves
        seat = position.to_act
        if len(moves) != 1 or seat is None:
            return ""
        card, voice = moves[0].card, Voice(known.record.names, seat)
        return make_sentence(describe_card(voice, seat, card, rules.Trick.from_second_card(position, card)))

    def list_facts(self, known: Replay, seat: int | None) -> tuple[tuple[str, str], ...]:
        _, position = get_game_and_position(known)
        voice = Voice(known.record.names, seat)
        names = ["You" if each == seat else voice.names[each] for each in position.seats]
        return tuple((name, "; ".join(_iter_facts(position, each))) for each, name in enumerate(names))

    def list_result_wordings(self, known: Replay, result: Result, voice: Voice) -> Sequence[str]:
        told = describe_claim_result(get_game_and_position(known)[1], voice)
        if not result.winners:
            return "a draw", told
        won = plugin.say_won(voice, result.winners)
        return won, told, won

    def list_reasons(self, known: Replay, _: Result, voice: Voice) -> Sequence[str]:
        position = get_game_and_position(known)[1]
        telling = self.make_telling(known, len(known.moments) - 1, None)
        trick = telling.trick if isinstance(telling, Telling) else None
        last = [say(evolve(voice, past=True), trick.winner, "win", "the last trick")] if trick else []
        cast = list(rules.list_votes(position.scores))
        voters = [[vote.faction.plural for vote in cast if vote.seat == each] for each in position.seats]
        votes = [(f"the {list_and(some)}", each) for each, some in enumerate(voters) if some]
        voted = [f"{some} {'' if n else 'voted '}for {voice.name_player(each)}" for n, (some, each) in enumerate(votes)]
        return [*last, *([", ".join(voted)] if voted else []), *_describe_ties(position, voice)]

    def describe_outlook(self, known: Replay, seat: int) -> str:
        """Say that the seat has to play, as Claim has no passing; return "" if it isn't its turn."""
        shown = get_game_and_position(known)[1]
        return self._describe_due(shown) if shown.to_act == seat else ""


PLUGIN = ClaimMail()
