"""Write the page of a replay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import chain, pairwise
from typing import Any

from attrs import define, evolve, field

from tkid.kernel.game import NOBODY
from tkid.notation.names import list_names
from tkid.notation.positions import write_position
from tkid.notation.text import count_noun
from tkid.notation.voice import Voice
from tkid.record.clock import find_clock_terms, make_public_header
from tkid.record.clock_notes import Resigned, make_note_reader
from tkid.record.format.model import Header, Record, Seat
from tkid.record.play.note_chain import make_hash_remover, remove_hashes
from tkid.record.play.replay import Replay, find_early_end, list_end_reasons, write_end_title
from tkid.record.play.views import hide_secrets, link_moments
from tkid.record.play.writer import write_record
from tkid.render import click_page
from tkid.render.frames import Branch, Frame, ReplayStory, build_story, last_turn
from tkid.render.picture import Part, Picture, write_css, write_css_variables, write_definitions, write_groups
from tkid.render.plugin import Chapter, Tale, find_render_plugin
from tkid.render.value_graph import GraphWords, comments_of, draw_value_graph
from tkid.render.value_graph import describe_value as value_told

TAGS = re.compile("(?=<)")
SENTENCES = ". "
"""Between the sentences of a description; those that several turns have in common are kept once."""
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
"""Runs of characters that names of files do without."""


@define
class _Drawn:
    """Pictures as what changes from one to the next; what they have in common is kept once, and numbered."""

    pieces: click_page.Table[str] = field(factory=click_page.Table)
    tags: click_page.Table[str] = field(factory=click_page.Table)
    sentences: click_page.Table[str] = field(factory=click_page.Table)

    def encode_changes(self, before: Sequence[Part], after: Sequence[Part]) -> list[list[int]]:
        """Return, for each part that changed, its place, its piece, and where that is moved if it is not at home."""
        return [
            [place, self.pieces[part.svg], *(part.at if part.at != (0, 0) else ())]
            for place, part in enumerate(after)
            if not before or before[place] != part
        ]

    def encode_sentences(self, text: str) -> list[int]:
        return [self.sentences[each] for each in text.split(SENTENCES)]


def page_data(shown: ReplayStory, chapters: Sequence[Chapter]) -> dict[str, Any]:
    known, frames, drawn = shown.known, shown.frames, _Drawn()
    render, game, names = find_render_plugin(known.record.game), known.record.game, known.record.names

    def counts(frame: Frame) -> list[int]:
        return [count.number for tally in render.list_tallies(game, frame.view, names) for count in tally.counts]

    parts = [(), *(frame.picture.parts for frame in frames)]
    positions = [each.moment.position for each in frames]
    pictures = {
        "changes": [drawn.encode_changes(before, after) for before, after in pairwise(parts)],
        "titles": [frame.picture.title for frame in frames],
        "told": [drawn.encode_sentences(frame.picture.description) for frame in frames],
        "branches": [
            {
                "start": branch.start,
                "home": min(branch.start + 1, len(frames) - 1),
                "changes": drawn.encode_changes(frames[branch.start].picture.parts, branch.frame.picture.parts),
                "title": branch.frame.picture.title,
                "told": drawn.encode_sentences(branch.frame.picture.description),
                "counts": counts(branch.frame),
                "position": write_position(known.record.game, branch.frame.view.shown),
            }
            for branch in shown.branches
        ],
    }
    return pictures | {
        "turns": [frame.moment.turn.number if frame.moment.turn else 0 for frame in frames],
        "seats": [frame.moment.turn.seat if frame.moment.turn else -1 for frame in frames],
        "quiet": [
            index for index in range(1, len(frames)) if render.is_quiet(game, positions[index - 1], positions[index])
        ],
        "over": known.position.decision is None or find_early_end(known) is not None,
        "names": names,
        "chapters": [
            [each.kind, each.names, each.first, each.last, each.result, each.sign, each.place] for each in chapters
        ],
        "tallies": [
            [tally.label, [[count.sign, count.name, count.place] for count in tally.counts]]
            for tally in render.list_tallies(game, frames[0].view, names)
        ],
        "counts": [counts(frame) for frame in frames],
        "positions": [write_position(known.record.game, frame.view.shown) for frame in frames],
        "size": (*frames[0].picture.corner, frames[0].picture.width, frames[0].picture.height),
        "rows": frames[0].picture.rows,
        "file": "-".join(filter(None, NOT_IN_NAMES.split(known.record.title)))[:40] or "game",
        "record": public_record(known),
        "pieces": [[drawn.tags[tag] for tag in TAGS.split(piece)] for piece in drawn.pieces],
        "sentences": list(drawn.sentences),
        "tags": list(drawn.tags),
    }


def public_record(known: Replay) -> str:
    """Return the record as its reader may pass it on: without addresses and headers of hosts, with its own hashes."""
    record = known.record
    start = write_position(record.game, known.moments[0].position)
    shown: Record = evolve(
        remove_hashes(record),
        seats=tuple(Seat(seat.name) for seat in record.seats),
        headers=tuple(each for header in record.headers if (each := _filter_header(header, start)) is not None),
    )
    moments, _ = link_moments(shown, known, lambda moment, turn, link: evolve(moment, turn=turn, hash=link))
    return write_record(shown, evolve(known, record=shown, moments=moments))


def _filter_header(header: Header, start: str) -> Header | None:
    """Return a header as anybody may have it; None for a private one. `start` is the first position."""
    if header.name.casefold().startswith("x-"):
        return make_public_header(header)
    if header.name == "Position":
        return evolve(header, value=start)
    return evolve(header, value=header.value.partition("<")[0].strip()) if header.name == "Seat" else header


BEGIN = '<p class="begin">Press play, use the arrow keys, or swipe the board.</p>'


def _write_turn_lists(shown: ReplayStory, chapters: Sequence[Chapter], words: GraphWords) -> str:
    items = [_write_turn_item(shown, index, words) for index in range(len(shown.frames))]
    lists = [_list(items[:1])]
    for number, chapter in enumerate(chapters, 1):
        if chapter.names:
            lists.append(_write_chapter_heading(number, chapter) + _list(items[chapter.first : chapter.last + 1]))
    told = max((chapter.last for chapter in chapters), default=0)
    return "\n".join([*lists, _list(items[told + 1 :])])


def _list(items: Sequence[str]) -> str:
    return "<ol>\n" + "\n".join(items) + "\n</ol>" if items else ""


def _write_chapter_heading(number: int, chapter: Chapter) -> str:
    result, colour = "", "none" if chapter.place is None else f"faction{chapter.place}"
    if chapter.result:
        coin = f'<i class="coin {colour}" aria-hidden="true">{escape(chapter.sign)}</i>'
        result = f' <span class="result">{escape(chapter.result)} {coin}</span>'
    name = f'<span class="chapter-name">: <b>{escape(chapter.names[-1][1])}</b></span>'
    return f'<h3 class="chapter"><span>{chapter.kind.capitalize()} {number}{name}</span>{result}</h3>'


def _write_turn_item(shown: ReplayStory, index: int, words: GraphWords) -> str:
    frame, last = shown.frames[index], len(shown.frames) - 1
    branches = [(place, each) for place, each in enumerate(shown.branches) if min(each.start + 1, last) == index]
    level = "h4" if index else "h3"
    tale = [
        f"<{level}>{_write_turn_heading(frame, words)}</{level}>",
        _write_tale(frame.tale, words),
        _write_comments(shown, index),
        "" if index else BEGIN,
    ]
    tale += [_write_branch(place, branch, words) for place, branch in branches]
    place = f"turn-{frame.moment.turn.number if frame.moment.turn else 0}"
    line = _write_turn(frame, words)
    return (
        f'<li class="turn{" if-there" if branches else ""}" id="{place}"><a class="line" href="#{place}">{line}</a>'
        f'<div class="tale">{"".join(tale)}</div></li>'
    )


def _write_turn_heading(frame: Frame, words: GraphWords) -> str:
    turn = frame.moment.turn
    return words.write_html(f"Turn {turn.number}: {frame.tale.heading}" if turn else frame.tale.heading)


def _write_turn(frame: Frame, words: GraphWords) -> str:
    turn = frame.moment.turn
    if turn is None:
        return "<span></span><b>Start</b><span></span>"
    return f"<span>{turn.number}</span> <bdi>{escape(words.names[turn.seat])}</bdi> <span>{_write_notation(frame, words)}</span>"


def _write_notation(frame: Frame, words: GraphWords) -> str:
    turn, line = frame.moment.turn, frame.moment.line
    return words.write_turn(line.removeprefix(f"{turn.number}. {words.names[turn.seat]} ")) if turn else ""


def _write_tale(tale: Tale, words: GraphWords) -> str:
    steps = "".join(f"<li>{words.write_with_rule(step.text, step.rule)}</li>" for step in tale.steps)
    changes = [*map(words.write_html, tale.changes), *([f"<b>{words.write_html(tale.next)}</b>"] if tale.next else [])]
    return (f"<ul>{steps}</ul>" if steps else "") + (f"<p>{' '.join(changes)}</p>" if changes else "")


def _write_comments(shown: ReplayStory, index: int) -> str:
    record, frame = shown.known.record, shown.frames[index]
    branched = {branch.comment for branch in shown.branches}
    above = chain.from_iterable((*(header.comments for header in record.headers), *record.row_comments.values()))
    comments = list(comments_of(frame.moment) if frame.moment.turn else above)
    comments += record.end if index == len(shown.frames) - 1 else ()
    read = make_hash_remover(record)(tuple(each for each in comments if each not in branched))
    texts = [value_told(each.removeprefix("#").strip(), shown.known) for each in read]
    items = "".join(f"<li><bdi>{escape(text)}</bdi></li>" for text in texts if text)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _write_branch(place: int, branch: Branch, words: GraphWords) -> str:
    frame, told_ = branch.frame, words.write_html(f"What if: {branch.frame.tale.heading}")
    line = f"<small>{_write_notation(frame, words)}</small>"
    return (
        f'<div class="branch" data-branch="{place}"><p>{told_} {line}</p><button type="button">{told_} {line}</button>'
        f'<div class="would"><h5>{told_}</h5>{_write_tale(frame.tale, words)}</div></div>'
    )


DOT = " \u00b7 "


def _write_page_header(record: Record, words: GraphWords) -> str:
    rules, turns = escape(record.ruleset.title), len(record.turns)
    about = [*([_write_players(record, words)] if record.title else []), rules, count_noun(turns, "turn")]
    return f"<h1>{words.write_html(_get_game_title(record))}</h1>\n<p>{DOT.join(about)}</p>"


def _get_game_title(record: Record) -> str:
    return record.title or list_names(record.names, "and")


def _write_players(record: Record, words: GraphWords) -> str:
    parties, names = record.table.parties, [words.write_html(name) for name in record.names]
    if all(len(party) == 1 for party in parties):
        return list_names(names, "and")
    return " against ".join(list_names([names[seat] for seat in party], "and") for party in parties)


def _write_facts(known: Replay, seat: int | None, words: GraphWords) -> str:
    record = known.record
    started = find_clock_terms(record).started
    seen_by = ""
    if seat is not None:
        seen_by = f"{words.write_html(record.names[seat])}: what other players hide is not in this file"
    rows = {
        "Players": _write_players(record, words),
        "Rules": f"{escape(record.ruleset.title)} ({escape(record.ruleset.code)})",
        "House rulings": "<br>".join(
            f"{click_page.rule_link(ruling)}: {escape(option)}"
            for ruling, option in record.readings.items()
            if record.ruleset.list_defaults()[ruling] != option
        ),
        "Began": f'<time datetime="{started:%Y-%m-%d}">{started:%Y-%m-%d}</time>' if started else "",
        "Seen by": seen_by,
    }
    items = "\n".join(f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in rows.items() if fact)
    return f'<dl class="facts">\n{items}\n</dl>'


def _describe_game_status(known: Replay) -> str:
    record, position = known.record, known.position
    if position.ending is not None:
        winners = list_names([record.names[seat] for seat in position.winners], "and") if position.winners else NOBODY
        return f"{position.ending.capitalize()}: {winners}"
    if end := find_early_end(known):
        return write_end_title(end, record.names)
    render, player = find_render_plugin(record.game), "" if position.to_act is None else record.names[position.to_act]
    missing = render.describe_open_decision(record.game, position)
    now = f"{player} {missing}" if missing else f"It is {player}'s turn to {render.describe_due(record.game, position)}"
    comments = [*record.end, *(each for moment in known.moments for each in comments_of(moment))]
    notes = map(make_note_reader(record.names).read_line, comments)
    gone = list(dict.fromkeys(record.names[note.seat] for note in notes if isinstance(note, Resigned)))
    return f"{now}; {list_names(gone, 'and')} {'has' if len(gone) == 1 else 'have'} resigned" if gone else now


def write_result(known: Replay, words: GraphWords) -> str:
    """Write the end of the record: the result and what decided it, or whose turn it is, as HTML."""
    game = known.record.game
    end, names = find_early_end(known), known.record.names
    if end:
        chain = list_end_reasons(end, Voice(names))
    else:
        chain = find_render_plugin(game).explain_result(game, known.position, names)
    items = "\n".join(f"<li>{words.write_with_rule(text, rule)}</li>" for text, rule in chain)
    told = f"<details><summary>How it was decided</summary>\n<ul>\n{items}\n</ul>\n</details>" if chain else ""
    return f'<div id="ended">\n<p><b>{words.write_html(_describe_game_status(known))}</b></p>\n{told}</div>'


OF_PICTURES = "/* pictures */"
"""Behind it in the style of the page is that of the pictures, which one that is saved takes along."""


def replay_page(replay: Replay, seat: int | None = None, what_if: int | None = None) -> str:
    """Write a game as a page that needs no other file and no network.

    It holds what the seat may know; without a seat, what a spectator may know. Nothing is hidden when the game is over.
    `what_if` is the number of a turn, or of the next one: another turn in its place can be put together by clicks, with what
    the player who takes it knows.
    """
    story = build_story(replay, seat)
    trial = None if what_if is None else _build_trial_page(replay, what_if)
    known, last = story.known, story.frames[-1]
    picture = last.picture
    game, words = known.record.game, GraphWords(known.record.names)
    chapters = find_render_plugin(game).list_chapters(game, [frame.moment.position for frame in story.frames])
    drawn, data = draw_value_graph(known, words), page_data(story, chapters)
    if trial is not None and what_if is not None:
        page = click_page.write_html_page(trial)
        data["trial"] = {"at": min(what_if, len(story.frames) - 1), "turn": what_if, "page": page}
    frame = click_page.read_page_part("replay.html").removesuffix("\n")
    body = frame.format(
        header=_write_page_header(known.record, words),
        board=_draw_board(picture),
        rows=_draw_rows(picture),
        description=escape(picture.description),
        last=_write_turn_heading(last, words),
        told=_write_tale(last.tale, words),
        result=write_result(known, words),
        graph=drawn,
        turns=_write_turn_lists(story, chapters, words),
        facts=_write_facts(known, seat, words),
        kind=chapters[0].kind,
        data=click_page.write_data_element("game", data),
    )
    style, script = (
        click_page.read_page_part(f"replay.{kind}") + (click_page.read_page_part(f"graph.{kind}") if drawn else "")
        for kind in ("css", "js")
    )
    style = write_css_variables() + style + OF_PICTURES + write_css(picture.style)
    made = click_page.Page(_get_game_title(known.record), body, style, script)
    return click_page.write_html_page(made, framed=trial)


def _build_trial_page(replay: Replay, turn: int) -> click_page.Page:
    record, index = replay.record, turn - 1
    seat = replay.moments[index].position.to_act
    known = hide_secrets(replay, seat)
    view = record.game.view(known.moments[index].position, seat)
    last = last_turn(known, index, seat)
    return click_page.build_click_page(
        record.game, view, record.names, title=f"Another turn {turn}", last=last, due=False
    )


def _draw_board(picture: Picture) -> str:
    """Draw all parts, but show only what is above the rows of the players."""
    left, top = picture.corner
    height = (picture.rows or picture.height + top) - top
    return (
        f'<svg viewBox="{left} {top} {picture.width} {height}" role="img" aria-labelledby="title" aria-describedby="told">'
        f'<title id="title">{escape(picture.title)}</title>{write_definitions(picture)}\n<g id="drawn">{write_groups(picture.parts)}</g>\n</svg>'
    )


def _draw_rows(picture: Picture) -> str:
    """Draw the rows of the players: the lower part of the same drawing; "" if they are not apart."""
    if not picture.rows:
        return ""
    height = picture.height - picture.rows
    return (
        f'<svg viewBox="{picture.corner[0]} {picture.rows} {picture.width} {height}" aria-hidden="true">'
        '<use href="#drawn"/></svg>'
    )
