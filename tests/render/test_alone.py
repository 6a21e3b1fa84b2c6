"""The map or the table alone, as mails show it: the same as in the whole picture, legible on a telephone, and what it leaves out."""

from __future__ import annotations

import re

import pytest
from attrs import evolve
from hypothesis import given

from tests.games.claim.shared import CLAIM, PLAYERS
from tests.render.svg import keys, parsed, shapes
from tests.render.test_claim_picture import SEATS, Moment, any_moment
from tests.render.test_picture import Choice, Look, chosen, look
from tests.render.test_png import SHOWN, recorded
from tests.shared.examples import examples
from tests.shared.strategies import NAMES
from tests.shared.tables import each_row
from tkid.games.claim import rules
from tkid.games.claim.render import drawing as claim
from tkid.games.struggle.render import drawing as struggle
from tkid.mail.letter_html import MOST_BYTES, SHARP, SHOWN_WIDTH
from tkid.render.frames import picture_at
from tkid.render.picture import Picture
from tkid.render.plugin import find_render_plugin
from tkid.render.raster import draw_png

NARROW = 328
"""The pixels of a page that a picture has on a telephone of 360."""
LEGIBLE = 7
"""The least size of words there, in pixels; the letter repeats them as text."""


def drawn(scene: Look, *, alone: bool) -> Picture:
    view = scene.game.view(scene.position, scene.seat)
    names = NAMES[: len(view.shown.courts)]
    return struggle.PLUGIN.draw_picture(scene.game, view, names, scene.last, layout="alone" if alone else "page")


def within(picture: Picture, *kinds: str) -> bool:
    """Whether all shapes of some kinds are inside the frame."""
    left, top = picture.corner
    boxes = [shape.room for shape in shapes(picture) if shape.kind in kinds]
    return bool(boxes) and all(
        left <= box.left and box.right <= left + picture.width and top <= box.top and box.bottom <= top + picture.height
        for box in boxes
    )


@pytest.mark.slow
@examples(60)
@given(choice=chosen())
def test_the_map_alone_is_the_map_of_the_whole_picture(choice: Choice) -> None:
    scene = look(choice)
    whole, alone = drawn(scene, alone=False), drawn(scene, alone=True)
    parts = {part.name: part.svg for part in whole.parts}
    assert [part.name for part in alone.parts if part.name != "paper" and parts[part.name] != part.svg] == []
    left_out = {name for name in parts if name.startswith(("head", "legend", "panel-", "court-", "hand-", "pile-"))}
    assert {part.name for part in alone.parts} == parts.keys() - left_out
    assert ('class="next"' in next(part.svg for part in alone.parts if part.name == "next")) == (
        scene.position.contested is not None and scene.position.to_act is not None
    )
    assert {key.partition("/")[0] for key in keys(parsed(alone))} <= {"region", "follower", "space", "supply"}
    assert within(alone, "g", "text")
    assert min(shape.size for shape in shapes(alone) if len(shape.words) > 1) * NARROW / alone.width > LEGIBLE


@examples(60)
@given(choice=chosen())
def test_beside_the_map_stands_what_is_not_on_it(choice: Choice) -> None:
    scene = look(choice)
    position = scene.position
    rows = dict(
        find_render_plugin(scene.game).list_side_notes(
            scene.game, scene.game.view(position, scene.seat), NAMES[: len(position.courts)]
        )
    )
    spectator = find_render_plugin(scene.game).list_side_notes(
        scene.game, scene.game.view(position, None), NAMES[: len(position.courts)]
    )
    assert {label: unaddressed(text, scene.seat) for label, text in rows.items()} == dict(spectator)
    assert rows.keys() <= {"Passes", "Note"}
    starter = "" if position.starter is None else NAMES[(position.starter + 1) % len(position.courts)]
    said = f"then {starter} starts" if starter and position.to_act is not None else ""
    assert rows.get("Passes", "") == said


def unaddressed(text: str, seat: int | None) -> str:
    """What is said to a player about the ban on undoing, as others read it."""
    if seat is None:
        return text
    name = NAMES[seat]
    named = text.replace("Only you may", f"Only {name} may").replace("You may", f"{name} may")
    return re.sub(r"\byour\b", f"{name}'s", named)


def test_who_may_not_undo_a_swap_is_said_beside_the_map() -> None:
    found = set()
    played = recorded("second-edition-advanced/coronation-emptied-teams")
    for moment in played.moments:
        rows = find_render_plugin(played.record.game).list_side_notes(
            played.record.game, played.record.game.view(moment.position, 0), NAMES[:4]
        )
        found |= {text for label, text in rows if label == "Note"}
    assert "Cal may not undo your Manoeuvre" in found


@pytest.mark.slow
@given(any_moment(), SEATS)
@examples(40)
def test_the_table_alone_shows_the_trick_and_the_viewers_hand(moment: Moment, seat: int | None) -> None:
    position, last = moment
    view = CLAIM.view(position, seat)
    whole = claim.PLUGIN.draw_picture(CLAIM, view, PLAYERS, last)
    alone = claim.PLUGIN.draw_picture(CLAIM, view, PLAYERS, last, layout="alone")
    drawn = {part.name: part.svg for part in whole.parts}
    table = {part.name: part.svg for part in alone.parts if part.name in {"deck", "prize", "votes", "trick"}}
    assert table == {name: drawn[name] for name in table}
    assert len(table) == 4
    assert sorted(keys(parsed(alone))) == sorted(keys(parsed(whole)))
    assert within(alone, "text")
    assert min(shape.size for shape in shapes(alone) if shape.kind == "text") * NARROW / alone.width > LEGIBLE
    rows = dict(find_render_plugin(CLAIM).list_side_notes(CLAIM, view, PLAYERS))
    assert ("Prize" in rows) == (position.prize is not None)
    assert ("Trick" in rows) == (position.led is not None)
    assert ("Phase" in rows) == (position.to_act is not None)
    counts = [int(number) for number in re.findall(r"(?:Ann|Bob) (\d)", rows["Votes"])]
    assert counts == [sum(vote.seat == each for vote in rules.list_votes(position.scores)) for each in position.seats]


@pytest.mark.exhaustive(seconds=3)
@each_row("name", SHOWN)
def test_as_mails_show_it_it_is_smaller_than_it_may_be(name: str) -> None:
    played, turn, seat = recorded(SHOWN[name].game), SHOWN[name].turns, SHOWN[name].seat
    data = draw_png(picture_at(played, turn, seat, layout="alone"), width=SHARP)
    assert len(data) < 0.8 * MOST_BYTES
    assert SHARP >= 2 * SHOWN_WIDTH > 2 * NARROW


def test_one_frame_may_begin_elsewhere() -> None:
    picture = Picture(30, 20, "", "", {}, (), (5, 7))
    assert picture.size == 'viewBox="5 7 30 20" width="30" height="20"'
    assert evolve(picture, corner=(0, 0)).size.startswith('viewBox="0 0 ')
