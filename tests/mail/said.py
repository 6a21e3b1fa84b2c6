"""All that mails say about a game in sentences of their own, for tests that go through many games."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from tkid.kernel.game import fill_names
from tkid.mail.plugin import find_mail_plugin
from tkid.record.play.replay import Replay

Said = tuple[str, str]
"""A text, behind the method that gave it."""


def cut(known: Replay, turns: int) -> Replay:
    """A game as it was after so many turns."""
    record = evolve(known.record, turns=known.record.turns[:turns])
    return Replay(record, known.moments[: turns + 1], [], known.value)


def about_turns(known: Replay, reader: int | None) -> Iterator[Said]:
    """What is said of every turn."""
    plugin = find_mail_plugin(known.record.game)
    for number in range(1, len(known.moments)):
        yield "short", plugin.shorten_turn(known, number, reader)
        yield from (("since", text) for text in plugin.tell_since(known, number, reader))
        yield "headline", plugin.write_headline(known, number)


def about_now(known: Replay, reader: int) -> Iterator[Said]:
    """What is said of a position, and of its end if it is one."""
    plugin = find_mail_plugin(known.record.game)
    yield "outlook", plugin.describe_outlook(known, reader)
    yield from (("facts", f"{who} {text}") for who, text in plugin.list_facts(known, reader))
    yield from zip(("subject", "result"), plugin.describe_result(known, reader), strict=True)
    yield from (("decided", text) for text in plugin.describe_decision(known, reader))


def about_next(known: Replay, number: int) -> str:
    """What is said of a turn before it is played."""
    moment = known.moments[number]
    text = fill_names(known.record.game.words.write_turn(moment.moves), known.record.names)
    return find_mail_plugin(known.record.game).tell_turn(cut(known, number - 1), text)


def everything(known: Replay, reader: int) -> list[Said]:
    """What is said of a game as a reader knows it."""
    plugin = find_mail_plugin(known.record.game)
    samples = (("sample", text) for text in plugin.list_samples(known))
    return [*about_turns(known, reader), *about_now(known, reader), *samples]
