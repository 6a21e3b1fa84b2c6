"""Where links lead: to the default site, or to the copy that was chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import tkid
from tkid import __version__
from tkid.rulebook import register, rule

ROOT = Path(__file__).parents[2]
ID = "second.turn.pass"


@pytest.fixture(autouse=True)
def default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "_chosen", [])


@pytest.mark.parametrize("address", ["https://rules.example/tkid", "http://127.0.0.1:8000/", "file:///srv/site/"])
def test_links_lead_to_the_site_that_was_chosen(address: str) -> None:
    assert not register.is_site_chosen()
    register.set_site(address)
    assert register.is_site_chosen()
    assert rule(ID).link == f"{address.rstrip('/')}/r/{ID}/"


def test_links_lead_to_the_default_site() -> None:
    assert rule(ID).link == f"{register.DEFAULT}r/{ID}/"


@pytest.mark.parametrize(
    "address",
    ["", "rules.example", "ftp://rules.example", "https://", "https://a.example/?q=1", "https://a b", "http://["],
)
def test_what_is_no_address_of_a_site_is_refused(address: str) -> None:
    assert not register.is_site(address)
    with pytest.raises(ValueError, match="is not the address of a site"):
        register.set_site(address)
    assert not register.is_site_chosen()


def test_the_program_takes_the_address() -> None:
    assert (
        "https://rules.example/r/second.turn.pass/" in tkid("--rules-url", "https://rules.example", "rule", ID).stdout
    )
    wrong = tkid("--rules-url", "rules.example", "rule", ID)
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("--rules-url: 'rules.example' is not the address of a site.")


def test_the_default_is_written_in_one_place_of_the_program() -> None:
    host = register.DEFAULT.removeprefix("https://").rstrip("/")
    places = [
        path
        for path in (ROOT / "tkid").rglob("*")
        if path.is_file() and path.suffix != ".pyc" and host.encode() in path.read_bytes()
    ]
    assert [path.name for path in places] == ["register.py"]


def test_the_citation_file_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f'version: "{__version__}"' in text
    assert register.DEFAULT in text
