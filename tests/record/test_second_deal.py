"""A second implementation of deals without a dealer, from the page alone: it agrees with the vectors, and refuses what is false."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha512
from pathlib import Path
from random import Random
from secrets import randbits
from typing import Any

import pytest

from tests.record.second_deal import curve
from tests.record.second_deal.curve import BASE, BASE_TABLE, L, P, RefusedError
from tests.record.second_deal.deal import HANDS, Owner, Player, Proof, Unlock, check_lock, check_unlock, deal_order
from tests.record.second_deal.text import (
    LETTERS,
    Deal,
    audit,
    check,
    check_of,
    check_unlocks,
    hand,
    new,
    parse,
    read,
    write,
)
from tests.shared.tables import each_row

DEALS = Path(__file__).parents[2] / "fixtures" / "deals"
HEADER = "Tkid-Deal: 1\nRuleset: second-edition-advanced\nGame: attacks\nSeat: Ann <ann@example.org>\nSeat: Bob\n"

# ---------------------------------------------------------------------------------------------------------------- the curve


@each_row(
    "secret, public",
    [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        ),
    ],
)
def test_public_keys_of_rfc_8032(secret: str, public: str) -> None:
    """Both ways to multiply give the public keys of RFC 8032, 7.1, and these can be read again."""
    number = int.from_bytes(sha512(bytes.fromhex(secret)).digest()[:32], "little")
    scalar = (number & (1 << 254) - 8 | 1 << 254) % L
    assert curve.encode(BASE_TABLE.times(scalar)).hex() == public
    assert curve.encode(curve.multiply(scalar, BASE)).hex() == public
    assert curve.encode(curve.decode(bytes.fromhex(public))).hex() == public


@each_row("scalar", [1, 2, 7, 8, 9, 15, 16, 17, 2**252, L - 1])
def test_multiples_at_the_edges_of_the_digits(scalar: int) -> None:
    """Small multiples are sums, and large ones are what is missing to the neutral element."""
    plain = curve.NEUTRAL
    for bit in f"{scalar:b}":
        plain = curve.double(plain)
        plain = curve.add(plain, BASE) if bit == "1" else plain
    assert curve.encode_all([BASE_TABLE.times(scalar), curve.multiply(scalar, BASE)]) == [curve.encode(plain)] * 2
    rest = curve.add(plain, BASE_TABLE.times(L - scalar))
    assert curve.is_neutral(rest)


def number(value: int) -> bytes:
    """A number as 32 bytes."""
    return value.to_bytes(32, "little")


EIGHTH = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
POINTS = [
    ("neutral", number(1), "neutral element"),
    ("order 2", number(P - 1), "prime order"),
    ("order 4", number(0), "prime order"),
    ("order 4, other sign", number(1 << 255), "prime order"),
    ("order 8", EIGHTH, "prime order"),
    ("order 8, other sign", number(int.from_bytes(EIGHTH, "little") | 1 << 255), "prime order"),
    ("order 8, other half", number(P - int.from_bytes(EIGHTH, "little")), "prime order"),
    ("base and order 8", curve.encode(curve.add(BASE, curve.decode_any(EIGHTH))), "prime order"),
    ("base and order 2", curve.encode(curve.add(BASE, curve.decode_any(number(P - 1)))), "prime order"),
    ("neutral with a sign", number(1 | 1 << 255), "sign"),
    ("order 2 with a sign", number(P - 1 | 1 << 255), "sign"),
    ("y of p", number(P), "not below"),
    ("y of p + 1", number(P + 1), "not below"),
    ("y of p + 1 with a sign", number(P + 1 | 1 << 255), "not below"),
    ("largest y", number(2**255 - 1), "not below"),
    ("not on the curve", number(2), "not on the curve"),
    ("too short", bytes(31), "32 bytes"),
    ("too long", curve.encode(BASE) + b"\0", "32 bytes"),
]


@each_row("case, data, reason", POINTS)
def test_points_that_are_refused(case: str, data: bytes, reason: str) -> None:
    """Each kind of point that is not valid is refused, with its reason."""
    assert case
    with pytest.raises(RefusedError, match=reason):
        curve.decode(data)


@each_row("data", [number(0), number(L), number(L + 1), b"\xff" * 32, number(1)[:31], number(1) + b"\0"])
def test_scalars_that_are_refused(data: bytes) -> None:
    """Scalars are from 1 to L - 1, in 32 bytes."""
    with pytest.raises(RefusedError, match="scalar"):
        curve.decode_scalar(data)


# -------------------------------------------------------------------------------------------------------------- whole deals

MORE = [
    *[pytest.param(name, marks=pytest.mark.exhaustive) for name in ("three", "digest", "four", "claim")],
]


@pytest.mark.parametrize("name", ["two", *MORE])
def test_vectors(name: str) -> None:
    """Every vector comes out, and the text of the deal is verified and written again."""
    vectors = json.loads((DEALS / f"{name}.json").read_text())
    data = (DEALS / f"{name}.deal").read_bytes()
    deal = parse(data)
    check(deal)
    assert len(deal.seeds) == len(deal.names), "a whole deal ends with the seeds"
    assert deal.terms.hex() == vectors["terms"]
    assert deal.entropy.hex() == vectors["entropy"]
    assert [(card["card"], card["point"]) for card in vectors["cards"]] == [
        (card, point.hex()) for card, point in zip(deal.cards, deal.start, strict=True)
    ]
    before = deal.start
    for seat, expected in enumerate(vectors["players"]):
        assert player_of(deal, seat, before) == expected
        before = deal.decks[seat]
    lines = [" ".join(line.split()) for line in data.decode().splitlines()]
    assert write(deal).splitlines() == lines
    assert_partition(deal, deal.seeds)


def player_of(deal: Deal, seat: int, before: tuple[bytes, ...]) -> dict[str, Any]:
    """What the vectors say about a player, computed from the seed."""
    player = Player(deal.terms, deal.names[seat], deal.seeds[seat], before)
    owner, (scalar, order) = player.owner(), player.round(0)
    first = seat * HANDS[deal.ruleset]  # the own first card, when all others have unlocked it
    dealt = deal.unlocks[: len(deal_order(deal.ruleset, len(deal.names)))]
    unlock = player.unlock(first, [unlock.point for unlock in dealt if unlock.place == first][-1])
    return {
        "name": player.name,
        "seed": player.seed.hex(),
        "key": number(player.key).hex(),
        "public": owner.public.hex(),
        "order": list(player.order),
        "nonce": player.nonce.hex(),
        "commitment": owner.commitment.hex(),
        "nonce_commitment": owner.nonce_commitment.hex(),
        "round_0": {"scalar": number(scalar).hex(), "order": list(order)},
        "challenge": deal.proofs[seat].challenge.hex(),
        "deck": [point.hex() for point in deal.decks[seat]],
        "unlock": {
            "place": unlock.place,
            "point": unlock.point.hex(),
            "e": number(unlock.e).hex(),
            "z": number(unlock.z).hex(),
        },
        "hand": hand(deal, player.name, player.seed),
    }


def assert_partition(deal: Deal, seeds: list[bytes]) -> None:
    """The orders of all players put every card at one place, and the hands are those of the first places."""
    order, before = list(range(len(deal.cards))), deal.start
    for name, seed, deck in zip(deal.names, seeds, deal.decks, strict=True):
        order = [order[place] for place in Player(deal.terms, name, seed, before).order]
        before = deck
    cards = [deal.cards[number] for number in order]
    assert Counter(cards) == Counter(deal.cards)
    hands = [card for name, seed in zip(deal.names, seeds, strict=True) for card in hand(deal, name, seed)]
    assert hands == cards[: len(hands)]


@pytest.mark.parametrize(
    "players",
    [pytest.param(n, marks=pytest.mark.exhaustive) for n in (2, 3, 4)],
)
def test_deals_of_our_own(players: int) -> None:
    """A deal from any seeds is verified, with the seeds and without, and its hands lie in one deck."""
    origin = randbits(32)
    print("seed", origin)  # noqa: T201 - to run it again
    seeds = [Random(origin + seat).randbytes(32) for seat in range(players)]
    names = ["Ann", "Bob Lee", "Çelik", "Dee"][:players]
    seats = "".join(f"Seat: {name} <{number}@example.org>\n" for number, name in enumerate(names))
    deal = new(f"Tkid-Deal: 1\nRuleset: second-edition-advanced\n{seats}Ruling: a\nRuling: b\n", seeds)
    check(deal)
    assert_partition(deal, seeds)
    assert parse(write(deal).encode()) == deal
    assert parse(write(replace(deal, seeds=seeds)).encode()).seeds == seeds
    audit(deal, deal.owners[-1], seeds[-1])


# ------------------------------------------------------------------------------------------------------------------ attacks


@cache
def honest() -> Deal:
    """A deal of two, from known seeds."""
    return new(HEADER, [b"a" * 32, b"b" * 32])


def other() -> Deal:
    """A deal of the same players and seeds in another game."""
    return new_other(HEADER.replace("attacks", "another"))


new_other = cache(lambda header: new(header, [b"a" * 32, b"b" * 32]))


def swapped(items: tuple[Any, ...], first: int, second: int) -> tuple[Any, ...]:
    """The items, two of them exchanged."""
    found = list(items)
    found[first], found[second] = found[second], found[first]
    return tuple(found)


def answer(proof: Proof, number: int, change: Callable[[Any], Any]) -> Proof:
    """A proof with one answer changed."""
    answers = list(proof.answers)
    answers[number] = change(answers[number])
    return replace(proof, answers=tuple(answers))


@cache
def small(terms: bytes) -> list[tuple[Owner, tuple[bytes, ...], Proof]]:
    """The locks of both players on the first three cards alone."""
    deck, found = honest().start[:3], []
    for name in ("Ann", "Bob"):
        player = Player(terms, name, name.encode() * 10, deck)
        deck, proof = player.lock()
        found.append((player.owner(), deck, proof))
    return found


Lock = tuple[bytes, Owner, tuple[bytes, ...], tuple[bytes, ...], Proof]
NOT_OUT = "challenge does not come out"
LOCKS: list[tuple[str, Callable[[Lock], Lock], str]] = [
    ("other terms", lambda x: (other().terms, *x[1:]), NOT_OUT),
    ("other name", lambda x: (x[0], replace(x[1], name="Cal"), *x[2:]), NOT_OUT),
    ("other commitment", lambda x: (x[0], replace(x[1], commitment=b"x" * 32), *x[2:]), NOT_OUT),
    ("other nonce", lambda x: (x[0], replace(x[1], nonce_commitment=b"x" * 32), *x[2:]), NOT_OUT),
    ("other key", lambda x: (x[0], replace(x[1], public=small(x[0])[0][0].public), *x[2:]), NOT_OUT),
    ("small key", lambda x: (x[0], replace(x[1], public=number(P - 1)), *x[2:]), "prime order"),
    ("other deck before", lambda x: (*x[:2], honest().start[:3], *x[3:]), NOT_OUT),
    ("two points exchanged", lambda x: (*x[:3], swapped(x[3], 0, 1), x[4]), NOT_OUT),
    ("point copied", lambda x: (*x[:3], (x[3][1], *x[3][1:]), x[4]), NOT_OUT),
    ("point of the deck before", lambda x: (*x[:3], (x[2][0], *x[3][1:]), x[4]), NOT_OUT),
    ("point of small order", lambda x: (*x[:3], (EIGHTH, *x[3][1:]), x[4]), "prime order"),
    ("neutral point", lambda x: (*x[:3], (number(1), *x[3][1:]), x[4]), "neutral element"),
    ("point missing", lambda x: (*x[:3], x[3][1:], x[4]), "2 points"),
    ("deck not shuffled or locked", lambda x: (*x[:3], x[2], x[4]), NOT_OUT),
    ("proof of another game", lambda x: (*x[:4], small(other().terms)[1][2]), NOT_OUT),
    ("proof of another player", lambda x: (*x[:4], small(x[0])[0][2]), NOT_OUT),
    ("a bit of the challenge", lambda x: (*x[:4], replace(x[4], challenge=flip(x[4].challenge))), NOT_OUT),
    ("long challenge", lambda x: (*x[:4], replace(x[4], challenge=x[4].challenge + b"x")), "17 bytes"),
    ("round missing", lambda x: (*x[:4], replace(x[4], answers=x[4].answers[1:])), "127 rounds"),
    ("rounds exchanged", lambda x: (*x[:4], replace(x[4], answers=swapped(x[4].answers, 0, 1))), NOT_OUT),
    ("scalar plus 1", lambda x: (*x[:4], answer(x[4], 127, lambda a: (a[0] + 1, a[1]))), NOT_OUT),
    ("negated scalar", lambda x: (*x[:4], answer(x[4], 0, lambda a: (L - a[0], a[1]))), NOT_OUT),
    ("scalar of 0", lambda x: (*x[:4], answer(x[4], 0, lambda a: (0, a[1]))), "scalar of round 1"),
    ("scalar plus L", lambda x: (*x[:4], answer(x[4], 127, lambda a: (a[0] + L, a[1]))), "scalar of round 128"),
    ("another order", lambda x: (*x[:4], answer(x[4], 5, lambda a: (a[0], swapped(a[1], 0, 1)))), NOT_OUT),
    ("no order", lambda x: (*x[:4], answer(x[4], 5, lambda a: (a[0], (a[1][1], *a[1][1:])))), "order of round 6"),
    ("short order", lambda x: (*x[:4], answer(x[4], 5, lambda a: (a[0], a[1][1:]))), "order of round 6"),
    ("long order", lambda x: (*x[:4], answer(x[4], 5, lambda a: (a[0], (*a[1], 3)))), "order of round 6"),
]


def flip(data: bytes) -> bytes:
    """Bytes with the lowest bit of the first one changed."""
    return bytes([data[0] ^ 1]) + data[1:]


@pytest.mark.slow
@each_row("case, change, reason", LOCKS, parts=8, sampled=True)
def test_locks_that_are_refused(case: str, change: Callable[[Lock], Lock], reason: str) -> None:
    """Bob's lock is good, and refused with anything altered."""
    terms = honest().terms
    (_, before, _), (owner, after, proof) = small(terms)
    good = (terms, owner, before, after, proof)
    assert change(good) != good, case
    with pytest.raises(RefusedError, match=reason):
        check_lock(*change(good))


