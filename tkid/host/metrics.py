"""The figures of a host as text, in the form that Prometheus and others read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from tkid.host.health import Health
from tkid.host.store.queries import Queries
from tkid.host.store.schema import STATES

ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def metrics(store: Queries | None, health: Health, now: datetime) -> str:
    """All figures; without a store those of the loop alone."""
    parts = dict(sorted(health.parts.items()))
    working = {name: not part.error for name, part in parts.items()}
    failures = {name: part.failed for name, part in parts.items()}
    figures = _of_store(store, now) if store is not None else []
    figures += [
        _gauge("tkid_up", "Whether the database can be read.", store is not None),
        _counter("tkid_rounds_total", "Rounds of the loop.", health.counts.rounds),
        _counter("tkid_mails_fetched_total", "Mails that came in and were new.", health.counts.fetched),
        _gauge("tkid_part_working", "Whether a transport, or another part of the loop, works.", working, "part"),
        _counter("tkid_part_failures_total", "How often a part of the loop has failed.", failures, "part"),
    ]
    if health.last_round is not None:
        begun = health.last_round.timestamp()
        figures.append(_gauge("tkid_last_round_timestamp_seconds", "When the last round began.", begun))
    return "".join(figures)


def _of_store(store: Queries, now: datetime) -> list[str]:
    counts, unsent, oldest = store.counts(), store.unsent(), store.oldest_waiting()
    mails = {state: counts[state] for state in STATES}
    failing = sum(bool(letter.tries) for letter in unsent)
    age = max(0.0, (now - oldest).total_seconds()) if oldest else 0
    return [
        _gauge("tkid_games", "Games by state.", store.game_counts(), "state"),
        _gauge("tkid_mails", "Mails that came in, by state.", mails, "state"),
        _gauge("tkid_oldest_waiting_mail_seconds", "How long the oldest waiting mail has waited.", age),
        _counter("tkid_letters_sent_total", "Letters that went out.", store.sent()),
        _gauge("tkid_letters_waiting", "Letters that wait.", len(unsent)),
        _gauge("tkid_letters_failing", "Letters that wait because they could not be sent.", failing),
    ]


def _gauge(name: str, text: str, figure: float | Mapping[str, float], label: str = "", kind: str = "gauge") -> str:
    """A figure as text: one number, or one for each value of a label."""
    figures = figure if isinstance(figure, Mapping) else {"": figure}
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    for value, number in figures.items():
        labels = f'{{{label}="{value.translate(ESCAPES)}"}}' if label else ""
        lines.append(f"{name}{labels} {int(number) if number == int(number) else f'{number:.3f}'}")
    return "".join(f"{line}\n" for line in lines)


def _counter(name: str, text: str, figure: float | Mapping[str, float], label: str = "") -> str:
    """A figure that only grows."""
    return _gauge(name, text, figure, label, "counter")
