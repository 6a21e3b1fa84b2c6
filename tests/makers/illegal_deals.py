"""Writes the letters in fixtures/illegal that break a rule about locked deals: `python -m tests.makers.illegal_deals`.

What is said of them is written by `python -m tests.cli.test_letter_illegal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve

from tests.record.locked_vectors import closed, locked_by, opened, seeds
from tkid.cli.files import SEED
from tkid.record import locked_cards
from tkid.record.draw import replace_value
from tkid.record.locked_deal import LockedDeal, make_locked_record
from tkid.record.locked_text import write_deal, write_deal_news
from tkid.record.play.replay import append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record

FOLDER = Path(__file__).parents[2] / "fixtures" / "illegal"
TWO, ANN, BOB = "two", 0, 1


def with_first_point(point: bytes) -> LockedDeal:
    """Bob's part, with another point at the first place of his deck."""
    honest = locked_by(TWO, 2)
    deck = honest.decks[BOB] or ()
    return evolve(honest, decks=replace_value(honest.decks, BOB, (point, *deck[1:])))


def with_anns_key() -> LockedDeal:
    """Bob's part, with Ann's public key."""
    honest = locked_by(TWO, 2)
    mine, theirs = honest.keys
    assert mine is not None
    assert theirs is not None
    return evolve(honest, keys=(mine, evolve(theirs, public=mine.public)))


def letters() -> Mapping[str, tuple[LockedDeal, str]]:
    """By the rule that is broken: Ann's file of the deal, and the letter."""
    first, both, whole = locked_by(TWO, 1), locked_by(TWO, 2), closed(TWO)
    text = write_deal(both)
    unlock = evolve(whole.unlocks[0], z=locked_cards.make_scalar(7))
    again = whole.names[BOB]
    return {
        "form": (first, text.replace(f"Deck {again}", "Deck Zoe")),
        "whole": (first, text.replace(f"Deck {again}\n1 ", f"Deck {again}\n1 A", 1)),
        "game": (first, write_deal(closed("digest"))),
        "point": (first, write_deal(with_first_point(bytes(32)))),
        "key": (first, write_deal(with_anns_key())),
        "lock": (
            first,
            write_deal(
                with_first_point(locked_cards.multiply_point(locked_cards.make_scalar(3), (both.decks[BOB] or ())[0]))
            ),
        ),
        "order": (first, write_deal_news(whole)),
        "unlock": (both, write_deal(evolve(whole, unlocks=(unlock, *whole.unlocks[1:])))),
        "nonce": (both, write_deal(evolve(whole, unlocks=(), nonces=(None, bytes(range(32)))))),
        "seed": (whole, write_deal(evolve(whole, seeds=(None, seeds(TWO)[ANN])))),
    }


def unshown() -> tuple[str, str]:
    """Ann's game file, and one in which Bob plays a secret card, without the line of the deal that shows it."""
    mine = replay(make_locked_record(closed(TWO), ANN, seeds(TWO)[ANN]))
    theirs = append(mine, "Pass") if mine.position.to_act == ANN else mine
    card = next(card for card in opened(TWO).deck.cards if card not in (mine.record.deal.hands[ANN]))
    played = next(turn for turn in theirs.record.game.legal(theirs.position) if getattr(turn, "card", "") == card)
    game = theirs.record.game
    position, _ = game.apply(theirs.position, played)
    moves = (played, *([next(iter(game.legal(position)))] if game.turn_continues(position) else []))
    after = append(theirs, moves)
    file = write_record(theirs.record, theirs)
    shown = hide_secrets(after, None)
    return file, write_record(shown.record, shown)


def main() -> None:
    """Write every folder but what is expected."""
    for rule, (mine, letter) in letters().items():
        folder = FOLDER / f"record.deal.{rule}"
        folder.mkdir(exist_ok=True)
        (folder / "game.deal").write_text(write_deal(mine), "utf-8")
        (folder / "letter.deal").write_text(letter, "utf-8")
        (folder / "game.seed").unlink(missing_ok=True)
        SEED.keep(folder / "game.deal", "Ann", seeds(TWO)[ANN])
    folder = FOLDER / "record.deal.play"
    folder.mkdir(exist_ok=True)
    game, letter = unshown()
    (folder / "game.tkid").write_text(game, "utf-8")
    (folder / "letter.tkid").write_text(letter, "utf-8")
    (folder / "game.deal").write_text(write_deal(closed(TWO)), "utf-8")
    (folder / "game.seed").unlink(missing_ok=True)
    SEED.keep(folder / "game.deal", "Ann", seeds(TWO)[ANN])


if __name__ == "__main__":
    main()
