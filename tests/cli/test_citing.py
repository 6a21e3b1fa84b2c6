"""Citing rules and weighing readings at the terminal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli import tkid
from tkid.rulebook import UnknownRuleError, all_rules, rule
from tkid.rulebook.citations import FORMATS, find_rule_as_of, list_versions
from tkid.rulebook.register import VERSION

GAME = Path(__file__).parents[2] / "fixtures/games/second-edition/coronation-final-tie-last-card-players.tkid"


@pytest.mark.parametrize("form", FORMATS)
def test_every_rule_can_be_cited(form: str) -> None:
    for entry in all_rules():
        cited = FORMATS[form](entry)
        assert entry.link in cited
        assert form == "url" or VERSION in cited
        if form == "bibtex":
            assert cited.count("{") == cited.count("}")
        if form == "csl-json":
            (item,) = json.loads(cited)
            assert (item["URL"], item["title"], item["issued"]) == (entry.link, entry.title, {"date-parts": [[2026]]})


SIGNS = ("asciitilde", "asciicircum", "backslash", "less", "greater", "bar")
LATEX = {
    **{f"\\{sign}": sign for sign in "&%$#_"},
    "\\textbraceleft{}": "{",
    "\\textbraceright{}": "}",
    "\\textbackslash{}": "\\",
    "\\textbar{}": "|",
    "\\textasciitilde{}": "~",
    "\\textasciicircum{}": "^",
    "\\textless{}": "<",
    "\\textgreater{}": ">",
    "\\ldots{}": "…",
    "$\\rightarrow$": "→",
    "$\\times$": "×",
    "{-}": "-",
    "``": '"',
    "''": '"',
    '\\"{a}': "ä",
    "\\'{E}": "É",
    "\\c {c}": "ç",
    "\\ss{}": "ß",
    "---": "—",
    "--": "–",
    "thinking face": "🤔",
    "cyrillic capital letter a": "А",
}
"""What LaTeX prints for what we write."""
COMMANDS = re.compile("|".join(re.escape(each) for each in sorted(LATEX, key=len, reverse=True)))


def printed(text: str) -> str:
    """What LaTeX prints for a text; fails for what it would not take, or would take as something else."""
    assert text.isascii(), text
    apart = 0x100000  # so far from their own places are signs that stand for themselves, until nothing else is left
    read = COMMANDS.sub(lambda found: "".join(chr(apart + ord(sign)) for sign in LATEX[found[0]]), text)
    tick, quote = chr(apart + ord("`")), chr(apart + ord('"'))
    for code in re.findall(r"\\texttt\{[^{}\\]*\}", read):
        read = read.replace(code, f"{tick}{code[8:-1]}{tick}".replace('"', quote))
    assert not re.search(r'[&%$#_{}~^\\<>|"]', read), text
    return "".join(chr(ord(sign) % apart) for sign in read)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ('She said "yes" and ("no").', "She said ``yes'' and (``no'')."),
        ("“As much” – or ‘more’ — …", "``As much'' -- or `more' --- \\ldots{}"),
        ("50 % of A_B & #1, $2", "50 \\% of A\\_B \\& \\#1, \\$2"),
        ("`{at TIME}` below `-- `", "\\texttt{\\textbraceleft{}at TIME\\textbraceright{}} below \\texttt{{-}{-} }"),
        ("~ ^ \\ < > |", " ".join(f"\\text{name}{{}}" for name in SIGNS)),
        ("ä É ç ß 🤔", "\\\"{a} \\'{E} \\c {c} \\ss{} thinking face"),
    ],
)
def test_bibtex_has_what_latex_takes(text: str, latex: str) -> None:
    cited = FORMATS["bibtex"](rule("second.turn.pass")._replace(statement=text))
    assert f"note = {{[second.turn.pass, register {VERSION}] {latex}}}\n" in cited


def test_latex_prints_every_statement_as_it_is() -> None:
    for version in list_versions():
        for entry in all_rules():
            try:
                old = find_rule_as_of(entry.id, version)
            except UnknownRuleError:
                continue
            cited = FORMATS["bibtex"](old, version)
            (note,) = re.findall(r"  note = \{\[.*?\] (.*)\}\n", cited)
            assert printed(note) == re.sub("[“”]", '"', old.statement).replace("‘", "`").replace("’", "'"), entry.id


@pytest.mark.parametrize(
    ("title", "bibtex"),
    [
        ("Scots, Welsh and Romano-British", "Scots, {Welsh} and {Romano}-{British}"),
        ('"As much as you can" looks at the board', "``{As} much as you can'' looks at the board"),
        ("No undoing a swap", "No undoing a swap"),
        ("", "second.turn.pass"),
    ],
)
def test_bibtex_protects_names_in_titles(title: str, bibtex: str) -> None:
    assert f"  title = {{{bibtex}}},\n" in FORMATS["bibtex"](rule("second.turn.pass")._replace(title=title))


def test_every_citation_names_its_author_and_has_a_key_of_its_own() -> None:
    cited = [FORMATS["bibtex"](entry, version) for entry in all_rules() for version in ("", VERSION)]
    keys = [text.partition("{")[2].partition(",")[0] for text in cited]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"tkid(-[a-z0-9]+)+", key) for key in keys)
    assert all("  author = {{The tkid authors}},\n" in text for text in cited)
    (item,) = json.loads(FORMATS["csl-json"](rule("second.turn.pass")))
    assert (item["id"], item["author"]) == ("tkid-second-turn-pass", [{"literal": "The tkid authors"}])


def test_a_citation() -> None:
    result = tkid("cite", "second.turn.pass", "--format", "markdown")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"**{rule('second.turn.pass').title}:** ")
    assert "[second.turn.pass](https://tkid.readthedocs.io/r/second.turn.pass/)" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("cite", "second.turn.pas"), 1, "did you mean second.turn.pass"),
        (("cite", "second.turn.pass", "--format", "html"), 2, "choose one of text, markdown, bibtex, csl-json, url"),
        (("impact", "--ruling", "second.turn.pass=x", GAME), 2, "is not a ruling. You can choose: "),
        (("cite", "How do I pass"), 1, "No rule 'How do I pass'. To look for rules: tkid ask 'How do I pass'"),
        (
            ("impact", "--ruling", "second.ruling.final=x", GAME),
            2,
            "Did you mean second.ruling.final-tie? You can choose",
        ),
        (("impact", "--ruling", "second.ruling.final-tie=ann", GAME), 2, "write second.ruling.final-tie="),
    ],
)
def test_mistakes(words: tuple[str, ...], code: int, told: str) -> None:
    result = tkid(*words)
    assert result.exit_code == code
    assert told in result.stderr
    assert not result.stdout


def test_the_register_as_json() -> None:
    data = json.loads(tkid("rule", "--json").stdout)
    assert data["version"] == VERSION
    assert [entry["id"] for entry in data["rules"]] == [entry.id for entry in all_rules()]
    one = json.loads(tkid("rule", "--json", "second.ruling.final-tie").stdout)
    assert one["default"] in one["options"]


@pytest.mark.parametrize(
    "typed", ["[second.turn.pass]", "https://tkid.readthedocs.io/rules/second-edition/#second.turn.pass"]
)
def test_a_rule_is_cited_by_its_link_and_as_messages_name_it(typed: str) -> None:
    assert tkid("cite", typed).stdout == tkid("cite", "second.turn.pass").stdout


def test_impact_goes_on_behind_files_that_are_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.tkid"
    wrong.write_text("nothing\n", "utf-8")
    run = tkid("impact", "--ruling", "second.ruling.final-tie=shared", wrong, tmp_path / "none.tkid", GAME)
    alone = tkid("impact", "--ruling", "second.ruling.final-tie=shared", GAME)
    assert (run.exit_code, alone.exit_code) == (2, 1)
    assert run.stdout == alone.stdout
    assert run.stderr.endswith("2 files could not be read.\n")


def test_a_position_is_told_from_a_file() -> None:
    line = tkid("show", GAME, "--line").stdout.strip()
    for command in (("why-not", line, "Pass"), ("play", line, "Pass"), ("replay", line), ("annotate", line)):
        run = tkid(*command)
        assert (run.exit_code, run.stderr) == (
            2,
            "This is a position in one line, and the command needs a game file.\n",
        )
    for command in (("verify", line), ("check", line)):
        run = tkid(*command)
        assert run.exit_code == 2
        assert run.stderr.endswith("This is a position in one line, and the command needs a game file.\n")


def test_impact_looks_into_folders_and_archives(tmp_path: Path) -> None:
    data = Path(GAME).read_bytes()
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.tkid").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as packed:
        packed.writestr("two.tkid", data)
    ruling = ("impact", "--ruling", "second.ruling.final-tie=shared")
    alone = tkid(*ruling, GAME)
    for name, inside in (("games", "games/one.tkid"), ("games.zip", "games.zip/two.tkid")):
        found = tkid(*ruling, tmp_path / name)
        assert (found.exit_code, found.stdout) == (1, alone.stdout.replace(str(GAME), str(tmp_path / inside)))
    (tmp_path / "empty").mkdir()
    assert "there is no game file in it" in tkid(*ruling, tmp_path / "empty").stderr


def test_impact() -> None:
    result = tkid("impact", "--ruling", "second.ruling.final-tie=shared", GAME)
    assert result.exit_code == 1
    assert "as played: coronation: Ann\n    otherwise: coronation: Ann and Bob\n" in result.stdout
    assert tkid("impact", "--ruling", "second.ruling.final-tie=last-card", GAME).exit_code == 0
    assert tkid("impact", "--ruling", "second.ruling.final-tie shared", GAME).stdout == result.stdout
    other = tkid("impact", "--ruling", "second.ruling.spy-pile=any", GAME)
    assert "second-edition does not let you choose second.ruling.spy-pile" in other.stdout


def test_the_program_is_a_module_too() -> None:
    command = [sys.executable, "-m", "tkid", "cite", "second.turn.pass", "--format", "url"]
    done = subprocess.run(command, cwd=GAME.parents[3], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "https://tkid.readthedocs.io/r/second.turn.pass/\n")
