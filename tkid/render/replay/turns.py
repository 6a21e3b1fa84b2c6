"""The turns of a replay as HTML, chapter by chapter: their lines, what they did step by step, comments and branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tkid.record.play.note_chain import shear
from tkid.render.replay.shown import Frame, Shown, ShownBranch
from tkid.render.replay.values import told as value_told
from tkid.render.replay.words import Words, comments_of
from tkid.render.tale import Chapter, Tale

BEGIN = '<p class="begin">Press play, use the arrow keys, or swipe the board.</p>'


def turns(shown: Shown, chapters: Sequence[Chapter], words: Words) -> str:
    """All of them, in lists below the headings of their chapters."""
    items = [_turn(shown, index, words) for index in range(len(shown.frames))]
    lists = [_list(items[:1])]
    for number, chapter in enumerate(chapters, 1):
        if chapter.names:
            lists.append(_heading(number, chapter) + _list(items[chapter.first : chapter.last + 1]))
    told = max((chapter.last for chapter in chapters), default=0)
    return "\n".join([*lists, _list(items[told + 1 :])])


def _list(items: Sequence[str]) -> str:
    return "<ol>\n" + "\n".join(items) + "\n</ol>" if items else ""


def _heading(number: int, chapter: Chapter) -> str:
    """A chapter's heading: its name, and its result at the end."""
    result = f' <span class="result">{escape(chapter.result)} {coin(chapter)}</span>' if chapter.result else ""
    name = f'<span class="chapter-name">: <b>{escape(chapter.names[-1][1])}</b></span>'
    return f'<h3 class="chapter"><span>{chapter.kind.capitalize()} {number}{name}</span>{result}</h3>'


def coin(chapter: Chapter) -> str:
    """The disc of a result, as a small round sign that words stand beside."""
    colour = "none" if chapter.place is None else f"faction{chapter.place}"
    return f'<i class="coin {colour}" aria-hidden="true">{escape(chapter.sign)}</i>'


def _turn(shown: Shown, index: int, words: Words) -> str:
    """A turn: its line, and what it did."""
    frame, last = shown.frames[index], len(shown.frames) - 1
    branches = [(place, each) for place, each in enumerate(shown.branches) if min(each.start + 1, last) == index]
    level = "h4" if index else "h3"
    tale = [
        f"<{level}>{heading(frame, words)}</{level}>",
        told(frame.tale, words),
        _notes(shown, index),
        "" if index else BEGIN,
    ]
    tale += [_branch(place, branch, words) for place, branch in branches]
    place = f"turn-{frame.moment.turn.number if frame.moment.turn else 0}"
    line = _line(frame, words)
    return (
        f'<li class="turn{" if-there" if branches else ""}" id="{place}"><a class="line" href="#{place}">{line}</a>'
        f'<div class="tale">{"".join(tale)}</div></li>'
    )


def heading(frame: Frame, words: Words) -> str:
    """A turn in a few words, as HTML."""
    turn = frame.moment.turn
    return words.html(f"Turn {turn.number}: {frame.tale.heading}" if turn else frame.tale.heading)


def _line(frame: Frame, words: Words) -> str:
    """A turn in notation: its number, its player, and what was played."""
    turn = frame.moment.turn
    if turn is None:
        return "<span></span><b>Start</b><span></span>"
    return (
        f"<span>{turn.number}</span> <bdi>{escape(words.names[turn.seat])}</bdi> <span>{notation(frame, words)}</span>"
    )


def notation(frame: Frame, words: Words) -> str:
    """What was played, as HTML."""
    turn, line = frame.moment.turn, frame.moment.line
    return words.turn(line.removeprefix(f"{turn.number}. {words.names[turn.seat]} ")) if turn else ""


def told(tale: Tale, words: Words) -> str:
    """Its steps, what they changed, and who is next."""
    steps = "".join(f"<li>{words.ruled(step.text, step.rule)}</li>" for step in tale.steps)
    changes = [*map(words.html, tale.changes), *([f"<b>{words.html(tale.next)}</b>"] if tale.next else [])]
    return (f"<ul>{steps}</ul>" if steps else "") + (f"<p>{' '.join(changes)}</p>" if changes else "")


def _notes(shown: Shown, index: int) -> str:
    """The comments of a turn, without those that are shown as branches."""
    record, frame = shown.known.record, shown.frames[index]
    branched = {branch.comment for branch in shown.branches}
    comments = [*comments_of(frame.moment)] if frame.moment.turn else list(_first(shown))
    comments += record.end if index == len(shown.frames) - 1 else ()
    read = shear(record)(tuple(each for each in comments if each not in branched))
    texts = [value_told(each.removeprefix("#").strip(), shown.known) for each in read]
    items = "".join(f"<li><bdi>{escape(text)}</bdi></li>" for text in texts if text)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _first(shown: Shown) -> Iterator[str]:
    """The comments before the first turn."""
    record = shown.known.record
    for header in record.headers:
        yield from header.comments
    for comments in record.row_comments.values():
        yield from comments


def _branch(place: int, branch: ShownBranch, words: Words) -> str:
    """A turn that was not taken, and what it would have led to."""
    frame, told_ = branch.frame, words.html(f"What if: {branch.frame.tale.heading}")
    line = f"<small>{notation(frame, words)}</small>"
    return (
        f'<div class="branch" data-branch="{place}"><p>{told_} {line}</p><button type="button">{told_} {line}</button>'
        f'<div class="would"><h5>{told_}</h5>{told(frame.tale, words)}</div></div>'
    )
