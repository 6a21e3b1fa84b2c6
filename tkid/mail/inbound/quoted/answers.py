"""Answers to an offer: a whole line with `yes`, `no` or a number, and agreement in the words that people write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from unicodedata import normalize

from attrs import frozen

from tkid.mail.inbound.normalize import meant, seen
from tkid.mail.inbound.whole_orders import SIGNATURES
from tkid.mail.model import IDS, Line, Refusal
from tkid.rulebook import cites

ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            ("y", "yes", "yep", "yeah", "yes please", "ok", "okay", "ja", "jawohl", "oui", "si", "sí"), "yes"
        ),
        **dict.fromkeys(("yes pls", "yes thanks", "yes thank you", "yes play it", "yes do it", "yup", "sure"), "yes"),
        **dict.fromkeys(("sim", "tak", "da", "да", "はい", "是", "correct", "confirm"), "yes"),
        **dict.fromkeys(
            ("n", "no", "nope", "no thanks", "nein", "non", "nee", "nie", "não", "нет", "いいえ", "不"), "no"
        ),
        **{str(number): str(number) for number in (1, 2, 3)},
    }
)
REACTED = Refusal(IDS("reaction"), "It is only a reaction to a mail that asked nothing")
NUMBER = re.compile(r"[#(]?\s*([1-9])\s*[.)]?")
ENDS = " \t.!,"

YES = """
y, yes, yep, yeah, yup, yea, yah, aye, yes it is, yes that one, yes this one, yes i do, yes i did, ok, okay, okey,
sure, right, correct, exactly, precisely, confirm, confirmed, agreed, absolutely, definitely, certainly, indeed,
affirmative, bingo, perfect, great, good, fine, lgtm, roger, sure thing, of course, no doubt, i confirm, i agree, i
accept, accept, accepted, approve, approved, all good, all right, alright, spot on, that's it, thats it, that is it,
this is it, that was it, that's the one, thats the one, that is the one, that's right, thats right, that is right,
that's correct, thats correct, that is correct, this is correct, this is right, that's fine, that's good, that's my
turn, that is my turn, that's my move, that one, this one, exactly that, just that, what i meant, what i mean, what
i want, what i wanted, what i had in mind, i meant that, i meant this, i meant it, i mean it, i did mean that, you
got it, you've got it, got it, you are right, you're right, do it, do that, do so, do this, just do it, go, go
ahead, go for it, please do, play it, play that, play this, play the turn, play this turn, make it so, sounds good,
looks good, looks right, looks fine, send it, submit it, thumbs up, yes sir, the turn i meant, the move i meant, +1,
ja, jawohl, jo, joa, jep, jup, jepp, jap, genau, richtig, stimmt, korrekt, passt, einverstanden, klar, gerne, gern,
sicher, natürlich, bestätigt, bestätige, gut, perfekt, super, prima, genau so, genau das, ganz genau, das stimmt,
stimmt so, passt so, das passt, so passt es, so passt's, so ist es, so ist's, so war es gemeint, so war's gemeint,
so meine ich es, so meinte ich es, so meinte ich das, das meinte ich, das meine ich, das habe ich gemeint, das hab
ich gemeint, das war gemeint, das ist richtig, das ist korrekt, das ist es, das ist er, das ist der zug, das ist
mein zug, ist richtig, mach das, mach es, mach so, mach mal, so machen, so spielen, bitte so spielen, bitte spielen,
spiel das, bitte ausführen, in ordnung, alles klar, na klar, ja klar, auf jeden fall, ich bestätige, das will ich,
das wollte ich, oui, ouais, exact, exactement, absolument, parfait, entendu, voilà, voila, confirmé, d'accord, c'est
ça, c'est ca, c'est cela, c'est bien ça, c'est bien cela, c'est exact, c'est bon, c'est juste, c'est bien, c'est
correct, c'est le coup, c'est mon coup, tout à fait, bien sûr, je confirme, vas-y, allez-y, fais-le, faites-le,
c'est ce que, je voulais dire, je voulais, je veux, j'ai voulu dire, bien vu, sí, si, vale, exacto, exactamente,
correcto, claro, adelante, dale, perfecto, confirmo, confirmado, hazlo, de acuerdo, eso es, es eso, eso mismo, así
es, asi es, es correcto, está bien, esta bien, claro que sí, por supuesto, eso quería decir, es lo que quería decir,
lo que quería decir, eso quería, sì, esatto, esattamente, giusto, corretto, certo, confermo, confermato, perfetto,
fallo, vai, va bene, è giusto, è corretto, d'accordo, proprio così, proprio quello, è quello che intendevo, quello
che intendevo, intendevo quello, certo che sì, va benissimo, è così, jazeker, precies, klopt, juist, inderdaad,
akkoord, zeker, dat klopt, dat is het, dat bedoel ik, dat bedoelde ik, dat is juist, dat is goed, doe maar, in orde,
goed, sim, isso, correto, exato, exatamente, perfeito, isso mesmo, é isso, é isso mesmo, está certo, está bem, tá
bom, pode ser, com certeza, era isso, foi isso que eu quis dizer, pode jogar, tak, dokładnie, zgoda, dobrze,
oczywiście, potwierdzam, jasne, zgadza się, dokładnie tak, właśnie tak, w porządku, o to chodziło, o to mi chodziło,
to jest to, да, ага, верно, точно, именно, конечно, правильно, согласен, согласна, подтверждаю, хорошо, ок, окей,
давай, давайте, именно так, так и есть, всё верно, все верно, это оно, именно это, совершенно верно, вот именно, はい,
ええ, うん, そう, そうです, その通りです, その通り, それです, それで, お願いします, おねがいします, 了解, 了解です, 了解しました, オーケー, okです, 正しいです, 合っています, 合ってます, 是,
是的, 对, 對, 对的, 對的, 对了, 對了, 好, 好的, 没错, 沒錯, 正确, 正確, 确认, 確認, 可以, 行, 就是这个, 就是這個, 就这样, 就這樣, 就是这样, 就是這樣, da, ano, áno,
igen, evet, kyllä, joo, hai, nai, ναι, japp, javisst, precis, visst, stämmer, det stämmer, just det, det er riktig,
네, 예, 맞아요, نعم, כן, так, 👍, 👌, ✅, ✔, ☑, 🆗, 💯, det er rigtigt, it was, the right one, the right turn, that's the
turn, that is the turn, that's the move, i did, i do, we agree, still yes, as you say, as proposed, wie
vorgeschlagen, it is, was what i meant, the turn that i meant, war es gemeint, meinte ich das, meinte ich es, wollte
ich
"""
NO = """
n, no, nope, nah, wrong, no thanks, no thank you, not that, not this, not that one, not this one, not it, that's not
it, thats not it, that is not it, that's wrong, thats wrong, that is wrong, this is wrong, not what i meant, that's
not what i meant, that is not what i meant, not what i want, don't, do not, don't do it, don't play it, do not play
it, please don't, don't play that, cancel, cancel that, cancel it, never mind, nevermind, forget it, stop, not
correct, incorrect, not right, that's not right, that is not right, none of these, none of them, neither, nein, ne,
nö, nee, falsch, doch nicht, so nicht, nein danke, das nicht, das ist falsch, das war falsch, das stimmt nicht,
stimmt nicht, das meinte ich nicht, das habe ich nicht gemeint, so war es nicht gemeint, bitte nicht, nicht spielen,
lieber nicht, keinen davon, keiner davon, non, faux, pas ça, pas cela, ce n'est pas ça, c'est pas ça, c'est faux,
non merci, surtout pas, no es eso, eso no, no es correcto, no gracias, incorrecto, no è quello, non è quello,
sbagliato, no grazie, niet, fout, dat is fout, dat niet, niet dat, nee bedankt, dat klopt niet, não, não é isso,
errado, nie, to nie to, źle, nie to, нет, неверно, не то, не это, неправильно, нет спасибо, いいえ, いや, 違います, ちがいます,
違う, だめ, 不, 不是, 不对, 不對, 错, 錯, 错了, 錯了, 不要, nej, nem, ei, όχι, hayır, 아니요, لا, לא, ні, 👎, ❌, ✖, 🚫, scrap that, scrap
it, not quite, i didn't mean that, i did not mean that
"""
NEUTRAL = """
please, pls, plz, thanks, thx, ty, cheers, sorry, well, oh, ah, so, just, and, now, indeed, thank you, thank you
very much, thanks a lot, many thanks, no problem, sorry for the confusion, for asking, the turn, my turn, that's,
thats, that is, that was, this is, this was, for me, then, tkid, host, bitte, danke, dankeschön, und, also, doch,
vielen dank, danke dir, danke schön, besten dank, entschuldigung, kein problem, merci, svp, stp, désolé, merci
beaucoup, s'il te plaît, s'il vous plaît, et, gracias, muchas gracias, por favor, perdón, grazie, grazie mille, per
favore, scusa, prego, bedankt, dank, dank je, dank u, dank je wel, alsjeblieft, graag, obrigado, obrigada, dziękuję,
dzięki, proszę, спасибо, пожалуйста, спасибо большое, ありがとう, ありがとうございます, よろしく, よろしくお願いします, 谢谢, 謝謝, 谢谢你, 请, 請, tack,
takk, kiitos, 😀, 😃, 😄, 😁, 😆, 😊, 🙂, ☺, 😉, 😅, 😂, 😎, 🎉, 🙏, ♥, ❤, ⭐, 🙌, 👏, 🤝, 🍀
"""
NUMBERS = {
    "1": """
