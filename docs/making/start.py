"""Start, Ask, and the page that lists everything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from attrs import evolve

from docs.making.chapters import position
from docs.making.drawn import DRAWINGS, NAMES
from docs.making.files import LINKED
from docs.making.pocket import EDITIONS, Edition, pocket, pocket_pages
from tkid.render.clicks import find_drawing_plugin
from tkid.render.frames import open_view
from tkid.render.picture import Picture, write_svg_document
from tkid.rulebook import rule
from tkid.rulebook.register import list_in_force

BOARD = "assets/board.svg"
"""The board on Start."""
BOARD_WIDTH, BOARD_HEIGHT = 480, 620
"""Its size: the map with the tallies on its sea, without the players."""


class HotSpot(NamedTuple):
    """A place on the board that explains itself: a rule, what it is about, its box on the board, and where its dot is."""

    rule: str
    about: str
    box: tuple[int, int, int, int]
    dot: tuple[int, int]

    @property
    def style(self) -> str:
        """Where it is, as CSS."""
        left, top, width, height = self.box
        x, y = (self.dot[0] - left) / width, (self.dot[1] - top) / height
        return (
            f"left:{left / BOARD_WIDTH:.1%};top:{top / BOARD_HEIGHT:.1%};"
            f"width:{width / BOARD_WIDTH:.1%};height:{height / BOARD_HEIGHT:.1%};--x:{x:.0%};--y:{y:.0%}"
        )


HOT_SPOTS = (
    HotSpot("second.struggle.contested", "Region cards: which region is contested?", (324, 4, 153, 243), (334, 17)),
    HotSpot("second.card.negotiate.disc", "Negotiation disc: what is it for?", (440, 176, 38, 44), (469, 186)),
    HotSpot("second.setup.supply", "Supply: where do followers come from?", (5, 268, 68, 90), (66, 281)),
    HotSpot("second.ending.power", "Control discs: which faction is strongest?", (350, 256, 126, 46), (361, 266)),
    HotSpot("second.ending.trigger", "Unstable regions: when does the game end?", (208, 579, 266, 38), (219, 592)),
    HotSpot("second.struggle.majority", "Gwynedd is contested: who takes control?", (10, 390, 182, 124), (104, 480)),
)
"""The places on the board of Start."""


class Asked(NamedTuple):
    """A question of the list on Start, the answer under it, and the page of the rule that gives it."""

    question: str
    answer: str
    path: str


MOST_ASKED = (
    ("Who wins a tie in a region?", "struggle.tie"),
    ("Can I undo a swap?", "ruling.undo"),
    ("Must I summon after every card?", "summon.must"),
    ("If I pass, am I out?", "turn.pass"),
    ("What if a card cannot be done in full?", "partial.in-full"),
    ("How does the game end?", "ending.trigger"),
)
"""What people ask most about The King is Dead: the question, and the local id of the rule that answers it."""
MOST_ASKED_OF_CLAIM = (
    ("Must I follow faction?", "trick.follow"),
    ("Who wins a trick?", "trick.winner"),
    ("Who wins if the cards are equal?", "trick.tie"),
    ("Can I play a Doppelganger if I could follow?", "power.doppelgangers.always"),
    ("What does a Knight do?", "power.knights"),
    ("How do I win the game?", "ending.votes"),
)
"""What people ask most about Claim."""


def asked(edition: Edition) -> list[Asked]:
    """The questions of an edition that Start answers, as far as the edition has a rule for them."""
    rules = list_in_force(edition.prefix)
    found = []
    for question, local in MOST_ASKED_OF_CLAIM if edition.key == "claim" else MOST_ASKED:
        entry = rules.get(local)
        if entry is not None:
            found.append(Asked(question, dict(entry.asks).get(question) or entry.short or entry.statement, entry.path))
    return found


class Door(NamedTuple):
    """A way into the site: its drawing in the template, where it leads, its words, and what is behind it."""

    drawing: str
    path: str
    title: str
    about: str


DOORS = (
    Door("lines", "rules/", "All rules", "From set-up to the coronation"),
    Door("cards", "cards/", "Cards", "What each card does, step by step"),
    Door("pieces", "puzzles/", "Puzzles", "Find the one turn that wins"),
    Door("notation", "notation/", "Write games down", "A turn is one short line"),
    Door("seats", "host/", "Run a club", "Your own host for many games"),
    Door("code", "python/", "For programmers", "The engine in Python, and as JSON"),
)
"""The six doors of Start."""

MORE: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "rules",
        "Rules",
        (
            ("ten-minutes/", "Learn in ten minutes", "Enough for a first game"),
            ("rules/", "All rules", "Every rule of every edition"),
            ("cards/", "Cards", "What each card does, with pictures"),
            ("chapters/set-up/", "Set-up", "Before the first turn"),
            ("chapters/turn/", "A turn", "Pass, or play a card and summon"),
            ("chapters/power-struggles/", "Power struggles", "Who takes control of a region"),
            ("chapters/endings/", "Endings", "Invasion, coronation and ties"),
            ("chapters/teams/", "Teams", "Four players"),
            ("chapters/advanced/", "The advanced game", "Cunning cards and secret hands"),
            ("editions/", "Editions", "First edition, Mordred, digest, manual, Claim, and how sure we are of each"),
            ("comparison/", "Compare editions", "What differs, side by side"),
            ("rulings/", "Rulings", "Our answers where the rulebook leaves something open"),
            ("glossary/", "Glossary", "What the words mean"),
        ),
    ),
    (
        "mail",
        "Play by mail",
        (
            ("play/", "Start a game", "Three ways, each in three lines"),
            ("play-by-email/", "Play by mail", "With a host that checks every turn"),
            ("hand-to-hand/", "From hand to hand", "Without a host: everybody keeps a file"),
            ("dealing-together/", "Secret hands without a dealer", "Deal by mail without anybody seeing the deck"),
            ("orders/", "What you can write", "Every line that a host understands"),
            ("clock/", "The clock", "How long players have, and what happens when time runs out"),
            ("fair-play/", "Fair play", "Proof that the deal was honest"),
            ("secret-hands/", "Secret hands", "Cards that only their player knows"),
            ("opponents/", "Play against the computer", "Play a program, and find the turning points of a game"),
            ("club/", "Play in a club", "Find players, join games, choose your mails"),
            ("tournaments/", "Ratings and tournaments", "How strong players are, and who plays whom"),
            ("host/", "Run a club", "Your own host for many games"),
            ("web/", "Playing in a browser", "A page for each turn, for phones"),
            ("club-pages/", "The pages of a club", "Games, results and replays for everybody to read"),
            ("operating/", "Run a club for years", "Install it, look after it, recover from any failure"),
            ("several-machines/", "A club on several machines", "Add a machine, replace one that died, upgrade them"),
        ),
    ),
    (
        "notation",
        "Write games down",
        (
            ("notation/", "Notation", "A turn in one line"),
            ("turns-in-other-editions/", "Turns in other editions", "First edition, reference manual, digest"),
            ("claim/", "Notation of Claim", "The same for Claim"),
            ("game-file/", "The game file", "A whole game as plain text"),
            ("positions/", "Positions", "In one line, and in JSON"),
            ("grammar/", "Grammar", "Turns and positions as diagrams"),
            ("pictures/", "Pictures and replays", "Draw a position, or a whole game to click through"),
            ("editors/", "Editors", "See mistakes, rules and legal turns while you type"),
            ("repositories/", "Game files in Git", "Check them with every commit, and on GitHub"),
            ("puzzles/", "Puzzles", "Find the one turn that wins"),
        ),
    ),
    (
        "programmers",
        "For programmers",
        (
            ("commands/", "Command line", "Every command, with an example"),
            ("python/", "Python API", "The engine as a library"),
            ("python-reference/", "Python API reference", "Every public name, with its signature"),
            ("schemas/", "JSON schemas", "What commands print, and how to check it"),
            ("learning/", "Programs that learn", "PettingZoo and OpenSpiel"),
            ("own-engine/", "Check your own engine", "In ten minutes, with an example in JavaScript"),
            (
                "engine-protocol/",
                "Let your own program play",
                "A line protocol, with examples in Python and JavaScript",
            ),
            ("conformance/", "Conformance suite", "Numbered cases to compare implementations"),
            ("adding-a-game/", "How to add a game", "One folder, one line, and a small game as an example"),
            ("architecture/", "Architecture", "How the program is built"),
            ("releasing/", "Releasing", "How a version is published, in an hour"),
            ("decisions/", "Decisions", "Why it is built that way"),
            ("rules.json", "All rules as JSON", "The register in one file"),
        ),
    ),
    (
        "about",
        "About",
        (
            ("about/", "About this site", "Where the rules come from, and how to cite them"),
            ("changelog/", "Changes", "What is new"),
            ("source/LICENSE.html", "Licence", "You may use and change all of it"),
        ),
    ),
)
"""Everything on the site by section: the section's id and title, and the path, title and content of each page."""


