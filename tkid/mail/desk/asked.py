"""What the other players ask of a seat, to take a turn back, to end the game or to pause it, and how that is answered. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tkid.mail.desk import agreements, undo
from tkid.mail.desk.results import OrderResult
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Blocks, Button, Buttons, Paragraph
from tkid.rulebook import cites

ANSWERING = {"agree", "pause", "undo"}
"""The kinds of orders that answer what other players ask."""


def cases(game: HostedGame, seat: int) -> tuple[str, ...]:
    """What waits for a seat's answer: `undo`, `agree`, both or nothing."""
    if game.time.over:
        return ()
    undoes = game.memory.proposal is not None and seat in undo.waiting(game)
    agrees = game.memory.agreement is not None and seat in agreements.waiting(game)
    return (*(("undo",) if undoes else ()), *(("agree",) if agrees else ()))


@cites("post.answer.open")
def sentences(game: HostedGame, seat: int) -> Iterator[str]:
    """What the others ask of a seat, each with the words that answer it."""
    waiting, names = cases(game, seat), game.names
    if (proposal := game.memory.proposal) is not None and "undo" in waiting:
        yield (
            f"{names[proposal.by]} would like to take back turn {proposal.turn}. To allow it, reply `undo yes`. "
            f"Reply `undo no`, or just play, and turn {proposal.turn} is kept."
        )
    if (agreement := game.memory.agreement) is not None and "agree" in waiting:
        yield (
            f"{names[agreement.by]} proposes {agreements.proposes(agreement)}. To agree, reply "
            f"`{agreements.order(agreement)}`. Reply `agree no` to refuse."
        )


def beside(game: HostedGame, seat: int, results: Iterable[OrderResult]) -> tuple[str, ...]:
    """What is said of it beside an answer that failed."""
    failed = any(result.failed and result.line.read.kind in ANSWERING for result in results)
    return tuple(sentences(game, seat)) if failed else ()


def question(game: HostedGame, seat: int) -> Blocks:
    """What the others ask of a seat, with buttons that answer it."""
    said = tuple(Paragraph(text) for text in sentences(game, seat))
    agreement, waiting = game.memory.agreement, cases(game, seat)
    buttons: tuple[Button, ...] = ()
    if waiting == ("undo",):
        buttons = (Button("Yes, allow it", "undo yes"), Button("No, keep it", "undo no"))
    elif waiting == ("agree",) and agreement is not None:
        buttons = (Button("Yes, I agree", agreements.order(agreement)), Button("No, go on", "agree no"))
    return (*said, *([Buttons(buttons)] if buttons else []))
