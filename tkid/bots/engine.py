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
from collections.abc import Callable
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
from tkid.record.format.model import ENOUGH, PLAYERS
from tkid.record.format.turn_rows import reader
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
    _program: _Program | None = None
    _end: Callable[[], object] = lambda: None

    def choose(self, view: AnyView, thought: int) -> Turn:
        """Return the program's turn. Raises EngineError."""
        return self.choices(view, thought, 1)[0].turn

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """List the program's best turns, best first. Raises EngineError."""
        check_asked(view, thought, most)
        if self._program is None:
            self._program = _Program(self.command, self.folder, self.seconds)
            self._end = finalize(self, self._program.end)
        try:
            return self._program.runner.run(self._choose_turns(self._program, view, thought, most))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        self._end()
        self._program = None

    async def _choose_turns(self, program: _Program, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        found: dict[Any, Choice] = {}
        for choice in await self._ask_turns(program, view, thought, most):
            turn, position = choice.turn, apply_turn(self.game, view.shown, choice.turn)
            while self.game.turn_continues(position):
                (rest, *_) = await self._ask_turns(program, self.game.view(position, view.seat), thought, 1)
                turn, position = (*turn, *rest.turn), apply_turn(self.game, position, rest.turn)
            found.setdefault(position, evolve(choice, turn=turn))
        return tuple(found.values())

    async def _ask_turns(self, program: _Program, view: AnyView, thought: int, most: int) -> list[Choice]:
        """Ask for turns, or for the rest of a turn that has begun."""
        if program.process is None:
            await program.start()
        legal = {"legal": list_legal(self.game, view.shown)} if program.wants_legal else {}
        await program.send(type="view", seat=view.seat, position=position_json(self.game, view.shown), **legal)
        await program.send(type="go", positions=thought, seconds=self.seconds, most=most)
        best = await program.receive("best", self.seconds, may_stop=True)
        entries = best.get("turns")
        if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
            program.fail(f"its answer has no list of turns: {truncate_value(best)}")
        return [self._read_choice(program, view.shown, entry) for entry in entries[:most]]

    def _read_choice(self, program: _Program, position: Any, entry: Message) -> Choice:
        value = entry.get("value", 1 / len(self.game.parties[len(position.seats)]))
        if type(value) not in {int, float} or not 0 <= value <= 1:
            program.fail(f"a value is a number from 0 to 1, not {truncate_value(value)}")
        text = entry["turn"] if isinstance(entry.get("turn"), str) else truncate_value(entry.get("moves"))
        turn: list[Any] = []
        for read in self._list_moves(program, position, entry):
            try:
                json_reader = find_game_json(self.game.name)
                move = json_reader.read_move(self.game, position, read) if isinstance(read, dict) else read
            except JsonError as error:
                program.fail(f"tkid can't read `{text}`: {error}")
            broken = () if move is None else self.game.check(position, move)
            if move is None or broken:
                why = f"{broken[0].sentence} [{broken[0].rule}]" if broken else "its card never does that"
                program.fail(f"`{text}` is illegal: {fill_names(why, make_numbers(position))}")
            if turn and not self.game.turn_continues(position):
                program.fail(f"`{text}` has more moves than a turn")
            turn.append(self.game.canonical(position, move))
            position, _ = self.game.apply(position, turn[-1])
        return Choice(tuple(turn), float(value))

    def _list_moves(self, program: _Program, position: Any, entry: Message) -> list[Any]:
        """List the moves of a turn or of its beginning: of `turn`, a text, or the objects in `moves`."""
        text, moves = entry.get("turn"), entry.get("moves")
        if isinstance(text, str) and len(text) <= MAX_TURN:
            read = reader(self.game, make_numbers(position)).turn(text)
            if read.problems or not read.moves:
                program.fail(f"tkid can't read `{text}`: {read.problems[0].told if read.problems else 'it is empty'}")
            return list(read.moves)
        if not isinstance(moves, list) or not moves or not all(isinstance(move, dict) for move in moves):
            program.fail(f"neither `turn` nor `moves` is a turn: {truncate_value(entry)}")
        return moves


@define(eq=False)
class _Program:
    """A program that runs, or will, and the event loop for its messages. `wants_legal` is true if it asks for the legal moves."""

    command: str
    folder: Path | None
    seconds: float
    runner: Runner = Factory(Runner)
    process: Any = None
    wants_legal: bool = False

    async def start(self) -> None:
        apart = os.name != "nt"
        try:
            words = shlex.split(self.command, posix=apart)
            self.process = await create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, cwd=self.folder, limit=MAX_LINE, start_new_session=apart
            )
        except (OSError, ValueError, TypeError) as error:
            reason = (
                (getattr(error, "strerror", None) or str(error)) if self.command.strip() else "the command is empty"
            )
            self.fail(f"it can't be started: {reason}", f"Is the command right, seen from {self.folder or Path.cwd()}?")
        await self.send(type="hello", protocol=[VERSION], program=f"tkid {__version__}")
        hello = await self.receive("hello", self.seconds)
        if hello.get("protocol") != VERSION:
            spoken = truncate_value(hello.get("protocol"))
            self.fail(f"it speaks version {spoken} of the protocol, and tkid {VERSION}", "Update the program or tkid.")
        self.wants_legal = hello.get("legal") is True

    async def send(self, **message: Any) -> None:
        """Send a message. That the program has ended is noticed when its answer is read."""
        try:
            with suppress(ConnectionError):
                async with timeout(self.seconds):
                    self.process.stdin.write(f"{json.dumps(message)}\n".encode())
                    await self.process.stdin.drain()
        except TimeoutError:
            self.fail(f"it didn't read its standard input for {self.seconds:g} seconds")

    async def receive(self, kind: str, seconds: float, *, may_stop: bool = False) -> Message:
        """Return the next message of a kind. If it `may_stop` when its time is out, it may still answer then."""
        try:
            async with timeout(seconds):
                while (reply := await self._read_message(kind)).get("type") != kind:
                    pass
        except TimeoutError:
            if not may_stop:
                self.fail(f"it gave no `{kind}` in time", "Does it flush its standard output after each line?")
            await self.send(type="stop")
            return await self.receive(kind, GRACE)
        return reply

    async def _read_message(self, kind: str) -> Message:
        try:
            line = await self.process.stdout.readline()
        except ValueError:
            self.fail(f"it wrote a line of more than {MAX_LINE:,} bytes")
        if not line:
            self.fail(f"it ended, or closed its standard output, without a `{kind}`")
        reply = _parse_line(line)
        if reply is None:
            text = truncate_value(line.decode("utf-8", "replace").strip())
            self.fail(f"it wrote {text}, which isn't a JSON object", "Write everything else to standard error.")
        if reply.get("type") == "error":
            self.fail(f"it reports an error: {truncate_value(reply.get('message'))}")
        return reply

    def fail(self, reason: str, fix: str = "What it wrote to standard error may say more.") -> NoReturn:
        raise EngineError(f"cmd:{self.command}: {reason.rstrip('.')}. {fix}")

    def end(self) -> None:
        """Ask the program to end; then kill it with all that it has started."""
        with self.runner:
            self.runner.run(self._quit())

    async def _quit(self) -> None:
        if self.process is None:
            return
        with suppress(OSError, TimeoutError):
            async with timeout(LEAVING):
                self.process.stdin.write(b'{"type": "quit"}\n')
                self.process.stdin.close()
                await self.process.wait()
        with suppress(OSError):
            if os.name != "nt":
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        with suppress(TimeoutError):
            async with timeout(LEAVING):
                await self.process.communicate()  # only `wait` would wait for ever if there is too much to read


