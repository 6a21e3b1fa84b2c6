"""The deal and the seed next to a player's own game file, and hints for the next step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from tkid.cli.files import SEED, STDIN, read_bytes, write_atomically
from tkid.cli.game_source import find_known_hands, find_owner, infer_owner, open_to_change, seat_of
from tkid.cli.printing import DEAL, GAME, WRONG, as_typed, fail, print_doubt
from tkid.kernel.game import HIDDEN, NOBODY, Position, fill_names
from tkid.notation.names import list_names
from tkid.record.format.model import Record
from tkid.record.format.plugin import find_record_plugin
from tkid.record.play.replay import Replay, find_early_end, is_over, summarize_end
from tkid.render.plugin import find_render_plugin
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.mail.peer_letters import DealPart
    from tkid.record.locked_deal import LockedDeal

WORD = "The others decide whether they take your word for it, with `tkid letter read --agree`"
INSTEAD = (
    "Put your copy of it back, or ask a friend who keeps it. Otherwise play turns that show no secret card, "
    "resign with `tkid resign`, or ask the others in a mail to deal again."
)


def read_name_and_seed(game: Path, record: Record, deal: LockedDeal) -> tuple[str, bytes]:
    """Return whose file a game is, and the seed beside it, b"" if lost: then the file, the deal or a note says whose it is."""
    if SEED.get_file(game).exists():
        return SEED.read(game)
    hands = find_known_hands(record)
    unopened = [seat for seat in hands if deal.seeds[seat] is None]
    seat = next((own[0] for own in (hands, unopened) if len(own) == 1), None)
    seat = find_owner(game, record) if seat is None else seat
    if seat is None:
        way = f"`tkid me {as_typed(game)} NAME`"
        fail(f"{SEED.get_file(game)} is missing, so say whose file this is: {way}. [record.own]")
    return record.names[seat], b""


@cites("record.deal.seed")
def check_provable(file: Path, deal: LockedDeal, seat: int, played: Replay, outcome: str) -> None:
    """End the command where a turn needs the lost seed of a seat: to show a card, or to unlock one for the others.

    `file` is that of the deal, and `outcome` what became of the command. What ends the game the others may take on a player's word.
    """
    from tkid.record.locked_deal import list_cards_on_word, list_due_shares, list_unshown_cards

    word = list_cards_on_word(played, deal)
    cards = [shown.card for shown in list_unshown_cards(played, deal) if shown.seat == seat and shown not in word]
    if not cards and (is_over(played) or all(share.seat != seat for share in list_due_shares(played, deal))):
        return
    proves = f"prove that you were dealt {cards[0]}" if cards else "unlock the next card"
    lost = f"{SEED.get_file(file)} is missing, and without it you cannot {proves}. {outcome} [record.deal.seed]"
    fail(f"{lost}\n{INSTEAD}", WRONG)


def describe_lost_seed(beside: Path, *, over: bool, cards: Sequence[str] = ()) -> str:
    """Explain what a player without the seed can do next; `cards` are those that ended the game, and that nothing proves."""
    file = SEED.get_file(beside)
    if cards:
        proof = f"your letter cannot prove that you were dealt {list_names(cards, 'and')}"
        return f"{file} is missing, so {proof}. {WORD}. If you have a copy of the seed, put it back first. [record.deal.word]"
    if over:
        return f"{file} is missing, so you cannot open your seed. The others check what they can. [record.deal.seed]"
    return f"{file} is missing: you can read letters, and play turns that show no secret card. [record.deal.seed]\n{INSTEAD}"


PLAYED, SILENT, SEEDS = "[record.deal.play]", "[record.deal.silent]", "[record.deal.seed]"


class OwnDeal(NamedTuple):
    """The deal beside a player's file, the bytes that were read, whose it is, and the seed, b"" if lost and not open."""

    file: Path
    data: bytes
    deal: LockedDeal
    seat: int
    seed: bytes

    def unlock_due(self, played: Replay) -> OwnDeal:
        """Unlock everything that the player has to unlock for the turns; after the end, open the seed too."""
        from tkid.record.locked_deal import open_seed, unlock_due_places

        if not self.seed:
            check_provable(self.file, self.deal, self.seat, played, "No letter was written.")
            return self
        deal = unlock_due_places(played, self.deal, self.seat, self.seed)
        return self._replace(deal=open_seed(deal, self.seat, self.seed) if self.is_seed_due(played) else deal)

    @cites("record.resigned")
    def is_seed_due(self, played: Replay) -> bool:
        """Return True if the game is over, but by resignations, which anybody could write, only with the seeds of those gone."""
        from tkid.record.copies import find_resignations

        if played.position.to_act is None:
            return True
        gone = find_resignations(played.record)
        return is_over(played) and (self.seat in gone or all(self.deal.seeds[seat] is not None for seat in gone))

    @property
    def game(self) -> Path:
        return self.file.with_suffix(GAME)

    def on_word(self, played: Replay) -> tuple[str, ...]:
        """Return the player's cards that ended the game without proof, because the seed is lost."""
        from tkid.record.locked_deal import list_cards_on_word

        cards = () if self.seed else list_cards_on_word(played, self.deal)
        return tuple(each.card for each in cards if each.seat == self.seat)

    @property
    def opened(self) -> bool:
        return self.deal.seeds[self.seat] is not None

    def reveal_cards(self, played: Replay) -> Replay:
        from tkid.record.locked_deal import reveal_dealt_cards

        return reveal_dealt_cards(played, self.deal, self.seat, self.seed) if self.seed else played

    def write(self) -> None:
        """Write the file, if anything was added. Raises OSError."""
        from tkid.record.locked_text import write_deal

        text = write_deal(self.deal)
        if text.encode() != self.data:
            write_atomically(self.file, text)