def board() -> Picture:
    """The board of Start, without the players."""
    game, shown = position("start")
    whole = find_drawing_plugin(game).draw_picture(game, open_view(game, shown), NAMES[:2], layout="alone")
    return evolve(whole, parts=whole.parts[1:])  # the page has paper of its own


@pocket_pages
def start_pages() -> Iterable[tuple[str, str]]:
    """Start, Ask, the page that lists everything, and the one that is shown when a page is not on the device."""
    LINKED.add("LICENSE")
    picture = board()
    DRAWINGS[BOARD] = write_svg_document(picture)
    most_asked = {edition.key: asked(edition) for edition in EDITIONS}
    start = pocket(
        "start.html",
        "index.html",
        title="The King is Dead: rules and play by mail",
        description="Unofficial rules and play by mail for the board game The King is Dead: ask in your own words, start a game, learn in ten minutes.",
        board=BOARD,
        picture=picture,
        hot_spots=[(spot, rule(spot.rule).path) for spot in HOT_SPOTS],
        asked=most_asked,
        doors=DOORS,
    )
    return [
        ("index.html", start),
        (
            "ask/index.html",
            pocket("ask.html", "ask/index.html", title="Ask about the rules", tab="ask", asked=most_asked),
        ),
        ("more/index.html", pocket("more.html", "more/index.html", title="Everything", tab="more", sections=MORE)),
        ("offline/index.html", pocket("offline.html", "offline/index.html", title="Not on your device")),
    ]
