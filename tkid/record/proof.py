"""Check what a record proves about its deal, and reveal hidden hands at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from tkid.kernel.game import HIDDEN, Position
from tkid.kernel.pickling import PortableError
from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import list_names
from tkid.record.clock_notes import At, Marked, Passed, make_note_reader, name_speaker
from tkid.record.draw import check_draw, find_draw
from tkid.record.format.model import STANDS, TAKEN_BACK, Place, Record, Turn
from tkid.record.format.plugin import RecordPlugin, find_record_plugin
from tkid.record.format.reader import iter_setup_rows
from tkid.record.format.seal import HEADER, WORD, Sealed, compute_deal_seed, find_seal, replace_seal
from tkid.record.play.note_chain import HASH, NoteChain, remove_hashes
from tkid.record.play.replay import Replay, replay
from tkid.rulebook import cites

Hand = tuple[str, ...]


class OpeningError(PortableError, ValueError):
    """Revealed hands that do not belong to this record: the messages, with their rules, as `args`."""


@frozen
class Revealed:
    """A hand as somebody reveals it, and where it comes from (for messages)."""

    seat: int
    hand: Hand
    source: str


def list_revealed_hands(played: Replay, other: Replay, source: str) -> list[Revealed]:
    """List the hands that another record of the same game knows. Raises OpeningError if it is another game."""
    record, theirs = played.record, other.record
    if record.deal is None or theirs.deal is None:
        raise OpeningError(
            f"{source}: a game file that begins in the middle of a game has no deal to compare. [record.opening]"
        )
    game, plugin = record.game, find_record_plugin(record.game)
    same = (
        (record.ruleset.code, record.readings, record.names) == (theirs.ruleset.code, theirs.readings, theirs.names)
        and plugin.hide_deal(game, record.deal, None) == plugin.hide_deal(game, theirs.deal, None)
        and _find_promise(record) == _find_promise(theirs)
    )
    if not same:
        raise OpeningError(f"{source}: the header or the set-up belongs to another game. [record.opening]")
    for mine, its in zip(played.moments[1:], other.moments[1:], strict=False):
        if mine.line != its.line:
            raise OpeningError(f"{source}: it has `{its.line}`, but this file has `{mine.line}`. [record.opening]")
    return [Revealed(seat, hand, source) for seat, hand in enumerate(theirs.deal.hands) if HIDDEN not in hand]


def _find_promise(record: Record) -> Sealed | None:
    """Return a record's seal without the entropy, which may be opened in only one of two records."""
    stated = find_seal(record)
    return stated and evolve(stated, entropy=None)


@cites("record.opening")
def add_revealed_hands(played: Replay, revealed: Iterable[Revealed], others: Iterable[Record] = ()) -> Replay:
    """Add revealed hands, and the entropy of another record, and replay. Raises OpeningError if hands contradict the file."""
    record = played.record
    if record.deal is None:
        raise OpeningError("A game file that begins in the middle of a game has no deal to compare. [record.opening]")
    hands = list(record.deal.hands)
    faults = []
    for reveal in revealed:
        known = Counter(card for card in hands[reveal.seat] if card != HIDDEN)
        if known - Counter(reveal.hand) or (HIDDEN not in hands[reveal.seat] and known != Counter(reveal.hand)):
            name, held = record.names[reveal.seat], ", ".join(hands[reveal.seat])
            message = f"{reveal.source}: {name}'s hand is known to be {held}"
            faults.append(f"{message}, not {', '.join(reveal.hand)}. [record.opening]")
        else:
            hands[reveal.seat] = reveal.hand
    others, deal = tuple(others), evolve(record.deal, hands=tuple(hands))
    for other in others:
        deal = find_record_plugin(record.game).fill_deal(record.game, deal, other.deal) if other.deal else deal
    faults += [f"{fault.sentence} [{fault.rule}]" for fault in record.game.faults(deal)]
    if faults:
        raise OpeningError(*faults)
    late = {unproven.turn for unproven in played.unproven if unproven.ending}
    # the hashes were those of the other text; an ending that depended on a hidden card is found again
    record = remove_hashes(record)
    turns = tuple(evolve(turn, outcomes=()) if turn.number in late else turn for turn in record.turns)
    entropy = [stated.entropy for other in others if (stated := find_seal(other)) and stated.entropy]
    if entropy and (own := find_seal(record)):
        record = replace_seal(record, evolve(own, entropy=entropy[0]))
    return replay(evolve(record, deal=deal, turns=turns))