1, one, number 1, number one, option 1, the first, the first one, first, nummer 1, das erste, der erste, die erste,
le premier, la première, el primero, la primera, il primo, de eerste, o primeiro, pierwszy, первый
""",
    "2": """
2, two, number 2, number two, option 2, the second, the second one, second, nummer 2, das zweite, der zweite, die
zweite, le deuxième, le second, el segundo, la segunda, il secondo, de tweede, o segundo, drugi, второй
""",
    "3": """
3, three, number 3, number three, option 3, the third, the third one, third, nummer 3, das dritte, der dritte, die
dritte, le troisième, el tercero, la tercera, il terzo, de derde, o terceiro, trzeci, третий
""",
}
"""Phrases of answers in the sender's own words, each between commas or line ends."""
INSTEAD = re.compile(
    r"(?:(?:i|we) (?:really )?(?:meant?|want(?:ed)?|would)|i'd|make (?:it|that)|rather|instead|play|it(?: was|'s| is)|it should (?:be|have been)"
    r"|ich (?:meinte?|wollte|will|möchte)|sondern|lieber|je (?:voulais|veux)|plutôt|quer(?:ía|o)|quise|intendevo|volevo|ik (?:bedoel(?:de)?|wil(?:de)?)"
    r"|chodziło mi o|я имел(?:а)? в виду)\b(?:\s+(?:to|rather|like|have|say|said|play|played|decir|dire)\b)*[\s:,]*",
    re.IGNORECASE,
)
"""What leads to what was meant instead."""
AT_THE_END = re.compile(
    r"[ ,]+(?:instead|rather|please|stattdessen|bitte|plutôt|invece)\b[.!]*$", re.IGNORECASE | re.MULTILINE
)
GREETING = re.compile(
    r"(?:hi|hello|hey|dear|hallo|hi there|moin|servus|liebe[rs]?|guten (?:tag|morgen|abend)|bonjour|bonsoir|salut|hola|buenas|buenos días"
    r"|ciao|salve|buongiorno|hoi|beste|dag|olá|oi|cześć|dzień dobry|привет|здравствуйте|こんにちは|你好|您好)\b",
    re.IGNORECASE,
)
CLOSING = re.compile(
    r"(?:all the best|(?:(?:kind|best|warm) )?(?:regards|wishes)|best|cheers|thanks|yours|bye|see you|take care|(?:mit )?(?:\w+ )?(?:grüßen?|gruß)"
    r"|lg|vg|mfg|tschüss|bis bald|(?:bien )?cordialement|amicalement|à bientôt|(?:un )?saludos?|un abrazo|abraços?|(?:cordiali )?saluti"
    r"|(?:hartelijke |vriendelijke )?groet(?:en|jes)?|(?:met )?(?:vriendelijke|hartelijke) groeten?|pozdrawiam|с уважением|всего доброго)\b",
    re.IGNORECASE,
)
OF_PROGRAM = re.compile(
    r"(?:sent (?:from|with|via)|get outlook|von meinem|gesendet|envoyé|enviado|inviato|verzonden|wysłano|отправлено)\b.*"
    r"|.*(?:iphone|ipad|android|smartphone).*"
    r"|.*\b(?:reacted|reagiert|réagi|reaccion[óa]\w*|gereageerd|reagito|reagiu|zareagował\w*|отреагировал\w*)\b.*|.*(?:リアクション|回应|回應).*",
    re.IGNORECASE,
)
"""What mail programs write: where a mail was sent from, and that somebody has reacted."""
OPEN = re.compile(
    r"(?:wait|stop|but|not|hold|hmm+|except|unless|if|later|tomorrow|maybe|perhaps|aber|warte|nicht|vielleicht|später|morgen|mais|attends"
    r"|pero|espera|quizás|ma|forse|aspetta|maar|misschien|wacht|ale|może|czekaj|но|может|стой)\b",
    re.IGNORECASE,
)
"""Words that are no name, wherever they stand."""
LONGEST_ANSWER = 400
"""Characters of a mail that is read as an answer in the sender's own words."""
CLAUSE_ENDS = re.compile(r"[.,;:!\n()\"«»“”。、]+|\s[-–—]+\s")
SMILE = re.compile(r"[:;]-?[)DP](?!\w)")
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
LINK = re.compile(r"<?https?://\S*>?")
NOISE = re.compile(r"[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff*_`]|\u200d[♀♂]")
"""What changes the look of a sign, but not what it says: colours of skin, variants; and marks of bold and italics."""