def test_the_lock_that_is_altered() -> None:
    """Both locks are good before they are altered."""
    terms, deck = honest().terms, honest().start[:3]
    for owner, locked, proof in small(terms):
        check_lock(terms, owner, deck, locked, proof)
        deck = locked


Step = tuple[bytes, bytes, bytes, Unlock]
UNLOCKS: list[tuple[str, Callable[[Step], Step], str]] = [
    ("other terms", lambda x: (other().terms, *x[1:]), "come out"),
    ("other key", lambda x: (x[0], honest().owners[0].public, *x[2:]), "come out"),
    ("other point", lambda x: (*x[:2], honest().decks[1][1], x[3]), "come out"),
    ("other name", lambda x: (*x[:3], replace(x[3], name="Ann")), "come out"),
    ("other place", lambda x: (*x[:3], replace(x[3], place=1)), "come out"),
    ("other result", lambda x: (*x[:3], replace(x[3], point=honest().decks[0][1])), "come out"),
    (
        "negated result",
        lambda x: (*x[:3], replace(x[3], point=x[3].point[:-1] + bytes([x[3].point[-1] ^ 128]))),
        "come",
    ),
    ("neutral result", lambda x: (*x[:3], replace(x[3], point=number(1))), "neutral element"),
    ("small result", lambda x: (*x[:3], replace(x[3], point=EIGHTH)), "prime order"),
    ("e plus 1", lambda x: (*x[:3], replace(x[3], e=x[3].e + 1)), "come out"),
    ("z plus 1", lambda x: (*x[:3], replace(x[3], z=x[3].z + 1)), "come out"),
    ("e plus L", lambda x: (*x[:3], replace(x[3], e=x[3].e + L)), "scalar"),
    ("z plus L", lambda x: (*x[:3], replace(x[3], z=x[3].z + L)), "scalar"),
    ("e of 0", lambda x: (*x[:3], replace(x[3], e=0)), "scalar"),
    ("z of 0", lambda x: (*x[:3], replace(x[3], z=0)), "scalar"),
    ("exchanged", lambda x: (*x[:3], replace(x[3], e=x[3].z, z=x[3].e)), "come out"),
    ("unlock of another game", lambda x: (*x[:3], other().unlocks[0]), "come out"),
]


