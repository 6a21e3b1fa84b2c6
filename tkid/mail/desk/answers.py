"""Answers to players' questions: status, legal, rules, why, history, help. Pure."""

from __future__ import annotations

from collections.abc import Callable

from tkid import rulebook
from tkid.mail.desk import agreements
from tkid.mail.desk.undo import waiting
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.game.memory import EVERY_TURN, MY_TURNS
from tkid.mail.letters import content, last_letter
from tkid.mail.letters.blocks import Blocks, Events, Facts, Paragraph, Rule, Samples, shortened
from tkid.mail.letters.content import Recipient
from tkid.mail.plugin import mail_plugin
from tkid.notation.numbers import counted_in_words
from tkid.notation.vocabulary import listed
from tkid.orders.kinds import LISTED, forms
from tkid.orders.model import Ask
from tkid.orders.plugin import order_language
from tkid.record.clock.notes import BY_RESIGNATION, NOTHING_TO_PLAY, OUT_OF_TIME
from tkid.record.play.outcome import outcome, reasons
from tkid.render.text import explain_result
from tkid.rulebook import cites
from tkid.rulebook.search import ask

MOST_RULES, MOST_ASKS = 6, 3
"""So many other rules are named below the best one, and so many of the questions that people ask about it."""
AUTOMATIC = frozenset({OUT_OF_TIME.why, NOTHING_TO_PLAY.why, BY_RESIGNATION.why})
"""Notes on turns that were passed without their player."""


Answer = tuple[str, Blocks]
"""The first sentence of an answer, which everybody may read, and what follows it."""


def wish(game: HostedGame, level: str) -> str:
    """What a wish about news means."""
    wishes = {EVERY_TURN: "of every turn", MY_TURNS: "only when the game ends"}
    return wishes.get(level) or mail_plugin(game.record.game).news


def answer(recipient: Recipient, order: Ask, *, has_host: bool) -> Answer:
    """The answer to a question; the letter also tells how the game stands."""
    if order.kind == "help":
        return _help(recipient, order.argument, has_host=has_host)
    return ANSWERS[order.kind](recipient, order.argument)


def _status(recipient: Recipient, _: str) -> Answer:
    """What is kept for the reader; how the game stands is told below."""
    game, memory = recipient.game, recipient.memory
    over = last_letter.result(recipient)[1] if game.time.over else ""
    lead = over or content.who_is_next(recipient) or "The game is adjourned."
    text = f"You get news {wish(game, memory.wish)}.{'' if memory.pictures else ' Your mails come without pictures.'}"
    if game.time.over:
        return lead, (Paragraph(text),)
    if game.time.clock is not None:
        announced = len(game.time.seats[recipient.seat].pauses) or "none"
        text += (
            f" You can be away for {game.time.clock.away} days in this game, and have announced {announced} of them."
        )
    if game.memory.proposal is not None:
        missing = listed((game.names[seat] for seat in waiting(game)), "and")
        text += f" Turn {game.memory.proposal.turn} is taken back if everybody agrees. Still missing: {missing}."
    if game.memory.agreement is not None:
        proposed = agreements.proposes(game.memory.agreement)
        text += f" {game.names[game.memory.agreement.by]} proposed {proposed}. {agreements.missing(game)}"
    if not memory.plans:
        return lead, (Paragraph(f"{text} You have no plans."),)
    plans = tuple((str(plan.number), f"`{plan.text}`") for plan in memory.plans)
    return lead, (Paragraph(f"{text} Your plans:"), Events(plans))


def _legal(recipient: Recipient, card: str) -> Answer:
    """What may be played: with one card all ways, where they are not too many."""
    known = recipient.known
    if not recipient.may_act:
        over = recipient.game.time.over
        return f"{'The game is over' if over else 'It is not your turn'}, so you cannot play anything now.", ()
    introduction, turns = mail_plugin(known.record.game).playable(known, recipient.seat, card)
    lead = "These turns are legal now." if turns else "You have no legal turn like that now."
    return lead, (Paragraph(introduction), *([Samples(tuple(turns))] if turns else []))


@cites("post.order.rule")
def _rules(recipient: Recipient, words: str) -> Answer:
    """A rule, or the rules that answer a question in the ruleset of the game, the best one whole."""
    if rulebook.known(words):
        return "This is the rule that you asked for.", _rule(rulebook.rule(words))
    if not words:
        return "Write `rules` and a question, such as `rules who wins a tie`.", ()
    found = ask(words, recipient.known.record.ruleset.code)
    best, *others = [rulebook.rule(hit.id) for hit in found.hits]
    fits = "answers" if found.certain else "is nearest to"
    said = [f"{'The answer' if found.certain else 'This may be the answer'}: {best.short}"] if best.short else []
    lead = content.lead(*said, f"This rule {fits} `{shortened(words)}`.", f"This rule {fits} your question.")
    items = tuple(("", f"{_headline(each) or each.statement} [{each.id}]") for each in others[:MOST_RULES])
    more = (Paragraph("Other rules that fit:"), Events(items)) if items else ()
    return lead, (*_rule(best), *more)


