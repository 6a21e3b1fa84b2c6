"""What people ask for in their own words, and the orders that do it.

A topic is about the game as such, not about its rules: how to take a turn back, to end the game, to change an address. The table
covers the orders of a game and those of a club.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from attrs import converters, field, frozen

from tkid.notation.text import make_plain

MAX_SENTENCES, MAX_LENGTH = 8, 300
"""Maximum number of sentences that are looked at, and maximum length of one."""
SENTENCE = re.compile(r"(?:[^.!?\s]|[.!?](?=\w))(?:[^.!?]|[.!?](?=\w))*[?]?")
HOW = re.compile(r"\b(?:how|what|where|which|wie|comment|cómo)\b", re.IGNORECASE)


def _compile_phrases(table: str) -> re.Pattern[str]:
    """Return the pattern of some phrases, one a line: ` … ` stands for a few words between others."""
    phrases = (line.strip().replace(" … ", r"\b.{0,25}\b") for line in table.strip().split("\n"))
    return re.compile("|".join(rf"(?<!\w)(?:{each})(?!\w)" for each in phrases), re.IGNORECASE)


@frozen
class Topic:
    """Something that people ask for: the line that does it, its aim, and the phrases by which they ask.

    `is_club` is true for an order to the club. In a reply to a game's mail, `vague` phrases are about that game and do not count.
    """

    line: str
    aim: str
    phrases: re.Pattern[str] = field(converter=_compile_phrases)
    is_club: bool = False
    vague: re.Pattern[str] | None = field(default=None, converter=converters.optional(_compile_phrases))

    def fits(self, asked: str, *, in_game: bool) -> bool:
        """Return True if a sentence asks for it."""
        patterns = [self.phrases, *([self.vague] if self.vague and not in_game else [])]
        return any(each.search(asked) for each in patterns)

    def write_answer(self, line: str = "") -> str:
        """Return the sentence that names the order, with the line as it is to be written."""
        return f"To {self.aim}, reply `{line or self.line}`."


TOPICS = (
    Topic(
        "undo?",
        "ask for the last turn to be taken back",
        r"""
        undo(?:ing|ne)?\b(?!.*\b(?:swap|manoeuvre|outmanoeuvre|card))
        tak(?:e|ing) (?:all )?(?:it|that|this|(?:my|the|our|a|that)(?: last| previous)? (?:turn|move|one|pass|action)) back
        (?:have|get|give me) (?:my|the)(?: last)? (?:turn|move) back
        tak(?:e|ing) back(?: (?:it|that|this|(?:my|the|our|a|that)(?: last| previous)? (?:turn|move|one|pass|action)|something)|\s*\?)
        cancel (?:that|it)|(?:change|correct|redo|revoke|retract|reverse|replay|withdraw|cancel|fix|edit|replace) (?:my|the|our|that|this|a)(?: last| previous| first)? (?:turn|move|pass|action|mistake)
        (?:click|press|sen[dt]|play|pick|cho[os]|typ|hit|select|push|tapp?)\w* … (?:wrong|mistake|accident)
        mis-?click\w*|mis-?typ\w*|(?:that|it|this|turn|move) was (?:an? |the |my )?(?:mistake|accident|wrong|slip|typo|error)
        made a mistake|by (?:mistake|accident)|wrong (?:button|turn|move|link)|changed? my mind
        rückgängig|zurücknehmen|reprendre mon coup|annuler mon coup|deshacer
        """,
    ),
    Topic(
        "agree draw",
        "end the game drawn if everybody agrees",
        r"""
        (?:call|agree|offer|accept|propose|suggest|make|settle|want|like|have|take|declare|about) … (?:an?|the|in|as) (?:draw|tie)(?! card)
        (?:we|us|i|let's|lets) … (?:end|finish) … (?:draw|tie)
        (?<!a )draw\s*\?|\Aa draw\s*\?|draw offer|call it (?:even|quits)|unentschieden|remis|match nul|tablas
        """,
    ),
    Topic(
        "agree abandon",
        "end the game without a result if everybody agrees",
        r"""
        (?:stop|end|quit|abandon|cancel|abort|finish|close|delete|terminate|break off) (?:playing|(?:this|the|our|my|that)(?: whole| current)? (?:game|match))
        call(?:ing)? (?:this|the|it|our)(?: game| match| whole thing)? off|call off … (?:game|match)|(?:stop|end) (?:it|this|here)(?: all)?(?: here| now| early)?\s*(?:$|[?.!])
        (?:spiel|partie) (?:beenden|abbrechen)|arrêter (?:la partie|le jeu)|terminar la partida
        """,
    ),
    Topic(
        "resign",
        "give up the game",
        r"""
        resign(?:ing|ation|ed)?|conced(?:e|ing)|surrender(?:ing)?|forfeit|drop out|bow out|aufgeben|abandonner la partie|rendirme
        giv(?:e|ing) (?:up|in)(?! (?:a|my|one|two|control|followers?)\b)
        (?:i|we)(?: want to| would like to| have to| must| need to|'d like to)? (?:leave|quit|stop)\s*(?:$|[?.!]|now|here|please)
        (?:stop|quit|leave|leaving|exit|withdraw from|get out of) (?:playing|(?:this|the|my|our|that|a)(?: whole| current)? (?:game|match))
        """,
    ),
    Topic(
        "pause until DAY",
        "stop all clocks until a day if everybody agrees",
        r"""
        pause|(?:take|have|need) a (?:short |little )?break|(?:stop|freeze|halt) (?:the |all )?clocks?
        put (?:the game|it|this|our game) on hold|suspend|interrupt (?:the|our|this) game|(?:continue|resume) later
        """,
    ),
    Topic(
        "away DAY to DAY",
        "announce days away, on which your clock stands still",
        r"""
        (?:i|i'm|i'll|i've|we|we're|we'll|my) … (?:holidays?|vacations?|away|on leave|abroad|absent|absence|out of (?:office|town)|travell?ing|unavailable|not available|offline)
        away (?:from|on|until|till|between|for|\d)|(?:go|going|be|being) (?:away|on (?:holiday|vacation|leave))
        (?:ich|wir) … (?:urlaub|verreist|weg)|en vacances|de vacaciones|in ferie
        """,
    ),
    Topic(
        "cancel away",
        "end your absence",
        r"""
        (?:cancel|end|shorten) (?:my |the )(?:absence|holiday|vacation|leave)|i(?:'m| am) back
        """,
    ),
    Topic(
        "cancel all",
        "end your plans",
        r"""
        (?:cancel|delete|remove|drop|end|forget) (?:my |the |all |all my )(?:conditional |standing )?(?:plans?|orders?)
        """,
    ),
    Topic(
        "status",
        "see the board, the time and your plans",
        r"""
        whose (?:turn|move|go)|is it\b.{1,30}\b(?:turn|move|go)|who(?:'s| is|se)? (?:next|to (?:play|move|act|go)|turn)|when (?:is it|am i|is) … turn
        who(?:'s| is) (?:on|up)|who (?:plays|moves|goes) (?:next|now)|how long (?:do|have|can|may) (?:i|we)|how much longer|deadline|time (?:is )?(?:left|limit|remaining)
        how (?:much|long|many) … (?:time|days?|hours?) … (?:i|we|he|she|left|remain\w*|got)|how (?:much|many) (?:time|days|hours) (?:is|are|remains?)
        (?:when|until when|by when) (?:do|must|should|have|does|is|can) … (?:i|we|my|it) … (?:play|move|reply|answer|act|due|time|out)
        (?:what|how)(?: is| are|'s) … (?:score|standings?|state|status|situation|position)|how(?: is|'s) (?:the|our|this) game|who(?:'s| is) (?:winning|ahead|leading)
        (?:show|see) (?:me )?the (?:board|position|map)|where (?:are|do) we (?:now|stand)
        """,
    ),
    Topic(
        "legal",
        "see what you can play",
        r"""
        (?:what|which turns?|which moves?|which cards?) (?:can|could|may|should) i (?:do|play|make)
        what (?:is|are) (?:the |my )*(?:legal|options|choices|moves|possibilities)|(?:legal|possible) (?:moves|turns)
        """,
    ),
    Topic(
        "why",
        "see how it was decided",
        r"""
        why did (?:i|we|he|she|\w+) (?:win|lose)|how was it decided|who (?:has )?won|why is (?:the|this) game over
        """,
    ),
    Topic(
        "history",
        "see all turns",
        r"""
        what (?:did|has|have) \w+ (?:play|do|done|move|played|moved)(?: so far)?|(?:turns|moves) so far|what (?:has )?happened
        (?:show|see|list|what (?:are|is|was|were)) … (?:previous|past|earlier|last|all|old) (?:turns?|moves?)
        """,
    ),
    Topic(
        "say to all: TEXT",
        "write to the other players",
        r"""
        (?:send|write|leave|pass on) (?:\w+ )?(?:an? )?(?:message|note|word|line)s?
        (?:talk|speak|write) to (?!you|the host|tkid)\w+\s*(?:$|[?.!])
        (?:talk|speak|chat|write|say (?:something|hello|hi)) (?:to|with) (?:my |the )?(?:opponents?|other players?|others|everybody|everyone|all|each other|him|her|them)
        (?:contact|message|reach) (?:my |the )?(?:opponents?|other players?|others|him|her|them)
        """,
    ),
    Topic(
        "notify no pictures",
        "get mails without pictures",
        r"""
        (?:no|without|fewer|stop|remove|turn off|disable|hide) … (?:pictures?|images?)
        """,
    ),
    Topic(
        "notify my turns",
        "get fewer mails",
        r"""
        (?:fewer|less|stop|no more|too many|so many|reduce|limit|turn off|mute) … (?:e-?mails?|mails|letters|notifications?|news)
        """,
    ),
    Topic(
        "notify every turn",
        "get a mail about every turn",
        r"""
        (?:more|all) … (?:e-?mails|mails|news)|(?:mail|e-?mail|letter|notification|news) (?:about|for|of|after) (?:every|each|all) (?:turns?|moves?)
        """,
    ),
    Topic(
        "rematch",
        "play again with the same players once the game is over",
        r"""
        rematch|revanche|play again|(?:another|one more|a second) (?:game|round|match)
        """,
        is_club=True,
    ),
    Topic(
        "address NEW@EXAMPLE.ORG",
        "move everything of yours to another address",
        r"""
        (?:new|change[ds]?|changing|other|another|different|update|switch|moved?) … (?:e-?mail|mail|address|adresse)(?: address| account)?
        (?:e-?mail|mail|address)(?: address)? (?:has changed|changed|is now|will be)
        neue (?:e-?mail|mail)?-?adresse|nouvelle adresse|nueva dirección
        """,
        is_club=True,
    ),
    Topic(
        "games",
        "see your games",
        r"""
        (?:which|what|list|show|how many|see|find) … (?:my|our|of my|old|other|running|current) games|(?:which|what|how many) games (?:am i|do i|are we)|where are my games
        """,
        is_club=True,
    ),
    Topic(
        "open games",
        "see the games that look for players",
        r"""
        open games?|free seats?|join (?:a|another|some|the|your) (?:game|match|club)
        """,
        is_club=True,
        vague=r"""
        (?<!you )(?:looking|look|search(?:ing)?|seek(?:ing)?|want|like|love|need|find|wait(?:ing)?|interested) … (?:games?|match|somebody|someone|anybody|anyone|players?|opponents?|partners?|others?|playing|play|join|sign up)
        (?:anybody|anyone|somebody|someone) … (?:play|game|match)
        how (?:do|can|could|would) (?:i|we|one) (?:join|sign up|register|enrol|take part|participate|get in)|sign me up|(?:can|may|could) (?:i|we) (?:join|play)\s*(?:$|[?.!]|too|here|with|against)
        """,
    ),
    Topic(
        "new game second-edition for 2",
        "wait for another player",
        r"""
        (?:start|begin|open|create|set up|host) (?:an?|another|the) (?:new )?(?:game|match)|new game|(?:two|several|more) games at once
        """,
        is_club=True,
        vague=r"""
        (?<!you )(?:looking|look|search(?:ing)?|want|like|love|need|find|wait(?:ing)?|interested) … (?:somebody|someone|anybody|anyone|players?|opponents?|partners?|game|match|play|playing)
        how (?:do|can|could|would) (?:i|we|one) (?:join|start|begin|sign up|play|get in)\s*(?:$|[?.!]|here|with|against)
        """,
    ),
    Topic(
        "new game with bot",
        "play against a program",
        r"""
        (?:play|game|practi[sc]e|train) … (?:bot|computer|program|machine|ai|alone|myself)|(?:against|with) (?:a |the )?(?:bot|computer|program|machine|ai)|solo
        """,
        is_club=True,
        vague=r"""
        (?<!you )(?:looking|look|search(?:ing)?|want|like|love|need|find|wait(?:ing)?|interested) … (?:somebody|someone|anybody|anyone|players?|opponents?|partners?|game|match|play|playing)
        how (?:do|can|could|would) (?:i|we|one) (?:join|start|begin|sign up|play|get in)\s*(?:$|[?.!]|here|with|against)
        """,
    ),
    Topic(
        "play with bob@example.org",
        "invite somebody to a game",
        r"""
        invit(?:e|ing)|play (?:with|against) (?:a|my) (?:friend|wife|husband|son|daughter|brother|sister|mother|father|colleague)|(?:bring|add) a friend
        """,
        is_club=True,
    ),
    Topic(
        "tournaments",
        "see the tournaments",
        r"""
        tournaments?|turnier|tournoi|torneo|league
        """,
        is_club=True,
    ),
    Topic(
        "anonymous on",
        "hide your name",
        r"""
        anonym\w*|pseudonym|(?:hide|change|conceal) (?:my|the) (?:real )?name|under another name|without my name
        """,
        is_club=True,
    ),
    Topic(
        "digest daily",
        "get one mail a day about all your games",
        r"""
        (?:a|the|one|daily|weekly) digest|(?:one|single) (?:e-?mail|mail|letter) (?:a|per) day|once a day|daily (?:e-?mail|mail|letter)
        """,
        is_club=True,
    ),
    Topic(
        "observe GAME",
        "watch a game",
        r"""
        (?:watch|observe|spectate|look at|follow) … games?
        """,
        is_club=True,
    ),
    Topic(
        "calendar on",
        "get deadlines into your calendar",
        r"""
        calendar|ical
        """,
        is_club=True,
    ),
    Topic(
        "block",
        "get no letters of the club any more",
        r"""
        (?:never|don't|do not|stop) (?:mail|e-?mail|write|contact|mailing|e-?mailing|writing|contacting|send|sending) (?:to )?me|unsubscribe|remove me|delete my (?:account|address|data)
        """,
        is_club=True,
    ),
    Topic(
        "help",
        "see everything that you can write",
        r"""
        what (?:can|could|may|should|do) i (?:write|say|send|type|reply|order)|(?:which|what|list of|all) (?:orders|commands)
        how (?:do|does|can|should) (?:i|one|it|this|that) (?:work|reply|answer|write|use|send|enter|submit|play|make|give|take) *(?:$|[?.!]|(?:this|it|a turn|my turn|a move|my move|an order|by mail))
        i(?:'m| am) (?:lost|stuck|confused)|i (?:don't|do not) (?:understand|know (?:what|how))|need (?:some )?help|help me
        """,
    ),
)
"""All topics. Of those of one sentence, the first is answered first."""


def split_into_sentences(texts: Iterable[str]) -> list[str]:
    """Return the first sentences of some lines; lines that follow one another are one text."""
    found = SENTENCE.findall(make_plain(" ".join(texts)).replace("’", "'"))
    return [text.strip() for text in found if len(text) <= MAX_LENGTH][:MAX_SENTENCES]


def asks_how(asked: str) -> bool:
    """Return True if a sentence asks how something is done, and not for the thing itself."""
    return HOW.search(asked) is not None


def find_topics(texts: Sequence[str], *, in_game: bool) -> Iterator[tuple[Topic, str]]:
    """Yield the topics that some lines are about, each with its sentence, in the order of the sentences.

    `in_game` is true for a reply to the mail of a game.
    """
    left = list(TOPICS)
    for asked in split_into_sentences(texts):
        for topic in [each for each in left if each.fits(asked, in_game=in_game)]:
            left.remove(topic)
            yield topic, asked


PLACEHOLDER = re.compile(r"\b[A-Z][A-Z@.]{2,}")
"""A part of an order that its sender has to fill in."""
ADDRESS = re.compile(r"[^\s<>()@,;:]+@[^\s<>()@,;:]+\.\w+")


def complete_line(topic: Topic, asked: str, today: date) -> str:
    """Return the line of a topic with the days or the address that a sentence names."""
    days, address = find_absence(asked, today), ADDRESS.search(asked)
    if days and topic.line.startswith("away "):
        return f"away {days[0]} to {days[1]}"
    return f"address {address[0]}" if address and topic.line.startswith("address ") else topic.line


def is_complete(line: str) -> bool:
    """Return True if a line can be sent as it is."""
    return PLACEHOLDER.search(line) is None


# -- days in a sentence -----------------------------------------------------------------------------------

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
OTHER_MONTHS = {"mai": 5, "okt": 10, "dez": 12, "mär": 3, "déc": 12, "fév": 2, "avr": 4, "juin": 6, "aoû": 8}
MONTH = rf"(?:{'|'.join((*MONTHS, *OTHER_MONTHS))})[^\W\d_]*\.?"
ORDINAL = r"(?:st|nd|rd|th)?"
DAY = re.compile(
    r"(?<![\w/.:])(?:(?P<iso>\d{4}-\d{1,2}-\d{1,2})"
    r"|(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>\d{4}))?"
    rf"|(?P<name_1>{MONTH})\s+(?:the\s+)?(?P<day_1>\d{{1,2}}){ORDINAL}(?:,?\s+(?P<year_1>\d{{4}}))?"
    rf"|(?P<day_2>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s*(?:of\s+)?(?P<name_2>{MONTH})(?:,?\s+(?P<year_2>\d{{4}}))?)?)"
    r"(?![\w/:])(?!\s*(?:days?|weeks?|months?|hours?|minutes?|o'clock|[ap]m|turns?|players?|tage|jours)\b)",
    re.IGNORECASE,
)
"""A day in a sentence: `20`, `20th of December`, `December 20, 2026`, `20.12.`, `2026-12-20`."""
UP_TO = re.compile(r"[\s,]*(?:[-–—]|to|until|till|til|through|thru|and|bis|au|al)\s*(?:the|zum)?\s*", re.IGNORECASE)
ENDING_ON = re.compile(r"\b(?:until|till|til|through|thru|bis|jusqu'au)\s+(?:the\s+|zum\s+)?\Z", re.IGNORECASE)
LONGEST_ABSENCE, FURTHEST = timedelta(days=92), timedelta(days=300)
"""Most days of an absence in a sentence, and the days from today after which it does not begin: its days have passed."""


def find_absence(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and last day that a sentence names, from tomorrow on; None if it surely names none."""
    days, tomorrow = list(DAY.finditer(text)), today + timedelta(days=1)
    if len(days) == 1 and ENDING_ON.search(text[: days[0].start()]):
        last = _resolve_day(*_read_parts(days[0]), tomorrow)
        return _make_span(tomorrow, last, today)
    if len(days) == 1 and _read_parts(days[0])[1]:
        only = _resolve_day(*_read_parts(days[0]), tomorrow)
        return _make_span(only, only, today)
    if len(days) != 2 or not UP_TO.fullmatch(text[days[0].end() : days[1].start()]):
        return None
    (day, month, year), (last_day, last_month, last_year) = map(_read_parts, days)
    before = (last_month - 2) % 12 + 1 if last_month else 0
    for own_month in (month,) if month else (last_month, before):
        first = _resolve_day(day, own_month, year, tomorrow)
        last = _resolve_day(last_day, last_month or own_month, last_year, first) if first else None
        if span := _make_span(first, last, today):
            return span
    return None


def _read_parts(match: re.Match[str]) -> tuple[int, int, int]:
    """Return the day, month and year of a day in a sentence, 0 for a part that is not there."""
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        return day, month, year
    name = (match["name_1"] or match["name_2"] or "").casefold()
    months = {**{short: number for number, short in enumerate(MONTHS, 1)}, **OTHER_MONTHS}
    month = next((number for short, number in months.items() if name.startswith(short)), 0)
    year = int(match["year"] or match["year_1"] or match["year_2"] or 0)
    return int(match["day"] or match["day_1"] or match["day_2"]), month or int(match["month"] or 0), year


def _resolve_day(day: int, month: int, year: int, since: date) -> date | None:
    """Return the next day like this one, from a day on."""
    later = (since + timedelta(days=days) for days in range(800))
    return next(
        (each for each in later if each.day == day and month in {0, each.month} and year in {0, each.year}), None
    )


def _make_span(first: date | None, last: date | None, today: date) -> tuple[date, date] | None:
    is_span = first and last and first <= last <= first + LONGEST_ABSENCE and first <= today + FURTHEST
    return (first, last) if is_span and first and last else None
