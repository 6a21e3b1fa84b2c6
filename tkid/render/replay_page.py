"""A replay as one page of HTML: a picture of every turn to step through, and what happened."""

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
from tkid.render.frames import pictures
from tkid.render.html import Table, data, page, part, rule_link
from tkid.render.picture import Picture, css, groups
from tkid.render.plugin import render_plugin

TAGS = re.compile("(?=<)")
SENTENCES = ". "
"""Between the sentences of a description; those that several turns have in common are kept once."""


def replay_page(replay: Replay, seat: int | None = None) -> str:
    """A game as a page that needs no other file and no network.

    It holds what the seat may know; without a seat, what a spectator may know. Nothing is hidden when the game is over.
    """
    known, frames = pictures(replay, seat)
    picture = frames[-1]
    title = known.record.title or listed(known.record.names, "and")
    body = PAGE.format(
        title=escape(title),
        facts=_facts(known, seat),
        most=len(frames) - 1,
        board=_board(picture),
        description=escape(picture.description),
        result=_result(known),
        turns=_turns(known),
        data=data("game", _data(known, frames)),
    )
    return page(title, body, style=part("replay.css") + css(picture.style), script=part("replay.js"))


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
<noscript><p>Scripts are switched off, so you cannot step through the game. The picture shows the end.</p></noscript>
<figure class="board">{board}
<details class="words"><summary>The position in words</summary><p id="told">{description}</p></details>
</figure>
<div class="tale">
<section aria-labelledby="last">
<h2 id="last">What happened</h2>
<div id="happened" aria-live="polite"></div>
<p class="hint">Use the arrow keys to go from turn to turn, and Home and End to go to the start and the end.</p>
</section>
{result}
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
    """What the header of the record says, and the result or the next decision."""
    record = known.record
    started = terms_of(record).started
    facts = {
        "Players": escape(_players(record)),
        "Rules": f"{escape(record.ruleset.title)} ({escape(record.ruleset.code)})",
        "House rulings": "<br>".join(
            f"{rule_link(ruling)}: {escape(option)}"
            for ruling, option in record.readings.items()
            if record.ruleset.defaults()[ruling] != option
        ),
        "Began": f'<time datetime="{started:%Y-%m-%d}">{started:%Y-%m-%d}</time>' if started else "",
        "Result" if known.position.decision is None else "Now": escape(_status(known)),
        "Seen by": "" if seat is None else escape(f"{record.names[seat]}: what other players hide is not in this file"),
    }
    rows = "\n".join(f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in facts.items() if fact)
    return f'<dl class="facts">\n{rows}\n</dl>'


def _players(record: Record) -> str:
    """The players in turn order, or the teams."""
    parties = record.table.parties
    if all(len(party) == 1 for party in parties):
        return ", ".join(record.names)
    return " against ".join(listed([record.names[seat] for seat in party], "and") for party in parties)


def _status(known: Replay) -> str:
    """The result, or the next decision, and who has resigned."""
    record, position = known.record, known.position
    if position.ending is not None:
        winners = listed([record.names[seat] for seat in position.winners], "and") if position.winners else NOBODY
        return f"{position.ending.capitalize()}: {winners}"
    render, player = render_plugin(record.game), "" if position.to_act is None else record.names[position.to_act]
    missing = render.undecided(record.game, position)
    status = f"{player} {missing}" if missing else f"It is {player}'s turn to {render.due(record.game, position)}"
    gone = _resigned(known)
    return f"{status}; {listed(gone, 'and')} {'has' if len(gone) == 1 else 'have'} resigned" if gone else status


def _resigned(known: Replay) -> list[str]:
    """Who has resigned, by the notes of the record."""
    reader = note_reader(known.record.names)
    comments = [*known.record.end, *(each for moment in known.moments for each in _comments(moment))]
    notes = map(reader.line, comments)
    return list(dict.fromkeys(known.record.names[note.seat] for note in notes if isinstance(note, Resigned)))


def _result(known: Replay) -> str:
    """The comparisons that decided the game, each with its rule; "" while it goes on."""
    game = known.record.game
    chain = render_plugin(game).explain_result(game, known.position, known.record.names)
    if not chain:
        return ""
    items = "\n".join(f"<li>{escape(text)}{f' {rule_link(rule)}' if rule else ''}</li>" for text, rule in chain)
    return f'<details id="ended"><summary>How it was decided</summary>\n<ul class="events">\n{items}\n</ul>\n</details>'


# -- turn by turn -----------------------------------------------------------------------------------------


def _turns(known: Replay) -> str:
    """Every turn: its line, what happened, and the comments beside it."""
    record = known.record
    start = [comment for header in record.headers for comment in header.comments]
    start += [comment for comments in record.row_comments.values() for comment in comments]
    items = []
    for moment in known.moments:
        comments = [*(_comments(moment) if moment.turn else start), *(record.end if moment is known.last else ())]
        number = moment.turn.number if moment.turn else 0
        events = "".join(_events(moment.events, record.names, comments))
        items.append(
            f'<li class="turn" id="turn-{number}"><a class="line" href="#turn-{number}">'
            f"<code>{escape(moment.line or 'Start')}</code></a>"
            + (f'<ul class="events">{events}</ul>' if events else "")
            + "</li>"
        )
    return "\n".join(items)


def _comments(moment: Moment) -> Comments:
    turn = moment.turn
    if turn is None:
        return ()
    return (*turn.comments, *turn.notes, *(each for outcome in turn.outcomes for each in outcome.comments))


def _events(events: Sequence[Event], names: Sequence[str], comments: Sequence[str]) -> Iterator[str]:
    """Events as sentences with their rules, then comments."""
    for event in events:
        yield f"<li>{escape(event.read(names))} {rule_link(event.rule)}</li>"
    for comment in comments:
        if words := comment.removeprefix("#").strip():
            yield f'<li class="note"><bdi>{escape(words)}</bdi></li>'


def _board(picture: Picture) -> str:
    return (
        f'<svg id="board" {picture.size} role="img" aria-labelledby="title" aria-describedby="told">'
        f'<title id="title">{escape(picture.title)}</title>\n{groups(picture.parts)}\n</svg>'
    )


def _data(known: Replay, frames: Sequence[Picture]) -> dict[str, Any]:
    """What the script needs: for each turn the parts of the picture that changed, by their place, and the description.

    The tags of parts, and the sentences, are kept once and numbered.
    """
    pieces, tags, sentences = Table[str](), Table[str](), Table[str]()
    changes: list[list[tuple[int, int]]] = []
    before: list[str] = []
    for frame in frames:
        now = [part.svg for part in frame.parts]
        new = [(place, svg) for place, svg in enumerate(now) if not before or before[place] != svg]
        changes.append([(place, pieces.number(svg)) for place, svg in new])
        before = now
    return {
        "turns": [moment.turn.number if moment.turn else 0 for moment in known.moments],
        "over": known.position.decision is None,
        "titles": [frame.title for frame in frames],
        "told": [[sentences.number(each) for each in frame.description.split(SENTENCES)] for frame in frames],
        "changes": changes,
        "pieces": [[tags.number(tag) for tag in TAGS.split(piece)] for piece in pieces],
        "sentences": list(sentences),
        "tags": list(tags),
    }
