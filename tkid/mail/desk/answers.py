"""Answers to players' questions: status, legal, rules, why, history, help. Pure."""

from __future__ import annotations

from collections.abc import Callable

from tkid import rulebook
from tkid.mail.desk.undo import waiting
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Copies, Events, Paragraph, Rule
from tkid.mail.letters.content import Recipient
from tkid.mail.plugin import mail_plugin, wishes
from tkid.notation.vocabulary import listed
from tkid.orders.kinds import LISTED, forms
from tkid.orders.model import Ask
from tkid.orders.plugin import order_language
from tkid.render.text import explain_result
from tkid.rulebook import cites
from tkid.rulebook.rulesets import rulesets

MOST_RULES = 12
"""So many rules that hold some words are shown."""

Blocks = tuple[Block, ...]


def wish(at: HostedGame, level: str) -> str:
    """What a wish about news means."""
    game = at.record.game
    return wishes(order_language(game).level, mail_plugin(game))[level]


def answer(to: Recipient, order: Ask, *, hosted: bool = True) -> Blocks:
    """What is said to a question; the letter tells besides how the game stands."""
    if order.kind == "help":
        return _help(to, order.argument, hosted=hosted)
    return ANSWERS[order.kind](to, order.argument)


def _status(to: Recipient, _: str) -> Blocks:
    """What is kept for the reader; how the game stands is told below."""
    mine, time = to.at.memory.seats[to.seat], to.at.time
    told = [f"You get news {wish(to.at, mine.wish)}.", *([] if mine.pictures else ["Your mails have no pictures."])]
    if time.over:
        return (Paragraph(" ".join(told)),)
    if time.clock is not None:
        told.append(
            f"Of {time.clock.away} days of absence you have announced {len(time.seats[to.seat].pauses) or 'none'}."
        )
    proposal = to.at.memory.proposal
    if proposal is not None:
        missing = listed((to.at.names[seat] for seat in waiting(to.at)), "and")
        told.append(f"Turn {proposal.turn} may be taken back; still to agree: {missing}.")
    if not mine.plans:
        return (Paragraph(" ".join([*told, "You have no plans."])),)
    plans = tuple((f"{plan.number}. ", f"`{plan.text}`") for plan in mine.plans)
    return Paragraph(" ".join([*told, "Your plans:"])), Events(plans)


def _legal(to: Recipient, card: str) -> Blocks:
    """What may be played: with one card all ways, where they are not too many."""
    known = to.known
    if not to.may_act:
        return (Paragraph("It is not your turn, so nothing is legal now."),)
    told, turns = mail_plugin(known.record.game).playable(known, to.seat, card)
    return (Paragraph(told), Copies(tuple(turns))) if turns else (Paragraph(told),)


@cites("post.order.rule")
def _rules(to: Recipient, words: str) -> Blocks:
    """A rule, or the rules of the game at hand that hold some words."""
    found = [rulebook.rule(words)] if rulebook.known(words) else rulebook.find(words)
    if len(found) > 1:
        holding = {entry.id for entry in rulebook.in_force(to.known.record.ruleset.rule_prefix).values()}
        others = {entry.rule_prefix for entry in rulesets()}
        found = [entry for entry in found if entry.id in holding or entry.prefix not in others] or found
    if len(found) == 1:
        return _rule(found[0])
    most = f"; the best {MOST_RULES}" if len(found) > MOST_RULES else ""
    items = tuple(("", f"{entry.statement or entry.question} [{entry.id}]") for entry in found[:MOST_RULES])
    return Paragraph(f"{len(found)} rules hold `{words}`{most}:"), Events(items)


def _rule(entry: rulebook.Rule) -> Blocks:
    told = [entry.question, entry.statement]
    for option, text in entry.options.items():
        told.append(f"{option}{' (unless the game chooses otherwise)' if option == entry.default else ''}: {text}.")
    told.append(f"Source: {entry.source}.")
    return (*(Paragraph(text) for text in told if text), Rule(entry.id))


def _why(to: Recipient, _: str) -> Blocks:
    """Why the game ended so; before, what was decided so far."""
    game, shown = to.known.record.game, to.known.position
    told = explain_result(game, shown, to.at.names)
    if told:
        return (Events(tuple(("", sentence) for sentence in told)),)
    decided = [
        ("", f"Turn {moment.turn.number}: {event.read(to.at.names)} [{event.rule}]")
        for moment in to.known.moments
        if moment.turn and not moment.turn.undone
        for event in moment.events
        if event.line
    ]
    if not decided:
        return (Paragraph(mail_plugin(game).no_history),)
    return Paragraph(mail_plugin(game).history), Events(tuple(decided))


def _history(to: Recipient, _: str) -> Blocks:
    """All turns."""
    turns = [moment for moment in to.known.moments if moment.turn]
    if not turns:
        return (Paragraph("No turn has been taken yet."),)
    items = []
    for moment in turns:
        number, _, line = moment.line.partition(" ")
        notes = moment.turn.notes if moment.turn else ()
        said = (
            ["taken back"]
            if moment.turn and moment.turn.undone
            else [note for note in notes if note in content.AUTOMATIC]
        )
        items.append((f"{number} ", f"{line}{f' ({said[0]})' if said else ''} #{moment.hash}"))
        items += [("", event.read(to.at.names)) for event in moment.events if event.line]
    return (Events(tuple(items)),)


def _help(to: Recipient, topic: str, *, hosted: bool) -> Blocks:
    """The orders, or one of them."""
    game = to.known.record.game
    family = mail_plugin(game)
    helps = {kind.name: kind.help or family.helps[kind.name] for kind in LISTED}
    every = {"turn": family.turn, **forms(order_language(game))}
    shown = {kind.name: every[kind.name] for kind in LISTED if hosted or kind.hosted is not True}
    if topic:
        told = f"{every[topic]}: {helps[topic]}."
        return Paragraph(told if topic in shown else f"{told} Only a host carries this out."), Rule(content.ORDERS)
    items = tuple(("", f"{form}: {helps[kind]}.") for kind, form in shown.items())
    return (
        Paragraph("Write one order on each line, above the line at the top of the mail:"),
        Events(items),
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
