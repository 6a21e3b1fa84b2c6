"""The line protocol between tkid and other people's programs that play, from both sides.

Each message is a JSON object on a line of its own. `Engine` is a player that is such a program; `Server` lets a player of
tkid speak the protocol. docs/engine-protocol.md describes the messages.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
from asyncio import Runner, timeout
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from time import monotonic
from typing import IO, Any, NoReturn
from weakref import finalize

from attrs import Factory, define, evolve

from tkid import __version__
from tkid.bots.player import Choice, EngineError, Player, Turn, apply_turn, check_asked
from tkid.bots.search import Judging
from tkid.kernel.game import AnyGame, AnyView, fill_names
from tkid.notation.plugin import find_turn_reader
from tkid.record.format.model import ENOUGH, PLAYERS
from tkid.record.json.objects import JsonError, truncate_value
from tkid.record.json.positions import find_game_json, position_json, read_position_json

Message = dict[str, Any]
VERSION = 1
"""The version of the protocol."""
MAX_LINE, MAX_TURN = 1_000_000, 2_000
"""Maximum number of bytes in a line, and of characters in a turn."""
SECONDS, GRACE, LEAVING = 60.0, 2.0, 1.0
"""Seconds that a program has for a turn, for its answer to `stop`, and to end after `quit`."""
FIRST, STEP, MAX_WAITING = 32, 4, 64
"""Number of positions with which a player of tkid begins to think, the factor by which it grows, and of messages it may be behind."""


@define(eq=False)
class Engine:
    """A player that is another program.

    It runs from the first turn on, until `close`, a failure, or the end of tkid. After a failure the next turn starts it
    again.

    Attributes:
        command: The program and its arguments. No shell is used.
        folder: The folder in which it runs, if not this one.
        seconds: How long it may think about a turn.
    """

    game: AnyGame
    command: str
    folder: Path | None = None
    seconds: float = SECONDS
    _process: Any = None
    _runner: Runner = Factory(Runner)
    _end: Callable[[], object] = lambda: None
    _wants_legal: bool = False

    def choose(self, view: AnyView, thought: int) -> Turn:
        """Return the program's turn. Raises EngineError."""
        return self.list_best_turns(view, thought, 1)[0].turn

    def list_best_turns(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """List the program's best turns, best first. Raises EngineError."""
        check_asked(view, thought, most)
        try:
            return self._runner.run(self._choose_turns(view, thought, most))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        self._end()
        self._runner.close()
        self._process, self._runner = None, Runner()

    async def _choose_turns(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        if self._process is None:
            await self._start()
        found: dict[Any, Choice] = {}
        for choice in await self._ask_turns(view, thought, most):
            turn, position = choice.turn, apply_turn(self.game, view.shown, choice.turn)
            while self.game.turn_continues(position):
                (rest, *_) = await self._ask_turns(self.game.view(position, view.seat), thought, 1)
                turn, position = (*turn, *rest.turn), apply_turn(self.game, position, rest.turn)
            found.setdefault(position, evolve(choice, turn=turn))
        return tuple(found.values())

    async def _start(self) -> None:
        apart = os.name != "nt"
        try:
            words = shlex.split(self.command, posix=apart)
            self._process = await create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, cwd=self.folder, limit=MAX_LINE, start_new_session=apart
            )
        except (OSError, ValueError, TypeError) as error:
            reason = getattr(error, "strerror", None) or (error if self.command.strip() else "the command is empty")
            self._fail(
                f"it can't be started: {reason}", f"Is the command right, seen from {self.folder or Path.cwd()}?"
            )
        self._end = finalize(self, _end_program, self._runner, self._process)
        await self._send(type="hello", protocol=[VERSION], program=f"tkid {__version__}")
        hello = await self._receive("hello", self.seconds)
        if hello.get("protocol") != VERSION:
            spoken = truncate_value(hello.get("protocol"))
            self._fail(f"it speaks version {spoken} of the protocol, and tkid {VERSION}", "Update the program or tkid.")
        self._wants_legal = hello.get("legal") is True

    async def _ask_turns(self, view: AnyView, thought: int, most: int) -> list[Choice]:
        """Ask for turns, or for the rest of a turn that has begun."""
        legal = {"legal": list_legal(self.game, view.shown)} if self._wants_legal else {}
        await self._send(type="view", seat=view.seat, position=position_json(self.game, view.shown), **legal)
        await self._send(type="go", positions=thought, seconds=self.seconds, most=most)
        entries = (await self._receive("best", self.seconds, may_stop=True)).get("turns")
        if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
            self._fail(f'`turns` is a list such as [{{"turn": "Pass"}}], not {truncate_value(entries)}')
        return [self._read_choice(view.shown, entry) for entry in entries[:most]]

    async def _send(self, **message: Any) -> None:
        """Send a message. That the program has ended is noticed when its answer is read."""
        try:
            with suppress(ConnectionError):
                async with timeout(self.seconds):
                    self._process.stdin.write(f"{json.dumps(message)}\n".encode())
                    await self._process.stdin.drain()
        except TimeoutError:
            self._fail(f"it didn't read its standard input for {self.seconds:g} seconds")

    async def _receive(self, kind: str, seconds: float, *, may_stop: bool = False) -> Message:
        """Return the next message of a kind. If it `may_stop` when its time is out, it may still answer then."""
        try:
            async with timeout(seconds):
                while (reply := await self._read_message(kind)).get("type") != kind:
                    pass
        except TimeoutError:
            if not may_stop:
                self._fail(f"it gave no `{kind}` in time", "Does it flush its standard output after each line?")
            await self._send(type="stop")
            return await self._receive(kind, GRACE)
        return reply

    async def _read_message(self, kind: str) -> Message:
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            self._fail(f"it wrote a line of more than {MAX_LINE:,} bytes")
        if not line:
            self._fail(f"it ended, or closed its standard output, without a `{kind}`")
        reply = _parse_line(line)
        if reply is None:
            text = truncate_value(line.decode("utf-8", "replace").strip())
            self._fail(f"it wrote {text}, which isn't a JSON object", "Write everything else to standard error.")
        if reply.get("type") == "error":
            self._fail(f"it reports an error: {truncate_value(reply.get('message'))}")
        return reply

    def _read_choice(self, position: Any, entry: Message) -> Choice:
        """Read a legal turn or its beginning: `turn` is a text, or `moves` are objects."""
        value, moves = entry.get("value", 1 / len(self.game.parties[len(position.seats)])), entry.get("moves")
        if type(value) not in {int, float} or not 0 <= value <= 1:
            self._fail(f"a value is a number from 0 to 1, not {truncate_value(value)}")
        text, names = str(entry.get("turn", truncate_value(moves))), make_numbers(position)
        if "turn" in entry:
            read = find_turn_reader(self.game, names).read_turn(text[:MAX_TURN])
            moves = read.moves
            if read.problems:
                self._fail(f"tkid can't read `{text}`: {read.problems[0].told}")
        turn: list[Any] = []
        for move in moves if isinstance(moves, Sequence) else ():
            if turn and not self.game.turn_continues(position):
                self._fail(f"`{text}` has more moves than a turn")
            if why := self._find_fault(position, parsed := self._parse_move(position, move, text)):
                self._fail(f"`{text}` is illegal: {fill_names(why, names)}")
            turn.append(self.game.canonical(position, parsed))
            position, _ = self.game.apply(position, turn[-1])
        if not turn:
            self._fail(f"this is no turn: {truncate_value(entry)}")
        return Choice(tuple(turn), float(value))

    def _parse_move(self, position: Any, move: Any, text: str) -> Any:
        try:
            as_json = isinstance(move, dict | str)
            return find_game_json(self.game.name).read_move(self.game, position, move) if as_json else move
        except JsonError as error:
            self._fail(f"tkid can't read `{text}`: {error}")

    def _find_fault(self, position: Any, move: Any) -> str:
        """Return the rule that a move breaks; "" if it is legal."""
        if move is None:
            return "its card never does that"
        return next((f"{broken.sentence} [{broken.rule}]" for broken in self.game.check(position, move)), "")

    def _fail(self, reason: str, fix: str = "If it wrote to standard error, look there.") -> NoReturn:
        raise EngineError(f"cmd:{self.command}: {reason.rstrip('.')}. {fix}")


def _end_program(runner: Runner, process: Any) -> None:
    """Ask a program to end; then kill it with all that it has started."""

    async def end() -> None:
        with suppress(OSError, TimeoutError):
            async with timeout(LEAVING):
                process.stdin.write(b'{"type": "quit"}\n')
                process.stdin.close()
                await process.wait()
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if os.name != "nt" else process.kill()
        with suppress(TimeoutError):
            async with timeout(LEAVING):
                await process.communicate()  # `wait` would not end if there is too much to read

    with runner:
        runner.run(end())


def make_numbers(position: Any) -> tuple[str, ...]:
    """Return the names of players in messages: the numbers of their seats, from 1, as nobody's name leaves tkid."""
    return tuple(str(seat + 1) for seat in position.seats)


def list_legal(game: AnyGame, position: Any) -> list[str]:
    """List the legal moves of the next decision as texts that may be played as they are."""
    return [fill_names(game.words.write_move(move), make_numbers(position)) for move in game.legal(position)]


def _parse_line(line: bytes) -> Message | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class _StoppedError(Exception):
    """The player has to stop: there was a `stop`, or its time is out."""


class _StoppableJudge:
    """A judge that interrupts its player."""

    def __init__(self, judge: Any, is_over: Callable[[], bool]) -> None:
        self._judge, self._is_over = judge, is_over

    def __getattr__(self, name: str) -> Any:
        if self._is_over():
            raise _StoppedError
        return getattr(self._judge, name)


@define
class Server:
    """A player of tkid that speaks the protocol. `find` finds a player by its name; `write` sends a message."""

    name: str
    thought: int
    find: Callable[[AnyGame, str], Player]
    write: Callable[[Message], None]
    _game: Any = None
    _view: Any = None
    _stopped: Event = Factory(Event)

    def serve(self, stream: IO[bytes]) -> None:
        """Answer the messages of a stream until it ends or one says `quit`."""
        waiting = Queue[Message](MAX_WAITING)
        Thread(target=self._listen, args=(stream, waiting), daemon=True).start()
        while (request := waiting.get()).get("type") != "quit":
            try:
                self._answer(request)
            except ValueError as error:
                self.write({"type": "error", "message": str(error)})

    def _listen(self, stream: IO[bytes], waiting: Queue[Message]) -> None:
        """Queue the messages of a stream. `stop` has its effect at once, on the `go` before it."""
        with suppress(OSError):  # the stream is closed
            for line in iter(lambda: stream.readline(MAX_LINE + 1), b""):
                request = _parse_line(line) or {}
                if request.get("type") in {"stop", "quit"}:
                    self._stopped.set()
                elif request.get("type") == "go":
                    self._stopped.clear()
                waiting.put(request)
        waiting.put({"type": "quit"})

    def _answer(self, request: Message) -> None:
        match request.get("type"):
            case "hello":
                spoken, name = request.get("protocol"), request.get("player", self.name)
                if not isinstance(spoken, list) or VERSION not in spoken:
                    raise ValueError(
                        f"protocol: write the versions that you speak, [{VERSION}] for tkid, not {truncate_value(spoken)}"
                    )
                if name != self.name and name not in PLAYERS:
                    raise ValueError(f"player: {truncate_value(name)} is not one of {', '.join(PLAYERS)}")
                self.name = name
                self.write({"type": "hello", "protocol": VERSION, "name": f"tkid {__version__} {name}"})
            case "view":
                game, position = read_position_json(request.get("position"))
                seat = request.get("seat")
                if type(seat) is not int or seat not in position.seats:
                    raise ValueError(f"seat: {truncate_value(seat)} is not a seat of this position, counted from 0")
                self._game, self._view = game, game.view(position, seat)
            case "go":
                self._choose_turns(request)
            case None:
                raise ValueError("a message is a JSON object on one line, with a `type`")

    def _choose_turns(self, request: Message) -> None:
        """Think with more and more positions until the time is out."""
        if self._view is None:
            raise ValueError("`go` needs a `view` before it")
        limits: Message = {"positions": self.thought, "seconds": SECONDS, "most": 1} | request
        thought, seconds, most = limits["positions"], limits["seconds"], limits["most"]
        whole = type(thought) is type(most) is int and type(seconds) in {int, float}
        if not whole or not 0 < thought <= ENOUGH or most < 1:
            raise ValueError(f"positions, from 1 to {ENOUGH}, seconds, and most, from 1 on, are numbers")
        end, player = monotonic() + seconds, self.find(self._game, self.name)
        step = min(thought, FIRST)
        found = player.list_best_turns(self._view, step, most)
        if isinstance(player, Judging):
            judge: Any = _StoppableJudge(player.judge, lambda: self._stopped.is_set() or monotonic() > end)
            player = evolve(player, judge=judge)
        with suppress(_StoppedError):
            while step < thought:
                step = min(thought, step * STEP)
                found = player.list_best_turns(self._view, step, most)
                self.write({"type": "info", "positions": step, "value": round(found[0].value, 4)})
        names, words = make_numbers(self._view.shown), self._game.words
        turns = (
            {"turn": fill_names(words.write_turn(each.turn), names), "value": round(each.value, 4)} for each in found
        )
        self.write({"type": "best", "turns": list(turns)})