@each_row("case, change, reason", UNLOCKS)
def test_unlocks_that_are_refused(case: str, change: Callable[[Step], Step], reason: str) -> None:
    """Bob's first unlock is good, and refused with anything altered."""
    deal = honest()
    good = (deal.terms, deal.owners[1].public, deal.decks[1][0], deal.unlocks[0])
    check_unlock(*good)
    assert change(good) != good, case
    with pytest.raises(RefusedError, match=reason):
        check_unlock(*change(good))


def played(deal: Deal, name: str, place: int) -> Unlock:
    """The unlock of a card that is played from a hand."""
    seat = deal.names.index(name)
    player = Player(deal.terms, name, b"ab"[seat : seat + 1] * 32, deal.decks[seat - 1] if seat else deal.start)
    return player.unlock(place, deal.point_at(place))


def with_unlocks(deal: Deal, unlocks: list[Unlock]) -> Deal:
    """The deal with other unlocks."""
    return replace(deal, unlocks=unlocks)


COURSES: list[tuple[str, Callable[[Deal], list[Unlock]], str]] = [
    ("exchanged", lambda deal: list(swapped(tuple(deal.unlocks), 0, 1)), "not the next one"),
    ("one left out", lambda deal: deal.unlocks[1:], "not the next one"),
    ("the own hand at once", lambda deal: [*deal.unlocks[:3], played(deal, "Ann", 0)], "not the next one"),
    ("the same twice", lambda deal: [*deal.unlocks, deal.unlocks[0]], "twice"),
    ("played twice", lambda deal: [*deal.unlocks, played(deal, "Ann", 0), played(deal, "Ann", 0)], "twice"),
]