def _phrases(table: str) -> Iterator[str]:
    return (phrase for phrase in " ".join(table.split()).split(", ") if phrase)


KINDS: Mapping[str, str] = MappingProxyType(
    {
        **{phrase: number for number, table in NUMBERS.items() for phrase in _phrases(table)},
        **dict.fromkeys(_phrases(NEUTRAL), ""),
        **dict.fromkeys(_phrases(NO), "no"),
        **dict.fromkeys(_phrases(YES), "yes"),
    }
)
"""What each phrase says, "" for nothing."""
LENGTHS = tuple(sorted(set(map(len, KINDS)), reverse=True))


@cites("mail.answered")
def answer_in(lines: Sequence[Line]) -> str:
    """What the lines above a quotation answer; "" where no whole line does, or where two say different things."""
    found = set()
    for line in takewhile(lambda line: not line.quoted and line.text not in SIGNATURES, lines):
        if len(line.text) > 40:
            continue
        text = " ".join(meant(line.text).rstrip(ENDS).replace(",", " ").split()).casefold()
        number = NUMBER.fullmatch(text)
        answer = ANSWERS.get(number[1] if number else text, "")
        if answer:
            found.add(answer)
    return found.pop() if len(found) == 1 else ""


# -- in the sender's own words ----------------------------------------------------------------------------