def deal_beside(game: str) -> LockedDeal | None:
    file = Path(game).with_suffix(DEAL)
    if game == STDIN or not file.exists():
        return None
    return _read_deal(file, read_bytes(file))


def _read_deal(file: Path, data: bytes) -> LockedDeal:
    from tkid.cli.deal_together import read_own_deal

    return read_own_deal(file, data, dealt=file.with_suffix(GAME).exists())


@contextmanager
def own_deal(game: Path, record: Record) -> Iterator[OwnDeal | None]:
    file = game.with_suffix(DEAL)
    if not file.exists():
        yield None
        return
    with open_to_change(file, "Nothing was changed") as data:
        deal = _read_deal(file, data)
        name, seed = read_name_and_seed(game, record, deal)
        if (mine := infer_owner(game, record)) is not None and record.names[mine] != name:
            whose = f"{SEED.get_file(game)} is {name}'s, and {game} is {record.names[mine]}'s file"
            fail(f"{whose}. Put your own seed there. {SEEDS}", WRONG)
        seat = seat_of(record.names, name)
        if seed:
            check_seed(file, deal, seat, seed)
        yield OwnDeal(file, data, deal, seat, seed or deal.seeds[seat] or b"")


def note_no_deal(game: Path, record: Record, so: str) -> None:
    """Print a note if a game file has a seed but no deal, or its deal another name; `so` is what follows."""
    file = game.with_suffix(DEAL)
    if not record.game.secret or file.exists():
        return
    if (named := _find_renamed_deal(game, record)) is not None:
        way = f"It is called {named}: give both files the same name, and the seed too. {PLAYED}"
    elif SEED.get_file(game).exists():
        from tkid.cli.deal_together import RESTORE

        way = f"Put it back. {RESTORE.format(file=as_typed(file))}"
    else:
        return
    typer.echo(f"Note: {file}, the deal of this game, is missing, so {so}. {way}", err=True)


def is_dealt_together(game: Path, record: Record) -> bool:
    """Return True if a deal or a seed next to a game file shows that its players dealt together."""
    if not record.game.secret or game == Path(STDIN):
        return False
    beside = game.with_suffix(DEAL).exists() or SEED.get_file(game).exists()
    return beside or _find_renamed_deal(game, record) is not None


def _find_renamed_deal(game: Path, record: Record) -> Path | None:
    """Return the deal of a game that has another name in the same folder; None if no file has it."""
    files = [file for file in sorted(game.resolve().parent.glob(f"*{DEAL}")) if file.is_file()]
    if not files:
        return None
    from tkid.record.locked_deal import write_deal_header  # games that have no deal need nothing of it

    head = "\n".join(write_deal_header(record))
    return next((file for file in files if head in read_bytes(file).decode("utf-8", "replace")), None)


def check_seed(file: Path, deal: LockedDeal, seat: int, seed: bytes, outcome: str = "") -> None:
    """End the command where what a seat has in a deal was not made with the seed beside it; `outcome` is what became of the command."""
    from tkid.cli.deal_together import LOCKED

    what, rule = LOCKED.find_mismatch(deal, seat, seed)
    if what:
        dealt = f"{SEED.get_file(file)} is not the seed with which {deal.names[seat]} took part in {file}"
        fail(f"{dealt}. Put the right one back.{outcome} [{rule}]", WRONG)


