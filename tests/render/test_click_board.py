"""The board to click in a real browser: every card of the second edition, the keyboard, a finger, a mail, no fault of access."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve, frozen

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.games.claim.shared import CLAIM, PLAYERS, reached
from tests.games.struggle.shared.family import struggle
from tests.games.struggle.shared.tiers import AS_READ, COPIED, Cell, cells, cells_of
from tests.games.struggle.shared.tiers import NAMED as POINTED
from tests.games.struggle.shared.tiers import tier as tier_of
from tests.makers.games import FOLDER
from tests.shared.clicking import Clicker, clicks_to, whole
from tests.shared.lines import Step, random_line, steps_of
from tests.shared.tables import sample
from tkid.games.claim.rules import PLAYS
from tkid.games.struggle.render.clicks import CAME, TRACK, TURN
from tkid.games.struggle.render.description import compute_consequence
from tkid.games.struggle.rules.board import OPEN, Position, View, add_followers, replace_item, subtract_followers
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Copy, Play
from tkid.games.struggle.rules.struggles import Arrival, ResolvedRegion
from tkid.kernel.game import fill_names
from tkid.notation.plugin import find_turn_reader
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.render.click_page import Answer, build_choice_data, click_page
from tkid.render.clicks import Change, find_drawing_plugin
from tkid.render.picture import LastTurn
from tkid.rulebook.rulesets import ruleset, rulesets

AXE = Path(__file__).parents[1] / "docs" / "vendor" / "axe.min.js"
FAULTS = """axe.run().then(found => found.violations
    .filter(fault => ["serious", "critical"].includes(fault.impact))
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
CLICK = """(key => {
    const spots = JSON.parse(document.getElementById("k-choices").textContent).spots;
    const drawn = [...document.querySelectorAll(`main > div > svg .k-may[data-at="${key}"]`)]
        .find((each) => each.matches("[tabindex]") || each.querySelector(":scope > [tabindex]"));
    const named = [...document.querySelectorAll("#k-list button[data-spot]")].find((button) => spots[button.dataset.spot][0] === key);
    const target = named && (drawn || named);
    if (target) target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return Boolean(target);
})"""
"""Clicks what has a key: in the picture where it is drawn there, else in the list, in which it has to be offered in any case."""
DRAWN = """(() => {
    const number = (piece) => {
        const said = piece.nextElementSibling;
        const found = said && said.tagName === "text" && /^\u00d7?(\\d+)$/.exec(said.textContent);
        return found ? Number(found[1]) : 1;
    };
    const found = { counts: {}, track: [], negotiated: [], hand: [] };
    for (const element of document.querySelectorAll("main > div > svg [data-at]")) {
        const key = element.dataset.at, [kind, place] = key.split("/");
        if (["follower", "supply", "court"].includes(kind)) found.counts[key] = (found.counts[key] || 0) + number(element);
        if (kind === "space") found.track.push(place);
        if (kind === "space" && element.querySelector(".token")) found.negotiated.push(place);
        if (kind === "card") found.hand.push(place);
    }
    return found;
})()"""
"""What the picture shows: pieces and their numbers by key, the track, and the cards in hand."""
NAMED = """[...document.querySelectorAll("#k-list button")].map(
    (button) => button.ariaLabel || button.querySelector(".k-unseen").textContent)"""
"""What screen readers call the buttons of the list."""
LINE = 'document.getElementById("k-line").textContent'
ASKED = 'document.getElementById("k-ask").textContent'
FOCUSED = """{ const at = document.activeElement; const spots = JSON.parse(document.getElementById("k-choices").textContent).spots;
    at.dataset.spot ? spots[at.dataset.spot][0] : at.closest("[data-at]")?.dataset.at || "" }"""
CHOSEN = 'document.querySelectorAll("#k-board .k-chosen").length'
CAME_BY = 'document.querySelectorAll("#k-board .came").length'
"""How many pieces have the ring of those who came."""
NOTE = 'document.getElementById("k-note").textContent'
FIRST_CARD = """{ const spots = JSON.parse(document.getElementById("k-choices").textContent).spots;
    spots[document.querySelector("#k-list .k-card[data-spot]").dataset.spot][0] }"""
SMALL = """[...document.querySelectorAll("button, .k-button, summary")].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width && Math.min(width, height) < 43.9;
}).map((each) => each.outerHTML.slice(0, 100))"""
"""The controls that are smaller than a finger."""
SENDING = '!document.getElementById("k-send").hidden'
IN_VIEW = """["k-board", "k-ask", "k-turn"].every((id) => {
    const { top, bottom } = document.getElementById(id).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight + 0.5;
})"""
"""Whether the map, the question and what is sent are in view."""
STEMS = {
    "second-edition": ("whole*", "coronation-s*"),
    "second-edition-advanced": ("ladder*", "plot-named*", "spy-copies-[a-n]*"),
}
"""Recorded games of whose turns the tests are made."""
Game = tuple[Struggle, tuple[str, ...], Sequence[Step]]
"""A game, who played it, and its turns."""
RANDOM = 12
"""So many games are played at random besides."""
TIERS = 3
"""So many tiers of a card are clicked, and in the copying card so many cards."""

pytestmark = IN_A_BROWSER


# -- turns to click ---------------------------------------------------------------------------------------


@frozen
class Turn:
    """A turn that was played in a recorded game."""

    game: Struggle
    names: tuple[str, ...]
    step: Step

    @property
    def line(self) -> str:
        """The turn as the record has it."""
        return fill_names(self.game.words.write_turn(self.step.moves), self.names)

    @property
    def view(self) -> View:
        """What the seat knows whose turn it is."""
        return self.game.view(self.step.before, self.step.before.to_act)

    def page(self, answer: Answer | None = None) -> str:
        """The page of whose turn it is."""
        return click_page(self.game, self.view, self.names, title="A game of the tests", answer=answer)

    def clicks(self) -> list[str]:
        """Clicks that put it together, in some order."""
        choices = find_drawing_plugin(self.game).make_choices(self.game, self.view, self.names)
        return clicks_to(build_choice_data(choices), self.line, Random(len(self.line)).choice)

    def shown(self) -> list[tuple[str, Position]]:
        """The clicks, each with the position that the board shows after it: the steps that are complete are carried out."""
        choices = find_drawing_plugin(self.game).make_choices(self.game, self.view, self.names)
        clicker, steps = Clicker(build_choice_data(choices)), list[int]()
        clicked = self.clicks()
        for key in clicked:
            clicker.click(key)
            steps.append(clicker.step)
        way = choices.ways[whole(clicker.data).index(clicker.ways[0])]
        found = [_after(self, [each for step in way.steps[:done] for each in step.changes]) for done in steps]
        if clicker.end:
            ended = [each for step in way.steps for each in step.changes] + [*choices.ends[clicker.end].changes]
            found[-1] = _after(self, ended)
        return list(zip(clicked, found, strict=True))

    def leads_to(self, line: str) -> Position:
        """Where a line leads that is typed in this position; it has to be legal."""
        read = find_turn_reader(self.game, self.names).read_turn(line)
        assert read.problems == ()
        position = self.step.before
        for move in read.moves:
            position, _ = self.game.play(position, self.game.canonical(position, move))
        return position


def _after(turn: Turn, changes: Sequence[Change]) -> Position:
    """The position after some changes, counted one by one."""
    position, board = turn.step.before, turn.game.board
    seat = position.to_act or 0
    codes = [region.code for region in board.regions]
    for place, what in changes:
        match what:
            case (int(first), int(second)) if place == TRACK:
                instead = {first: second, second: first}
                position = position.replace(track=tuple(instead.get(region, region) for region in position.track))
            case (int(region),) if place == TRACK:
                position = position.replace(negotiated=position.negotiated | {region})
            case (int(faction), int(whither)):
                one, change = board.make_single(faction), add_followers if whither == CAME else subtract_followers
                if place in codes:
                    index = codes.index(place)
                    position = position.replace(
                        regions=replace_item(position.regions, index, change(position.regions[index], one))
                    )
                elif place == "supply":
                    position = position.replace(supply=change(position.supply, one))
                else:
                    position = position.replace(
                        courts=replace_item(position.courts, seat, change(position.courts[seat], one))
                    )
            case (str(card),) if place.startswith("hand"):
                hand = list(position.hands[seat])
                hand.remove(card)
                position = position.replace(hands=replace_item(position.hands, seat, tuple(hand)))
            case _ if place == TURN:
                position, _ = turn.game.apply(position, PASS)
    return position


def pictured(turn: Turn, position: Position) -> dict[str, Any]:
    """What the picture of a position has to show, as DRAWN reads it."""
    board, seat = turn.game.board, turn.step.before.to_act or 0
    letters, codes = [each.letter for each in board.factions], [each.code for each in board.regions]
    counts = {f"supply/{letter}": n for letter, n in zip(letters, position.supply, strict=True)}
    for owner, court in enumerate(position.courts):
        counts |= {f"court/{owner}/{letters[faction]}": court[faction] for faction in board.courtly}
    for code, followers in zip(codes, position.regions, strict=True):
        counts |= {f"follower/{code}/{letter}": n for letter, n in zip(letters, followers, strict=True) if n}
    return {
        "counts": counts,
        "track": [codes[region] for region in position.track],
        "negotiated": [codes[r] for r in position.track if r in position.negotiated and position.discs[r] == OPEN],
        "hand": sorted(set(position.hands[seat])),
    }


def assert_clicked(browser: Chromium, folder: Path, turn: Turn) -> None:
    """Click a turn: after every step the pieces are those of the position, and the line is the turn and leads to where it led."""
    opened(browser, folder, turn.page())
    shown = turn.shown()
    for key, position in [("", turn.step.before), *shown]:
        if key:
            click(browser, key)
        drawn, wanted = browser.run(DRAWN), pictured(turn, position)
        drawn["hand"].sort()
        assert drawn == wanted, (turn.line, key)
        assert browser.run(IN_VIEW), (turn.line, key)
    line = browser.run(LINE)
    assert line == turn.line
    assert turn.leads_to(line) == turn.step.after
    assert browser.run(SENDING), "the line can be copied"
    resolved = any(isinstance(event.about, ResolvedRegion | Arrival) for event in turn.step.events)
    if not resolved:
        assert pictured(turn, shown[-1][1]) == pictured(turn, turn.step.after)


@cache
def turns(code: str) -> dict[str, dict[str, Turn]]:
    """By card and tier (for the copying card: what is copied) a turn of some games; of each card not too many."""
    return _by_tier(chain(_recorded(code, STEMS[code]), _at_random(code)), TIERS)


def _by_tier(games: Iterable[Game], most: int) -> dict[str, dict[str, Turn]]:
    found: dict[str, dict[str, Turn]] = {}
    for game, names, steps in games:
        for step in steps:
            for card, tier in _kinds(game, step):
                tiers = found.setdefault(card, {})
                if tier not in tiers and len(tiers) < most:
                    tiers[tier] = Turn(game, names, step)
    return found


def _recorded(code: str, stems: Sequence[str] = ("*",)) -> Iterator[Game]:
    for path in sorted(path for stem in stems for path in (FOLDER / code).glob(f"{stem}.tkid")):
        record = read_record(path.read_bytes()).record
        assert record is not None
        yield struggle(record.game), record.names, steps_of(replay(record))


def _at_random(code: str) -> Iterator[Game]:
    """Games in which nobody knows what is good, for what no recorded game has."""
    for seed in range(RANDOM):
        line = random_line(ruleset(code), Random(seed), 2 + seed % 3, passing=0.6)
        yield line.game, line.names, line.steps


def _kinds(game: Struggle, step: Step) -> list[Cell]:
    """The card that is played or revealed, and how far it goes."""
    move = step.moves[0]
    if isinstance(move, Play) and isinstance(move.resolution, Copy):
        return [(move.card, f"{COPIED}: {game.cards[move.resolution.card].form}")]
    return [cell for cell in cells_of(game, step) if cell[0] == getattr(move, "card", "")]


def opened(browser: Chromium, folder: Path, page: str) -> None:
    """Open a page as a file, as a double click on an attachment does."""
    file = folder / "turn.html"
    file.write_text(page, "utf-8")
    browser.open(file.as_uri())


def click(browser: Chromium, key: str) -> None:
    """Click what is offered under a key."""
    assert browser.run(f'{CLICK}("{key}")'), (key, browser.run(ASKED))


# -- every card -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", sample(STEMS, 2))
def test_every_card_is_clicked_and_accepted(browser: Chromium, tmp_path: Path, code: str) -> None:
    """Every card on a phone: the board shows each step, and the page's line is the turn that was played."""
    browser.screen(390, 844)
    found = turns(code)
    (game, *_) = (turn.game for tiers in found.values() for turn in tiers.values())
    assert found.keys() == set(game.cards)
    for tiers in found.values():
        assert_clicked(browser, tmp_path, next(iter(tiers.values())))


@pytest.mark.exhaustive
@pytest.mark.parametrize("code", [each.code for each in rulesets() if each.game_name == Struggle.name])
def test_every_tier_of_every_card_is_clicked(browser: Chromium, tmp_path: Path, code: str) -> None:
    """All rulesets, every card and tier: after every step the pieces are those of the engine, and the question is in view."""
    browser.screen(390, 844)
    games = [*_recorded(code), *_at_random(code)]
    found = _by_tier(games, len(cells(ruleset(code))))
    for card, tier in cells(ruleset(code)):
        if tier not in {COPIED, POINTED, AS_READ} and tier not in found.get(card, {}):
            found.setdefault(card, {})[tier] = next(_given(games, card, tier))
    for tiers in found.values():
        for turn in tiers.values():
            assert_clicked(browser, tmp_path, turn)


def _given(games: Sequence[Game], card: str, wanted: str) -> Iterator[Turn]:
    """Turns in which a card is played in a tier, by players to whom it was given, on boards with ever fewer followers."""
    for thin in (lambda position: position, one_in_each, one_alone):
        for game, names, steps in reversed(games):
            for before in (thin(step.before) for step in reversed(steps) if step.before.decision == "play"):
                seat = before.to_act or 0
                given = before.replace(hands=replace_item(before.hands, seat, (card, *before.hands[seat])))
                for resolution in game.list_options(given, card):
                    turn = _played(game, names, given, Play(card, resolution))
                    if tier_of(game, turn.step) == wanted:
                        yield turn
                        break


def _played(game: Struggle, names: tuple[str, ...], before: Position, play: Play) -> Turn:
    """A turn with the first summons after a card."""
    after, events = game.apply(before, play)
    summons = next(iter(game.legal(after)))
    after, more = game.apply(after, summons)
    return Turn(game, names, Step(before, (play, summons), after, (*events, *more)))


def one_in_each(position: Position) -> Position:
    """The position with at most one follower in each region, the others in the supply."""
    return _kept(
        position, [followers.index(max(followers)) if any(followers) else None for followers in position.regions]
    )


def one_alone(position: Position) -> Position:
    """The position with a follower in one region alone."""
    first = next((index for index, followers in enumerate(position.regions) if any(followers)), None)
    faction = None if first is None else position.regions[first].index(max(position.regions[first]))
    return _kept(position, [faction if index == first else None for index in range(len(position.regions))])


def _kept(position: Position, kept: Sequence[int | None]) -> Position:
    """The position with one follower of a faction in each region, or none."""
    kinds = range(len(position.supply))
    regions = tuple(tuple(int(faction == one) for faction in kinds) for one in kept)
    supply = position.supply
    for before, after in zip(position.regions, regions, strict=True):
        supply = add_followers(supply, subtract_followers(before, after))
    return position.replace(regions=regions, supply=supply)


def some_turn(card: str = "Outmanoeuvre") -> Turn:
    """A turn with a card, with as many clicks as there are."""
    return max(turns("second-edition-advanced")[card].values(), key=lambda turn: len(turn.clicks()))


def test_claim_is_clicked(browser: Chromium, tmp_path: Path) -> None:
    made = (reached(Random(seed), 7) for seed in range(50))
    position, barred = next(
        (at, card) for at in made for card in at.hands[at.to_act or 0] if CLAIM.check(at, PLAYS[card])
    )
    seat = position.to_act
    opened(browser, tmp_path, click_page(CLAIM, CLAIM.view(position, seat), PLAYERS, title="Claim"))
    for move in CLAIM.legal(position):
        click(browser, f"card/{move.card}")
        assert browser.run(LINE) == CLAIM.words.write_move(move)
        left = [*position.hands[seat or 0]]
        left.remove(move.card)
        assert set(browser.run(DRAWN)["hand"]) == set(left)
        browser.press("Escape")
    assert not browser.run(f'{CLICK}("card/{barred}")')


# -- how it is clicked --------------------------------------------------------------------------------------


@pytest.mark.guard
def test_a_whole_turn_by_keyboard(browser: Chromium, tmp_path: Path) -> None:
    """Tab to what is wanted, in the picture or in the list, and Enter; Escape takes back."""
    turn = some_turn()
    opened(browser, tmp_path, turn.page())
    browser.run("document.body.focus()")
    wanted = turn.clicks()
    for number, key in enumerate(wanted):
        for _ in range(150):
            browser.press("Tab")
            if browser.run(FOCUSED) == key:
                break
        else:
            pytest.fail(f"{key} is not reached")
        browser.press("Enter" if number % 2 else " ")
        if number == 1:
            browser.press("Escape")
            assert "taken back" in browser.run(ASKED)
            click(browser, key)
    assert browser.run(LINE) == turn.line
    assert browser.run("document.activeElement.id") == "k-copy"
    browser.press("Enter")
    assert browser.wait(f"{ASKED}.startsWith('The line is') && {ASKED}")
    browser.press("Escape")
    assert not browser.run(SENDING)


def test_the_keyboard_finds_everything_in_the_list_too(browser: Chromium, tmp_path: Path) -> None:
    turn = some_turn("March")
    opened(browser, tmp_path, turn.page())
    for key in turn.clicks():
        drawn = browser.run('document.querySelectorAll("main > div > svg [role=button]").length')
        named = browser.run(NAMED)
        assert len(named) == len(set(named)) >= drawn > 0
        assert not [name for name in named if not name]
        click(browser, key)


def test_a_finger_on_the_map(browser: Chromium, tmp_path: Path) -> None:
    """On a small screen a region is hit more easily than a follower: it stands for its followers where it is not asked for."""
    turn = some_turn("March")
    browser.screen(360, 640)
    opened(browser, tmp_path, turn.page())
    first, *clicks = turn.clicks()
    click(browser, first)
    for key in clicks:
        kind, *place = key.split("/")
        target = f"region/{place[0]}" if kind == "follower" else key
        x, y = browser.run(
            f'{{ const {{x, y, width, height}} = document.querySelector(`#k-board [data-at="{target}"]`).getBoundingClientRect(); [x + width / 2, y + height / 2] }}'
        )
        browser.run(f"window.scrollBy(0, {y} - 150)")
        x, y = browser.run(
            f'{{ const {{x, y, width, height}} = document.querySelector(`#k-board [data-at="{target}"]`).getBoundingClientRect(); [x + width / 2, y + height / 2] }}'
        )
        before = browser.run(ASKED)
        for event in ("touchStart", "touchEnd"):
            points = [{"x": x, "y": y}] if event == "touchStart" else []
            browser.ask("Input.dispatchTouchEvent", browser.page, type=event, touchPoints=points)
        if browser.run(ASKED) == before:
            assert browser.wait("document.activeElement.matches('#k-list button')")
            click(browser, key)
    assert browser.run(LINE) == turn.line


def test_what_is_not_legal_does_nothing_and_back_goes_back(browser: Chromium, tmp_path: Path) -> None:
    turn = some_turn()
    opened(browser, tmp_path, turn.page())
    first = browser.run(ASKED)
    assert browser.run('document.querySelectorAll("#k-board [data-at^=region].k-may").length') == 0
    browser.run("""document.querySelectorAll("#k-board [data-at^=region], #k-board [data-at^=space]").forEach(
        (each) => each.dispatchEvent(new MouseEvent("click", { bubbles: true })))""")
    assert browser.run(ASKED) == first
    start = browser.run(DRAWN)
    for key in turn.clicks()[:2]:
        click(browser, key)
    assert browser.run(CHOSEN) == 1
    for key in turn.clicks()[2:]:
        click(browser, key)
    assert browser.run(CHOSEN) == 0
    assert browser.run(CAME_BY), "those who came have rings"
    browser.run('document.getElementById("k-back").click()')
    assert browser.run(LINE) == f"{turn.line.partition(';')[0]}; …"
    browser.press(*["Escape"] * len(turn.clicks()))
    assert browser.run(LINE) == "…"
    assert browser.run(CHOSEN) == 0
    assert browser.run(DRAWN) == start


def test_what_is_not_allowed_says_why(browser: Chromium, tmp_path: Path) -> None:
    """A follower that is faded, a region that is resolved, and a card that cannot be played: a sentence, and its rule."""
    turn = next(turn for turn in turns("second-edition-advanced")["March"].values() if any(turn.step.before.discs))
    before = turn.step.before
    closed = turn.game.board.regions[before.struggles[0]].code
    opened(browser, tmp_path, turn.page())
    click(browser, "card/March")
    asked = browser.run(ASKED)
    tap = """document.querySelector('#k-board [data-at="{}"]').dispatchEvent(new MouseEvent("click", {{ bubbles: true }}))"""
    browser.run(tap.format(f"region/{closed}"))
    assert browser.run(ASKED) == asked
    assert "is resolved" in browser.run(NOTE)
    assert "second.action.resolved" in browser.run('document.querySelector("#k-note a").ariaLabel')


def test_the_marks_of_the_last_turn_go_with_the_first_click(browser: Chromium, tmp_path: Path) -> None:
    turn = some_turn()
    told = turn.step
    view = turn.game.view(told.after, told.after.to_act)
    last = LastTurn(told.before.to_act or 0, told.moves, told.events, told.before)
    opened(browser, tmp_path, click_page(turn.game, view, turn.names, title="A game", last=last))
    arrows = """document.querySelector('[data-part="arrows"]').childNodes.length"""
    drawn = browser.run(CAME_BY), browser.run(arrows)
    assert all(drawn)
    click(browser, browser.run(FIRST_CARD))
    assert browser.run(CAME_BY) == browser.run(arrows) == 0
    browser.press("Escape")
    assert (browser.run(CAME_BY), browser.run(arrows)) == drawn


def test_controls_are_large_enough_for_a_finger(browser: Chromium, tmp_path: Path) -> None:
    turn = some_turn()
    browser.screen(390, 844)
    opened(browser, tmp_path, turn.page(Answer("desk@example.org")))
    for key in ["", *turn.clicks()]:
        if key:
            click(browser, key)
        assert browser.run(SMALL) == []


@pytest.mark.parametrize("code", sample([*STEMS][::-1], 2))
def test_the_end_says_what_the_turn_brings(browser: Chromium, tmp_path: Path, code: str) -> None:
    for tiers in turns(code).values():
        (turn, *_) = tiers.values()
        found = compute_consequence(turn.game, turn.view.shown, turn.step.moves, turn.names)
        opened(browser, tmp_path, turn.page())
        for key in turn.clicks():
            click(browser, key)
        said = browser.run('document.getElementById("k-brings").textContent').replace("\u2060", "")
        assert said == found.text + found.detail, turn.line


def test_a_region_that_is_chosen_still_stands_for_its_followers(browser: Chromium, tmp_path: Path) -> None:
    """Ambush: the region is clicked, and clicked again for who returns from it."""
    turn = some_turn("Ambush")
    opened(browser, tmp_path, turn.page())
    card, region, *_ = turn.clicks()
    click(browser, card)
    click(browser, region)
    asked = browser.run(ASKED)
    browser.run(f"""document.querySelector('#k-board [data-at="{region}"]')
        .dispatchEvent(new MouseEvent("click", {{ bubbles: true }}))""")
    assert "taken back" not in browser.run(ASKED)
    assert browser.run(ASKED) != asked or browser.run("document.activeElement.matches('#k-list button')")


def test_names_of_any_kind(browser: Chromium, tmp_path: Path) -> None:
    """Signs that a browser counts as two, and what looks like a part of the page."""
    turn = next(iter(turns("second-edition-advanced")["Spy"].values()))
    names = tuple(f"\U0001f451{at} </script><b>" for at in range(len(turn.names)))
    strange = evolve(turn, names=names)
    opened(browser, tmp_path, strange.page())
    for key in strange.clicks():
        click(browser, key)
    assert browser.run(LINE) == strange.line
    assert any(name in strange.line for name in names)
    assert browser.run("document.querySelectorAll('b').length") == 0


# -- what comes of it -------------------------------------------------------------------------------------


def test_the_line_is_copied_and_mailed(browser: Chromium, tmp_path: Path) -> None:
    turn = some_turn()
    opened(browser, tmp_path, turn.page(Answer("desk+a2b3@example.org", "Re: a & b")))
    for key in turn.clicks():
        click(browser, key)
    link = urlsplit(browser.run('document.getElementById("k-mail").href'))
    assert (link.scheme, link.path) == ("mailto", "desk%2Ba2b3@example.org")
    assert parse_qs(link.query) == {"subject": ["Re: a & b"], "body": [f"{turn.line}\r\n"]}
    browser.run("navigator.share = async (shared) => { window.shared = shared; }")
    browser.press("Escape")
    click(browser, turn.clicks()[-1])
    browser.run('document.getElementById("k-share").click()')
    assert browser.run("window.shared.text") == turn.line
    browser.ask("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.run('document.getElementById("k-copy").click()')
    assert (
        browser.wait(f"{ASKED}.startsWith('The line is') && {ASKED}")
        == "The line is copied. Paste it into your answer."
    )
    assert browser.run("navigator.clipboard.readText()") == turn.line


@pytest.mark.parametrize(("width", "dark"), sample([(360, False), (480, True), (1200, False), (1200, True)], 3))
def test_no_fault_of_access(browser: Chromium, tmp_path: Path, width: int, dark: bool) -> None:  # noqa: FBT001
    """At the beginning, in the middle and at the end of a turn: no serious fault, and nothing wider than the screen."""
    turn = some_turn()
    browser.screen(width, dark=dark)
    opened(browser, tmp_path, turn.page(Answer("desk@example.org")))
    browser.run(f"{AXE.read_text('utf-8')}; 0")
    for key in ["", *turn.clicks()]:
        if key:
            click(browser, key)
        assert browser.run("document.documentElement.scrollWidth") <= width
        if not key or key.startswith("card/"):
            assert browser.run(FAULTS) == []
    assert browser.run(FAULTS) == []
