"""What a site generator builds: pages and templates that need no code of ours while it runs."""

from pathlib import Path

from jinja2 import Environment, meta

from docs.making.pages import list_documented_modules, make_theme, write_tree
from tests.docs.site import ROOT

KNOWN = {"page", "config"}
"""Names that mkdocs, ProperDocs and Zensical give to templates."""


def test_no_generator_runs_code_of_ours() -> None:
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert "\nhooks:" not in settings
    assert all(f" .build/pages/{folder}" in settings for folder in ("docs", "theme"))


def test_templates_use_names_that_every_generator_knows() -> None:
    theme, environment = make_theme(), Environment(autoescape=True)
    environment.filters["url"] = str
    assert {"main.html", "404.html", "parts.html", "frame/bar.html"} <= theme.keys()
    for path, content in theme.items():
        text = content if isinstance(content, str) else content.decode()
        assert meta.find_undeclared_variables(environment.parse(text)) <= KNOWN, path


def test_the_reference_reads_what_it_documents_and_no_more() -> None:
    modules = list_documented_modules()
    assert {"tkid/__init__.py", "tkid/record/__init__.py", "tkid/record/format/reader.py"} <= modules.keys()
    assert "tkid/host/loop.py" not in modules


def test_a_tree_holds_what_was_made_and_keeps_what_is_the_same(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "one", "b/c.md": "two", "d.bin": b"three"})
    before = (tmp_path / "b/c.md").stat().st_mtime_ns
    write_tree(tmp_path, {"a.md": "other", "b/c.md": "two"})
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        "a.md",
        "b/c.md",
    }
    assert (tmp_path / "a.md").read_text("utf-8") == "other"
    assert (tmp_path / "b/c.md").stat().st_mtime_ns == before
