"""What a replay says of the whole game: who plays by which rules, the result or the next decision, and why."""

from __future__ import annotations

from html import escape

from tkid.kernel.game import NOBODY
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.record.clock.notes import Resigned, note_reader
from tkid.record.clock.terms import terms_of
from tkid.record.format.model import Record
from tkid.record.play.outcome import outcome, reasons, titled
from tkid.record.play.replay import Replay
from tkid.render.html import rule_link
from tkid.render.plugin import render_plugin
from tkid.render.replay.words import Words, comments_of

DOT = " \u00b7 "


def header(record: Record, words: Words) -> str:
    """The title of the page, and below it the players and the rules, as HTML."""
    rules, turns = escape(record.ruleset.title), len(record.turns)
    about = [*([_players(record, words)] if record.title else []), rules, counted(turns, "turn")]
    return f"<h1>{words.html(title(record))}</h1>\n<p>{DOT.join(about)}</p>"


def title(record: Record) -> str:
    """The name of the game, or its players."""
    return record.title or listed(record.names, "and")


def _players(record: Record, words: Words) -> str:
    """The players in turn order, or the teams."""
    parties, names = record.table.parties, [words.html(name) for name in record.names]
    if all(len(party) == 1 for party in parties):
        return listed(names, "and")
    return " against ".join(listed([names[seat] for seat in party], "and") for party in parties)


def facts(known: Replay, seat: int | None, words: Words) -> str:
    """What the header of the record says, as a list of HTML."""
    record = known.record
    started = terms_of(record).started
    rows = {
        "Players": _players(record, words),
        "Rules": f"{escape(record.ruleset.title)} ({escape(record.ruleset.code)})",
        "House rulings": "<br>".join(
            f"{rule_link(ruling)}: {escape(option)}"
            for ruling, option in record.readings.items()
            if record.ruleset.defaults()[ruling] != option
        ),
        "Began": f'<time datetime="{started:%Y-%m-%d}">{started:%Y-%m-%d}</time>' if started else "",
        "Seen by": ""
        if seat is None
        else f"{words.html(record.names[seat])}: what other players hide is not in this file",
    }
    items = "\n".join(f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in rows.items() if fact)
    return f'<dl class="facts">\n{items}\n</dl>'


def status(known: Replay) -> str:
    """The result, or the next decision, and who has resigned."""
    record, position = known.record, known.position
    if position.ending is not None:
        winners = listed([record.names[seat] for seat in position.winners], "and") if position.winners else NOBODY
        return f"{position.ending.capitalize()}: {winners}"
    if end := outcome(known):
        return titled(end, record.names)
    render, player = render_plugin(record.game), "" if position.to_act is None else record.names[position.to_act]
    missing = render.undecided(record.game, position)
    now = f"{player} {missing}" if missing else f"It is {player}'s turn to {render.due(record.game, position)}"
    gone = _resigned(known)
    return f"{now}; {listed(gone, 'and')} {'has' if len(gone) == 1 else 'have'} resigned" if gone else now


def _resigned(known: Replay) -> list[str]:
    """Who has resigned, by the notes of the record."""
    reader = note_reader(known.record.names)
    comments = [*known.record.end, *(each for moment in known.moments for each in comments_of(moment))]
    notes = map(reader.line, comments)
    return list(dict.fromkeys(known.record.names[note.seat] for note in notes if isinstance(note, Resigned)))


def result(known: Replay, words: Words) -> str:
    """Where the record ends: how the game ended with the comparisons that decided it, or whose turn it is, as HTML."""
    game = known.record.game
    end, names = outcome(known), known.record.names
    chain = reasons(end, names) if end else render_plugin(game).explain_result(game, known.position, names)
    items = "\n".join(f"<li>{words.ruled(text, rule)}</li>" for text, rule in chain)
    told = f"<details><summary>How it was decided</summary>\n<ul>\n{items}\n</ul>\n</details>" if chain else ""
    return f'<div id="ended">\n<p><b>{words.html(status(known))}</b></p>\n{told}</div>'