def with_letter(own: OwnDeal, letter: str, data: bytes, mine: Replay, played: Replay, *, agree: bool) -> OwnDeal:
    """Add what the bytes of a letter have more to the deal, or end the command if that contradicts it or lacks proof (`agree`: take a word)."""
    from tkid.cli.deal_together import LOCKED
    from tkid.mail.enclosure import DEAL, take_out
    from tkid.mail.model import Refusal

    found = take_out(data, begins=DEAL)
    now = own
    if not isinstance(found, Refusal) and found.text.lstrip().lower().startswith(DEAL.encode()):
        deal = LOCKED.merge_letters(own.deal, {letter: found.text}, own.seat, own.seed, "Nothing was changed.")
        now = own._replace(deal=deal, seed=own.seed or deal.seeds[own.seat] or b"")
    _check_shown(letter, mine, played, now, agree=agree)
    now.write()
    return now


def _check_shown(letter: str, mine: Replay, played: Replay, own: OwnDeal, *, agree: bool) -> None:
    """End the command if another player played a card without proof that it was dealt."""
    from tkid.record.locked_deal import list_cards_on_word, list_unshown_cards

    word, taken = list_cards_on_word(played, own.deal), list_cards_on_word(mine, own.deal)
    unproven = [each for each in list_unshown_cards(played, own.deal) if each.seat != own.seat and each not in taken]
    for each in unproven:
        name = played.record.names[each.seat]
        lacks = f"the letter does not prove that {name} was dealt it"
        if each in word and agree:
            typer.echo(f"Note: You take {name}'s word for {each.card}: {lacks}. [record.deal.word]")
            continue
        ask = f"It should come with the file of the deal. Ask {name} to send it again."
        if each in word:
            ask = f"Ask {name} to put a copy of the seed back, and to send it again. If {name} has lost the seed, and you take {name}'s word for it, add --agree. [record.deal.word]"
        did = "played" if played.record.turns[each.turn - 1].seat == each.seat else "revealed"
        played_it = f"{name} {did} {each.card} in turn {each.turn}"
        fail(f"{letter}: {played_it}, and {lacks}. [record.deal.play]\n{ask}\nNothing was changed.", WRONG)


def check_shared(game: Path, played: Replay) -> None:
    """End the command where another player has to unlock a card before the next turn."""
    note_no_deal(game, played.record, "nothing shows that you were dealt what you play")
    with own_deal(game, played.record) as own:
        others = [seat for seat in _find_owing_seats(played, own.deal) if seat != own.seat] if own is not None else []
    for name in (played.record.names[seat] for seat in others[:1]):
        due = f"{name} has to unlock the next card first: read {name}'s next letter."
        fail(f"{due} Nothing was played. {SILENT}", WRONG)


def check_playable(game: Path, after: Replay) -> None:
    """End the command where a turn needs the player's seed, and it is lost."""
    if SEED.get_file(game).exists():
        return
    with own_deal(game, after.record) as own:
        if own is not None and not own.seed:
            check_provable(own.file, own.deal, own.seat, after, "Nothing was played.")


def tell_waiting(game: Path, played: Replay) -> None:
    """Print that another player has to unlock a card, and gets a letter for that; or that another waits for the player's."""
    to_act, deal, names = played.position.to_act, deal_beside(str(game)), played.record.names
    if deal is None:
        return
    own, others, over = infer_owner(game, played.record), _find_blocking_seats(played, deal), is_over(played)
    if to_act is not None and to_act == own and others:
        name = names[others[0]]
        ask = f"Send {name} your turn: `tkid letter write {as_typed(game)} -o FILE`. Then read the answer"
        typer.echo(f"First {name} has to unlock the next card. {ask}. {SILENT}")
    elif to_act is not None and own in others:
        typer.echo(_describe_due_part(names[to_act], game))
    if not SEED.get_file(game).exists() and (own is None or deal.seeds[own] is None):
        typer.echo(describe_lost_seed(game, over=over), err=True)


def _describe_due_part(name: str, game: Path) -> str:
    command = f"tkid letter write {as_typed(game)} -o FILE"
    return f"{name} needs a mail from you to turn up the next card: `{command}`. {SILENT}"


def tell_owed(played: Replay, own: OwnDeal, before: OwnDeal) -> None:
    """Print who still has to unlock a card; after the end, whose seed a letter brought, and whose is missing."""
    for seat in own.deal.open_seeds.keys() - before.deal.open_seeds:
        typer.echo(f"{played.record.names[seat]} has opened the seed: it is in {own.file} now. {SEEDS}")
    over = is_over(played)
    if not own.seed:
        typer.echo(describe_lost_seed(own.file, over=over, cards=own.on_word(played)), err=True)
    if over:
        _tell_seeds(played, own)
        return
    names = played.record.names
    for seat in _find_blocking_seats(played, own.deal):
        waits = f"{names[seat]} has to unlock the next card: wait for {names[seat]}'s letter. {SILENT}"
        typer.echo(_describe_due_part(names[played.position.to_act or 0], own.game) if seat == own.seat else waits)