def make_numbers(position: Any) -> tuple[str, ...]:
    """Return the names of players in messages: the numbers of their seats, from 1, as nobody's name leaves tkid."""
    return tuple(str(seat + 1) for seat in position.seats)


def list_legal(game: AnyGame, position: Any) -> list[str]:
    """List the legal moves of the next decision as texts, each of which may be played as it is."""
    return [fill_names(game.words.write_move(move), make_numbers(position)) for move in game.legal(position)]


def _parse_line(line: bytes) -> Message | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class _StoppedError(Exception):
    """The player was told to stop, or its time is out."""


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
    _game: AnyGame | None = None
    _view: AnyView | None = None
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
                self._say_hello(request)
            case "view":
                self._game, position = read_position_json(request.get("position"))
                seat = request.get("seat")
                if type(seat) is not int or seat not in position.seats:
                    raise ValueError(f"seat: {truncate_value(seat)} is not a seat of this position, counted from 0")
                self._view = self._game.view(position, seat)
            case "go":
                self._choose_turns(request)
            case str():
                pass  # `stop`, or a message of a later version
            case _:
                raise ValueError("a message is a JSON object on one line, with a `type`")

    def _say_hello(self, request: Message) -> None:
        spoken, name = request.get("protocol"), request.get("player", self.name)
        if not isinstance(spoken, list) or VERSION not in spoken:
            raise ValueError(f"protocol: tkid speaks {VERSION}, not {truncate_value(spoken)}")
        if name != self.name and name not in PLAYERS:
            raise ValueError(f"player: {truncate_value(name)} is not one of {', '.join(PLAYERS)}")
        self.name = name
        self.write({"type": "hello", "protocol": VERSION, "name": f"tkid {__version__} {name}"})

    def _choose_turns(self, request: Message) -> None:
        if self._game is None or self._view is None:
            raise ValueError("`go` needs a `view` before it")
        thought, most = request.get("positions", self.thought), request.get("most", 1)
        seconds = request.get("seconds", SECONDS)
        if type(thought) is not int or not 0 < thought <= ENOUGH or type(most) is not int or most < 1:
            raise ValueError(f"positions and most are numbers from 1 on, positions at most {ENOUGH}")
        if type(seconds) not in {int, float}:
            raise ValueError(f"seconds: {truncate_value(seconds)} is not a number")
        end, player = monotonic() + seconds, self.find(self._game, self.name)

        def is_over() -> bool:
            return self._stopped.is_set() or monotonic() > end

        step = min(thought, FIRST)
        found = player.choices(self._view, step, most)
        if isinstance(player, Judging):
            stoppable: Any = _StoppableJudge(player.judge, is_over)
            player = evolve(player, judge=stoppable)
        with suppress(_StoppedError):
            while step < thought:
                step = min(thought, step * STEP)
                found = player.choices(self._view, step, most)
                self.write({"type": "info", "positions": step, "value": round(found[0].value, 4)})
        self.write({"type": "best", "turns": [self._describe(choice) for choice in found]})

    def _describe(self, choice: Choice) -> Message:
        assert self._game is not None
        assert self._view is not None
        text = fill_names(self._game.words.turn(choice.turn), make_numbers(self._view.shown))
        return {"turn": text, "value": round(choice.value, 4)}
