"""The judge of intent, measured on the mails of `fixtures/intent`, and what always holds of its verdicts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.train_judge import pack_weights, read_mails, round_weights, train
from tests.intent import FOLDER, Case, act_of, filled, read_cases
from tests.mail.mails import EXPECTED
from tests.mail.mails import FOLDER as MAILS
from tests.mail.mails import game as fixture
from tests.shared.tables import each_row
from tkid.mail import game_service, intent, order_handlers
from tkid.mail.mime import take_in
from tkid.mail.model import Intake
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.notation.judge import (
    ROW,
    SURE,
    UNSURE,
    WEIGHTS,
    Line,
    Phrase,
    judge_text,
    judge_whole,
    load_languages,
    load_weights,
)

CASES = tuple(read_cases(*sorted(FOLDER.glob("*.toml"))))
CLEAR = tuple(case for case in CASES if case.expect == "clear")
PHRASES = tuple(
    (name, phrase)
    for name, language in load_languages().items()
    for kind in SURE
    for phrases in language.phrases[kind].values()
    for phrase in phrases
)
TRAINING, UNSEEN = (sorted((FOLDER / name).glob("*.toml")) for name in ("training", "unseen"))
"""Where the mails are that only made the weights, and those that no weight is made from; only their tests read them."""
THIS = {"en": "this", "de": "das", "fr": "ça", "es": "esto", "nl": "dit", "it": "questo", "pl": "to", "pt": "isto"}
MOST_ASKED, MOST_HELD = 0.02, 0.2
"""The share of clear mails that may be asked about, and held in languages with a table."""
MOST_PLAYED = 0.01
"""The share of the mails in doubt that may be played among those that made the weights."""
MOST_PLAYED_UNSEEN = 0.02
"""The share of the mails in doubt that may be played among those that no weight is made from."""
MOST_HELD_DOUBTS = 0.1
"""The share of plain doubts that may be held, where the others are asked about."""
NAMES = ("Ann", "Bob", "Cal")


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.expect == "doubt"], ids=lambda case: case.text.strip()[-40:]
)
@pytest.mark.parametrize("quotes", [True, False])
def test_no_turn_in_doubt_is_played_at_once(case: Case, *, quotes: bool) -> None:
    assert act_of(case.text, quotes=quotes) in {"ask", "hold"}


def test_few_clear_mails_are_asked_about_or_held() -> None:
    acts = [(case.language, act_of(case.text)) for case in CLEAR]
    known = [act for language, act in acts if language in load_languages()]
    assert {act for _, act in acts} <= {"play", "hold", "ask"}
    assert sum(act == "ask" for _, act in acts) <= MOST_ASKED * len(acts)
    assert known.count("hold") <= MOST_HELD * len(known)


@pytest.mark.parametrize("each", [10, pytest.param(1, marks=pytest.mark.exhaustive(seconds=25))])
def test_the_weights_fit_the_mails_that_made_them(each: int) -> None:
    cases = [*read_cases(*TRAINING)][:: 3 * each]
    asked = {case for case in cases if case.expect == "clear" and "TURN" not in case.text.splitlines()}  # in a sentence
    acts = Counter((case.expect, act_of(case.text)) for case in cases if case not in asked)
    doubt, clear = (sum(acts[expect, act] for act in ("play", "hold", "ask")) for expect in ("doubt", "clear"))
    slack = 1 if each == 1 else 2  # in a sample, chance may bring twice the share
    assert acts["doubt", "play"] <= slack * MOST_PLAYED * doubt
    assert acts["clear", "ask"] <= slack * MOST_ASKED * clear


def test_few_doubts_in_unseen_mails_are_played() -> None:
    acts = Counter(act_of(case.text) for case in read_cases(*UNSEEN) if case.expect == "doubt")
    assert acts["play"] <= MOST_PLAYED_UNSEEN * acts.total()


@pytest.mark.exhaustive(seconds=23)
def test_the_mails_make_the_weights() -> None:
    made = dict(ROW.iter_unpack(pack_weights(round_weights(train(tuple(read_mails()))))))
    shipped = load_weights()
    assert made.keys() == shipped.keys()
    assert all(abs(made[key] - shipped[key]) <= 1 for key in made), "run `python -m benchmarks.train_judge`"
    assert WEIGHTS.stat().st_size <= 200_000


def test_the_replies_of_mail_programs_are_played() -> None:
    acts = Counter[str]()
    for name, expected in EXPECTED.items():
        at = fixture(expected["game"])
        taken = take_in((MAILS / name).read_bytes())
        seat = order_handlers.find_sender_seat(at.record, taken.sender) if isinstance(taken, Intake) else None
        if "turn" in expected and isinstance(taken, Intake) and isinstance(seat, int):
            orders = find_orders(taken, get_order_reader(at.record.game, at.record.names, seat))
            verdict = intent.judge_mail(game_service.open_without_host(at, seat), orders, orders.lines)
            acts[verdict.act] += 1
            acts["foreign"] += any(f"-{language}-" in name for language in ("pl", "ru", "ja", "zh", "tw"))
            acts["held"] += verdict.act == "hold" and not any(
                f"-{each}" in name for each in ("pl", "ru", "ja", "zh", "tw")
            )
    total = acts["play"] + acts["hold"] + acts["ask"]
    assert total >= 216, "the fixtures are there"
    assert acts["ask"] <= MOST_ASKED * total
    assert acts["held"] <= MOST_HELD * (total - acts["foreign"])


def written(language: str, phrase: Phrase) -> str:
    """A phrase as a sentence: the first of each place's words, and something for its gaps."""
    special = {"^": "", "$": "", "*": "", "_": THIS[language]}
    words = (special.get(place[0], place[0].rstrip("*")) for place in phrase)
    return " ".join(filter(None, words)).capitalize() + "."


