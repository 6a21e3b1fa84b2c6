"""The program `tkid`: its lazy groups of commands, and its output streams."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections import UserDict
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import redirect_stdout, suppress
from functools import cache, partial
from importlib import import_module
from io import BufferedWriter, FileIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, TextIO

import typer
from typer import Option
from typer.core import TyperGroup
from typer.main import get_group

from tkid import __version__
from tkid.cli.printing import CLEAR, CLOSED, UNREADABLE, fail, find_output_error, os_error_text
from tkid.render.lines import TERMINAL, log_text

Places = Mapping[str, Sequence[str]]
"""The names of commands by the modules that have them: each has an `app`."""


def load_commands(module: str, markup: Any) -> MutableMapping[str, Any]:
    app: typer.Typer = import_module(module).app
    app.rich_markup_mode = markup
    commands = get_group(app).commands
    for command in commands.values():
        first = next((each for each in command.params if each.param_type_name == "argument"), None)
        if first is not None and first.callback is None:
            first.callback = check_not_empty
    return commands


def check_not_empty(context: Any, argument: Any, value: Any) -> Any:
    """Return a typed value, or end the command if it is empty."""
    is_typed = context.get_parameter_source(argument.name).name == "COMMANDLINE"
    if is_typed and value == "":
        context.fail(f"{argument.make_metavar(context).strip('[].').upper()}: this argument is empty.")
    return value


class LazyCommands(UserDict[str, Any]):
    """Commands by their names, or the names of their modules, which are loaded when somebody uses one of their commands."""

    def __init__(self, places: Places, markup: Any) -> None:
        super().__init__({name: module for module, names in places.items() for name in names})
        self._markup = markup

    def __getitem__(self, name: str) -> Any:
        if isinstance(module := self.data[name], str):
            self.data.update(load_commands(module, self._markup))
        return self.data[name]


class LazyGroup(TyperGroup):
    """A group whose commands are found when one of them is wanted; `found` finds them, for how the group writes its help."""

    found: ClassVar[Callable[[Any], MutableMapping[str, Any]]]
    _commands: MutableMapping[str, Any] | None = None

    @property
    def commands(self) -> MutableMapping[str, Any]:
        if self._commands is None:
            self._commands = type(self).found(self.rich_markup_mode)
            self._commands.update(self._made_with)
        return self._commands

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        """Keep those that the group is made with: how it writes its help may not be known yet."""
        self._made_with = commands


ELSEWHERE = {"status": "show", "board": "show", "deal": "new", "start": "new", "history": "replay", "moves": "legal"}
"""Words for which people look, and the commands that do it."""


class GroupedProgram(LazyGroup):
    """A program whose help lists its commands in groups; `tkid help COMMAND` is `tkid COMMAND --help`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[:1] == ["help"]:
            args = [*args[1:2], "--help"]
            if len(args) == 1:
                typer.echo(ctx.get_help())
                raise typer.Exit
        if args[0] in ELSEWHERE:
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{ELSEWHERE[args[0]]}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as click calls it
        width = max(map(len, self.commands))
        for heading, names in HELP_GROUPS.items():
            with formatter.section(heading):
                about = (self.commands[name].get_short_help_str(formatter.width) for name in names)
                rows = zip(names, about, strict=True)
                formatter.write_dl([(name.ljust(width), help_text) for name, help_text in rows])


def lazy_program(places: Places) -> type[TyperGroup]:
    """Return the class of a program with these commands, each loaded with its module."""
    return type("Program", (GroupedProgram,), {"found": partial(LazyCommands, places)})


def lazy_group(module: str, about: str, example: str = "") -> typer.Typer:
    """Make the group of a module's commands, with its help, which ends in an example."""
    group = type("Group", (LazyGroup,), {"found": partial(load_commands, module)})
    return typer.Typer(cls=group, help=about, epilog=example or None, no_args_is_help=True)


