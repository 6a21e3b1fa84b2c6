"""What people ask for in their own words, the orders that do it, and days in a sentence."""

from __future__ import annotations

from datetime import date

from tests.mail.mails import GAME
from tests.shared.club_lines import read_club_line
from tests.shared.tables import each_row
from tkid.mail.order_finder import get_order_reader
from tkid.orders.order_values import Order
from tkid.orders.topics import complete_line, find_absence, find_topics, is_complete, load_topics

TODAY = date(2026, 11, 21)
ASKED = {
    "undo?": (
        "undo? I clicked the wrong one|Can I undo that please?|take that back please|Can I change my move?|Oh no, wrong button!|"
        "I would like to take back my last turn|Could I have my move back?|That was a mistake, sorry|How do I undo?|I misclicked"
    ),
    "agree draw": "Can we call it a draw?|Draw?|I offer a draw|Would you accept a draw?|How about a draw?|Let's call it a draw",
    "agree abandon": "How do I stop this game?|Can we end this game?|Let's call it off|I want to stop playing|could we end this early?",
    "resign": "How do I resign?|How can I give up?|I want to quit|Can I leave the game?|How do I concede?",
    "pause until DAY": "Can we pause?|I need a break|Can you stop the clock?|Could we put the game on hold?",
    "away DAY to DAY": "I'm on holiday next week|I am away from Monday|Can I be away for some days?|I'll be travelling",
    "pause until DAY ": "I need more time|Can I get some extra days?|More time please|Ich brauche mehr Zeit",
    "status ": (
        "how many cards do I have left?|What's in my hand?|Which cards do I still have?|show me my cards|What cards does Bob have left?|"
        "How many cards are left in my hand?"
    ),
    "agree draw ": "draw|Draw!|a draw",
    "undo? ": "take back|Take it back!|go back one turn|Can we go back a move?|one turn back please|Könnte man einen Zug zurück?",
    "resign ": "remove me|Please take me out of this game|remove me from the game|delete me please",
    "help ": "Hilfe|ayuda!|aide|Aiuto.|hulp|Hilfe bitte|à l'aide",
    "status": (
        "How much time do I have?|Who is next?|Whose turn is it?|When do I have to play?|How long do I have?|What's the score?|"
        "Is it my turn?|Who plays next?|how many days are left?|When is my deadline?|Can I see the board?|Who is winning?"
    ),
    "legal": "What can I do?|Which cards can I play?|What are my options?",
    "history": "What did Bob play?|What happened so far?|Can I see the last turns?",
    "say to all: TEXT": "say: hello|tell Ann that she plays well|Can I send a message?|How do I talk to the other players?|How do I write to Bob?",
    "notify my turns": "Too many mails!|Can I get fewer mails?|How do I stop the notifications?",
    "notify no pictures": "How do I turn off pictures?|Can I get mails without pictures?",
    "rematch": "Can we have a rematch?|Shall we play again?|Another game?",
    "address NEW@EXAMPLE.ORG": "I have a new address bob@new.example|I changed my e-mail|Can I use another address?|My email is now b@c.example",
    "open games": (
        "Hi, I'd like to play with somebody|looking for a game|How do I join?|Anyone want to play?|I am looking for players|"
        "Is anybody there who would play a game with me?|I want to sign up|Where do I find an opponent?|"
        "Ich suche Mitspieler|Ich würde gern mitspielen|Je cherche un adversaire|Busco rivales|Cerco avversari|Ik zoek tegenstanders|Who else plays here?"
    ),
    "play with bob@example.org": "I want to play with Bob <bob@example.org>|a game with ann@example.org please|Can I invite a friend?",
    "new game with bot": "Can I play against the computer?|Is there a bot to play with? I would play a bot|I want to play a game",
    "tournaments": "Are there tournaments?|How do I enter the tournament?",
    "anonymous on": "Can I hide my name?|How do I play anonymously?",
    "observe GAME": "Can I watch a game?|How do I follow other games?",
    "help": "What can I write?|How does this work?|I'm lost|I need help|How do I enter my turn?",
}
NOT_ASKED = (
    "Who wins a tie in a region?|May I summon from the supply?|Can I undo a swap?|When does the game end?|How does the game end?|"
    "Can I take back a follower?|What a nice day.|Good luck!|Shall we have tea on Sunday?|How are you?|Did you see the match?|"
    "Hello Bob, how was your holiday?|When will you be back?|Do you like the game?|Does a tie end in a draw?|"
    "Can I change a region card?|who goes first|What is a power struggle?|Can I give up control of a region?|"
    "how many cards do I draw?|How many cards does each player have?|what about a tie between two factions?|Take me to your leader|"
    "Das war keine Hilfe|I have more time on Sunday|We go back to school next week|remove two followers from Devon|"
    "What happens if all players pass?|Do I draw a card?|Where do followers go after a struggle?"
)
ABSENT = {
    "Ich bin vom 3. bis 10. Januar im Urlaub": "away 2027-01-03 to 2027-01-10",
    "Hallo zusammen, vom 20. Dezember bis zum 2. Januar sind wir verreist.": "away 2026-12-20 to 2027-01-02",
    "Bis 5. Januar bin ich nicht erreichbar.": "away 2026-11-22 to 2027-01-05",
    "estoy de vacaciones del 3 al 10 de enero": "away 2027-01-03 to 2027-01-10",
    "Estaré fuera del 28 de diciembre al 4 de enero": "away 2026-12-28 to 2027-01-04",
    "Ik ben van 3 tot en met 10 januari op vakantie": "away 2027-01-03 to 2027-01-10",
    "Wij zijn van 1 tot 8 maart afwezig": "away 2027-03-01 to 2027-03-08",
    "Sono in ferie dal 3 al 10 gennaio": "away 2027-01-03 to 2027-01-10",
    "Sarò via dal 5 all'8 maggio": "away 2027-05-05 to 2027-05-08",
    "Je suis en vacances du 3 au 10 janvier.": "away 2027-01-03 to 2027-01-10",
    "Nous serons absents du 1er au 9 août": "away 2027-08-01 to 2027-08-09",
}
"""Sentences about an absence, and the order that they ask for."""
DAYS = {
    "I am away from 20 to 27 December": ("2026-12-20", "2026-12-27"),
    "I'll be away 20-27 Dec": ("2026-12-20", "2026-12-27"),
    "away 20 December to 27 December": ("2026-12-20", "2026-12-27"),
    "on holiday from December 20 until January 3rd": ("2026-12-20", "2027-01-03"),
    "from the 20th to the 27th": ("2026-12-20", "2026-12-27"),
    "between the 24th and the 26th of December": ("2026-12-24", "2026-12-26"),
    "away from 28 to 3 January": ("2026-12-28", "2027-01-03"),
    "I'm away until 27 December": ("2026-11-22", "2026-12-27"),
    "away on Christmas Eve, 24 December": ("2026-12-24", "2026-12-24"),
    "20.12. bis 27.12.": ("2026-12-20", "2026-12-27"),
    "vom 20. bis 27. Dezember": ("2026-12-20", "2026-12-27"),
    "from 2026-12-20 to 2026-12-27": ("2026-12-20", "2026-12-27"),
    "20 Dec 2026 to 3 Jan 2027": ("2026-12-20", "2027-01-03"),
}
NO_DAYS = (
    *("for 10 days", "next week", "20/12 to 27/12", "from 1 to 5 November", "31 February", "on the 5th", "at 20:30"),
    *("2 or 3 days in December", "from 20 to 27 December or from 3 to 5 January", "20 December to 20 June"),
)


