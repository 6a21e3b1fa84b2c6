"""Reading a page of docs/decisions that compares a source with the register: its parts, tables and links."""

import re
from pathlib import Path

from tkid.rulebook import rule

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"


def section(page: str, title: str) -> str:
    """The part of a page under a heading."""
    text = (DECISIONS / page).read_text("utf-8")
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(found)


def rows(text: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    table = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[2:]]


def ids(text: str) -> list[str]:
    """The rules that a text links to, each on the page that lists it."""
    linked = re.findall(r"\[(\S+)\]\(\.\./rules/(\S+)\.md#(\S+)\)", text)
    assert all(shown == target and rule(target).page == page for shown, page, target in linked)
    return [target for *_, target in linked]
