"""What replies ask for besides a turn: the lines as a player types them, and the orders that have to be found.

`{turn}` is a legal turn, `{other}` another player by name. Orders stand as they are written canonically and in the
order in which they are carried out; one in brackets is the rule that a line breaks.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

PRESS = (
    "That was a nasty move, {other}. I shall remember it when you need my help in the north, and I am sure "
    "that the others have seen it too. Still, it is a pleasure to play with all of you, so let us go on like this."
)
DARK = "If things go on like this for much longer, and nobody helps me in the north,"
PLAN = (
    "if {other} plays Negotiate: stop; else if {other} passes and Essex is contested: {turn}; "
    "else if anyone acts: Pass; else stop"
)


@frozen
class Message:
    """The lines of a message, and the orders in it."""

    lines: tuple[str, ...]
    orders: tuple[str, ...]

    def typed(self, turn: str, other: str) -> list[str]:
        """The lines as they are typed."""
        return [_filled(line, turn, other) for line in self.lines]

    def found(self, turn: str, other: str) -> list[str]:
        """The orders that have to be found."""
        return [_filled(order, turn, other) for order in self.orders]


def _filled(text: str, turn: str, other: str) -> str:
    return text.replace("{turn}", turn).replace("{other}", other)


def _columns(text: str, width: int) -> tuple[str, ...]:
    """A text in lines of so many characters, by hand."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return tuple(lines)


PROSE = (
    "If you pass, I win!",
    "Help me out here.",
    "say hello to {other}",
    "Pass the salt",
    "Status quo, I guess",
    "legal matters keep me busy",
    "I will be away next week",
    "resign yourself to it",
    "Why did you do that?",
    "Undo the damage first, please.",
)

MESSAGES: Mapping[str, Message] = {
    # standing orders
    "until-struggle": Message(("PASS until there is a struggle.",), ("pass until struggle",)),
    "until-acts": Message(("Pass until someone acts",), ("pass until someone acts",)),
    "until-other": Message(("pass until {other} plays a card!",), ("pass until {other} acts",)),
    "until-contested": Message(("keep passing until Ess is contested",), ("pass until Essex is contested",)),
    "always": Message(("*always pass*",), ("pass always",)),
    "turn-and-standing": Message(("{turn}", "pass until struggle"), ("{turn}", "pass until struggle")),
    # conditional orders
    "guard": Message(
        ("pass always", "if anybody plays Negotiate: stop and ask me"),
        ("pass always", "if anyone plays Negotiate: stop"),
    ),
    "plan": Message((PLAN,), (PLAN,)),
    "plan-in-columns": Message(_columns(PLAN, 44), (PLAN,)),
    "plan-and-turn": Message(("{turn}", "", PLAN), ("{turn}", PLAN)),
    "else-below": Message(
        ("If {other} passes: Pass;", "otherwise: stop"),
        ("if {other} passes: Pass; else stop",),
    ),
    "steps": Message(
        ("Pass; then Pass; then", "if {other} acts: stop; else Pass"),
        ("Pass; then Pass; then if {other} acts: stop; else Pass",),
    ),
    "steps-below": Message(("Pass;", "then Pass;", "then {turn}"), ("Pass; then Pass; then {turn}",)),
    "nested": Message(
        (
            "“(if {other} passes: Pass); then Pass”",
            "",
            "if a struggle happens and {other} acts: (if anyone acts: stop)",
        ),
        ("(if {other} passes: Pass); then Pass", "if a struggle happens and {other} acts: if anyone acts: stop"),
    ),
    # words to players
    "press": Message(("say to all: Well played!",), ("say to all: Well played!",)),
    "press-long": Message((f"say to all: {PRESS}",), (f"say to all: {PRESS}",)),
    "press-below": Message(
        ("say to {other}:", "Dear neighbour,", "it was a pleasure.", "Let us take Essex.", "", "{turn}"),
        ("say to {other}: Dear neighbour, it was a pleasure. Let us take Essex.", "{turn}"),
    ),
    "press-and-turn": Message(
        ("{turn}", "tell everyone: Your move, and mind Essex!"),
        ("say to all: Your move, and mind Essex!", "{turn}"),
    ),
    "press-then-turn": Message((f"say to all: {PRESS}", "{turn}"), (f"say to all: {PRESS}", "{turn}")),
    "press-twice": Message(
        ("say to all: hi", "say to {other}: Psst! “Pass” would be wise.", "say to all: hi"),
        ("say to all: hi", "say to {other}: Psst! “Pass” would be wise."),
    ),
    "press-signs": Message(
        ("say to all: Well – “played”, *{other}*! <3 :-)",),
        ("say to all: Well – “played”, *{other}*! <3 :-)",),
    ),
    # questions, wishes, absences
    "status-help": Message(("status?", "Help away"), ("status", "help away")),
    "questions": Message(("legal Negotiate", "history", "why?"), ("legal Negotiate", "history", "why")),
    "rules": Message(("rules second.turn.pass",), ("rules second.turn.pass",)),
    "away": Message(("away from 20 Dec 2026 until 27.12.2026",), ("away 2026-12-20 to 2026-12-27",)),
    "away-and-turn": Message(
        ("{turn}", "", "Away 2026-12-20 to 2026-12-27, as I am with my family."),
        ("{turn}", "[post.date.calendar]"),
    ),
    "back": Message(("cancel away", "status"), ("cancel away", "status")),
    "notify": Message(("notify only my turns", "{turn}"), ("notify my turns", "{turn}")),
    "cancel": Message(("• cancel plan 2", "• Pass"), ("cancel 2", "Pass")),
    # drafts, and what cannot be taken back
    "draft": Message(("draft {turn}",), ("draft {turn}",)),
    "draft-and-turn": Message(("draft {turn}", "legal", "Pass"), ("draft {turn}", "Pass", "legal")),
    "undo": Message(("undo?",), ("undo?",)),
    "undo-yes": Message(("Undo yes.",), ("undo yes",)),
    "resign": Message(("Resign.",), ("resign",)),
    "resign-quoted": Message(("“resign”",), ("resign",)),
    "resign-asked": Message(("Resign?",), ("[post.order.form]",)),
    "resign-told": Message(("I resign", "", "status"), ("status", "[post.order.form]")),
    "resign-in-prose": Message(
        (
            f"I have been thinking about this for days. {DARK} I fear that I shall have to resign",
            "before the winter is over, and what a pity that would be for us.",
        ),
        (),
    ),
    "resign-broken": Message(
        ("If things go on like this for much longer, then I am afraid I may well", "resign", "before the end"),
        (),
    ),
    # several, mistakes, sentences
    "several": Message(
        (
            "status",
            "if anyone acts: stop",
            "{turn}",
            "say to all: hello",
            "away 2026-12-20 to 2026-12-27",
            "cancel all",
        ),
        (
            *("say to all: hello", "cancel all", "away 2026-12-20 to 2026-12-27", "{turn}", "if anyone acts: stop"),
            "status",
        ),
    ),
    "slips": Message(
        ("statsu", "if {other} plays Negotiat3: stop", "{turn}", "tel {other}: hi"),
        ("{turn}", "[post.order.unknown]", "[notation.card]", "[post.order.unknown]"),
    ),
    "prose": Message(PROSE, ()),
    "prose-and-turn": Message((*PROSE[:5], "", "{turn}", "", *PROSE[5:]), ("{turn}",)),
}
"""By name, as the table has it."""
