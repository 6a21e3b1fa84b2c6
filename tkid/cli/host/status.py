"""Commands that show the state of a host: host status for people, host metrics for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tkid.cli.host.desk import order, print_answer
from tkid.cli.host.shared import Folder, directory_in, now
from tkid.cli.support import UNREADABLE, as_typed
from tkid.notation.numbers import counted

if TYPE_CHECKING:
    from datetime import datetime

    from tkid.host.directory import HostDirectory
    from tkid.host.health import Health, Part

STATE_WORDS = {"new": "waiting", "done": "done", "filed": "filed", "quarantined": "put aside"}
"""What a mail's state is called."""
TWO_MAILBOXES = "Whether two mailboxes belong to one person, the host cannot know."
"""The note for the owner below seats that were taken over."""
LATE = 60.0
"""Seconds after which a round is missed, besides twice the pause."""


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: tkid host status games")(status)
    app.command(epilog="Example: tkid host metrics games")(metrics)


def status(
    folder: Folder,
    game: Annotated[str, typer.Argument(help="A game: show only this one, with its last turns and notes.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Also list games that are over: who won, and how.")] = False,
) -> None:
    """Show the state of the host and its games. Lists what works, what fails, what waits, and whose turn it is."""
    if game:
        print_answer(order(folder, "status", game))
        return
    directory = directory_in(folder)
    from tkid.host.health import Health
    from tkid.host.status import status as state_of
    from tkid.host.store.connection import DATABASE_ERRORS, error_text

    health, time = Health.read(directory.health), now()
    state: dict[str, Any] = {}
    try:
        with directory.store() as store:
            state = state_of(store, time, every=every)
    except DATABASE_ERRORS as error:
        state["error"] = error_text(error, directory.folder)
    if as_json:
        import json

        typer.echo(json.dumps({**state, "loop": health.as_data()}, ensure_ascii=False, indent=1))
    else:
        if "error" in state:
            typer.echo(f"The database cannot be read: {state['error']}.", err=True)
        for line in (*_loop(directory, health, time, failing="error" in state), *_figures(state)):
            typer.echo(line)
    if "error" in state:
        raise typer.Exit(UNREADABLE)


def metrics(folder: Folder) -> None:
    """Print the host's figures in the format that Prometheus reads."""
    directory = directory_in(folder)
    from tkid.host.health import Health
    from tkid.host.metrics import metrics as metrics_text
    from tkid.host.store.connection import DATABASE_ERRORS, error_text

    health, time = Health.read(directory.health), now()
    try:
        with directory.store() as store:
            typer.echo(metrics_text(store, health, time), nl=False)
    except DATABASE_ERRORS as error:
        typer.echo(metrics_text(None, health, time), nl=False)
        typer.echo(f"The database cannot be read: {error_text(error, directory.folder)}.", err=True)
        raise typer.Exit(UNREADABLE) from None


# -- for people -------------------------------------------------------------------------------------------


def _loop(directory: HostDirectory, health: Health, now: datetime, *, failing: bool) -> list[str]:
    """How the loop works. Where the database is `failing`, only what failed in the last round: the rest is old news."""
    from tkid.host.directory import INNER
    from tkid.mail.letters.clock_text import length, moment

    if health.last_round is None:
        return [f"The host has not worked yet. Start it with `tkid host run {as_typed(directory.folder)}`."]
    ago = now - health.last_round
    summary = f"last round {length(ago)} ago" if ago.total_seconds() >= LATE else "last round less than a minute ago"
    if ago.total_seconds() > 2 * directory.settings.pause + LATE:
        summary = (
            f"no round since {moment(health.last_round)}. Is `tkid host run {as_typed(directory.folder)}` running?"
        )
    hidden = health.parts.keys() if failing else INNER
    parts = {name: part for name, part in health.parts.items() if part.since and (part.error or name not in hidden)}
    width = max(map(len, parts), default=0)
    return [summary, *(f"  {name:{width}}  {_part(part, now)}" for name, part in parts.items())]


def _part(part: Part, now: datetime) -> str:
    """Since when a part works, or why it does not and when it is tried again."""
    from tkid.mail.letters.clock_text import moment

    assert part.since is not None
    if not part.error:
        return f"works since {moment(part.since)}"
    line = f"FAILS since {moment(part.since)}, {counted(part.failures, 'time')}: {part.error}"
    if part.next_try is not None and part.next_try > now:
        line += f"; next try in {counted(round((part.next_try - now).total_seconds()), 'second')}"
    return line


def _figures(state: dict[str, Any]) -> list[str]:
    """Mails, letters and games."""
    from tkid.render.lines import printable

    if "error" in state:
        return []
    games, mails, letters = state["games"], state["mails"], state["letters"]
    waiting = sum(not each["given_up"] for each in letters["unsent"])
    lines = [
        f"games: {state['playing']} being played, {state['over']} over",
        "mails: " + ", ".join(f"{number} {STATE_WORDS[state]}" for state, number in mails.items()),
        f"letters: {letters['sent']} sent, {waiting} waiting, {len(letters['unsent']) - waiting} given up",
    ]
    if state["clock"]:
        lines.append(state["clock"][:1].upper() + state["clock"][1:])
    if state["oldest"]:
        lines.append(f"The oldest waiting mail came at {state['oldest']}.")
    lines += [f"{game['id']}: {game['stands']}" for game in games]
    lines += list(map(_person, state["persons"]))
    lines += [TWO_MAILBOXES] if any("taken_by" in person for person in state["persons"]) else []
    lines += [_letter(letter) for letter in letters["unsent"]]
    lines += [f"mail {each['number']} was put aside: {each['reason']}" for each in state["put_aside"]]
    lines += [f"{each['address']} cannot be reached: {each['reason']}" for each in state["unreachable"]]
    lines += [f"{each['game']}: its clock could not be checked: {each['reason']}" for each in state["stuck"]]
    return [printable(line) for line in lines]


def _person(person: dict[str, str]) -> str:
    """Who took over a seat, or who has one mailbox."""
    if "taken_by" in person:
        return f"{person['game']}: {person['taken_by']} <{person['address']}> plays for {person['seat']}"
    return f"{person['game']}: {person['one_mailbox']} have one mailbox, {person['address']}"


def _letter(letter: dict[str, Any]) -> str:
    """A letter that did not go out, and why."""
    line = f"letter {letter['number']} to {letter['address']} ({letter['game']})"
    if letter["given_up"]:
        return f"{line} was given up: {letter['error']}"
    if not letter["tries"]:
        return f"{line} waits"
    return f"{line} waits, tried {counted(letter['tries'], 'time')}: {letter['error']}"
