"""A whole line that answers an offer: `yes`, `no` or a number, in the forms that people write."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType

from tkid.mail.inbound.normalize import meant
from tkid.mail.inbound.whole_orders import SIGNATURES
from tkid.mail.model import Line
from tkid.rulebook import cites

ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            ("y", "yes", "yep", "yeah", "yes please", "ok", "okay", "ja", "jawohl", "oui", "si", "sí"), "yes"
        ),
        **dict.fromkeys(("yes pls", "yes thanks", "yes thank you", "yes play it", "yes do it", "yup", "sure"), "yes"),
        **dict.fromkeys(("sim", "tak", "da", "да", "はい", "是", "correct", "confirm"), "yes"),
        **dict.fromkeys(
            ("n", "no", "nope", "no thanks", "nein", "non", "nee", "nie", "não", "нет", "いいえ", "不"), "no"
        ),
        **{str(number): str(number) for number in (1, 2, 3)},
    }
)
NUMBER = re.compile(r"[#(]?\s*([1-9])\s*[.)]?")
ENDS = " \t.!,"


@cites("mail.answered")
def answer_in(lines: Sequence[Line]) -> str:
    """What the lines above a quotation answer; "" where no whole line does, or where two say different things."""
    found = set()
    for line in takewhile(lambda line: not line.quoted and line.text not in SIGNATURES, lines):
        if len(line.text) > 40:
            continue
        text = " ".join(meant(line.text).rstrip(ENDS).replace(",", " ").split()).casefold()
        number = NUMBER.fullmatch(text)
        answer = ANSWERS.get(number[1] if number else text, "")
        if answer:
            found.add(answer)
    return found.pop() if len(found) == 1 else ""
