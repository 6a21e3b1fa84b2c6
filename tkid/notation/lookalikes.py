"""Names that people take for one another: what is left of a name when only its looks count.

The table has the letters that look the same in most fonts, from the scripts that Latin letters are mixed up with; other
forms of one letter (full width, bold, ligatures) are folded by Unicode's own normalization (NFKC).
"""

from __future__ import annotations

import unicodedata

from tkid.notation.text import plain

LATIN = {
    "АВЕЅІЈКМНОРСТУҮХԚԜҒ": "ABESIJKMHOPCTYYXQWF",  # Cyrillic
    "аеёіїјѕорсухһԁԛԝѵмтк": "aeëiïjsopcyxhdqwvmtk",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "ABEZHIKMNOPTYX",  # Greek
    "αγικνορυχ": "ayiknopux",
    "ՍՏՕցհոսօյզ": "USOghnuojq",  # Armenian
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏙᏚᏞᏟᏢᏦ": "DRTiYAJEWMHYGZVSLCPK",  # Cherokee
    "ıɑɡⅼӏǀӀ": "iagllll",
}
LETTERS = str.maketrans(
    {other: latin for others, letters in LATIN.items() for other, latin in zip(others, letters, strict=True)}
)
STROKES = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
"""Letters and digits of one script that look the same."""
UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5ʼ") | set(map(chr, range(0xFE00, 0xFE10)))
"""Characters that show nothing, or next to nothing, although Unicode counts them as letters or marks."""
LEFT_OUT = ("P", "Sk", "C")
"""The kinds of characters that do not tell two names apart: punctuation, accents that stand alone, controls."""


def letters(name: str) -> str:
    """A name in small Latin letters, where it has letters that look like these; without what nobody sees."""
    return _shown(name).translate(LETTERS).casefold()


def look_alike(one: str, other: str) -> bool:
    """Whether people take one name for the other."""
    return letters(one) == letters(other) or _strokes(one) == _strokes(other)


def _strokes(name: str) -> str:
    """A name with one character for those that are drawn alike; capitals count, as `Ian` looks like `lan`."""
    return _shown(name).translate(LETTERS).translate(STROKES)


def _shown(name: str) -> str:
    """The characters of a name that tell it from another; all of it, where none would be left."""
    whole = unicodedata.normalize("NFKC", plain(name))
    seen = "".join(c for c in whole if c not in UNSEEN and not unicodedata.category(c).startswith(LEFT_OUT))
    return " ".join(seen.split()) or whole