def tell_end(game: Path, played: Replay) -> None:
    with own_deal(game, played.record) as own:
        if own is not None:
            tell_owed(played, own, own)


def _tell_seeds(played: Replay, own: OwnDeal) -> None:
    names = played.record.names
    closed = [names[seat] for seat, seed in enumerate(own.deal.seeds) if seed is None]
    if not closed:
        typer.echo(f"All seeds are open. `tkid verify {as_typed(own.game)}` checks the whole deal. {SEEDS}")
    elif own.opened or not own.is_seed_due(played):
        others = [name for name in closed if name != names[own.seat]]
        verb = "has" if len(others) == 1 else "have"
        typer.echo(f"{list_names(others, 'and')} still {verb} to open the seed. {SEEDS}")
    elif own.seed:
        how = f"`tkid letter write {as_typed(own.game)} --to all -o FILE` does that"
        typer.echo(f"Now open your seed: it shows what you held. {how}. {SEEDS}")


def _find_owing_seats(played: Replay, deal: LockedDeal) -> list[int]:
    from tkid.record.locked_deal import list_due_shares

    return list(dict.fromkeys(share.seat for share in list_due_shares(played, deal)))


def _find_blocking_seats(played: Replay, deal: LockedDeal) -> list[int]:
    owing = [] if is_over(played) else _find_owing_seats(played, deal)
    return [seat for seat in owing if seat != played.position.to_act]


def _check_newest(own: OwnDeal, played: Replay) -> None:
    """End the command if the deal is an older file, which lacks what another player's letter has already shown."""
    from tkid.record.locked_deal import list_cards_on_word, list_unshown_cards

    word = list_cards_on_word(played, own.deal)
    for shown in list_unshown_cards(played, own.deal):
        if shown.seat != own.seat and shown not in word:
            name = played.record.names[shown.seat]
            older = f"{own.file} is older than {own.game}: it lacks what {name} showed in turn {shown.turn}"
            fail(f"{older}. Read {name}'s newest letter again. No letter was written. [record.deal.lost]", WRONG)


def update_deal(game: Path, played: Replay, *, tell: bool) -> DealPart | None:
    """Add everything due to a game's deal and return the letter's part, None without a deal; `tell` of an opened seed."""
    from tkid.mail.peer_letters import DealPart
    from tkid.record.locked_text import write_deal_news

    with own_deal(game, played.record) as own:
        if own is None:
            note_no_deal(game, played.record, "this letter proves no card")
            return None
        _check_newest(own, played)
        now = own.unlock_due(played)
        if tell and now.opened and not own.opened:
            typer.echo(
                "The game is over, so this letter opens your seed. With all seeds, `tkid verify` checks the deal."
            )
        now.write()
        word = now.on_word(played)
        if not now.seed and is_over(played):
            typer.echo(f"Note: {describe_lost_seed(own.file, over=True, cards=word)}", err=True)
        closed = tuple(seat for seat, seed in enumerate(now.deal.seeds) if seed is None)
        owing, news = tuple(_find_blocking_seats(played, now.deal)), now.deal != own.deal
        return DealPart(write_deal_news(now.deal), owing, closed, news, opened=now.opened, word=word)


def tell_next(game: Path, played: Replay) -> None:
    """Print whose turn it is, or how the game ended; to whom a revealed card is, what each choice leads to."""
    names, position = played.record.names, played.position
    if (early := find_early_end(played)) is not None:
        typer.echo(summarize_end(early, names))
    elif position.to_act is not None:
        typer.echo(f"It is {names[position.to_act]}'s turn.")
        _tell_choices(game, played)
    else:
        typer.echo(f"The game is over: {_describe_winners(position, names)} ({position.ending}).")
        print_doubt(played)


def _describe_winners(position: Position, names: Sequence[str]) -> str:
    winners = [names[seat] for seat in position.winners]
    who = list_names(winners, "and") if winners else NOBODY
    return f"{who} {'win' if len(winners) > 1 else 'wins'}"


def _tell_choices(game: Path, played: Replay) -> None:
    """Print the command for each choice of a card that is revealed at the end, unless the file is another player's."""
    rules, position, names = played.record.game, played.position, played.record.names
    first = next(iter(rules.legal(position)), None)
    if first is None or not find_record_plugin(rules).is_late_reveal(first):
        return
    mine, seat = infer_owner(game, played.record), position.to_act
    if mine != seat and (mine is not None or seat is None or HIDDEN in position.hands[seat]):
        return
    typer.echo(find_render_plugin(rules).list_legal(rules, position, names, "", every=False)[0])
    for move in rules.legal(position):
        after, _ = rules.apply(position, move)
        turn = fill_names(rules.words.write_turn((move,)), names)
        typer.echo(f'  tkid play {game} "{turn}"   {_describe_winners(after, names)}')