def test_every_phrase_of_doubt_stops_a_turn() -> None:
    texts = [written(*each) for each in PHRASES]
    assert [text for text in texts if judge_text(read_lines(f"TURN\n\n{text}"), NAMES).act == "play"] == []


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(CLEAR), st.sampled_from(PHRASES), st.booleans())
def test_a_withdrawal_never_leaves_a_turn_to_be_played(case: Case, withdrawn: tuple[str, Phrase], above: bool) -> None:  # noqa: FBT001
    text = written(*withdrawn)
    said = f"{text}\n\n{case.text.strip()}" if above else f"{case.text.strip()}\n\n{text}"
    assert judge_text(read_lines(said), NAMES).act != "play"


HARMLESS = (
    *(
        "Cheers",
        "Cheers,\nAnnabel Lee",
        "Best wishes",
        "Hello everybody,",
        "Thanks for the game!",
        "Viele Grüße",
        "lg Ann",
    ),
    *(
        "Merci !",
        "Saludos",
        "Groetjes",
        "Un abbraccio",
        "Sent from my iPhone",
        "Virus-free. www.avast.com",
        "😊",
        "Haha!",
    ),
)
ACTS = ("play", "hold", "ask")


def read_lines(text: str) -> list[Line]:
    """The lines of a mail of the corpus."""
    return [Line(line, "turn" if line.strip() == "TURN" else "") for line in text.strip().split("\n")]


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_sentences_are_played(text: str) -> None:
    assert judge_text(read_lines(f"TURN\n\n{text}"), NAMES).act == "play"


