"""Answers to players' questions: status, legal, rules, why, history, help. Pure."""

from __future__ import annotations

from collections.abc import Callable

from tkid import rulebook
from tkid.kernel.ladder import NOTHING
from tkid.notation.orders import Ask
from tkid.notation.orders_teach import FORMS
from tkid.notation.vocabulary import listed
from tkid.post import texts
from tkid.post.blocks import Block, Copies, Events, Paragraph, Rule
from tkid.post.examples import ways
from tkid.post.texts import Reader
from tkid.post.undoing import waiting
from tkid.render import why
from tkid.rulebook import cites
from tkid.rulesets import rulesets

MOST_WAYS, MOST_RULES = 12, 12
"""So many ways to play a card, and rules that hold some words, are shown."""

Blocks = tuple[Block, ...]
HELP = {
    "turn": "plays a turn; the mails that ask for one show some that are legal",
    "standing": "passes turn after turn until something happens",
    "plan": "does something on your turn that depends on what happened; nobody else sees it before",
    "say": "sends words to the players, or to one",
    "away": "announces an absence, first and last day: your clock stands still",
    "cancel": "ends plans, or an absence",
    "undo": "asks for the last turn to be taken back, agrees to it, or refuses",
    "notify": "tells which mails you want to get",
    "draft": "checks a turn and answers you alone; it is not played",
    "legal": "shows what may be played, with one card or with all",
    "rules": "shows a rule by its id, or the rules that hold some words",
    "help": "shows the orders, or one of them",
    "status": "tells how the game stands, with your plans and wishes",
    "why": "tells why the game ended so, or what its power struggles came to",
    "history": "shows all turns",
    "resign": "gives up the game",
}
"""What each kind of order does."""
TURN = "`Pass`, or a turn as it stands under WHAT YOU MAY ANSWER"


HOSTED = frozenset({"standing", "plan", "say", "undo", "notify"})
"""What only a host carries out."""
WISHES = {
    "every turn": "of every turn",
    "my turns": "of nothing but how the game ends",
    "struggles": "of power struggles, and of how the game ends",
}
"""What each wish about news means."""


def answer(to: Reader, order: Ask, *, hosted: bool = True) -> Blocks:
    """What is said to a question; the letter tells besides how the game stands."""
    if order.kind == "help":
        return _help(order.argument, hosted=hosted)
    return ANSWERS[order.kind](to, order.argument)


def _status(to: Reader, _: str) -> Blocks:
    """What is kept for the reader; how the game stands is told below."""
    mine, time = to.at.memory.seats[to.seat], to.at.time
    told = [f"You get news {WISHES[mine.wish]}."]
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


def _legal(to: Reader, card: str) -> Blocks:
    """What may be played: with one card all ways, where they are not too many."""
    known = to.known
    if not to.may_act:
        return (Paragraph("It is not your turn, so nothing is legal now."),)
    if not card or known.position.decision != "play":
        return texts.offers(to)
    if card not in known.position.hands[to.seat]:
        return (Paragraph(f"You hold no {card}. [{known.record.game.ids('turn.hand')}]"),)
    found = ways(known, card, MOST_WAYS)
    if not found:
        game = known.record.game
        because = [
            f"{broken.sentence}. [{broken.rule}]" for broken in game.cards[card].ladder.check(known.position, NOTHING)
        ]
        return (Paragraph(" ".join([f"{card} cannot be played now.", *because])),)
    if len(found) > MOST_WAYS:
        told = f"There are more than {MOST_WAYS} ways to play {card} now. Some of them, each with one of its summons:"
        return Paragraph(told), Copies(tuple(found[:MOST_WAYS]))
    every = "The only way" if len(found) == 1 else f"All {len(found)} ways"
    return Paragraph(f"{every} to play {card} now, with one of the summons:"), Copies(tuple(found))


@cites("post.order.rule")
def _rules(to: Reader, words: str) -> Blocks:
    """A rule, or the rules that hold some words: of the edition that is played, and those that are of none."""
    found = [rulebook.rule(words)] if rulebook.known(words) else rulebook.find(words)
    if len(found) > 1:
        here = {entry.id for entry in rulebook.in_force(to.known.record.ruleset.family).values()}
        others = {entry.family for entry in rulesets()}
        found = [entry for entry in found if entry.id in here or entry.family not in others]
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


def _why(to: Reader, _: str) -> Blocks:
    """Why the game ended so; before, what its power struggles came to."""
    game, shown = to.known.record.game, to.known.position
    told = why.decided(game, shown, to.at.names)
    if told:
        return (Events(tuple(("", sentence) for sentence in told)),)
    struggles = [
        ("", f"Turn {moment.turn.number}: {event.read(to.at.names)} [{event.rule}]")
        for moment in to.known.moments
        if moment.turn and not moment.turn.undone
        for event in moment.events
        if event.line
    ]
    if not struggles:
        return (Paragraph("No power struggle has been resolved yet."),)
    return Paragraph("The power struggles so far:"), Events(tuple(struggles))


def _history(to: Reader, _: str) -> Blocks:
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
            else [note for note in notes if note in texts.AUTOMATIC]
        )
        items.append((f"{number} ", f"{line}{f' ({said[0]})' if said else ''} #{moment.hash}"))
        items += [("", event.read(to.at.names)) for event in moment.events if event.line]
    return (Events(tuple(items)),)


def _help(topic: str, *, hosted: bool) -> Blocks:
    """The orders, or one of them."""
    forms = {kind: form for kind, form in {"turn": TURN, **FORMS}.items() if hosted or kind not in HOSTED}
    if topic:
        told = f"{forms.get(topic) or FORMS[topic]}: {HELP[topic]}."
        return Paragraph(told if topic in forms else f"{told} Only a host carries this out."), Rule(texts.ORDERS)
    items = tuple(("", f"{form}: {HELP[kind]}.") for kind, form in forms.items())
    return (
        Paragraph("Write one order on each line, above the line at the top of the mail:"),
        Events(items),
        Rule(texts.ORDERS),
    )


ANSWERS: dict[str, Callable[[Reader, str], Blocks]] = {
    "status": _status,
    "legal": _legal,
    "rules": _rules,
    "why": _why,
    "history": _history,
}
"""How each question about the game is answered."""
