"""Games that begin by invitation, with words of a player in the seal: the record in the last letter is verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import tkid
from tests.host.club.club import Club, club
from tests.host.club.verified import LAST, faults
from tests.host.year.players import HOST, examples, letter
from tests.mail.mails import body
from tests.shared.tables import sample


def played(at: Club) -> None:
    """Let everybody answer until no letter asks for anything."""
    for _ in range(300):
        answered = False
        for person in at.people:
            for each in at.unread.pop(person.address, []):
                offered = examples(each)
                order = "Pass" if "Pass" in offered else offered[0] if offered else ""
                if "Reply `accept`" in body(each):
                    order = f"accept\nwords: swans of {person.name}"
                elif "eply `yes`" in body(each) and not offered:
                    order = "yes"
                if order:
                    at.deliver(person.reply(each, order))
                    answered = True
        if not answered:
            return
        at.work()


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sample(["second-edition-advanced", "claim"], 2))
def test_the_record_of_the_last_letter_is_verified(ruleset: str, tmp_path: Path) -> None:
    with club(tmp_path, 7, 2) as at:
        ann, bob = at.people
        at.deliver(ann.write(f"new game {ruleset} with {bob.name} <{bob.address}>", HOST))
        at.work()
        played(at)
        assert faults(at) == []
        last = {to: letter(mail) for to, mail, _ in at.sent if LAST.match(str(letter(mail)["Subject"]))}
        assert set(last) == {ann.address, bob.address}
        for to, mail in last.items():
            (record,) = [part for part in mail.walk() if str(part.get_filename() or "").endswith(".tkid")]
            file = tmp_path / f"{to}.tkid"
            content = record.get_payload(decode=True)
            assert isinstance(content, bytes)
            file.write_bytes(content)
            assert "swans of Bob" in content.decode()
            verified = tkid("verify", str(file))
            assert verified.exit_code == 0, verified.output
