"""A whole game as one page of HTML: a picture of every turn to step through, and what happened. For every family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from tkid.kernel.game import NOBODY, Event
from tkid.notation.vocabulary import listed
from tkid.record.clock.notes import Resigned, note_reader
from tkid.record.clock.terms import terms_of
from tkid.record.format.model import Comments, Record
from tkid.record.play.replay import Moment, Replay
from tkid.render.html import Table, data, page, part, rule_link
from tkid.render.moments import pictures
from tkid.render.picture import Picture, css, drawn
from tkid.render.plugin import render_plugin

TAGS = re.compile("(?=<)")
SENTENCES = ". "
"""Between the sentences of a position in words; what several turns have in common is kept once."""


def replay_page(played: Replay, seat: int | None = None) -> str:
    """A game as a page that needs no other file and no network.

    It holds what the seat may know. Without a seat: what a spectator may know of a game that goes on, and of one that
    is over all that the record states.
    """
    known, frames = pictures(played, seat)
    shown = frames[-1]
    title = known.record.title or listed(known.record.names, "and")
    body = PAGE.format(
        title=escape(title),
        facts=_facts(known, seat),
        most=len(frames) - 1,
        board=_board(shown),
        told=escape(shown.told),
        decided=_decided(known),
        turns=_turns(known),
        data=data("game", _data(known, frames)),
    )
    return page(title, body, style=part("replay.css") + css(shown.style), script=part("replay.js"))


PAGE = """\
<header>
<h1>{title}</h1>
{facts}
</header>
<main>
<div class="steps" id="steps" hidden>
<div><button type="button" id="back" aria-label="Back a turn">Back</button>
<button type="button" id="play">Play</button>
<button type="button" id="next" aria-label="Next turn">Next</button>
<input type="range" id="slider" min="0" max="{most}" step="1" value="{most}" aria-label="Turn"></div>
<p><code id="line"></code></p>
</div>
<noscript><p>Scripts are switched off here, so nothing can be stepped through: the picture shows the end.</p></noscript>
<figure class="board">{board}
<details class="words"><summary>The position in words</summary><p id="told">{told}</p></details>
</figure>
<div class="tale">
<section aria-labelledby="last">
<h2 id="last">What happened</h2>
<div id="happened" aria-live="polite"></div>
<p class="hint">The arrow keys lead from turn to turn, Home and End to the start and to the end.</p>
</section>
{decided}
<section aria-labelledby="all">
<h2 id="all">Turns</h2>
<ol class="turns" id="turns">
{turns}
</ol>
</section>
</div>
</main>
{data}"""


# -- what does not change ---------------------------------------------------------------------------------


def _facts(known: Replay, seat: int | None) -> str:
    """What the record's header says, and how the game stands."""
    record = known.record
    started = terms_of(record).started
    facts = {
        "Players": escape(_players(record)),
        "Rules": f"{escape(record.ruleset.title)} ({escape(record.ruleset.code)})",
        "Read otherwise": "<br>".join(
            f"{rule_link(ruling)}: {escape(option)}"
            for ruling, option in record.readings.items()
            if record.ruleset.defaults()[ruling] != option
        ),
        "Began": f'<time datetime="{started:%Y-%m-%d}">{started:%Y-%m-%d}</time>' if started else "",
        "Result" if known.position.decision is None else "Now": escape(_stands(known)),
        "Seen by": "" if seat is None else escape(f"{record.names[seat]}: what others hide is not in this file"),
    }
    rows = "\n".join(f"<dt>{name}</dt><dd>{told}</dd>" for name, told in facts.items() if told)
    return f'<dl class="facts">\n{rows}\n</dl>'


def _players(record: Record) -> str:
    """The players in turn order; teams, where they play in teams."""
    parties = record.table.parties
    if all(len(party) == 1 for party in parties):
        return ", ".join(record.names)
    return " against ".join(listed([record.names[seat] for seat in party], "and") for party in parties)


def _stands(known: Replay) -> str:
    """How the game ended, or what is due."""
    record, position = known.record, known.position
    if position.ending is not None:
        winners = listed([record.names[seat] for seat in position.winners], "and") if position.winners else NOBODY
        return f"{position.ending.capitalize()}: {winners}"
    shown, who = render_plugin(record.game), "" if position.to_act is None else record.names[position.to_act]
    missing = shown.undecided(record.game, position)
    stands = f"{who} {missing}" if missing else f"{who} is to {shown.due(record.game, position)}"
    gone = _resigned(known)
    return f"{stands}; {listed(gone, 'and')} {'has' if len(gone) == 1 else 'have'} resigned" if gone else stands


