"""Answers to players' questions: status, legal, rules, why, history, help. Pure."""

from __future__ import annotations

from collections.abc import Callable

from tkid import rulebook
from tkid.mail.desk.undo import waiting
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.game.memory import EVERY_TURN, MY_TURNS
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Blocks, Copies, Events, Paragraph, Rule
from tkid.mail.letters.content import Recipient
from tkid.mail.plugin import mail_plugin
from tkid.notation.vocabulary import listed
from tkid.orders.kinds import LISTED, forms
from tkid.orders.model import Ask
from tkid.orders.plugin import order_language
from tkid.render.text import explain_result
from tkid.rulebook import cites
from tkid.rulebook.rulesets import rulesets

MOST_RULES = 12
"""So many rules that hold some words are shown."""


def wish(game: HostedGame, level: str) -> str:
    """What a wish about news means."""
    wishes = {EVERY_TURN: "of every turn", MY_TURNS: "of nothing but how the game ends"}
    return wishes.get(level) or mail_plugin(game.record.game).news


def answer(recipient: Recipient, order: Ask, *, has_host: bool) -> Blocks:
    """The answer to a question; the letter also tells how the game stands."""
    if order.kind == "help":
        return _help(recipient, order.argument, has_host=has_host)
    return ANSWERS[order.kind](recipient, order.argument)


def _status(recipient: Recipient, _: str) -> Blocks:
    """What is kept for the reader; how the game stands is told below."""
    game, memory = recipient.game, recipient.memory
    text = f"You get news {wish(game, memory.wish)}.{'' if memory.pictures else ' Your mails have no pictures.'}"
    if game.time.over:
        return (Paragraph(text),)
    if game.time.clock is not None:
        announced = len(game.time.seats[recipient.seat].pauses) or "none"
        text += f" Of {game.time.clock.away} days of absence you have announced {announced}."
    if game.memory.proposal is not None:
        missing = listed((game.names[seat] for seat in waiting(game)), "and")
        text += f" Turn {game.memory.proposal.turn} may be taken back; still to agree: {missing}."
    if not memory.plans:
        return (Paragraph(f"{text} You have no plans."),)
    plans = tuple((f"{plan.number}. ", f"`{plan.text}`") for plan in memory.plans)
    return Paragraph(f"{text} Your plans:"), Events(plans)


def _legal(recipient: Recipient, card: str) -> Blocks:
    """What may be played: with one card all ways, where they are not too many."""
    known = recipient.known
    if not recipient.may_act:
        return (Paragraph("It is not your turn, so nothing is legal now."),)
    introduction, turns = mail_plugin(known.record.game).playable(known, recipient.seat, card)
    return (Paragraph(introduction), *([Copies(tuple(turns))] if turns else []))


@cites("post.order.rule")
def _rules(recipient: Recipient, words: str) -> Blocks:
    """A rule, or the rules of the game at hand that hold some words."""
    rules = [rulebook.rule(words)] if rulebook.known(words) else rulebook.find(words)
    if len(rules) > 1:
        in_force = {rule.id for rule in rulebook.in_force(recipient.known.record.ruleset.rule_prefix).values()}
        games = {ruleset.rule_prefix for ruleset in rulesets()}
        rules = [rule for rule in rules if rule.id in in_force or rule.prefix not in games] or rules
    if len(rules) == 1:
        return _rule(rules[0])
    most = f"; the best {MOST_RULES}" if len(rules) > MOST_RULES else ""
    items = tuple(("", f"{rule.statement or rule.question} [{rule.id}]") for rule in rules[:MOST_RULES])
    return Paragraph(f"{len(rules)} rules hold `{words}`{most}:"), Events(items)


def _rule(rule: rulebook.Rule) -> Blocks:
    texts = [rule.question, rule.statement]
    for option, text in rule.options.items():
        texts.append(f"{option}{' (unless the game chooses otherwise)' if option == rule.default else ''}: {text}.")
    texts.append(f"Source: {rule.source}.")
    return (*(Paragraph(text) for text in texts if text), Rule(rule.id))


def _why(recipient: Recipient, _: str) -> Blocks:
    """Why the game ended so; before, what was decided so far."""
    game, names = recipient.known.record.game, recipient.game.names
    reasons = explain_result(game, recipient.known.position, names)
    if reasons:
        return (Events(tuple(("", reason) for reason in reasons)),)
    decided = tuple(
        ("", f"Turn {moment.turn.number}: {event.read(names)} [{event.rule}]")
        for moment in recipient.known.moments
        if moment.turn and not moment.turn.undone
        for event in moment.events
        if event.line
    )
    plugin = mail_plugin(game)
    return (Paragraph(plugin.history), Events(decided)) if decided else (Paragraph(plugin.no_history),)


def _history(recipient: Recipient, _: str) -> Blocks:
    items = []
    for moment in recipient.known.moments:
        if moment.turn:
            number, _, line = moment.line.partition(" ")
            automatic = [note for note in moment.turn.notes if note in content.AUTOMATIC]
            notes = ["taken back"] if moment.turn.undone else automatic
            items.append((f"{number} ", f"{line}{f' ({notes[0]})' if notes else ''} #{moment.hash}"))
            items += [("", event.read(recipient.game.names)) for event in moment.events if event.line]
    return (Events(tuple(items)) if items else Paragraph("No turn has been taken yet."),)


def _help(recipient: Recipient, topic: str, *, has_host: bool) -> Blocks:
    """The orders, or one of them."""
    game = recipient.known.record.game
    plugin = mail_plugin(game)
    helps = {kind.name: kind.help or plugin.helps[kind.name] for kind in LISTED}
    every = {"turn": plugin.turn, **forms(order_language(game))}
    shown = {kind.name: every[kind.name] for kind in LISTED if has_host or kind.hosted is not True}
    if topic:
        text = f"{every[topic]}: {helps[topic]}."
        return Paragraph(text if topic in shown else f"{text} Only a host carries this out."), Rule(content.ORDERS)
    return (
        Paragraph("Write one order on each line, above the line at the top of the mail:"),
        Events(tuple(("", f"{form}: {helps[kind]}.") for kind, form in shown.items())),
        Rule(content.ORDERS),
    )


ANSWERS: dict[str, Callable[[Recipient, str], Blocks]] = {
    "status": _status,
    "legal": _legal,
    "rules": _rules,
    "why": _why,
    "history": _history,
}
"""How each question about the game is answered."""