@frozen
class FreeAnswer:
    """An answer in the sender's own words, "" where they are not clearly one; `rest` is what stands behind a `no`."""

    answer: str = ""
    rest: str = ""


@cites("mail.offer.yes")
def free_answer(own: Sequence[str], extras: Iterable[str] = ()) -> FreeAnswer:
    """What a mail answers whose every word agrees, denies, or says nothing; a `no` may go before other words.

    Args:
        own: the sender's lines.
        extras: words that say nothing, such as the names of players.
    """
    text = _plain("\n".join(own))
    if len(text) > LONGEST_ANSWER:
        return FreeAnswer()
    known, said, has_closed = frozenset(word.lower() for word in extras), frozenset[str](), False
    for begin, end in _clauses(text):
        clause = text[begin:end]
        if OF_PROGRAM.fullmatch(clause) or (not said and _begins_with(GREETING, clause)):
            continue
        closes, found = _begins_with(CLOSING, clause), _said(clause, known)
        if found is not None:
            said |= found
        elif said == {"no"} and not has_closed and not closes:
            return FreeAnswer("no", _without_lead(text[begin:]))
        elif not said and (rest := _behind_no(clause)):
            return FreeAnswer("no", text[end - len(rest) :])
        elif not (closes or (has_closed and _is_name(clause))):
            return FreeAnswer()
        has_closed = has_closed or closes
    agreed = said - {"yes"} or said
    return FreeAnswer(min(agreed)) if len(agreed) == 1 and (len(said) == 1 or "no" not in said) else FreeAnswer()