def _rule(rule: rulebook.Rule) -> Blocks:
    """A rule whole: the answer first, then the reason, what people ask, and how else it can be read."""
    why = rule.why or rule.reason
    texts = [_headline(rule), rule.statement, rule.means, f"Why: {why}" if why else ""]
    texts += [f"{question} {said}" for question, said in rule.asks[:MOST_ASKS]]
    texts.append(rule.question)
    for option, text in rule.options.items():
        texts.append(f"{option}{' (the default)' if option == rule.default else ''}: {text}.")
    texts.append(f"Source: {rule.source}.")
    return (*(Paragraph(text) for text in texts if text), Rule(rule.id))


def _headline(rule: rulebook.Rule) -> str:
    """What a rule is about, and the answer in a few words."""
    return f"{rule.title}: {rule.short}" if rule.title and rule.short else f"{rule.title}." if rule.title else ""


def _why(recipient: Recipient, _: str) -> Answer:
    """Why the game ended so; before, what was decided so far."""
    game, names = recipient.known.record.game, recipient.game.names
    end = outcome(recipient.known)
    early = [f"{text} [{rule}]" if rule else text for text, rule in reasons(end, names)] if end else []
    chain = early or explain_result(game, recipient.known.position, names)
    if chain:
        return last_letter.result(recipient)[1], (Events(tuple(("", reason) for reason in chain)),)
    decided = tuple(
        (str(moment.turn.number), event.read(names))
        for moment in recipient.known.moments
        if moment.turn and not moment.turn.undone
        for event in moment.events
        if event.line
    )
    plugin = mail_plugin(game)
    return (plugin.history, (Events(decided),)) if decided else (plugin.no_history, ())


def _history(recipient: Recipient, _: str) -> Answer:
    items = []
    for moment in recipient.known.moments:
        if moment.turn:
            number, _, line = moment.line.partition(" ")
            automatic = [note for note in moment.turn.notes if note in AUTOMATIC]
            notes = ["taken back"] if moment.turn.undone else automatic
            items.append((number, f"{line}{f' ({notes[0]})' if notes else ''} #{moment.hash}"))
            items += [("", event.read(recipient.game.names)) for event in moment.events if event.line]
    turns = content.capital(counted_in_words(len(recipient.known.record.turns), "turn"))
    verb = "has" if len(recipient.known.record.turns) == 1 else "have"
    end = outcome(recipient.known)
    items += [("", text) for text, _ in reasons(end, recipient.game.names)] if end else []
    return f"{turns} {verb} been played so far.", ((Events(tuple(items)),) if items else ())


# -- help -------------------------------------------------------------------------------------------------


def _help(recipient: Recipient, topic: str, *, has_host: bool) -> Answer:
    """Everything that may be written, what it is for first; or one kind of order."""
    known, game = recipient.known, recipient.known.record.game
    plugin = mail_plugin(game)
    if topic:
        helps = {kind.name: kind.help or plugin.helps[kind.name] for kind in LISTED}
        every = {"turn": plugin.turn, **forms(order_language(game))}
        hosted = next(kind.hosted for kind in LISTED if kind.name == topic)
        alone = "" if has_host or hosted is not True else " This needs a host."
        lead = f"This is about `{topic}`."
        return lead, (Paragraph(f"It {helps[topic]}."), Paragraph(f"How to write it: {every[topic]}.{alone}"))
    hosted_words = {word for kind in LISTED if kind.hosted is True for word in kind.words}
    rows = tuple(
        (aim, example)
        for aim, example in (*plugin.aims(known, recipient.seat), *AIMS)
        if has_host or example.split(" ", 1)[0].rstrip("?") not in hosted_words
    )
    lead = "Reply with one line, such as a turn. Here is everything you can write."
    more = "Other lines change nothing. `help draft` explains one order."
    return lead, (Facts(rows), Paragraph(f"{plugin.shorthand(known)} {more}"))


AIMS = (
    ("See time, plans, mails", "status"),
    ("See all turns, or why", "history, or why"),
    ("Look up a rule", "rules summon"),
    ("Write to the players", "say to all: Hello!, or say to 1: Hello!"),
    ("End your plans", "cancel all"),
    ("Be away for some days", "away 2026-12-20 to 2026-12-27"),
    ("Take a turn back", "undo?"),
    ("Get more or less mail", "notify my turns, or notify every turn"),
    ("End or pause it together", "agree draw, or pause until 2026-12-20"),
    ("Give up the game", "resign"),
)
"""What a player may want in any game, and what to write for it."""

ANSWERS: dict[str, Callable[[Recipient, str], Answer]] = {
    "status": _status,
    "legal": _legal,
    "rules": _rules,
    "why": _why,
    "history": _history,
}
"""How each question about the game is answered."""