@settings(deadline=None, max_examples=100)
@given(
    st.deferred(lambda: st.sampled_from([*CASES, *[*read_cases(*TRAINING)][::6]])),
    st.sampled_from(HARMLESS),
    st.sampled_from(["\n", "\n\n"]),
)
@example(Case("en", "doubt", "other", "TURN\n\nNot the Scots, the Welsh!"), "Cheers", "\n")
@example(Case("en", "doubt", "other", "TURN\n\nnot the scots, the welsh"), "cheers", "\n")
@example(Case("en", "doubt", "unfinished", "TURN\n\nbut"), "Cheers", "\n")
@example(Case("en", "doubt", "doubt", "don't expect me to\nTURN"), "lg Ann", "\n")
@example(Case("en", "clear", "message", "say to Bob: Nice one.\n\nTURN"), "Virus-free. www.avast.com", "\n")
def test_nothing_harmless_makes_a_doubt_smaller(case: Case, said: str, gap: str) -> None:
    """A line right above or below a sentence may belong to it: that may be held instead of asked about; cites: mail.doubt."""
    text = case.text.strip()
    texts = (text, f"{said}{gap}{text}", f"{text}{gap}{said}")
    alone, *beside = (ACTS.index(judge_whole(read_lines(each), NAMES).act) for each in texts)
    assert min(beside) >= (alone if gap == "\n\n" else min(alone, ACTS.index("hold")))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from([*filled("TURN\n\nWell done.").split("\n"), "Cheers", "Wait.", "", "?", "if", "x" * 500]),
        max_size=12,
    )
)
@example(["Cheers", *filled("TURN").split("\n"), "if", "if", "Well done."])
def test_a_verdict_has_its_reasons(texts: list[str]) -> None:
    verdict = judge_text([Line(text, "turn" if ";" in text else "") for text in texts], NAMES)
    assert bool(verdict.evidence) == (verdict.act != "play")
    assert (verdict.act == "ask") == any(each.kind not in UNSURE for each in verdict.evidence)


@pytest.mark.parametrize("language", sorted(load_languages()))
def test_each_language_has_all_classes(language: str) -> None:
    table = load_languages()[language]
    assert {
        "common",
        "harmless",
        "topic",
        "turn",
        "cue",
        "mild",
        "self",
        "you",
        "open",
        "introduce",
    } <= table.words.keys()
    assert all(table.phrases[kind] for kind in ("neutral", *SURE))


def test_no_tables_are_read_without_remarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: pytest.fail("a table was read"))
    monkeypatch.setattr(Path, "read_bytes", lambda *_, **__: pytest.fail("the weights were read"))
    load_languages.cache_clear()
    load_weights.cache_clear()
    try:
        assert judge_text([Line("Pass", "turn"), Line("")]).act == "play"
    finally:
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("I do not want to\nTURN\nyet, let me think until tomorrow.", "ask"),
        ("Bob, you should have played\nTURN\nlast time!", "ask"),
        ("Hlasuji pro počasí.\n\nTURN", "hold"),
        ("TURN\n\nThis is frumious.", "hold"),
        ("TURN\n\nhttps://tkid.example/rules", "play"),
        ("TURN\n\nCheers,\nAnnabel Lee", "play"),
        ("TURN\n\n:-)", "play"),
        ("TURN\n\nHahaha!", "play"),
        ("TURN\n\nGet Outlook for iOS<https://aka.ms/o0ukef>", "play"),
        ("TURN\n\nNo rush!", "play"),
        ("TURN\n\nKeine Eile", "play"),
        ("TURN\n\nThis e-mail is confidential and may be legally privileged.", "play"),
        ("TURN\n\nIf you are not the intended recipient, please ignore and delete it.", "play"),
        ("TURN\n\nDiese E-Mail enthält vertrauliche Informationen.", "play"),
        ("TURN\n\nVirus-free. www.avast.com", "play"),
        ("TURN\n\nGaranti sans virus. www.avast.com", "play"),
        ("TURN\n\nI sent you this message in error.", "ask"),
    ],
)
def test_verdicts(text: str, act: str) -> None:
    assert judge_text(read_lines(text), NAMES).act == act