def is_reaction(own: Sequence[str]) -> bool:
    """Whether a mail is only a sign that its sender has read ours: a thumb, or another picture."""
    text = _plain("\n".join(own))[: LONGEST_ANSWER + 1]
    clauses = [text[begin:end] for begin, end in _clauses(text)]
    signs = [clause for clause in clauses if not OF_PROGRAM.fullmatch(clause)]
    return bool(signs) and not any(map(str.isalnum, "".join(signs)))


def _plain(text: str) -> str:
    """A text without what only changes its look."""
    text = normalize("NFKC", LINK.sub(" ", NOISE.sub("", seen(text[: 2 * LONGEST_ANSWER])).replace("’", "'")))
    return SMILE.sub(" ", text)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a text begin and end, those that hold anything."""
    ends = [(match.start(), match.end()) for match in CLAUSE_ENDS.finditer(text)]
    for begin, end in zip((0, *(end for _, end in ends)), (*(begin for begin, _ in ends), len(text)), strict=True):
        clause = text[begin:end]
        if clause.strip(" \t-–—'/"):
            yield begin + len(clause) - len(clause.lstrip()), begin + len(clause.rstrip())


def _said(clause: str, known: frozenset[str]) -> frozenset[str] | None:
    """What the phrases of a clause say; None where not every word of it is known."""
    text = clause.lower()
    said: dict[int, frozenset[str]] = {0: frozenset()}
    for at in range(len(text)):
        if at in said:
            for phrase in _phrases_at(text, at, known):
                end = at + len(phrase)
                end += len(text) - end - len(text[end:].lstrip())
                said.setdefault(end, said[at] | {KINDS.get(phrase, "")})
    found = said.get(len(text))
    return None if found is None else found - {""}


def _behind_no(clause: str) -> str:
    """Return the text after a `no` without a comma that says what was meant."""
    denied = next((phrase for phrase in _phrases_at(clause.lower(), 0, frozenset()) if KINDS[phrase] == "no"), "")
    rest = clause[len(denied) :].lstrip()
    meant_instead = _without_lead(rest) if denied else rest
    return "" if meant_instead == rest else meant_instead


def _without_lead(text: str) -> str:
    """A text without the words that lead to what was meant, and those that end it."""
    lead = INSTEAD.match(text)
    return AT_THE_END.sub("", text[lead.end() :] if lead else text)


def _phrases_at(text: str, at: int, known: frozenset[str]) -> Iterator[str]:
    """The phrases that begin at a place in a text in small letters, the longest first."""
    for length in LENGTHS:
        phrase = text[at : at + length]
        if phrase in KINDS and not (_is_spaced(phrase[-1]) and _is_spaced(text[at + length : at + length + 1])):
            yield phrase
    word = WORD.match(text, at)
    if word and word[0] in known:
        yield word[0]


def _is_spaced(sign: str) -> bool:
    """Whether a sign is a letter or a figure of a script that has blanks between words."""
    return sign.isalnum() and not "\u3040" <= sign <= "\u9fff"


def _begins_with(words: re.Pattern[str], clause: str) -> bool:
    """Whether a clause is a greeting, perhaps with a name."""
    match = words.match(clause)
    return match is not None and _is_name(clause[match.end() :].title())


def _is_name(text: str) -> bool:
    """Whether a text may be a name, or is empty: no word of it says anything."""
    words = text.split()
    plain = all(word[0].isupper() or not word[0].isalpha() for word in words)
    return len(words) <= 3 and plain and not any(OPEN.match(word) or KINDS.get(word.lower()) for word in words)