@pytest.mark.parametrize(("change", "reason"), [row[1:] for row in COURSES], ids=[row[0] for row in COURSES])
def test_courses_of_unlocks_that_are_refused(change: Callable[[Deal], list[Unlock]], reason: str) -> None:
    """Unlocks have the order of the deal, and come once."""
    deal = honest()
    with pytest.raises(RefusedError, match=reason):
        check_unlocks(with_unlocks(deal, change(deal)))


def test_a_card_that_is_played() -> None:
    """A played card ends at its point; a copied card is found when both are open."""
    deal = honest()
    card = played(deal, "Ann", 0)
    check_unlocks(with_unlocks(deal, [*deal.unlocks, card]))
    assert deal.cards[deal.start.index(card.point)] == hand(deal, "Ann", b"a" * 32)[0]
    copied = replace(deal, decks=[deal.decks[0], (deal.decks[1][0], deal.decks[1][0], *deal.decks[1][2:])], unlocks=[])
    seeds = [b"a" * 32, b"b" * 32]
    for seat, place in [(1, 0), (1, 1), (1, 2), (0, 3), (0, 4), (0, 5), (0, 0), (0, 1)]:
        assert seeds[seat]
        copied.unlocks.append(played(copied, copied.names[seat], place))
    with pytest.raises(RefusedError, match="at another place"):
        check_unlocks(copied)