@pytest.mark.parametrize(
    "text",
    [
        "That was my cat.",
        "das war mein sohn (4) am handy",
        "Per ongeluk verstuurd, mijn dochter zat aan de tablet",
        "^ That's my husband's bright idea",
        "Unless it rains tomorrow.",
        "hold on, let me check with my wife first",
        "is what Ann told me to write",
        "The weather is fine. Scrap my turn.",
        "It rains here, so wait until tomorrow with my turn.",
        "Not the Scots, the Welsh!",
        "Non, les Gallois.",
        "No, i gallesi.",
        "Whose turn is it?",
        "Wer ist dran?",
        "Oh dear.",
        "Oje.",
        "Was für ein dummer Zug!",
        "What a stupid move!",
    ],
)
def test_a_doubt_is_never_played(text: str) -> None:
    assert judge_text([Line("TURN", "turn"), Line(""), Line(text)], NAMES).act != "play"


HESITATIONS = (
    *(
        "Hmm.",
        "Hmm...",
        "hm",
        "Hm, hm.",
        "Mmh",
        "Uhm.",
        "Er...",
        "Well...",
        "Tja...",
        "Tja",
        "Naja",
        "Na ja...",
        "Bof...",
        "Boh",
        "Mah...",
    ),
    *("🤔", "🤔🤔", "🤷", "🤷🏽‍♂️", "😬", "❓", "???", "❓❗", "🛑", "✋", "👎", ":-/", ":/", "🧐", "Hmm 🤔"),
)


@each_row("text", HESITATIONS)
def test_a_turn_beside_hesitation_is_asked_about(text: str) -> None:
    """Cites: mail.doubt."""
    turn, empty, said = Line("TURN", "turn"), Line(""), Line(text)
    for lines in ([turn, empty, said], [said, empty, turn], [turn, said], [Line("Hi all,"), empty, turn, empty, said]):
        assert judge_text(lines, NAMES).act == "ask"


@pytest.mark.parametrize("text", ["😊", "👍", "Ha!", "Hahaha", ":-)", "🎉🎉", "Aha!", "⚔️"])
def test_other_sounds_and_pictures_change_nothing(text: str) -> None:
    assert judge_text([Line("TURN", "turn"), Line(""), Line(text)], NAMES).act == "play"


PLAIN_DOUBTS = (
    *(
        "Should I really?",
        "what do you think",
        "I am in two minds about it.",
        "I will confirm on Sunday.",
        "As of Monday.",
    ),
    *(
        "Das hat mein Sohn getippt.",
        "The cat walked over the keyboard.",
        "My account was hacked…",
        "This is only a test.",
    ),
    *(
        "(quoting Bob)",
        "Would you do that?",
        "Still undecided.",
        "Final answer on Tuesday.",
        "From Wednesday on.",
        "Starting Friday.",
    ),
    *(
        "My daughter typed that.",
        "The dog stepped on the keyboard.",
        "Somebody has hacked my mailbox.",
        "Just a test.",
        "Copied from Bob's mail.",
    ),
    *(
        "Was meint ihr?",
        "Ich bin hin- und hergerissen.",
        "Ich bestätige es am Freitag.",
        "Ab Donnerstag.",
        "Die Katze lief über die Tastatur.",
    ),
    *(
        "Mein Konto wurde gehackt.",
        "Nur ein Test.",
        "(Zitat von Bob)",
        "Qu'en pensez-vous ?",
        "Je confirme mardi.",
        "À partir de lundi.",
    ),
    *(
        "C'est mon fils qui a tapé ça.",
        "Mon compte a été piraté.",
        "Ceci est un essai.",
        "¿Qué opináis?",
        "Confirmo el martes.",
    ),
    *(
        "Lo escribió mi hija.",
        "Me hackearon la cuenta.",
        "Es una prueba.",
        "Wat vinden jullie?",
        "Ik bevestig dinsdag.",
        "Vanaf vrijdag.",
    ),
    *(
        "Mijn zoon heeft dat getypt.",
        "Cosa ne pensate?",
        "Confermo martedì.",
        "Da venerdì.",
        "L'ha scritto mia figlia.",
        "È una prova.",
    ),
)