COMMANDS = {
    "tkid.cli.play": ("new", "show", "legal", "play", "serve", "me", "undo", "resign"),
    "tkid.cli.opponents": ("suggest", "annotate", "engine"),
    "tkid.cli.render": ("render",),
    "tkid.cli.check": ("check", "fmt", "replay", "export", "stats"),
    "tkid.cli.fair_play": ("view", "open", "seal", "verify"),
    "tkid.cli.questions": ("result", "why", "why-not", "read", "transcribe"),
    "tkid.cli.rules": ("ask", "rule"),
    "tkid.cli.rulesets": ("rulesets", "compare", "cite", "impact"),
    "tkid.cli.docs": ("docs", "lsp", "conformance"),
}
"""The commands by their modules, in the order of the help."""
LAZY_GROUPS = {
    "mail": (
        "tkid.cli.mail",
        "Play by e-mail: write mails and read the answers.",
        "Example: tkid mail write winter.tkid -o turn.eml; then: tkid mail read winter.tkid reply.eml",
    ),
    "letter": (
        "tkid.cli.letters",
        "Play by e-mail without a host. Each player keeps a game file and sends it on.",
        "Example: tkid letter write winter.tkid -o turn.eml; then: tkid letter read winter.tkid answer.eml",
    ),
    "host": ("tkid.cli.host", "Run a host: games by mail for other people."),
}
"""The modules of groups that few calls need, with the help of each group, and an example."""
HELP_GROUPS = {
    "Play": ("new", "play", "serve", "legal", "undo", "resign", "me", "suggest"),
    "Look at a game": ("show", "replay", "render", "result", "why", "why-not", "annotate", "stats"),
    "Game files and notes": ("check", "fmt", "read", "transcribe", "view", "open", "seal", "verify"),
    "Rules": ("ask", "rule", "rulesets", "compare", "cite", "impact", "docs"),
    "By mail": ("mail", "letter", "host"),
    "For programs": ("export", "engine", "lsp", "conformance"),
}
"""The commands by what they are for, as the help lists them."""
ANSWERING = {"check", "fmt", "export", "stats", "verify", "docs", "engine", "lsp", *LAZY_GROUPS}
"""Commands that do something, or answer with their exit code. Others are there for what they print, unless they write a file."""
app = typer.Typer(
    cls=lazy_program(COMMANDS), no_args_is_help=False, rich_markup_mode=None, pretty_exceptions_enable=False
)
for name, lazy in LAZY_GROUPS.items():
    app.add_typer(lazy_group(*lazy), name=name)


PLAIN = {"color": False}
"""What a command prints has no colours, and so no name of a file has any, unless the command asks for them."""


@app.callback(invoke_without_command=True, context_settings=PLAIN)
def start(
    context: typer.Context,
    version: Annotated[bool, Option("--version", help="Print the version.")] = False,
    rules_url: Annotated[
        str,
        Option(
            envvar="TKID_RULES_URL", metavar="ADDRESS", help="The address of the site to which links to rules lead."
        ),
    ] = "",
) -> None:
    """Play The King is Dead by e-mail, check and replay games, and look up the rules."""
    if rules_url:
        from tkid.rulebook import register

        try:
            register.set_site(rules_url)
        except ValueError as error:
            fail(f"--rules-url: {error}.")
    if version:
        typer.echo(f"tkid {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(Path(__file__).with_name("start.txt").read_text("utf-8"), nl=False)
    if (stream := _find_printed_stream()) is not None:
        stream.is_needed = context.invoked_subcommand not in ANSWERING


GARBAGE = 100_000
"""Number of new objects after which Python looks for garbage. With its own 700, a command that makes a game takes 6 % longer."""


STDIN, STDOUT, STDERR = range(3)
CONTROL = re.compile(r"\r?\x1b\[[0-9;]*[mK]|\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""A sequence that may be one of our own colours, or a control character."""
STYLE = re.compile(r"\x1b\[[;?0-9]*[a-zA-Z]")
BASH_BREAK, BASH_SPECIAL, QUOTE = re.compile("[=:@]+"), re.compile(r"[^\w=:@%+,./-]"), re.compile(r"[\\'\"]")
BREAK = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
"""What begins a new line."""


def main() -> None:
    """Run the program.

    When a program ends, Python looks for garbage among all that there is, several times: an eighth of a short command.
    Nothing waits for that: what has to be closed is closed before.
    """
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])
    open_streams()
    speak_utf8()
    try:
        if os.environ.get("_TKID_COMPLETE") == "complete_bash":
            complete_in_bash()
        else:
            app()
    except OSError as error:
        sys.stderr.write(f"{log_text(os_error_text(error))}\n")
        sys.exit(UNREADABLE)
    finally:
        gc.freeze()
        stop_unprinted()


def complete_in_bash() -> None:
    """Offer the ends of the last word to bash, for which `=`, `:` and `@` are words of their own: `--bot Ann=` has three."""
    words = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
    whole = words[:1]
    for last, word in pairwise(words):
        if BASH_BREAK.fullmatch(word) or BASH_BREAK.fullmatch(last):
            whole[-1] += word
        else:
            whole.append(word)
    end = "" if BASH_BREAK.fullmatch(words[-1]) else words[-1]
    begin = QUOTE.sub("", whole[-1].removesuffix(end))
    os.environ.update(COMP_WORDS="\n".join(whole), COMP_CWORD=str(len(whole) - 1))
    with redirect_stdout(StringIO()) as offered, suppress(SystemExit):
        app()
    for each in offered.getvalue().splitlines():
        common = next((begin[at:] for at in range(len(begin)) if each.startswith(begin[at:])), "")
        rest = each.removeprefix(common)
        typer.echo(rest if end[:1] in {"'", '"'} else BASH_SPECIAL.sub(r"\\\g<0>", rest))


