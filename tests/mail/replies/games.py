"""The games that the replies are about, and the mails of ours that they answer."""

from __future__ import annotations

from functools import cache
from itertools import count
from random import Random

from attrs import evolve

from tests.games.struggle.shared.family import board, struggle
from tests.mail.mails import FOLDER, TIME, body, parsed
from tests.mail.replies.drafts import Parent
from tests.mail.typed import ordered
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Move, Play, Reveal
from tkid.kernel.game import fill_names
from tkid.mail import game_service
from tkid.mail.blocks import Letter
from tkid.mail.message import compose_mail
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.writer import write_record

SENDER = "tkid@localhost"

TABLES: dict[str, tuple[str, tuple[str, ...], str, frozenset[str]]] = {
    "four.tkid": (
        "second-edition",
        ("Ann <ann@example.org>", "Jürgen <juergen@example.org>", "Zoë <zoe@example.net>", "Олег <oleg@example.net>"),
        "Зимний король",
        frozenset({"Manoeuvre", "Outmanoeuvre", "Negotiate", "Assemble", "Scottish Support", "English Support"}),
    ),
    "cunning.tkid": (
        "second-edition-advanced",
        ("Bob <bob@example.org>", "Ann <ann@example.org>"),
        "foxes",
        frozenset({"March", "Quell", "Ambush", "Manoeuvre", "Outmanoeuvre", "Negotiate"}),
    ),
    "spies.tkid": (
        "second-edition-advanced",
        ("Zoë <zoe@example.net>", "Ann <ann@example.org>", "Bob <bob@example.org>"),
        "Spione & Könige",
        frozenset({"Spy", "Muster", "Influence", "Manoeuvre", "Outmanoeuvre"}),
    ),
    "edicts.tkid": (
        "second-edition-advanced",
        ("Ann <ann@example.org>", "Bob <bob@example.org>"),
        "",
        frozenset({"Suppress", "Edict", "Dispute", "Manoeuvre", "Outmanoeuvre", "Assemble"}),
    ),
    "plot.tkid": (
        "second-edition-advanced",
        ("Ann <ann@example.org>", "Bob <bob@example.org>"),
        "gunpowder",
        frozenset(),
    ),
}
"""The games made here: ruleset, players, title, and cards that Ann has to hold at her turn ("" for Plot alone)."""


def make(name: str) -> Replay:
    """A game with Ann to act after some random turns, holding the cards that are asked for: the first that is found."""
    code, players, title, wanted = TABLES[name]
    for seed in count():
        rng = Random(f"{name} {seed}")
        at = replay(new_record(code, players, rng.randbytes(32), title=title))
        if wanted and not any(wanted <= set(hand) for hand in at.position.hands):
            continue
        longest = rng.randint(4, 9) if wanted else 200
        while at.position.to_act is not None and len(at.record.turns) < longest + 4:
            acting = at.record.names[at.position.to_act] == "Ann"
            hand = at.position.hands[at.position.to_act]
            if not wanted and acting and at.position.decision == "plot":
                return at
            if wanted and acting and len(at.record.turns) >= longest and wanted <= set(hand) and _is_telling(at):
                return at
            at = append(at, _random_turn(at, rng))
            assert not at.problems
    raise AssertionError


def _is_telling(at: Replay) -> bool:
    """Whether a March and a Manoeuvre can be spied, where there are spies."""
    game, position = struggle(at.record.game), board(at.position)
    assert position.to_act is not None
    if "Spy" not in position.hands[position.to_act]:
        return True
    copied = {
        game.words.write_turn((move,)).partition(": ")[2].partition(" ")[0] for move in options(game, position, "Spy")
    }
    return {"March", "Manoeuvre"} <= copied


def _random_turn(at: Replay, rng: Random) -> str:
    """A turn by chance; a pass every third time."""
    game, position, moves = at.record.game, at.position, list[Move]()
    while not moves or position.decision == "summon":
        legal = game.legal(position)
        passing = position.decision == "play" and rng.random() < 0.3
        moves.append(PASS if passing else legal[rng.randrange(len(legal))])
        position, _ = game.play(position, moves[-1])
    return fill_names(game.words.write_turn(tuple(moves)), at.record.names)


def options(game: Struggle, position: Position, card: str) -> list[Move]:
    """The legal ways to play a card."""
    return [Play(card, resolution) for resolution in game.cards[card].ladder.list_options(position)]


def legal_turn(at: Replay, card: str, rng: Random) -> str:
    """A legal turn with a card, as it is written; `Plot` where that is to be decided, `Spy/CARD` for a card copied."""
    game, position = struggle(at.record.game), board(at.position)
    if card == "Pass":
        return "Pass"
    card, _, copied = card.partition("/")
    moves = (
        [m for m in game.legal(position) if isinstance(m, Reveal)] if card == "Plot" else options(game, position, card)
    )
    texts = [fill_names(game.words.write_turn((move,)), at.record.names) for move in moves]
    fitting = [
        move
        for move, text in zip(moves, texts, strict=True)
        if f": {copied}" in text or not copied
        if "nothing" not in text
    ]
    chosen: tuple[Move, ...] = (rng.choice(fitting),)
    assert not game.check(position, chosen[0])
    after, _ = game.play(position, chosen[0])
    if after.decision == "summon":
        chosen = (*chosen, rng.choice(list(game.legal(after))))
    return fill_names(game.words.write_turn(chosen), at.record.names)


@cache
def game(name: str) -> Replay:
    """A game of the fixtures, read from its file."""
    record = read_record((FOLDER / name).read_bytes()).record
    assert record is not None
    return replay(record)


def made(name: str) -> str:
    """The file of a game that is made here."""
    at = make(name)
    return write_record(at.record, at)


def earlier(at: Replay) -> Replay:
    """A game as it stood at the last turn but one of the player who is to act."""
    record, seat = at.record, at.position.to_act
    cut = max(index for index, turn in enumerate(record.turns) if turn.seat == seat)
    return replay(evolve(record, turns=record.turns[:cut], end=()))


def others(at: Replay) -> list[str]:
    """The players who are not of the party of the one who is to act, the next in turn first."""
    seat, names = at.position.to_act, at.record.names
    assert seat is not None
    party = next((party for party in at.record.game.parties[len(names)] if seat in party), (seat,))
    turns = [(seat + step) % len(names) for step in range(1, len(names))]
    return [names[other] for other in turns if other not in party]


def parent(at: Replay, kind: str = "turn") -> Parent:
    """The mail of ours that is answered: the turn mail, or our answer (`again`) to a turn that could not be played."""
    seat = at.position.to_act
    assert seat is not None
    letter = game_service.ask_for_turn(at, TIME)
    if kind == "again":
        wrong = ordered(game_service.open_without_host(at, seat), seat, "Manoeuvre S Mory <> E Devn; summon W Gwynedd")
        letter = game_service.receive_mail(game_service.open_without_host(at, seat), seat, wrong, TIME).letters[0]
    assert isinstance(letter, Letter)
    raw = compose_mail(at, letter, at.record.seats[seat].address, SENDER)
    mail = parsed(raw)
    return Parent(
        tuple(body(mail).rstrip("\n").split("\n")),
        str(mail["Subject"]),
        str(mail["Message-ID"]).strip(),
        str(mail["References"]).strip(),
        f"{at.record.names[seat]} <{at.record.seats[seat].address}>",
        raw,
    )
