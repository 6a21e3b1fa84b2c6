"""Makes the list of the public names of the library, with their signatures: `python -m tests.makers.api`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import griffe

ROOT = Path(__file__).parents[2]
LIST = ROOT / "fixtures" / "api.txt"
"""The list: what programs of other people may use."""
REFERENCE = (ROOT / "docs" / "python-reference.md", ROOT / "docs" / "python.md")
"""The pages that name what is public."""
HEAD = "# The public names of the library (docs/python-reference.md) and their signatures. Made by: python -m tests.makers.api"


def public_names() -> list[str]:
    """The names in the reference, in its order."""
    return [name for page in REFERENCE for name in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.MULTILINE)]


def api() -> str:
    """The list as the code has it now: fields, properties and methods are below their class, in the order of the code."""
    package = griffe.load("tkid", search_paths=[ROOT])
    lines = [HEAD]
    for name in public_names():
        described = package[name.removeprefix("tkid.")]
        described = described.final_target if isinstance(described, griffe.Alias) else described
        lines += ["", *_described(described, name)]
    return "\n".join(lines) + "\n"


def _described(described: griffe.Object | griffe.Alias, name: str) -> Iterator[str]:
    """The lines about a name, and for a class those about its public members."""
    if isinstance(described, griffe.Class):
        bases = ", ".join(map(str, described.bases))
        yield f"class {name}({bases})" if bases else f"class {name}"
        for member in described.members.values():
            if not member.name.startswith("_"):
                yield from (f"    {line}" for line in _described(member, member.name))
    elif isinstance(described, griffe.Function):
        yield described.signature(return_type=True, name=name)
    elif isinstance(described, griffe.Attribute):
        annotation = f": {described.annotation}" if described.annotation is not None else ""
        value = f" = {described.value}" if described.value is not None else ""
        yield f"{name}{annotation}{value}{' (property)' if 'property' in described.labels else ''}"
    else:
        raise TypeError(f"{name} is no class, function or attribute")


if __name__ == "__main__":
    LIST.write_text(api(), "utf-8")
