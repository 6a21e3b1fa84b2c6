"""Answers in a few words: what the engine knows, yes or no the right way round, and what no rule says."""

from __future__ import annotations

from tests.shared.tables import each_row
from tkid.rulebook.search import Answer, ask
from tkid.rulebook.search.replies import make_facts

SECOND, ADVANCED, FIRST = "second-edition", "second-edition-advanced", "first-edition"


def _ask_all(ruleset: str, questions: str) -> list[tuple[str, Answer]]:
    return [(text, ask(text, ruleset)) for text in questions.split(" / ")]


@each_row(
    "ruleset, questions, kinds, beginning",
    [
        # What the engine knows.
        (SECOND, "Where is the Welsh home? / Which region is the home of the Welsh people?", "sure", "Gwynedd."),
        (SECOND, "What is the home of the Scots? / Where is the Scottish home region?", "sure", "Moray."),
        (FIRST, "What is the home of the Romano-British? / Where is the home of the Romans?", "sure", "Londinium."),
        (SECOND, "Is Essex the English home? / Is Gwynedd the home region of the Welsh?", "sure", "Yes."),
        (SECOND, "Is Devon the home of the Scots? / Is Essex the Scottish home?", "sure", "No. Their home is Moray."),
        (SECOND, "Is Warwick a home region? / Is Lancaster a home?", "sure", "No. The homes are Scottish Moray"),
        (SECOND, "What borders the Welsh home? / Which regions are next to the home of the Welsh?", "sure", "Gwynedd borders L"),
        (SECOND, "Which region has most borders? / What region borders the most others?", "sure", "Warwick: 5."),
        (SECOND, "Which region has the fewest neighbours? / Which region has the least borders?", "sure", "Moray: 1."),
        (SECOND, "Is Kent on the map? / Is Sussex one of the regions? / Is there a region called Mercia?", "sure", "No. The regions"),
        (SECOND, "Is Warwick on the board? / Is Devon a region? / Is Essex part of the map?", "sure", "Yes. The regions are"),
        (SECOND, "How many cards does the game have? / How many cards exist in total?", "sure", "8 in each hand and 8 region"),
        (ADVANCED, "How many cards exist altogether?", "sure", "8 in each hand, 3 of them dealt from 12, and 8 region cards."),
        (SECOND, "How many cards do I have?", "sure", "8: Scottish Support"),
        (ADVANCED, "How many cards do I have?", "sure", "8: Assemble ×2, Negotiate, Manoeuvre, Outmanoeuvre, and 3 of 12 others."),
        (SECOND, "How many Assembles do we hold? / How many copies of Assemble have I got?", "sure", "2 in each hand."),
        (FIRST, "Can I use Settlement twice? / May I play Settlement a second time?", "sure", "Yes. You hold 2 copies"),
        (SECOND, "How many followers lie in the supply with three players? / Cubes in the supply for three players", "sure", "At the start: 16."),
        (SECOND, "How many cubes are left in the supply? / Followers in the supply at the start", "sure", "At the start: 12 with 2 players, 16"),
        (FIRST, "How many followers in a game with four players? / How many cubes with four players?", "sure", "54."),
        (SECOND, "How many cubes does a region have at the start?", "sure", "4 in each region, also in a home."),
        (SECOND, "May I play Manoeuvre two times? / Can I use Outmanoeuvre twice?", "sure", "No. You hold one copy"),
        (SECOND, "Can I place Scots in Devon with Scottish Support? / does Scottish Support reach Devon?", "sure", "No, unless the Scots control Gwynedd, Warwick or Essex."),
        (SECOND, "May I put English cubes into Warwick with English Support at the start?", "sure", "Yes, while Warwick is open, and Essex has no disc or"),
        (SECOND, "Can I place the yellow cubes in Essex?", "sure", "Yes, while Essex is open: with Assemble or with English Support if the English control a bordering region."),
        (SECOND, "may I place English followers in Devon with Scottish Support", "sure", "No. Scottish Support places only Scottish followers."),
        (ADVANCED, "Can I place Scots in Devon with Resist?", "sure", "No. Resist places only Welsh and English followers."),
        (ADVANCED, "Can I play Ambush in Essex? / can I use Manoeuvre in Essex?", "sure", "Yes, while Essex is open."),
        (FIRST, "Can I place Welsh in Deva with the Welsh card?", "sure", "Yes, while Deva is open: with Settlement or with Welsh if Caerleon has no disc"),
        # The contested region, in other words.
        (SECOND, "Can I use Negotiate on the region we are fighting over right now? / May I swap the contested region with Negotiate? / Can Negotiate move the region that is about to be decided?", "sure", "Yes. The card of the contested region is face up."),
        (FIRST, "May Crown swap the contested region? / Can I use the Crown card on the region of the current power struggle?", "sure", "Yes. The card of the contested region is face up."),
        ("digest", "Can I use Negotiation on the disputed region?", "sure", "Yes. The card of the contested region is face up."),
        (SECOND, "Can I use Manoeuvre in the contested region? / Does Assemble work in the region being fought over?", "sure", "Yes. The contested region is open."),
        (SECOND, "Does Scottish Support work in the contested region?", "sure", "Yes, if the contested region borders one that the Scots control, or Moray while it has no disc."),
        ("manual", "Can I use Scots in the contested region?", "sure", "Yes, if the contested region borders one that the Scots control."),
        # Numbers come first, with any number of players.
        (SECOND, "How many cards do I hold in the three player game? / How many cards does each player have with 3 players? / How many action cards do we get in a four-player game?", "sure", "8: Scottish Support"),
        (ADVANCED, "How many cards do I hold in the three player game?", "sure", "8: Assemble"),
        (SECOND, "How many followers do I start with in a three-player game? / How many cubes are at each court at the start with 4 players?", "sure", "2"),
        (SECOND, "How many region cards are there?", "sure", "8, one for each region."),
        (SECOND, "How many instability discs end the game? / How many discs until the invasion? / how many black discs bring the invasion", "sure", "3."),
        (FIRST, "How many Saxon tokens end the game? / How many Saxon tokens until the invasion?", "sure", "4."),
        (SECOND, "How many passes in a row before a power struggle? / How many passes end the round?", "sure", "2 with 2 players, 3 with 3 players, 4 with 4 players:"),
        (FIRST, "How many passes start a power struggle with three players?", "sure", "3: everybody passes in a row."),
        (SECOND, "How many power struggles until the end? / How many fights are there?", "sure", "8 at most"),
        (SECOND, "How many teams are there?", "sure", "Two, in a game with four players."),
        (SECOND, "number of rounds / How many rounds are there?", "sure likely", "There is no fixed number."),
        (FIRST, "number of rounds / How many rounds does the game have?", "sure likely", "There is no fixed number."),
        ("digest-advanced", "How many special cards does each player hold?", "sure", "Three"),
        (FIRST, "How many passes in a row until the struggle ends with 3 players?", "sure", "3: everybody passes in a row."),
        (SECOND, "How many followers make a set? / How many cubes are in a complete set?", "sure", "3, one of each faction."),
        (SECOND, "How many cards can I play per turn?", "sure likely", "One."),
        (SECOND, "How many points for a region? / How many sets do I have? / How many tokens are in the box?", "likely none", ""),
        # What is needed needn't be possible, and an answer keeps its condition.
        (SECOND, "Do I have to play Assemble twice? / Must I place Scots in Devon with Scottish Support? / Must I use Manoeuvre in the contested region?", "likely", ""),
        (SECOND, "Do team mates add their courts together in an invasion?", "sure likely", "Yes, in an invasion. In a coronation"),
        # The edition that is named, or that alone has a word.
        (SECOND, "Must the regions of Ambassador be adjacent?", "sure", "In the first edition: Any two open regions"),
        (SECOND, "Must the regions of Garrison border each other?", "sure", "In the first edition: Yes."),
        (FIRST, "Must Clash be between neighbouring regions?", "sure", "In the digest: Any two open regions"),
        (SECOND, "How many cards do I have in the first edition?", "sure", "8: Scots, Welsh, Romano-British"),
        # Other languages.
        (SECOND, "Muss ich nach jeder Karte einen Anhänger rekrutieren? / Devo reclutare un seguace dopo ogni carta?", "sure likely", "Yes, one follower after every card"),
        (SECOND, "Darf ich einen Anhänger anwerben, wenn ich passe?", "sure likely", "No."),
        (SECOND, "Kann ich einen Gefolgsmann aus dem Vorrat rekrutieren? / Puis-je recruter un partisan de la réserve ? / Czy mogę rekrutować z zasobów? / Mag ik een volgeling uit de voorraad ronselen? / Posso reclutare dalla riserva? / ¿Puedo reclutar de la reserva?", "sure likely", "No. Only from a region."),
        (SECOND, "il n'y a plus de partisans dans la réserve / plus de partisans dans la réserve", "sure likely", "You place only what the supply has."),
        (SECOND, "Ile kart mogę zagrać w turze? / ¿Cuántas cartas puedo jugar en un turno?", "sure likely", "One."),
        (SECOND, "Darf ich einen Anhänger aus einem entschiedenen Gebiet nehmen?", "sure likely", "No."),
        (SECOND, "Kann ich mit Verhandeln das umkämpfte Gebiet tauschen? / Posso usare Negoziare sulla regione contesa? / Mag ik Onderhandelen gebruiken op het betwiste gebied?", "sure", "Yes. The card of the contested region is face up."),
        # What something is.
        (SECOND, "what is an invasion / What's an invasion? / define invasion / what does invasion mean", "sure", "The"),
        (FIRST, "what is control / what exactly is control", "sure", "A faction controls a region that has its token."),
        (SECOND, "what are meeples / what is a follower", "sure", "A piece of one faction."),
        # What a rule says, in the form of the question.
        (SECOND, "How many control markers are there? / What's the number of control discs per faction?", "sure likely", "Eight"),
        (SECOND, "How many discs are in the box? / How many discs exist altogether?", "sure likely", "Eight control discs"),
        (SECOND, "What faction am I? / Which faction is mine? / Which colour am I?", "sure likely", "None."),
        (SECOND, "Does a pass change which region is contested? / Does the contested region change if I pass?", "sure likely", "No."),
        (SECOND, "What is the supply there for? / What's the supply good for?", "sure likely", "Cards place followers from it"),
        (SECOND, "Is a card with a negotiation disc safe from later swaps? / Is a card safe from a later swap with a disc on it?", "sure likely", "Yes."),
        (ADVANCED, "Can both followers returned by Suppress be English?", "sure likely", "It may"),
        (SECOND, "Can I summon somebody out of the supply? / May I summon a follower from the bag?", "sure likely", "No."),
        (SECOND, "May I swap followers of the same colour with Manoeuvre?", "sure likely", "Yes."),
        (SECOND, "Is my court a secret? / Can I hide my court? / Is my court hidden?", "sure likely", "No."),
        (SECOND, "Am I forced to summon a follower? / Must I summon if I don't want to?", "sure likely", "Yes"),
        (SECOND, "What colour are the English pieces? / Which colour do the English have?", "sure likely", "Yellow"),
        (SECOND, "How many rounds does a game have? / How many rounds do we play?", "sure likely", "There is no fixed number."),
        (SECOND, "May I use the same card twice? / Can I play the same card two times?", "sure likely", "No."),
        (SECOND, "Can I talk to my team-mate about strategy? / Is it good to use up all my cards early? / Can the control discs run out? / Do I lose a card when I pass? / How many followers are in a region at the start? / Can I take a follower from another player's court?", "sure likely", ""),
        (SECOND, "gwyned neighbours / neighbours of Gwyned", "sure", "Gwynedd borders"),
        # A mere phrase is not answered with yes or no, and a question that has a number in it need not ask for one.
        (SECOND, "undo outmanoeuvre straight away / reverse an Outmanoeuvre at once", "sure likely", ""),
        (SECOND, "Must I tell the others how many cards I have? / May I ask how many cards somebody holds?", "sure likely", ""),
        # What no rule says.
        (SECOND, "Would it help to pass now? / Should I pass? / Is it a good idea to play Assemble? / Is it better to wait?", "none", ""),
        (SECOND, "What is the strongest card? / Which card is the most useful? / Is Spy a good card? / Any tips?", "none", ""),
        (SECOND, "A card is missing. What now? / We lost a cube. What do we do? / Do you send spare cubes?", "none", ""),
        (SECOND, "Can I give a follower to another player? / May two players exchange followers with each other?", "none", ""),
        (SECOND, "How old do I have to be? / What age is the game for? / How heavy is the box? / How large are the cards?", "none", ""),
        (SECOND, "What if somebody plays out of turn? / Is acting out of turn punished?", "none", ""),
        (SECOND, "How many cubes fit in a region? / Is there a maximum number of followers in a region?", "none", ""),
        (SECOND, "Did Ann receive my letter? / Has Bob read my mail? / Has Cleo acted already?", "none", ""),
        (SECOND, "How long does the whole game take? / How many minutes is a match?", "none", ""),
        (SECOND, "Where can I buy the game? / What's the price? / Who sells this game?", "none", ""),
        (SECOND, "Who designed the game? / Who drew the pictures? / When was it published? / Is there an expansion?", "none", ""),
        (SECOND, "Should I always pass first? / Any good opening? / How do I bluff? / Which card is overpowered?", "none", ""),
        (SECOND, "How do I castle in chess? / Do I roll dice? / What is mana for? / Who gets the longest road?", "none", ""),
        (SECOND, "How do I install it on Windows? / Is there a mobile app? / Which licence has the source code?", "none", ""),
        (SECOND, "What are the cubes made of? / Are the discs made of wood?", "none", ""),
        (SECOND, "capital of scotland / What is the capital of France? / What time is it? / Tell me a joke! / Who are you?", "none", ""),
    ],
)  # fmt: skip
def test_a_question_gets_an_answer_of_its_kind(ruleset: str, questions: str, kinds: str, beginning: str) -> None:
    for text, found in _ask_all(ruleset, questions):
        kind = "sure" if found.certain else "likely" if found.fits else "none"
        assert kind in kinds.split(), (text, kind)
        assert found.reply.startswith(beginning), (text, found.reply)
        assert kind != "none" or not found.confidence, text