def count_hidden_cards(record: Record) -> Mapping[int, int]:
    hands = record.deal.hands if record.deal else record.start().hands
    return {seat: hand.count(HIDDEN) for seat, hand in enumerate(hands) if HIDDEN in hand}


@frozen
class Said:
    """Something in a file that changes what its game allows, or who wins: where it stands, and who alone can say it."""

    line: int
    text: str
    who: str
    covered: bool

    @property
    def asked(self) -> str:
        """The people to ask: the players, if the line is a host's and the game has none."""
        return "the players" if self.who == "a host" else self.who

    @property
    def place(self) -> str:
        return f"line {self.line}, `{self.text}`" if self.line else f"`{self.text}`"


@cites(HASH)
def list_statements(record: Record) -> list[Said]:
    """List lines about the game, covered if they state a hash, and marks of turns, covered if such a line repeats them."""
    notes, reader = NoteChain(record), make_note_reader(record.names)
    lines = [note for gap in notes.gaps for note in gap]
    repeated = {(note.says.turn, note.says.mark): bool(note.hash) for note in lines if isinstance(note.says, Marked)}
    others = (note for note in lines if not isinstance(note.says, Marked))
    found = [Said(note.line, note.text, name_speaker(record, note.says), bool(note.hash)) for note in others]
    for turn in record.turns:
        for mark in map(reader.write_mark, turn.notes):
            if mark.casefold().startswith((STANDS, *TAKEN_BACK)):
                who = name_speaker(record, Marked(turn.number, mark))
                found.append(Said(turn.line, f"{{{mark}}}", who, repeated.get((turn.number, mark), False)))
    return sorted(found, key=lambda each: each.line)


def list_uncovered(record: Record) -> list[Said]:
    """List statements outside the chain that can change the winner: lines, and marks of turns that were taken back."""
    return [each for each in list_statements(record) if not each.covered and not each.text.startswith(f"{{{STANDS}")]


@cites("record.turn.stands")
def find_needless_marks(played: Replay) -> list[Turn]:
    record = played.record
    marked = [turn for turn in record.turns if turn.stands and not turn.undone]
    if not marked:
        return []
    bare = [
        evolve(turn, notes=tuple(note for note in turn.notes if not note.casefold().startswith(STANDS)))
        for turn in record.turns
    ]
    wrong = {problem.line for problem in replay(evolve(record, turns=tuple(bare))).problems}
    return [turn for turn in marked if turn.line not in wrong]


def report_needless_marks(played: Replay) -> Iterator[Problem]:
    """Report turns with such needless marks: they are no faults of the record."""
    for turn in find_needless_marks(played):
        message = f"Turn {turn.number} breaks no rule, but is marked as standing although it breaks one"
        yield Problem(Kind.FOLLOW_ON, "record.turn.stands", message, turn.line, hint="Ask who added the mark.")


def describe_note_lines(played: Replay) -> Iterator[str]:
    """Yield a sentence for each line about the game, for a file that begins with a letter."""
    for each in list_statements(played.record):
        if not each.text.startswith("{"):
            outside = "" if each.covered else " The hashes do not cover it."
            yield f"{each.place}. Nothing shows that {each.who} wrote that.{outside}"


DEAL = "record.seal.deal"
TURN_HASH = "record.turn.hash"
AUDIT, LOST = "record.deal.audit", "record.deal.lost"
CHANGED = "This line was changed, or somebody's words were. Compare both with the first mails of the game."
ALL_CHANGED = "Somebody changed the words, the order of the players, the ruleset, or the whole set-up."


@frozen
class Fact:
    """A sentence, and the rule that it rests on."""

    text: str
    rule: str


