"""The rules as the question box reads them: script files that set a variable, so that a page read from disk can load them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from docs.making.pictures import small_pictures
from docs.making.rule_pages import title_of
from docs.making.same import editions_of
from tkid.rulebook import rule
from tkid.rulebook.search import protocol_data, search_data

PLAY, PROTOCOL = "assets/ask-data.js", "assets/ask-protocol.js"
"""The rules of play, and the rules about files, mails and hosts, which few people ask for."""


def ask_data() -> dict[str, str]:
    """The script files by path on the site."""
    return {PLAY: _script("ASK_DATA", search_data()), PROTOCOL: _script("ASK_PROTOCOL", protocol_data())}


def _script(name: str, data: Mapping[str, Any]) -> str:
    rules = [entry | _shown(entry["id"]) for entry in data["rules"]]
    return f"var {name} = {json.dumps({**data, 'rules': rules}, ensure_ascii=False, separators=(',', ':'))};\n"


def _shown(rule_id: str) -> dict[str, Any]:
    """What the box shows besides the words of a rule: a title in any case, the keys of its editions, and a small picture."""
    entry = rule(rule_id)
    applies = [edition.key for edition in editions_of(entry)]
    picture = small_pictures([entry]).get(rule_id)
    shown = {"title": title_of(entry), "applies": applies, "picture": picture}
    return {name: value for name, value in shown.items() if value}