@each_row(
    "question, not_said",
    [
        ("Do team-mates add their courts together?", ("Yes.", "No.")),
        ("How many points for a region?", ("Most",)),
        ("Can I undo a Manoeuvre?", ("Yes.",)),
        ("Can I look through the discards?", ("Yes.", "Yes, at")),
        ("How many times do I summon in the game?", ("Exactly one.", "One.")),
        ("How many sets do I have?", ("The", "Three", "3")),
        ("Nobody has played all their cards and we're tied on first and second faction. What then?", ("Of those",)),
        ("Do my partner's cubes count with mine for the crown?", ("Yes",)),
        ("Do I have to play Assemble twice?", ("Yes",)),
        ("Must I place Scots in Devon with Scottish Support?", ("Yes",)),
        ("undo outmanoeuvre straight away", ("Yes", "No.", "No,")),
        ("Must I tell the others how many cards I have?", ("8",)),
        ("How many followers go into the bag?", ("At the start",)),
        ("Garrison how many for how many", ("1 in each",)),
    ],
)
def test_no_question_is_answered_by_another(question: str, not_said: tuple[str, ...]) -> None:
    assert not ask(question, FIRST if "Garrison" in question else SECOND).reply.startswith(not_said)


FAR = (
    "Can {} swap between regions that are not next to each other?",
    "Does {} work with regions far apart?",
    "May I use {} on non-bordering regions?",
)
SAME = ("Can {} swap inside the same region?", "Does {} work within a single region?")
NEAR = (
    "Can {} swap between neighbouring regions?",
    "Does {} work with bordering regions?",
    "Do the two regions of {} have to border each other?",
)