@frozen
class Proof:
    """The facts that are proven, left open by this record, or unprovable by any, and the contradictions."""

    proven: tuple[Fact, ...]
    unproven: tuple[Fact, ...]
    unprovable: tuple[Fact, ...]
    contradicted: tuple[Problem, ...]

    @property
    def complete(self) -> bool:
        """True if everything a record can prove is proven: the whole deal, every hand included, and every play."""
        return not (self.unproven or self.contradicted)


@frozen
class Collector:
    """Collects the facts about a game, one question after the other."""

    played: Replay
    proven: list[Fact] = field(factory=list)
    unproven: list[Fact] = field(factory=list)
    unprovable: list[Fact] = field(factory=list)
    contradicted: list[Problem] = field(factory=list)

    @property
    def record(self) -> Record:
        return self.played.record

    def add_proven(self, text: str, rule: str) -> None:
        self.proven.append(Fact(text, rule))

    def add_unproven(self, text: str, rule: str) -> None:
        self.unproven.append(Fact(text, rule))

    def add_unprovable(self, text: str, rule: str) -> None:
        self.unprovable.append(Fact(text, rule))

    def add_contradiction(self, rule: str, message: str, place: Place, hint: str) -> None:
        self.contradicted.append(Problem(Kind.INTEGRITY, rule, message, place.line, place.col, place.length, hint))

    @cites(HASH)
    def add_notes(self) -> None:
        """Add the facts about lines about the game and marks: what the chain does not cover, and what only its writer knows."""
        for each in list_statements(self.record):
            if each.covered:
                self.add_unprovable(f"That {each.who} wrote {each.place}: {each.who} can say so.", HASH)
            elif each.text.startswith(f"{{{STANDS}"):
                text = f"That everybody let {each.place} stand: the chain of hashes does not cover it."
                self.add_unprovable(text, HASH)
            else:
                text = f"The chain of hashes does not cover {each.place}. Anybody who had the file could add or change it; ask {each.asked}."
                self.add_unproven(text, HASH)
        turns, reader = self.record.turns, make_note_reader(self.record.names)
        hashed = [at for at, turn in enumerate(turns) if turn.hash]
        if late := [turn.number for turn in turns[hashed[-1] + 1 :]] if hashed else []:
            which = f"Turn {late[0]} has no hash" if len(late) == 1 else f"Turns {late[0]} to {late[-1]} have no hash"
            text = f"{which}, unlike those before. Anybody who had the file could add or change that."
            self.add_unproven(text, TURN_HASH)
        if any(isinstance(reader.read_note(note), At | Passed) for turn in turns for note in turn.notes):
            text = "When turns were played, and why seats passed: the chain of hashes does not cover these comments. Compare the mails."
            self.add_unprovable(text, HASH)

    def collect_facts(self) -> None:
        """Ask all questions."""

    def make_proof(self) -> Proof:
        self.collect_facts()
        proven, unproven, unprovable = map(tuple[Fact, ...], (self.proven, self.unproven, self.unprovable))
        return Proof(proven, unproven, unprovable, tuple(self.contradicted))


def prove(played: Replay, *, together: bool = False) -> Proof:
    """Prove what can be proven of a replay without problems; `together`: dealt without a dealer, and the deal is missing."""
    return _Prover(played, together=together).make_proof()