def test_a_turn_beside_a_plain_doubt_is_asked_about() -> None:
    """Cites: mail.doubt."""
    acts = Counter(judge_text([Line("TURN", "turn"), Line(""), Line(text)], NAMES).act for text in PLAIN_DOUBTS)
    above = {judge_text([Line(text), Line(""), Line("TURN", "turn")], NAMES).act for text in PLAIN_DOUBTS}
    assert "play" not in above | acts.keys()
    assert acts["hold"] <= MOST_HELD_DOUBTS * len(PLAIN_DOUBTS)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("I don't like my cards at all", {"play"}),
        ("I'm glad we finally got this started", {"play"}),
        ("I've had enough of Devon for now", {"play", "hold"}),
        ("This message is confidential. If you are not the recipient, please ignore and delete it.", {"play", "hold"}),
        ("Greetings from Leeds, and good luck!", {"play"}),
    ],
)
def test_a_remark_is_not_asked_about(text: str, acts: set[str]) -> None:
    assert judge_text([Line("TURN", "turn"), Line(""), Line(text)], NAMES).act in acts


CONDITIONS = (
    "As long as nobody minds.",
    "Provided nobody objects.",
    "Only if the Welsh still lead.",
    "Unless Bob has a better plan.",
    "If Cal doesn't mind, that is.",
    "Sofern Bob nichts dagegen hat.",
    "Vorausgesetzt, Essex ist noch offen.",
    "Es sei denn, Bob kommt mir zuvor.",
    "À condition que ce soit encore possible.",
    "À moins que Bob ait une meilleure idée.",
    "Siempre que nadie se oponga.",
    "A menos que Bob diga otra cosa.",
    "Mits niemand bezwaar heeft.",
    "Tenzij Bob iets beters weet.",
    "Purché nessuno si opponga.",
    "A meno che Bob sia contrario.",
)


@each_row("text", CONDITIONS)
def test_a_turn_under_a_condition_is_asked_about(text: str) -> None:
    """Cites: mail.doubt."""
    turn, empty, said = Line("TURN", "turn"), Line(""), Line(text)
    assert {judge_text(lines, NAMES).act for lines in ([turn, empty, said], [said, empty, turn])} == {"ask"}


@each_row(
    "text",
    [
        "If you come to Bristol in June, the spare room is yours.",
        "Unless it rains we're off to the seaside tomorrow. The kids have packed their buckets.",
        "Wenn es am Sonntag nicht regnet, grillen wir im Garten.",
        "Siempre que llueve se inunda el garaje de mi cuñado.",
        "Sí, gracias a todos.",
    ],
)
def test_a_condition_of_something_else_is_not_asked_about(text: str) -> None:
    assert judge_text([Line("TURN", "turn"), Line(""), Line(text)], NAMES).act != "ask"


HEDGES = (
    *("I guess", "i suppose", "Presumably.", "Maybe.", "Vielleicht", "glaube ich", "Vermutlich."),
    *("peut-être", "Je crois.", "Quizás", "tal vez", "creo", "Forse", "magari", "credo", "Misschien", "denk ik"),
    *("chyba", "Chyba tak.", "być może", "Talvez.", "acho"),
)


@each_row("text", HEDGES)
def test_a_turn_beside_a_hedge_is_asked_about(text: str) -> None:
    """Cites: mail.doubt."""
    assert judge_text([Line("TURN", "turn"), Line(""), Line(text)], NAMES).act == "ask"


HARMLESS_STORY, STRAY = "The garden is full of roses and the children are in the pool.", "None of them was hers."


@pytest.mark.parametrize(
    ("lines", "act"),
    [
        ([f"{HARMLESS_STORY} {STRAY}"], "play"),
        ([f"{STRAY} {HARMLESS_STORY}"], "play"),
        ([HARMLESS_STORY, "", STRAY], "hold"),
        ([STRAY], "hold"),
        ([f"{HARMLESS_STORY} Nobody plays a card."], "hold"),
    ],
)
def test_an_unknown_sentence_continues_a_harmless_one_of_its_paragraph(lines: list[str], act: str) -> None:
    """Cites: mail.hold."""
    assert judge_text([Line("TURN", "turn"), Line(""), *map(Line, lines)], NAMES).act == act
