"""Answers in a player's own words: what agrees, what denies, what is neither; and reactions."""

from __future__ import annotations

from tests.mail.mails import mail
from tests.shared.tables import each_row
from tkid.mail.mime import take_in
from tkid.mail.model import Intake
from tkid.mail.order_finder import drop_program_signature, find_free_answer, is_acknowledgement, is_reaction

AGREES = """
Yes, that's what I meant.|That's it|ok do it|YES YES|Yep!|Yes! :-)|ok 🙂|Right, go ahead.|Correct!|Exactly, that's the one|Yes it is
Okay, go for it!|yes, yes, yes|*Yes*, do it|Yes — that's it|That was what I meant|Yes that's right, sorry for the confusion!|Thumbs up
👍|👍🏽|👍🏿👍🏿|👌|✅|👍 thanks|👍️
Jawohl, genau so|Ja, das ist der Zug|Ja bitte.|Ja klar, danke!|OK, das passt so.|Genau so war es gemeint.
C'est ça|C’est ça !|Oui c'est bien ça, merci|D'accord|Tout à fait|Sí, eso es. Gracias|vale, adelante|Sì, esatto|Ja, dat klopt
Sim, isso mesmo|Tak, dokładnie|Да, верно|Именно так|はい、お願いします|はいお願いします。|是的，没错|好的，谢谢
Yes, that's the one after all.|Yes, you understood me correctly|Please play it as written|Yes, that's indeed what I wanted to play|yes, proceed
Ja, genau den Zug meinte ich|Oui, c'est bien mon coup|Ja, dat is de zet.
Hi,⏎⏎Yes, that is the turn I meant.⏎⏎Best,⏎Ann|Hello tkid,⏎yes!⏎⏎Cheers⏎Ann|Genau das.⏎LG Ann|Dear host,⏎⏎yes, exactly.⏎⏎Kind regards⏎Ann
oui, parfait⏎⏎Envoyé de mon iPhone|Yes, thanks.⏎⏎Sent from my iPhone|yes please⏎⏎Ann
Ann reacted to your message:⏎👍|👍⏎⏎Ann Example reacted via Gmail <https://www.google.com/gmail/about/>|Ann hat auf Ihre Nachricht reagiert: 👍
"""
DENIES = """
No, that's wrong|nope|👎|👎🏻|No thanks.|No, scrap that|That's not what I meant|never mind|Sorry, no.|Ann reacted to your message: 👎|No!⏎⏎Ann
Nein, das meinte ich nicht|Non, c'est faux|No, eso no|Nee, dat klopt niet|Não|Nie, to nie to|Нет, не то|違います|不是
"""
NEITHER = """
Yes?|Yes, but not that region|Yes if Bob passes|ok, let me think|Not sure|maybe|Hmm|Yes and no|I think so?|What does that do?|Is that it?
Yes.⏎⏎Wait|Yes⏎⏎Cheers⏎No|Thanks, Ann|yes, tomorrow|I'd rather not say yes|Good game|yesterday|Yes, scrap that|Thanks but no
Yes, that's not what I meant|👍 or 👎|👍👎|❤️|🤔|🎉|Thanks|Good luck!|ja, aber erst morgen|Ja, aber nicht so|oui mais non|そうですか？
Hello wait⏎yes|Yes, I wanted to play that before|Yes, you understood me, but wait|yes, after the weekend|after all, no⏎yes|Yes, and say hello to Bob|Best, but not yes
"""
MEANT_INSTEAD = """
No, I meant Pass|No. I meant Pass.|No I meant Pass|no - pass|Nein, ich meinte Pass|Wrong, I wanted to pass|No, not that one, I meant Pass
Sorry, no, I meant Pass|Hi, no, make it Pass|No, Pass instead|No⏎⏎Pass|Non, je voulais dire Pass|No, rather pass please
"""


def texts(table: str) -> list[str]:
    """The texts of a table."""
    return [text.replace("⏎", "\n") for row in table.strip().split("\n") for text in row.split("|")]


@each_row("text", texts(AGREES))
def test_agreement(text: str) -> None:
    assert find_free_answer(text.split("\n"), ("Ann", "tkid")).answer == "yes"


@each_row("text", texts(DENIES))
def test_denial(text: str) -> None:
    free = find_free_answer(text.split("\n"), ("Ann", "tkid"))
    assert (free.answer, free.rest) == ("no", "")


@each_row("text", texts(NEITHER))
def test_what_is_not_clearly_an_answer(text: str) -> None:
    assert find_free_answer(text.split("\n"), ("Ann", "tkid")).answer == ""


