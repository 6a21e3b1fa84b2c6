"""Makes fixtures/seals: test vectors of the procedure from entropy and words to a deal, for other implementations.

Run as `python -m tests.makers.seals`. `chance.json` has draws and shuffles from a stream; for each ruleset there is a file
of whole deals.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from tkid.games.struggle.record import has_equal_hands
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.setup import Deal
from tkid.kernel.chance import PREFIX, SPAN, Chance
from tkid.record.format.seal import compute_deal_seed, compute_seal
from tkid.rulebook.rulesets import ruleset

FOLDER = Path(__file__).parents[2] / "fixtures" / "seals"
RULESETS = ("second-edition", "second-edition-advanced", "first-edition", "first-edition-mordred")
"""The rulesets of which deals are written."""
ZERO, SEVEN = bytes(32), bytes([7] * 32)
WORDS = (
    ("the kettle is on", "seven grey geese", "no", "drizzle over Devon"),
    ("Żółw", "", "数えて 三", "a b: c = d"),
)
"""Words for four seats: plain ones; then letters of several bytes, none, and signs."""
DRAWN_FOR_TWO = (*range(42, 1, -1), *range(8, 1, -1), 2)
"""Below what is drawn in a deal of the second edition's basic game for two: bag, track, start player."""
REJECTING = 4_771_941
"""What `rejecting(DRAWN_FOR_TWO)` finds."""

REDRAWN = {2: (1, 27), 3: (4, 19, 329), 4: (4, 9, 19, 251)}
"""By number of players, entropy from which courts of the first edition are drawn again: once, twice and so on."""


def rejecting(drawn: Sequence[int]) -> int:
    """The first number whose 32 bytes, big-endian, give a stream of which these draws reject a word. Takes a minute."""
    limits = [SPAN - SPAN % n for n in drawn]
    for number in count():
        for block in range(-(-len(limits) // 8)):
            words = sha256(PREFIX + number.to_bytes(32, "big") + block.to_bytes(8, "big")).digest()
            read = (int.from_bytes(words[at : at + 4], "big") for at in range(0, 32, 4))
            if b"\xff\xff\xff" in words and any(map(int.__ge__, read, limits[8 * block :])):
                return number
    raise AssertionError


def chance_vectors() -> Iterator[dict[str, Any]]:
    """Draws one after the other, and shuffles, each from the start of a stream."""
    yield drawn(ZERO, 2, 3, 8, 42, 1, 6, 52, 1000, 2**31, 2**32)
    yield drawn(SEVEN, *[3 * 2**30] * 12)  # every fourth word is rejected
    first = Chance(SEVEN).draw_below(SPAN)
    yield drawn(SEVEN, first)  # the first word is the limit itself, and rejected
    yield drawn(SEVEN, first + 1)  # it is right below the limit, and taken
    yield drawn(REJECTING.to_bytes(32, "big"), *DRAWN_FOR_TWO)
    for length in (1, 2, 8, 42):
        yield {"seed": SEVEN.hex(), "shuffled": Chance(SEVEN).shuffle(range(length))}


def drawn(of: bytes, *below: int) -> dict[str, Any]:
    """Draws from a stream."""
    chance = Chance(of)
    return {"seed": of.hex(), "draws": [{"below": n, "drawn": chance.draw_below(n)} for n in below]}


def deal_vectors(game: Struggle) -> Iterator[dict[str, Any]]:
    """Whole deals, from entropy and words on."""
    for players in (2, 3, 4):
        for entropy, words in ((ZERO, ("",) * 4), (SEVEN, ("",) * 4), *((SEVEN, spoken) for spoken in WORDS)):
            yield deal_vector(game, entropy, words[:players])
    yield deal_vector(game, REJECTING.to_bytes(32, "big"), ("", ""))
    for players, numbers in REDRAWN.items() if game.setup.redraw else ():
        for number in numbers:
            yield deal_vector(game, number.to_bytes(32, "big"), ("",) * players)


def deal_vector(game: Struggle, entropy: bytes, words: tuple[str, ...]) -> dict[str, Any]:
    """A deal with all that it comes from."""
    dealt_from = compute_deal_seed(entropy, words)
    return {
        "entropy": entropy.hex(),
        "words": list(words),
        "seal": compute_seal(entropy).hex(),
        "seed": dealt_from.hex(),
        "deal": deal_json(game, game.deal(len(words), dealt_from)),
    }


def deal_json(game: Struggle, deal: Deal) -> dict[str, Any]:
    """A deal with the keys of the position JSON; without hands where everybody holds the same."""
    codes = [region.code for region in game.board.regions]
    told = {
        "regions": {code: counts(game, group) for code, group in zip(codes, deal.regions, strict=True)},
        "supply": counts(game, deal.supply),
        "courts": [counts(game, court) for court in deal.courts],
        "track": [codes[region] for region in deal.track],
        "first": deal.first,
    }
    return told if has_equal_hands(game, deal.hands) else {**told, "hands": [list(hand) for hand in deal.hands]}


def counts(game: Struggle, followers: Followers) -> dict[str, int]:
    """Followers by faction."""
    return {faction.letter: n for faction, n in zip(game.board.factions, followers, strict=True)}


def texts() -> dict[str, str]:
    """What belongs into each file: a vector on each line."""
    deals = {f"{code}.json": listed(deal_vectors(ruleset(code).game())) for code in RULESETS}
    return {"chance.json": listed(chance_vectors()), **deals}


def listed(vectors: Iterator[dict[str, Any]]) -> str:
    """Vectors as a JSON list."""
    lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors)
    return f"[\n{lines}\n]\n"


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
