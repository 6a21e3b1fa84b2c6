"""What fits into the database, the same on every kind: looked at before it is written, and refused in words.

SQLite takes texts of any length, and PostgreSQL does not; PostgreSQL takes no NUL, and neither takes half a character.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sql

NAMES: Mapping[tuple[str, str], str] = {
    ("games", "id"): "the name of the game",
    ("outgoing", "game"): "the name of the game",
    ("keys", "game"): "the name of the game",
    ("outgoing", "address"): "the address",
    ("outgoing", "message_id"): "the Message-ID",
    ("club_keys", "address"): "the address",
    ("club_keys", "about"): "what the letter is about",
    ("addresses", "address"): "the address",
    ("answered", "address"): "the address",
}
"""What people call a column; others are called by their own names."""


def checked(table: sql.Table, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of a row. Raises ValueError where one does not fit."""
    for column in table.columns:
        value = values.get(column.name)
        if isinstance(value, str) and (fault := unfit(column, value)):
            raise ValueError(fault)
    return values


def unfit(column: sql.Column[Any], text: str) -> str:
    """Why a text does not fit into a column; "" where it does."""
    name = NAMES.get((column.table.name, column.name), f"{column.name} in {column.table.name}")
    most = getattr(column.type, "length", None)
    if most is not None and len(text) > most:
        return f"{name} has {len(text)} characters, and at most {most} fit. Choose a shorter one"
    if "\0" in text or not _is_whole(text):
        return f"{name} has a character that cannot be stored. Leave it out"
    return ""


def _is_whole(text: str) -> bool:
    """Whether a text has no halves of characters."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
