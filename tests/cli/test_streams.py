"""Every command with standard streams that are closed, full or no longer read: the exit code is right, and nothing breaks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from docs.making import commands
from tests.cli import FINISHED, RECORD, said, tkid
from tests.cli.streams import MODES, Outcome

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full"),
]
ANN, BOB = "Ann <ann@example.org>", "Bob <bob@example.org>"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("new", "new.tkid", "Ann", "Bob"),
    ("show", "game.tkid"),
    ("show", "game.tkid", "--json"),
    ("show", "none.tkid"),
    ("legal", "game.tkid"),
    ("play", "game.tkid", "Pass", "--yes"),
    ("play", "game.tkid"),
    ("play", "bot.tkid", "Pass", "--yes"),
    ("serve", "none.tkid"),
    ("suggest", "bot.tkid", "--player", "greedy"),
    ("annotate", "bot.tkid", "--player", "greedy"),
    ("engine", "--player", "greedy"),
    ("me", "game.tkid", "Ann"),
    ("undo", "game.tkid"),
    ("resign", "game.tkid"),
    ("render", "game.tkid", "-o", "board.svg"),
    ("render", "game.tkid", "-o", "-"),
    ("check", "game.tkid"),
    ("check", "wrong.tkid"),
    ("check", "none.tkid"),
    ("check", ".", "--format", "json"),
    ("check", ".", "--format", "sarif"),
    ("check", ".", "--format", "github"),
    ("check", "--files-from", "-"),
    ("fmt", "game.tkid"),
    ("fmt", "-"),
    ("replay", "game.tkid"),
    ("transcribe", "game.tkid", "--setup", "game.tkid"),
    ("replay", "game.tkid", "--json"),
    ("seal",),
    ("verify", "game.tkid"),
    ("result", "over.tkid"),
    ("why", "game.tkid"),
    ("why-not", "game.tkid", "Manoeuvre S Moray <> E Devon"),
    ("read", "game.tkid", "Pass"),
    ("read", "game.tkid", "--jsonl"),
    ("view", "secret.tkid", "--seat", "Ann", "-o", "ann.tkid"),
    ("open", "secret.tkid", "secret.tkid"),
    ("ask", "who wins a tie?"),
    ("rule", "second.turn.pass"),
    ("rulesets",),
    ("compare", "second-edition", "digest"),
    ("cite", "second.turn.pass"),
    ("impact", "--ruling", "second.ruling.final-tie=last-card", "over.tkid"),
    ("docs", "--address"),
    ("docs",),
    ("export", "game.tkid", "-o", "games.csv"),
    ("stats", "game.tkid"),
    ("conformance", "--questions", "--ruleset", "manual"),
    ("lsp",),
    ("mail", "write", "game.tkid", "-o", "turn.eml"),
    ("mail", "write", "game.tkid"),
    ("mail", "read", "game.tkid", "reply.eml"),
    ("letter", "new", "deal.deal", "--seat", "Ann", "--seat", "Bob", "--me", "Ann"),
    ("letter", "read", "game.tkid", "reply.eml"),
    ("letter", "write", "game.tkid", "-o", "turn.eml", "--no-pictures"),
    ("letter", "escrow-key", "eve.key"),
    ("letter", "escrow", "winter.deal", "KEY", "-o", "winter.escrow"),
    ("letter", "escrow-open", "winter.escrow", "--key", "eve.key", "-o", "winter.seed"),
    ("host", "init", "more", "--address", "tkid@games.example"),
    ("host", "join", "postgresql://tkid@127.0.0.1:1/tkid", "host"),
    ("host", "new-game", "host", ANN, BOB, "--game", "spring"),
    ("host", "new-games", "host", "pairings.txt"),
    ("host", "once", "host"),
    ("host", "run", "host"),
    ("host", "web", "host"),
    ("host", "receive", "host"),
    ("host", "publish", "host", "www"),
    ("host", "hook", "host", "winter", "https://club.example/hook"),
    ("host", "status", "host"),
    ("host", "metrics", "host"),
    ("host", "games", "host"),
    ("host", "filed", "host"),
    ("host", "show", "host", "12"),
    ("host", "process", "host", "12", "--reason", "Ann asked"),
    ("host", "pause", "host", "winter"),
    ("host", "resume", "host", "winter"),
    ("host", "extend", "host", "winter", "Ann", "2 days"),
    ("host", "deadline", "host", "winter", "Ann", "2096-12-20T18:00Z"),
    ("host", "take-back", "host", "winter", "1", "--reason", "a typing error"),
    ("host", "abort", "host", "winter", "--reason", "both players left"),
    ("host", "stand-in", "host", "winter", "Ann", "Cal <cal@example.org>"),
    ("host", "back", "host", "winter", "Ann"),
    ("host", "address", "host", "winter", "Ann", "ann@new.example"),
    ("host", "announce", "host", "all", "We move."),
    ("host", "offer", "host", "winter", "Ann"),
    ("host", "import", "host", "autumn", "game.tkid"),
    ("host", "confirm-clock", "host"),
    ("host", "tournament", "host", "new", "cup", "--swiss", "3", "--seated", ANN, BOB),
    ("host", "ratings", "host"),
    ("host", "results", "host"),
    ("host", "unsubscribe", "host", "mfrggzdfmztw"),
    ("host", "upgrade", "host"),
    ("host", "backup", "host", "games.backup"),
    ("host", "restore", "games.backup", "restored"),
    ("host", "doctor", "host"),
    ("host", "mail", "host", "winter"),
    ("host", "send-again", "host"),
    ("host", "export", "host", "winter", "-o", "winter.tkid"),
)
PRINTING = {
    *("show", "legal", "suggest", "annotate", "replay", "seal", "result", "why", "why-not", "read"),
    *("ask", "rule", "rulesets", "compare", "cite", "impact", "conformance", "transcribe"),
}
"""Commands that are there for what they print."""
NO_MAIL = 66
"""What a mail server is answered that passes on no mail."""
OFTEN = {"new", "show", "play", "suggest", "annotate", "check", "fmt", "replay", "read", "docs"}
"""Commands that are tried each time; the others take minutes."""
Tried = tuple[str, tuple[str, ...]]
"""A mode and the words of a command."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with games, mails and a host."""
    top = tmp_path_factory.mktemp("games")
    (top / "game.tkid").write_text(RECORD, "utf-8")
    (top / "wrong.tkid").write_text(RECORD.replace("1. Ann", "1. Amm"), "utf-8")
    (top / "over.tkid").write_bytes(next(iter(sorted(FINISHED.glob("*.tkid")))).read_bytes())
    (top / "reply.eml").write_text("From: bob@example.org\nTo: tkid@example.org\nSubject: hi\n\nPass\n", "utf-8")
    (top / "pairings.txt").write_text(f"{ANN}, {BOB}\n", "utf-8")
    said("new", top / "bot.tkid", "Ann", "Bob", "--bot", "Bob=random", "--first", "Ann")
    said("new", top / "secret.tkid", "Ann", "Bob", "--ruleset", "second-edition-advanced")
    said("host", "init", top / "host", "--address", "tkid@games.example")
    with (top / "host" / "host.toml").open("a", encoding="utf-8") as settings:
        settings.write("pictures = false\n")
    said("host", "new-game", top / "host", ANN, BOB, "--game", "winter")
    tkid("host", "backup", top / "host", top / "games.backup")
    return top


