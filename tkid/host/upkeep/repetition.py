"""Recognises a letter that is made again after a restore: by whom it is for, and the mail that it answers or its subject.

Such a letter may differ a little from the one that went out, as a clock was looked at in another moment.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from hashlib import sha256

from attrs import frozen

DIGITS = 24
ALWAYS = datetime.max.replace(tzinfo=UTC)


@frozen
class Said:
    """What a letter is about, as a short word, and the time that it bears."""

    word: str
    time: datetime

    @classmethod
    def of(cls, mail: bytes) -> Said:
        """What the headers of a letter of ours say. An answer is about the mail that it answers, in its thread."""
        head = BytesHeaderParser(policy=compat32).parsebytes(mail)
        answers = str(head["References"] or "") if head["In-Reply-To"] else str(head["Subject"])
        named = "\n".join((str(head["To"]), answers, str(head["In-Reply-To"] or "")))
        try:
            time = parsedate_to_datetime(str(head["Date"]))
        except (ValueError, HeaderParseError):
            time = ALWAYS
        return cls(sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS], time)