ANY_OPEN = "Any two open regions will do, bordering or not"
ANY = "Any two regions will do, bordering or not"


@each_row(
    "ruleset, card, far, near, same",
    [
        (ADVANCED, "Outmanoeuvre", "No", "Yes", "No"),
        (ADVANCED, "Edict", "No", "Yes", "No"),
        (ADVANCED, "Manoeuvre", ANY_OPEN, ANY_OPEN, "No"),
        (ADVANCED, "Influence", ANY_OPEN, ANY_OPEN, "No"),
        (ADVANCED, "Dispute", ANY_OPEN, ANY_OPEN, "No"),
        (ADVANCED, "Negotiate", ANY, ANY, ""),
        (FIRST, "Garrison", "No", "Yes", "No"),
        (FIRST, "Ambassador", ANY_OPEN, ANY_OPEN, "No"),
        ("digest", "Defeat", "No", "Yes", "No"),
    ],
)
def test_where_a_card_works_is_answered_the_right_way_round(
    ruleset: str, card: str, far: str, near: str, same: str
) -> None:
    for questions, answer in ((FAR, far), (NEAR, near), (SAME, same)):
        for question in questions if answer else ():
            text = question.format(card)
            assert ask(text, ruleset).reply.startswith(f"{answer}."), text


@each_row("question", ["Which regions do not border Devon?", "Is Moray never the home of the Welsh?"])
def test_a_denied_question_is_not_answered_as_if_it_were_not(question: str) -> None:
    assert ask(question, SECOND).reply not in {reply for *_, reply, _, _ in make_facts(SECOND)["rows"]}


@each_row(
    "questions, rule",
    [
        ("Players are tied on the first and on the second faction. Who wins? / Tied for both factions, who is crowned?", "second.ending.coronation.emptied"),
        ("May I take my summoned follower from the supply? / Does a summons come out of the bag?", "second.summon.region"),
        ("May a Manoeuvre swap two Scots? / Manoeuvre for two followers of one faction?", "second.card.manoeuvre"),
    ],
)  # fmt: skip
def test_the_rule_that_decides_comes_first(questions: str, rule: str) -> None:
    for text, found in _ask_all(SECOND, questions):
        assert found.hits[0].id == rule, text


def test_a_question_in_the_words_of_the_register_is_answered_surely() -> None:
    found = ask("Can I play the same card twice?", SECOND)
    assert (found.hits[0].id, found.confidence) == ("second.turn.once", 1)
    assert found.reply == "No. Each card works once. Assemble you have twice."