@each_row("text", texts(MEANT_INSTEAD))
def test_what_was_meant_instead_stands_behind_a_no(text: str) -> None:
    free = find_free_answer(text.split("\n"), ("Ann", "tkid"))
    assert (free.answer, free.rest.rstrip(".").casefold()) == ("no", "pass")


@each_row(
    "text, answer",
    [("2", "2"), ("number 2 please", "2"), ("Yes, the second one", "2"), ("3!", "3"), ("1 or 2", ""), ("no 2", "")],
)
def test_numbers_in_words(text: str, answer: str) -> None:
    assert find_free_answer([text]).answer == answer


@each_row(
    "text, kept",
    [
        ("Yes?\nSent from my iPhone", "Yes?"),
        ("Yes? Sent from my iPhone", "Yes?"),
        ("Hm.\n\nGesendet von meinem Telefon", "Hm."),
        ("Envoyé de mon iPhone", ""),
        ("Hello\nGet Outlook for Android", "Hello"),
        ("I sent from my heart", "I sent from my heart"),
        ("It was sent from my phone by mistake", "It was sent from my phone by mistake"),
    ],
)
def test_the_signature_of_a_program_is_not_quoted(text: str, kept: str) -> None:
    assert drop_program_signature(text) == kept


def test_a_long_text_is_no_answer() -> None:
    assert find_free_answer(["yes"] * 90).answer == "yes"
    assert find_free_answer(["yes"] * 101).answer == ""


@each_row(
    "text, reacts",
    [
        ("👍", True),
        ("❤️", True),
        ("👍🏽 👍🏽", True),
        ("Ann reacted to your message:\n❤️", True),
        ("👍\n\nAnn Example reacted via Gmail", True),
        ("👍 thanks", False),
        ("Pass", False),
        ("...", False),
        ("", False),
    ],
)
def test_reactions(text: str, reacts: bool) -> None:  # noqa: FBT001 - of a table
    assert is_reaction(text.split("\n")) == reacts


@each_row(
    "text, seen",
    [
        ("👍", True),
        ("Thanks!", True),
        ("Thanks, Bob!", True),
        ("Thank you very much.\n\nBob", True),
        ("Danke", True),
        ("Vielen Dank!", True),
        ("lol", True),
        ("ok", True),
        ("Ok, thanks 👍", True),
        ("Haha, nice move!", True),
        ("Merci !\n\nSent from my iPhone", True),
        ('Liked "You played Scottish Support"', True),
        ("Loved “You passed. Bob is next.”", True),
        ("Emphasized “It is Bob's turn, until Monday”", True),
        ("Hat „Du hast gepasst.“ mit „Gefällt mir“ markiert", True),
        ('I liked "You passed"', False),
        ("thanks, but please undo", False),
        ("Thanks, Pass", False),
        ("ok?", False),
        ("no thanks", False),
        ("no", False),
        ("yes", False),
        ("Thanks. How do I undo?", False),
        ("Bob", False),
        ("", False),
    ],
)
def test_acknowledgements(text: str, seen: bool) -> None:  # noqa: FBT001 - of a table
    assert is_acknowledgement(text.split("\n"), ("Bob",)) == seen


@each_row(
    "parts",
    [
        ["Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: reaction\r\n\r\n👍"],
        ['Content-Type: text/vnd.google.email-reaction+json; charset="UTF-8"\r\n\r\n{"version": 1, "emoji": "👍"}'],
        ['Content-Type: text/vnd.google.email-reaction+json\r\n\r\n{"emoji":"\\ud83d\\udc4d","version":1}'],
        [
            "Content-Type: text/plain; charset=utf-8\r\n\r\n👍\r\n\r\nAnn reacted via Gmail",
            'Content-Type: text/vnd.google.email-reaction+json; charset="UTF-8"\r\n\r\n{"emoji":"👍","version":1}',
            "Content-Type: text/html; charset=utf-8\r\n\r\n<div><p>👍</p><p>Ann reacted via Gmail</p></div>",
        ],
    ],
)
def test_the_mails_of_programs_that_react(parts: list[str]) -> None:
    body = "".join(f"--b\r\n{part}\r\n" for part in parts)
    taken = take_in(mail(f"{body}--b--", "Content-Type: multipart/alternative; boundary=b"))
    assert isinstance(taken, Intake)
    assert find_free_answer([line.text for line in taken.lines]).answer == "yes"
    assert is_reaction([line.text for line in taken.lines])


@each_row("text", ["{}", '{"emoji": 3}', '{"emoji": "', '{"emoji":"\\x"}', "👍"])
def test_a_reaction_that_cannot_be_read_says_nothing(text: str) -> None:
    kind = "Content-Type: text/vnd.google.email-reaction+json; charset=utf-8"
    taken = take_in(mail(text, kind))
    assert isinstance(taken, Intake)
    assert [line.text for line in taken.lines if line.text] == []
