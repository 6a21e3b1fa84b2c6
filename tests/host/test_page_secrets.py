"""No secret is published: two deals that a spectator cannot tell apart give the same bytes, in every ruleset with secrets."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from tests.club.clubs import START, hosted, keep
from tests.host.sites import ANN, BOB, NOW, SECRET, club
from tkid.club.game_facts import Cast, collect_game_facts
from tkid.club.members import Member
from tkid.club.site import Club, list_published_turns, write_turn_event
from tkid.host.page_facts import Roster
from tkid.kernel.game import HIDDEN
from tkid.mail.hosted_game import HostedGame
from tkid.record.format.model import Header, Record
from tkid.record.format.seal import find_seal
from tkid.record.play.replay import replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import rulesets

WITH_SECRETS = [each.code for each in rulesets() if each.game().secret]
TRIES = 4000
TURNS = 7


def running(ruleset: str) -> HostedGame:
    """A game that goes on."""
    return hosted([ANN, BOB], ruleset, "A game", turns=TURNS, start=START + timedelta(days=60))


def known(record: Record) -> str:
    """What a spectator may know of a record."""
    shown = hide_secrets(replay(record), None)
    return write_record(shown.record, shown)


def swapped(rng: Random, deal: Any) -> Any:
    """A deal in which two cards have changed places, in hands and deck."""
    piles = [*deal.hands, *([deal.deck] if hasattr(deal, "deck") else [])]
    one, two = rng.sample(range(len(piles)), 2)
    cards = [list(pile) for pile in piles]
    here, there = rng.randrange(len(cards[one])), rng.randrange(len(cards[two]))
    cards[one][here], cards[two][there] = cards[two][there], cards[one][here]
    hands = tuple(map(tuple, cards[: len(deal.hands)]))
    changes: dict[str, Any] = {"hands": hands}
    if hasattr(deal, "deck"):
        changes["deck"] = tuple(cards[-1])
    return evolve(deal, **changes)


def twin_of(rng: Random, record: Record) -> Record:
    """A record with other cards in hand that a spectator cannot tell from this one."""
    due, hands = known(record), replay(record).position.hands
    for _ in range(TRIES):
        twin = evolve(record, deal=swapped(rng, record.deal))
        if twin.game.find_faults(twin.deal):
            continue
        played = replay(twin)
        if not played.problems and played.position.hands != hands and known(twin) == due:
            return twin
    raise AssertionError("no twin was found")


def remarked(record: Record, remark: str) -> Record:
    """The record with a remark wherever its keeper may write one."""
    headers = (*(evolve(header, comments=(f"# {remark}",)) for header in record.headers), Header("X-Remark", remark))
    turns = tuple(evolve(turn, notes=(*turn.notes, remark), comments=(f"# {remark}",)) for turn in record.turns)
    return evolve(record, headers=headers, turns=turns, end=(f"# {remark}", f"# host: 2026-12-30T09:00Z: {remark}"))


def published(folder: Path, record: Record, memory: HostedGame) -> dict[str, bytes]:
    """All that is published of a game, calendars too."""
    folder.mkdir()
    with club(folder, url="https://club.example/", covers=True) as site:
        keep(site.store, {"a-game": HostedGame(replay(record), memory.memory)})
        site.member(Member("ann@example.org", "Ann Archer", secret="a" * 26))
        site.member(Member("bob@example.org", "Bob Baker", secret="b" * 26))
        site.publish()
        return site.files()


def told(record: Record) -> list[str | None]:
    """What webhooks tell of every turn of a game."""
    names = tuple(seat.name for seat in record.seats)
    facts, shown = collect_game_facts(replay(record), Cast(names), "a-game", [""] * len(names))
    return [write_turn_event(Club(), facts, shown, number) for number in list_published_turns(shown)]


@pytest.fixture(params=WITH_SECRETS)
def game(request: pytest.FixtureRequest) -> HostedGame:
    return running(request.param)


def test_there_are_rulesets_with_secrets() -> None:
    assert {"second-edition-advanced", "digest-advanced", "claim"} <= set(WITH_SECRETS)


@pytest.mark.slow
def test_twins_are_published_alike(game: HostedGame, tmp_path: Path) -> None:
    """Whoever keeps the records may have written into them whatever they like."""
    rng = Random(17)
    for number in range(3):
        twin = twin_of(rng, game.record)
        one = published(tmp_path / f"one-{number}", remarked(game.record, "Ann holds Plot"), game)
        two = published(tmp_path / f"two-{number}", remarked(twin, "Bob holds March"), game)
        assert one.keys() == two.keys()
        assert not [path for path in one if one[path] != two[path] and path != ".tkid-pages"]
        assert told(game.record) == told(twin)


def test_no_key_seed_or_address_is_published(game: HostedGame, tmp_path: Path) -> None:
    """Nor the seal, the entropy, the host's secret, a hash of the whole record, or who has which address."""
    files = published(tmp_path / "site", remarked(game.record, "a remark"), game)
    stated = find_seal(game.record)
    assert stated is not None
    assert stated.entropy is not None
    hashes = {moment.hash for moment in game.replay.moments if moment.hash}
    secrets = [stated.entropy.hex(), stated.seal.hex(), SECRET.decode(), "example.org", "a remark", *hashes]
    for path, content in files.items():
        assert not [secret for secret in secrets if secret.encode() in content], path
    assert not [path for path in files if path.startswith(("records/", "replays/"))]


LEGEND = re.compile(rb'<g[^>]* data-part="legend".*?</g>', re.DOTALL)
"""The emblems of all cards of the ruleset, whoever has them."""


def test_no_card_in_hand_is_drawn_or_named(game: HostedGame, tmp_path: Path) -> None:
    """A card that is named was played, or lies open; a spectator's view hides all others."""
    shown = hide_secrets(game.replay, None).position
    assert all(card == HIDDEN for hand in shown.hands for card in hand if hand)
    files = published(tmp_path / "site", game.record, game)
    public = known(game.record)
    names = {str(card) for hand in game.replay.position.hands for card in hand}
    hidden = {name for name in names if len(name) > 3 and name not in public}
    for path, content in files.items():
        if not path.endswith((".png", ".css")):
            without = LEGEND.sub(b"", content)
            assert not [name for name in hidden if f">{name}<".encode() in without], path


def test_the_memory_of_the_publisher_is_not_published(tmp_path: Path) -> None:
    """It knows addresses."""
    game = running("claim")
    files = published(tmp_path / "site", game.record, game)
    memory = (tmp_path / "site" / "pages.db").read_bytes()
    assert b"ann@example.org" in memory
    assert not [path for path, content in files.items() if b"ann@" in content]
    assert Roster.make_roster(game).seats[0][0] == "ann@example.org"
    assert game.time.since is not None
    assert game.time.since < NOW