@each_row("line", ASKED)
def test_what_people_ask_for_has_an_order(line: str) -> None:
    missed = [
        text
        for text in ASKED[line].split("|")
        if line.strip() not in [topic.line for topic, _ in find_topics([text], in_game=False)]
    ]
    assert missed == []


@each_row("text", ABSENT)
def test_an_absence_in_another_language_has_its_days(text: str) -> None:
    found = [(topic, asked) for topic, asked in find_topics([text], in_game=True) if topic.line.startswith("away ")]
    assert [complete_line(topic, asked, TODAY) for topic, asked in found] == [ABSENT[text]]


@each_row(
    "text",
    (
        *("My calendar is full", "I got a new mail from Tom", "Thanks for inviting me", "I read mails once a day"),
        *(
            "before we begin the game",
            "It is a whole new game now",
            "The train is late, a machine broke",
            "Don't send me your troops",
        ),
        *(
            "I won a chess tournament",
            "I play with my son on Sundays",
            "another round of beer",
            "I watched the game on TV",
        ),
        *(
            "I'll write another mail tomorrow",
            "We have an open game on the board",
            "I moved house, in my last mail I was in Rome",
        ),
    ),
)
def test_talk_in_a_mail_about_a_game_is_no_wish_to_the_club(text: str) -> None:
    assert [topic.line for topic, _ in find_topics([text], in_game=True) if topic.club] == []


@each_row("text", NOT_ASKED.split("|"))
def test_talk_and_questions_about_rules_are_no_topics(text: str) -> None:
    assert list(find_topics([text], in_game=False)) == []


@each_row(
    "text",
    (
        *(
            "I would rather wait and see what the others do.",
            "I'd like to play Manoeuvre next",
            "Waiting for my opponent",
        ),
        *("I want the game to end well", "Somebody should play in Devon", "How do I get in?"),
    ),
)
def test_a_player_who_talks_about_the_game_looks_for_no_other_one(text: str) -> None:
    assert list(find_topics([text], in_game=True)) == []


@each_row("line", [topic.line for topic in load_topics()])
def test_each_topic_names_an_order_that_can_be_read(line: str) -> None:
    example = (
        line.replace("away DAY to", "away 2026-12-20 to")
        .replace("DAY", "2026-12-27")
        .replace("NEW@EXAMPLE.ORG", "a@b.example")
    )
    topic = next(topic for topic in load_topics() if topic.line == line)
    order = get_order_reader(GAME.record.game, GAME.record.names).read_line(example).order
    assert isinstance(read_club_line(example), Order) if topic.club else order is not None
    assert is_complete(line) == (example == line and "GAME" not in line and "TEXT" not in line)


@each_row("text", DAYS)
def test_days_of_a_sentence(text: str) -> None:
    found = find_absence(text, TODAY)
    assert found is not None
    assert tuple(map(str, found)) == DAYS[text]


@each_row("text", NO_DAYS)
def test_a_sentence_without_sure_days(text: str) -> None:
    assert find_absence(text, TODAY) is None


def test_a_line_is_completed_from_its_sentence() -> None:
    def complete(text: str) -> str:
        ((topic, sentence),) = find_topics([text], in_game=False)
        return complete_line(topic, sentence, TODAY)

    assert complete("Hello! I am away from 20 to 27 December. Bye") == "away 2026-12-20 to 2026-12-27"
    assert complete("I have a new address: bob@new.example, thanks") == "address bob@new.example"
    assert complete("Please invite bob@other.example") == "play with bob@other.example"
    assert complete("I'm on holiday soon") == "away DAY to DAY"