TEXTS: list[tuple[str, Callable[[Deal], Deal], str]] = [
    ("the same key twice", lambda d: replace(d, owners=[d.owners[0], replace(d.owners[1], public=d.owners[0].public)]), "same key"),
    ("a copied commitment", lambda d: replace(d, owners=[d.owners[0], replace(d.owners[1], commitment=d.owners[0].commitment)]), "twice"),
    ("a key of small order", lambda d: replace(d, owners=[replace(d.owners[0], public=EIGHTH), d.owners[1]]), "prime order"),
    ("nonces exchanged", lambda d: replace(d, nonces=d.nonces[::-1]), "nonce"),
    ("seeds exchanged", lambda d: replace(d, seeds=[b"b" * 32, b"a" * 32]), "seed"),
    ("nobody's lock but the first", lambda d: replace(d, owners=d.owners[:1], decks=d.decks[:1], proofs=d.proofs[:1]), "not everybody"),
    ("a deck without a key", lambda d: replace(d, owners=d.owners[:1]), "not every player"),
]  # fmt: skip


@pytest.mark.slow
@each_row("case, change, reason", TEXTS, parts=2, sampled=True)
def test_deals_that_are_refused(case: str, change: Callable[[Deal], Deal], reason: str) -> None:
    """What is false only in the whole is refused too."""
    assert change(honest()) != honest(), case
    with pytest.raises(RefusedError, match=reason):
        check(change(honest()))


def test_a_seed_that_fits_only_its_commitment() -> None:
    """Whoever locks with another key than that of the seed is found when the seed is opened."""
    deal = honest()
    unlock = replace(deal.unlocks[0], z=(deal.unlocks[0].z + 1) % L)
    with pytest.raises(RefusedError, match="unlock of place 1 does not follow"):
        audit(with_unlocks(deal, [unlock]), deal.owners[1], b"b" * 32)
    with pytest.raises(RefusedError, match="deck or its proof does not follow"):
        audit(replace(deal, decks=[deal.decks[0], swapped(deal.decks[1], 0, 1)]), deal.owners[1], b"b" * 32)
    with pytest.raises(RefusedError, match="key or the nonce does not follow"):
        audit(
            replace(deal, owners=[deal.owners[0], replace(deal.owners[1], public=number(9))]), deal.owners[0], b"b" * 32
        )