def _resigned(known: Replay) -> list[str]:
    """Who has resigned, as the record notes it."""
    reader = note_reader(known.record.names)
    written = [*known.record.end, *(each for moment in known.moments if moment.turn for each in _comments(moment))]
    found = (reader.line(text) for text in written)
    return list(dict.fromkeys(known.record.names[line.seat] for line in found if isinstance(line, Resigned)))


def _decided(known: Replay) -> str:
    """The final count: every comparison with its rule; "" where the game goes on."""
    game = known.record.game
    sentences = render_plugin(game).decided(game, known.position, known.record.names)
    if not sentences:
        return ""
    told = "\n".join(f"<li>{escape(text)}{f' {rule_link(rule)}' if rule else ''}</li>" for text, rule in sentences)
    return f'<details id="ended"><summary>How it was decided</summary>\n<ul class="events">\n{told}\n</ul>\n</details>'


# -- turn by turn -----------------------------------------------------------------------------------------


def _turns(known: Replay) -> str:
    """Every turn: its line, what happened, and what people have written beside it."""
    record = known.record
    start = [*(each for header in record.headers for each in header.comments)]
    start += [each for comments in record.row_comments.values() for each in comments]
    items = []
    for moment in known.moments:
        turn = moment.turn
        comments = tuple(start) if turn is None else _comments(moment)
        notes = [*comments, *(record.end if moment is known.last else ())]
        number = turn.number if turn else 0
        told = "".join(_told(moment.events, record.names, notes))
        items.append(
            f'<li class="turn" id="turn-{number}"><a class="line" href="#turn-{number}">'
            f"<code>{escape(moment.line or 'Start')}</code></a>"
            + (f'<ul class="events">{told}</ul>' if told else "")
            + "</li>"
        )
    return "\n".join(items)


def _comments(moment: Moment) -> Comments:
    turn = moment.turn
    assert turn is not None
    return (*turn.comments, *turn.notes, *(each for outcome in turn.outcomes for each in outcome.comments))


def _told(events: Sequence[Event], names: Sequence[str], comments: Sequence[str]) -> Iterator[str]:
    """What happened, as sentences with their rules; and comments."""
    for event in events:
        yield f"<li>{escape(event.read(names))} {rule_link(event.rule)}</li>"
    for comment in comments:
        shown = comment.removeprefix("#").strip()
        if shown:
            yield f'<li class="note"><bdi>{escape(shown)}</bdi></li>'


def _board(shown: Picture) -> str:
    size = f'viewBox="0 0 {shown.width} {shown.height}" width="{shown.width}" height="{shown.height}"'
    return (
        f'<svg id="board" {size} role="img" aria-labelledby="title" aria-describedby="told">'
        f'<title id="title">{escape(shown.title)}</title>\n{drawn(shown.parts)}\n</svg>'
    )


def _data(known: Replay, frames: Sequence[Picture]) -> dict[str, Any]:
    """What the script needs: of each turn the parts of the picture that it changed, by their place, and the words.

    Whatever is said twice is kept once: the tags that parts are made of, and the sentences.
    """
    pieces, tags, sentences = Table[str](), Table[str](), Table[str]()
    changes: list[list[tuple[int, int]]] = []
    before: list[str] = []
    for frame in frames:
        now = [part.svg for part in frame.parts]
        new = [(at, svg) for at, svg in enumerate(now) if not before or before[at] != svg]
        changes.append([(at, pieces.of(svg)) for at, svg in new])
        before = now
    return {
        "turns": [moment.turn.number if moment.turn else 0 for moment in known.moments],
        "over": known.position.decision is None,
        "titles": [frame.title for frame in frames],
        "told": [[sentences.of(each) for each in frame.told.split(SENTENCES)] for frame in frames],
        "changes": changes,
        "pieces": [[tags.of(tag) for tag in TAGS.split(piece)] for piece in pieces],
        "sentences": list(sentences),
        "tags": list(tags),
    }
