"""The end of a game at a host: whatever ends it, everybody who played gets one last mail, with the whole game and a proof."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from tests.cli import tkid
from tests.host.test_crashes import killed, stands
from tests.host.year.players import TIME, address, game, host, letters, play, reply, work
from tests.mail.mails import body, parsed
from tests.shared.tables import each_row, sample
from tkid.host.service import Host
from tkid.host.transports import Maildir
from tkid.kernel.game import HIDDEN
from tkid.mail import game_service
from tkid.record.clock_notes import Ended, StandIn
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record


def attached(mail: EmailMessage) -> dict[str, str]:
    """The files of a letter, by name."""
    return {
        str(part.get_filename()): str(part.get_content()) for part in mail.iter_attachments() if part.get_filename()
    }


def last_letters(folder: Path, names: tuple[str, ...]) -> dict[str, list[EmailMessage]]:
    """The letters about the end that each player has got and not read."""
    return {name: [mail for mail in letters(folder, name) if "Game over" in mail["Subject"]] for name in names}


class Table:
    """A game at a host, of which every player has read the first letter."""

    def __init__(self, at: Host, folder: Path, record: Record) -> None:
        self.at, self.folder, self.names = at, folder, record.names
        at.open_game("game", record, TIME)
        at.send_letters(TIME)
        self.first = {name: letters(folder, name)[0] for name in self.names}
        self.number = 0

    def mail(self, name: str, *lines: str) -> None:
        """A mail from a player in answer to the first letter, and what comes of it."""
        self.number += 1
        Maildir(self.folder / "in").add_mail(reply(self.first[name], "\n".join(lines), name, self.number))
        work(self.at, self.folder)
        if lines == ("resign",):
            asked = next(mail for mail in letters(self.folder, name) if "Do you want to resign?" in body(mail))
            Maildir(self.folder / "in").add_mail(reply(asked, "yes", name, 100 + self.number))
            work(self.at, self.folder)


def ended_by_draw(table: Table) -> None:
    for name in table.names:
        table.mail(name, "agree draw")


def ended_by_abandoning(table: Table) -> None:
    for name in table.names:
        table.mail(name, "agree abandon")


def ended_by_resigning(table: Table) -> None:
    """All but the party of the last one give up."""
    for name in {2: ("Ann",), 3: ("Ann", "Bob"), 4: ("Ann", "Cal")}[len(table.names)]:
        table.mail(name, "resign")


def ended_by_the_host(table: Table) -> None:
    """The keeper of the host aborts the game."""
    line = Ended("aborted", TIME, (), "nobody answers")
    table.at.change_game("game", lambda hosted: game_service.publish_change(hosted, hosted.with_line(line), (), TIME))
    table.at.send_letters(TIME)


def dealt(code: str, players: int) -> Record:
    """A sealed game, to whose seal nobody has added words."""
    return game(players, players, code)


def accepted(folder: Path, text: str) -> str:
    """What `tkid verify` says of a game file, which `tkid check` accepts as well."""
    file = folder / "over.tkid"
    file.write_text(text, "utf-8")
    checked = tkid("check", str(file))
    assert checked.exit_code == 0, checked.output
    verified = tkid("verify", str(file))
    assert verified.exit_code == 0, verified.output
    return verified.output


@pytest.mark.slow
@each_row(
    ("code", "players", "how", "subject"),
    [
        ("second-edition", 2, ended_by_draw, "draw agreed"),
        ("second-edition-advanced", 2, ended_by_draw, "draw agreed"),
        ("second-edition-advanced", 3, ended_by_resigning, "Cal won"),
        ("second-edition-advanced", 4, ended_by_abandoning, "abandoned"),
        ("second-edition-advanced", 4, ended_by_resigning, "Bob and Dee won"),
        ("digest-advanced", 2, ended_by_abandoning, "abandoned"),
        ("digest-advanced", 3, ended_by_draw, "draw agreed"),
        ("claim", 2, ended_by_draw, "draw agreed"),
        ("claim", 2, ended_by_resigning, "Bob won"),
        ("claim", 2, ended_by_the_host, "aborted by the host"),
        ("second-edition-advanced", 3, ended_by_the_host, "aborted by the host"),
    ],
)
def test_everybody_gets_the_whole_game_once(
    code: str, players: int, how: Callable[[Table], None], subject: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("host")
    record = dealt(code, players)
    with host(folder) as at:
        table = Table(at, folder, record)
        how(table)
        stored = at.store.get_game("game")
        assert stored is not None
        assert stored.over
        for name, last in last_letters(folder, record.names).items():
            (mail,) = last
            won = name in subject
            shown = "you" if won and subject == f"{name} won" else ""
            assert mail["Subject"].partition("Game over: ")[2].startswith(shown or ("you and" if won else subject))
            text = " ".join(body(mail).split())
            assert "Proven: the deal is the one that was sealed" in text
            assert "no player added words to the seal" in text
            assert "Reply `rematch` to invite" in text
            files = attached(mail)
            page, file = files[f"{record.title}.html"], files[f"{record.title}.tkid"]
            assert "<html" in page
            read = read_record(file.encode())
            assert read.record is not None
            assert read.record.deal == record.deal
            assert "The entropy fits the seal." in accepted(folder, file)


@pytest.mark.slow
@pytest.mark.parametrize("code", sample(["second-edition-advanced", "claim"], 2))
def test_a_game_played_to_its_end(code: str, tmp_path: Path) -> None:
    """One last letter each, whoever played the last turn; nothing hidden was in any letter before."""
    record = dealt(code, 2)
    with host(tmp_path) as at:
        at.open_game("game", record, TIME)
        at.send_letters(TIME)
        play(tmp_path, at, Random(3), passing=0.7)
    for name in record.names:
        box = [parsed(file.read_bytes()) for file in sorted((tmp_path / "out" / address(name) / "cur").iterdir())]
        last = [mail for mail in box if "Game over" in mail["Subject"]]
        assert len(last) == 1, name
        assert "The entropy fits the seal." in accepted(tmp_path, attached(last[0])[f"{record.title}.tkid"])
        files = [attached(mail).get(f"{record.title}.tkid") for mail in box if mail not in last]
        assert any(files)
        for text in filter(None, files):
            known = read_record(text.encode()).record
            assert known is not None
            assert known.deal is not None
            assert sum(HIDDEN in hand for hand in known.deal.hands) == 1
            assert "entropy:" not in text


@pytest.mark.slow
def test_who_resigned_was_replaced_or_wished_for_few_mails_gets_it_too(tmp_path: Path) -> None:
    record = dealt("second-edition-advanced", 4)
    with host(tmp_path) as at:
        table = Table(at, tmp_path, record)
        table.mail("Ann", "resign")
        stand_in = StandIn(1, "Eve", TIME, "eve@example.org")
        at.change_game("game", lambda hosted: game_service.apply_owner_note(hosted, stand_in, TIME))
        bot = StandIn(2, "Merlin", TIME, bot=True)
        at.change_game("game", lambda hosted: game_service.apply_owner_note(hosted, bot, TIME))
        at.send_letters(TIME)
        table.mail("Dee", "notify my turns", "agree draw")
        (asked,) = [mail for mail in letters(tmp_path, "Eve") if "proposes" in str(mail["Subject"])]
        Maildir(tmp_path / "in").add_mail(reply(asked, "agree draw", "Eve", 9))
        work(at, tmp_path)
        found = last_letters(tmp_path, (*record.names, "Eve"))
        assert {name: len(mails) for name, mails in found.items()} == dict.fromkeys((*record.names, "Eve"), 1)
        assert "At the end, Eve played your seat." in body(found["Bob"][0])
        assert "Reply `rematch` to invite Eve, Merlin and Dee" in " ".join(body(found["Ann"][0]).split())
        assert "At the end, a bot played your seat." in body(found["Cal"][0])
        assert found["Bob"][0]["Reply-To"] is None
        for mails in found.values():
            assert f"{record.title}.html" in attached(mails[0])


def test_after_the_end_everything_shows_and_nothing_is_taken_back(tmp_path: Path) -> None:
    record = dealt("second-edition-advanced", 2)
    with host(tmp_path) as at:
        table = Table(at, tmp_path, record)
        ended_by_draw(table)
        (last,) = last_letters(tmp_path, ("Ann",))["Ann"]
        assert len(letters(tmp_path, "Bob")) == 2
        for number, (order, said) in enumerate(
            [("history", "Everybody agreed to a draw."), ("why", "agreed to a draw"), ("status", "agreed to a draw")]
        ):
            Maildir(tmp_path / "in").add_mail(reply(last, order, "Ann", 50 + number))
            work(at, tmp_path)
            (answer,) = letters(tmp_path, "Ann")
            assert said in " ".join(body(answer).split())
            assert letters(tmp_path, "Bob") == []
        table.mail("Ann", "undo?")
        (answer,) = letters(tmp_path, "Ann")
        assert "Not done: the game is over" in " ".join(body(answer).split())


@pytest.mark.slow
def test_killed_at_the_steps_of_the_end(tmp_path: Path) -> None:
    """The mail that ends a game, on a host that is killed at every fourth step that writes: the same letters, each once."""
    record = dealt("second-edition-advanced", 2)
    before = tmp_path / "before"
    before.mkdir()
    with host(before) as at:
        table = Table(at, before, record)
        table.mail("Ann", "agree draw")
        mail = reply(table.first["Bob"], "agree draw", "Bob", 7)
    Maildir(before / "in").add_mail(mail)
    calm = tmp_path / "calm"
    shutil.copytree(before, calm)
    with host(calm) as at:
        work(at, calm)
    wanted = stands(calm)
    assert "# ended: draw, agreed by Ann and Bob" in wanted[0]
    folder, step, again = tmp_path / "killed", 0, True
    while again:
        step += 4
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(before, folder)
        again = killed(folder, step)
        with host(folder) as at:
            work(at, folder)
        assert stands(folder) == wanted, step
    assert step > 10
