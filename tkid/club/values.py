"""How values of a club become text for a store, and are read again: JSON, moments in ISO form."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Self, TypeVar

from cattrs import Converter

from tkid.rulebook import cites

T = TypeVar("T")
Address = Annotated[str, "address"]
"""Somebody's address in a document: a change of address finds it by this type."""

_STORED = Converter(detailed_validation=False, omit_if_default=True)
_STORED.register_unstructure_hook(datetime, lambda moment: moment.isoformat())
_STORED.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))


def write(value: Any) -> str:
    """A value as a store keeps it. What it does not say has its default."""
    return json.dumps(_STORED.unstructure(value), ensure_ascii=False)


def read(text: str, of: type[T]) -> T:
    """A value as it was kept. Raises ValueError, KeyError or TypeError where that was not written here."""
    return _STORED.structure(json.loads(text), of)


class Stored:
    """A value that a store keeps as text."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """The value as it was kept. Raises ValueError, KeyError or TypeError where that was not written here."""
        return read(text, cls)

    @property
    def text(self) -> str:
        """The value as a store keeps it."""
        return write(self)


@cites("club.person")
def mailbox(address: str) -> str:
    """Return the mailbox of an address, in lower case: without what is behind a plus."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"