def run_all(folder: Path, tried: Sequence[Tried]) -> dict[Tried, Outcome]:
    """Return what came of each command in each mode."""
    program = [sys.executable, "-m", "tests.cli.streams"]
    environment = {**os.environ, "BROWSER": "true", "XDG_CONFIG_HOME": str(folder / "config")}
    environment.pop("PYTHONUNBUFFERED", None)
    asked = "".join(f"{json.dumps([words, str(folder), mode, True])}\n" for mode, words in tried)
    ran = subprocess.run(program, input=asked, capture_output=True, text=True, env=environment, check=True)
    assert not ran.stderr
    rows = map(json.loads, ran.stdout.splitlines())
    return {(mode, tuple(words)): (code, out, err) for words, mode, code, out, err in rows}


def test_every_command_is_tried() -> None:
    typed = [tuple(typed.split()[1:]) for _, typed, _ in commands.commands()]
    assert len(typed) > 60
    assert not [words for words in typed if not any(tuple(tried[: len(words)]) == words for tried in COMMANDS)]


def is_product(words: Sequence[str]) -> bool:
    """Whether a command is there for what it prints, here at least."""
    return words[0] in PRINTING or "-" in words or words == ("mail", "write", "game.tkid")


def find_wrong(folder: Path, tried: Sequence[Tried]) -> dict[Tried, object]:
    """Find the commands and modes in which a command breaks, or returns another exit code than it should."""
    found = run_all(folder, tried)
    assert len(found) == len(tried)
    usual = {words: outcome for (mode, words), outcome in found.items() if mode == "usual"}
    assert not {words: out for words, out in usual.items() if out[0] not in {0, 1, 2, NO_MAIL}}
    wrong: dict[Tried, object] = {}
    for (mode, words), (code, _, errors) in found.items():
        right, printed, _ = usual[words]
        full = mode == "full stdout" or (mode in {"no stdout", "none"} and is_product(words))
        full = full or (
            mode == "broken stdout" and is_product(words) and words[0] in {"render", "annotate", "transcribe"}
        )
        wanted = 2 if full and printed else right
        if mode in {"no stdin", "none"} and ({"-", "--jsonl", "receive", "lsp"} & {*words}) and "render" not in words:
            wanted = 75 if "receive" in words else 2  # a mail server tries again
        if code != wanted or "Traceback" in errors or "Exception ignored" in errors:
            wrong[mode, words] = (code, wanted, errors)
    return wrong


def test_streams(folder: Path) -> None:
    assert not find_wrong(folder, [(mode, words) for mode in MODES for words in COMMANDS if words[0] in OFTEN])


@pytest.mark.exhaustive(seconds=30)
def test_streams_of_every_command(folder: Path) -> None:
    assert not find_wrong(folder, [(mode, words) for mode in MODES for words in COMMANDS])