class PrintedStream(FileIO):
    """Standard output or standard error. If nothing can be written to it, the command still does its work.

    `lost` is the first error: the reader has gone, the disk is full, or the stream was closed from the start. `is_needed` says that
    the command is there for what it prints.
    """

    lost: OSError | None = None
    is_open = True
    is_needed = True

    def write(self, data: Any) -> int:
        """Write bytes; drop them if that fails."""
        lost = OSError(CLOSED, os.strerror(CLOSED))
        if self.is_open:
            try:
                return super().write(data)
            except OSError as error:
                lost = error
        self.lost = self.lost or lost
        return len(data)


class PrintedText(TextIOWrapper):
    """The text of a standard stream; `?` replaces control characters and line breaks in names, which could command it."""

    def write(self, text: str) -> int:
        """Write a text; of control characters, only those of our own colours are left."""
        for name in find_broken_names():
            text = text.replace(name, BREAK.sub("?", name))
        if CONTROL.search(text):
            ours = {CLEAR, "\033[0m", *(f"\033[{code}m" for code in TERMINAL.codes.values())}
            text = CONTROL.sub(lambda found: found[0] if found[0] in ours else f"?{found[0][1:]}", text)
        return super().write(text)


@cache
def find_broken_names() -> list[str]:
    """Return the parts of the arguments that are names with line breaks, the longest first."""
    parts = (Path(part) for argument in sys.argv[1:] if BREAK.search(argument) for part in Path(argument).parts)
    names = {name for part in parts for name in (part.name, part.stem) if BREAK.search(name)}
    plain = {STYLE.sub("", name) for name in names}  # as they are printed without colours
    return sorted(names | plain, key=len, reverse=True)


def open_streams() -> None:
    """Open standard streams that are closed, so that no other file takes their place, and watch over those that are printed to."""
    closed = set()
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            # takes the lowest number that is free: this one
            os.open(os.devnull, os.O_WRONLY)
            closed.add(descriptor)
    if sys.stdin is None:
        sys.stdin = open(STDIN, closefd=False, encoding="utf-8")  # noqa: SIM115 - it is open until the program ends
    sys.stdout = _wrap_stream(sys.stdout, STDOUT, is_open=STDOUT not in closed)
    sys.stderr = _wrap_stream(sys.stderr, STDERR, is_open=STDERR not in closed)


def _wrap_stream(stream: TextIO | None, descriptor: int, *, is_open: bool) -> TextIO:
    """Wrap a standard stream as `PrintedStream`; a console of Windows stays as it is."""
    buffer = getattr(stream, "buffer", None)
    if stream is not None and not isinstance(getattr(buffer, "raw", buffer), FileIO):
        return stream
    raw = PrintedStream(descriptor, "w", closefd=False)
    raw.is_open = is_open
    written = BufferedWriter(raw)
    encoding = stream.encoding if stream is not None else "utf-8"
    return PrintedText(written, encoding, line_buffering=descriptor == STDERR or written.isatty())


def _find_printed_stream() -> PrintedStream | None:
    """Return the stream below standard output, unless it is a console of Windows or a stream of a test."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw if isinstance(raw, PrintedStream) else None


def stop_unprinted() -> None:
    """End the program with its message where something could not be printed, as on a full disk, and say what it wrote all the same.

    A reader that has gone, as `head` does, has what it wanted. A closed stream matters if all that the command did was printing.
    """
    error = find_output_error()
    if error is None or isinstance(error, BrokenPipeError):
        return
    from tkid.cli.files import settings_file, written

    if error.errno == CLOSED:
        stream = _find_printed_stream()
        if written or stream is None or not stream.is_needed:
            return
        message = "Nothing was printed: standard output is closed."
    else:
        files = dict.fromkeys(log_text(str(file)) for file in written if file != settings_file())
        done = f" But {' and '.join(files)} {'is' if len(files) == 1 else 'are'} written." if files else ""
        message = f"Not everything was printed: {error.strerror}.{done}"
    sys.stderr.write(f"{message}\n")
    sys.exit(UNREADABLE)


def speak_utf8() -> None:
    """Read and print UTF-8 (or PYTHONIOENCODING) with line feeds everywhere; what can't be shown is written as its code."""
    if sys.getfilesystemencoding() == "ascii":  # arguments and the names of files are broken: begin again with UTF-8
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - our own command
    encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
    for stream, newline in ((sys.stdin, None), (sys.stdout, "\n"), (sys.stderr, "\n")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="backslashreplace", newline=newline)