@frozen
class _Prover(Collector):
    together: bool = False

    @property
    def plugin(self) -> RecordPlugin:
        return find_record_plugin(self.record.game)

    @property
    def start(self) -> Position:
        return self.played.moments[0].position

    def collect_facts(self) -> None:
        stated = find_seal(self.record)
        dealt = self._compare_deal(stated)
        hidden = {seat for seat, hand in enumerate(self.start.hands) if HIDDEN in hand}
        if dealt is not None:
            self._compare_hands(dealt, hidden)
        for seat in sorted(hidden):
            adds, rule = ("The seeds show it.", AUDIT) if self.together else ("`tkid open` adds it.", "record.opening")
            self.add_unproven(f"What {self.record.names[seat]} held at the start: this file hides it. {adds}", rule)
        self._check_plays(dealt, hidden)
        self._report_turns()
        self.add_notes()
        if stated is not None:
            self._report_source(stated)

    def _compare_deal(self, stated: Sealed | None) -> Any:
        record = self.record
        if stated is None and self.together:
            self.add_unproven("The deal: the players dealt together, and its file is missing.", LOST)
            return None
        if stated is None:
            text = (
                "The deal: it was not sealed. A seal that is added now proves nothing. `tkid new` seals every new game."
            )
            if record.game.secret:
                text = f"{text} If the players dealt together, the file of their deal has to be beside this one."
            self.add_unproven(text, "record.seal.published")
            return None
        if stated.entropy is None:
            text = (
                "The deal: the entropy is not opened yet. The dealer opens it at the end: the line `Seal: entropy:…`."
            )
            self.add_unproven(text, "record.seal.open")
            return None
        self.add_proven("The entropy fits the seal.", "record.seal.entropy")
        if record.deal is None:
            self.add_unproven("The deal: the game file begins with a position, so it has none.", DEAL)
            return None
        dealt = record.game.deal(len(record.seats), compute_deal_seed(stated.entropy, stated.words))
        if not self._compare_rows(dealt, stated):
            return None
        self._compare_starters(dealt.first, record.deal.first)
        return dealt

    def _describe_source(self, stated: Sealed) -> str:
        speakers = self._list_speakers(stated)
        return f"the entropy and the words of {list_names(speakers, 'and')}" if speakers else "the entropy"

    def _list_speakers(self, stated: Sealed) -> list[str]:
        return [name for name, text in zip(self.record.names, stated.words, strict=True) if text]

    def _compare_rows(self, dealt: Any, stated: Sealed) -> bool:
        """Compare the set-up but for hands and start player; return True if any part is right: else it is one fault."""
        known = self.plugin.hide_unknown_parts(self.record.game, dealt, self.record.deal)
        expected = dict(iter_setup_rows(evolve(self.record, deal=known)))
        rows = [(label, value) for label, value in iter_setup_rows(self.record) if self._find_part(label)]
        wrong = {label: expected[label] for label, value in rows if value != expected[label]}
        right = [part for part in dict.fromkeys(self.plugin.parts.values()) if part not in map(self._find_part, wrong)]
        if wrong and not right:
            text = f"Nothing in the set-up is what was dealt from {self._describe_source(stated)}"
            self.add_contradiction(DEAL, text, self._find_seal_place(), ALL_CHANGED)
            return False
        for label, value in wrong.items():
            text = f"This was not dealt. The deal is: {value}"
            self.add_contradiction(DEAL, text, self.record.places.get(label, Place()), CHANGED)
        if right:
            who = list_names(right, "and").capitalize()
            self.add_proven(f"{who}: dealt from {self._describe_source(stated)}.", DEAL)
        return True

    def _find_seal_place(self) -> Place:
        lines = [header for header in self.record.headers if header.name == HEADER]
        first = next((header for header in lines if header.value.startswith(WORD)), lines[0])
        return Place(first.line, 1, len(f"{HEADER}: {first.value}"))

    def _find_part(self, label: str) -> str:
        return self.plugin.find_part(self.record.game, label)

    def _compare_starters(self, drawn: int, first: int) -> None:
        names, rule = self.record.names, self.record.game.ids(self.plugin.rules.start)
        if drawn == first:
            self.add_proven(f"{names[first]} starts, as the draw says.", rule)
        else:
            text = f"Who starts: {names[drawn]} was drawn, but {names[first]} was named instead, or put in later."
            self.add_unprovable(text, rule)

    def _compare_hands(self, dealt: Any, hidden: set[int]) -> None:
        right = []
        for seat, (name, hand) in enumerate(zip(self.record.names, self.start.hands, strict=True)):
            shown = Counter(card for card in hand if card != HIDDEN)
            if len(hand) != len(dealt.hands[seat]) or shown - Counter(dealt.hands[seat]):
                text = f"This was not dealt. The deal is: {', '.join(dealt.hands[seat])}"
                self.add_contradiction(DEAL, text, self.record.places.get(f"Hand {name}", Place()), CHANGED)
            elif hand and seat not in hidden:
                right.append(name)
        if right:
            self.add_proven(f"What {list_names(right, 'and')} held at the start: dealt, not chosen.", DEAL)

    def _check_plays(self, dealt: Any, hidden: set[int]) -> None:
        rule, names = self.record.game.ids(self.plugin.rules.hand), self.record.names
        hands, unknown = (dealt.hands, set[int]()) if dealt else (self.start.hands, hidden)
        stood = []
        positions = [moment.position for moment in self.played.moments]
        turns = [moment.turn for moment in self.played.moments if moment.turn is not None]
        for turn, card in self.plugin.find_unheld_cards(positions, turns, hands):
            if turn.stands:
                stood.append(f"{card} in turn {turn.number}")
            elif turn.seat not in unknown:
                place = Place(turn.line, turn.col + 1)
                self.add_contradiction(
                    rule, f"{names[turn.seat]} was not dealt {card}, or had played it already", place, CHANGED
                )
        sure = [name for seat, name in enumerate(names) if seat not in unknown]
        if self.played.moments[1:] and sure and not self.contradicted:
            held = "as dealt" if dealt else "as the set-up has it"
            text = f"Every card that {list_names(sure, 'and')} played was in hand at that moment, {held}"
            self.add_proven(f"{text}{f', but for {list_names(stood)}' if stood else ''}.", rule)

    def _report_turns(self) -> None:
        turns = [moment.turn for moment in self.played.moments if moment.turn is not None]
        if not turns:
            return
        marked = [str(turn.number) for turn in turns if turn.stands]
        needless = [str(turn.number) for turn in find_needless_marks(self.played)]
        if len(marked) < len(turns):
            count = "Turn 1" if len(turns) == 1 else f"Turns 1 to {len(turns)}"
            but = f" (without {list_names(marked, 'and')})" if marked else ""
            followed = "" if self._list_doubts() else ", and what followed is right"
            self.add_proven(f"{count}{but}: legal{followed}.", "record.turn.legal")
        marked = [number for number in marked if number not in needless]
        if marked:
            text = f"Turn{'s' * (len(marked) > 1)} {list_names(marked, 'and')}: marked as standing although it breaks a rule."
            self.add_unprovable(text, "record.turn.stands")
        if needless:
            several = len(needless) > 1
            turns_named = f"Turn{'s' * several} {list_names(needless, 'and')}"
            text = f"{turns_named}: marked as standing, but {'they break' if several else 'it breaks'} no rule. Ask who added the mark."
            self.add_unprovable(text, "record.turn.stands")
        for card, names in self._list_doubts().items():
            text = f"How the game ended: in this file it is not known whether {list_names(names)} held {card}."
            self.add_unproven(text, "record.opening")
        self.add_unprovable("That these turns were really played: each player compares their own.", "record.turn.hash")

    def _list_doubts(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for doubt in self.played.unproven:
            if doubt.ending:
                names.setdefault(doubt.card, []).append(self.record.names[doubt.seat])
        return names

    def _report_source(self, stated: Sealed) -> None:
        draw = find_draw(self.record)
        if draw is not None:
            self._report_draw(draw.names)
            return
        text = "That the seal was published before anybody's words were known: compare the seal with the invitation."
        self.add_unprovable(text, "record.seal.published")
        speakers = self._list_speakers(stated)
        if speakers:
            sent = f"those that {speakers[0]} sent: {speakers[0]}"
            if len(speakers) > 1:
                sent = "the words they sent: each of them"
            text = f"That the words of {list_names(speakers, 'and')} are {sent} compares."
            self.add_unprovable(text, "record.seal.words")
            text = "That nobody who knew the entropy named words after seeing the others': compare when they were sent."
        else:
            text = "That the entropy was not chosen for its deal: nobody added words, so the dealer had time to try others."
        self.add_unprovable(text, "record.seal.words")

    def _report_draw(self, names: Sequence[str]) -> None:
        faults = check_draw(self.record)
        self.contradicted.extend(faults)
        if not faults:
            text = f"The entropy is made from the nonces of {list_names(names, 'and')}, and each fits its commitment."
            self.add_proven(text, "record.draw.entropy")
        text = "That all commitments were there before the first nonce was sent: each player checks the mails."
        self.add_unprovable(text, "record.draw.order")