HEADERS = [
    ("another version", HEADER.replace("Tkid-Deal: 1", "Tkid-Deal: 2")),
    ("no ruleset", HEADER.replace("Ruleset: second-edition-advanced\n", "")),
    ("a ruleset without secret cards", HEADER.replace("second-edition-advanced", "second-edition")),
    ("one player", HEADER.replace("Seat: Bob\n", "")),
    ("one name twice", HEADER.replace("Bob", "Ann")),
    ("five players", HEADER + "Seat: Cal\nSeat: Dee\nSeat: Eve\n"),
    ("rulings out of order", HEADER + "Ruling: b\nRuling: a\n"),
    ("a ruling twice", HEADER + "Ruling: a\nRuling: a\n"),
    ("a line that is none", HEADER + "Note: a\n"),
]


@each_row("case, header", HEADERS)
def test_headers_that_are_refused(case: str, header: str) -> None:
    """A header has its lines in order, and two to four players with names of their own."""
    Deal(HEADER)
    assert header != HEADER, case
    with pytest.raises(RefusedError):
        Deal(header)


# ------------------------------------------------------------------------------------------------------------------- bytes


def mutated(data: bytes, place: int, random: Random) -> bytes:
    """A text with one byte replaced, removed, or added."""
    added = random.choice([b"", random.randbytes(1), random.choice(b"\n #=A0 \t\r").to_bytes(1, "big")])
    return data[:place] + added + data[place + random.randrange(2) :]


@pytest.mark.parametrize("part", [0, *[pytest.param(part, marks=pytest.mark.exhaustive) for part in range(1, 100)]])
def test_mutated_bytes(part: int) -> None:
    """With any byte changed, a text is refused, or read as the same deal."""
    data, origin = (DEALS / "two.deal").read_bytes(), randbits(32)
    print("seed", origin)  # noqa: T201 - to run it again
    random, deal = Random(origin), parse(data)
    for place in [*range(part, len(data), 100), *range(len(data) - 5, len(data))]:
        text = mutated(data, place, random)
        try:
            found = parse(text)
        except RefusedError:
            continue
        assert found == deal, (place, text[place - 20 : place + 20])


def test_truncated_texts() -> None:
    """A text that ends anywhere is refused, unless it ends with a section or with a line of names or unlocks."""
    data, random = (DEALS / "two.deal").read_bytes(), Random(0)
    whole = parse(data)
    for end in [
        *random.sample(range(len(data)), 100),
        *[place for place in range(len(data)) if data[place - 1 : place] == b"\n"],
    ]:
        try:
            found = parse(data[:end])
        except RefusedError:
            continue
        ended = data[:end].removesuffix(b"\n").rsplit(b"\n\n", 1)[-1]
        assert data[:end].endswith(b"\n"), end
        assert ended.startswith((b"Tkid-Deal", b"Keys", b"Deck", b"Proof", b"Nonces", b"Unlocks", b"Seeds")), end
        for part in ("owners", "decks", "proofs", "nonces", "unlocks", "seeds"):
            assert getattr(found, part) == getattr(whole, part)[: len(getattr(found, part))], end


@pytest.mark.exhaustive(seconds=3)
def test_changed_letters_with_a_check_that_fits() -> None:
    """Whoever changes a letter of a line and makes its check anew is refused by the proofs."""
    origin = randbits(32)
    print("seed", origin)  # noqa: T201 - to run it again
    random, text = Random(origin), (DEALS / "two.deal").read_text()
    deal, lines = parse(text.encode()), text.splitlines()
    heading, refused = "", 0
    starts = [number for number, line in enumerate(lines) if lines[number - 1] == "" and number]
    for number in random.sample([n for n, line in enumerate(lines) if "#" in line], 4):
        heading = lines[max(start for start in starts if start < number)]
        cells = lines[number].split()[:-1]
        cell = random.randrange(1, len(cells))
        place = random.randrange(len(cells[cell]))
        letter = random.choice([each for each in LETTERS if each != cells[cell][place]])
        cells[cell] = cells[cell][:place] + letter + cells[cell][place + 1 :]
        line = " ".join(cells)
        forged = [*lines[:number], f"{line} #{check_of(deal.terms, heading, line)}", *lines[number + 1 :]]
        with pytest.raises(RefusedError):
            read("".join(each + "\n" for each in forged).encode())
        refused += 1
    assert refused == 4
