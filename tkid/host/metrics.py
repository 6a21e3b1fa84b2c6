"""The figures of a host as text, in the form that Prometheus and others read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen

from tkid.host.health import Health
from tkid.host.store.queries import Queries
from tkid.host.store.schema import STATES

ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


@frozen
class Metric:
    """A figure: its name, what it is, whether it only grows, and its values by labels."""

    name: str
    help: str
    kind: str
    values: Sequence[tuple[Mapping[str, str], float]]

    def written(self) -> str:
        """As text."""
        lines = [f"# HELP {self.name} {self.help}", f"# TYPE {self.name} {self.kind}"]
        lines += [f"{self.name}{_labels(labels)} {_number(value)}" for labels, value in self.values]
        return "".join(f"{line}\n" for line in lines)


def metrics(store: Queries | None, health: Health, now: datetime) -> str:
    """All figures; without a store those of the loop alone."""
    figures = _of_store(store, now) if store is not None else []
    parts = sorted(health.parts.items())
    figures += [
        _gauge("tkid_up", "Whether the database can be read.", store is not None),
        _counter("tkid_rounds_total", "Rounds of the loop.", health.counts.rounds),
        _counter("tkid_mails_fetched_total", "Mails that came in and were new.", health.counts.fetched),
        Metric(
            "tkid_part_working",
            "Whether a carrier, or another part of the loop, works.",
            "gauge",
            [({"part": name}, not part.error) for name, part in parts],
        ),
        Metric(
            "tkid_part_failures_total",
            "How often a part of the loop has failed.",
            "counter",
            [({"part": name}, part.failed) for name, part in parts],
        ),
    ]
    if health.last_round is not None:
        figures.append(
            _gauge("tkid_last_round_timestamp_seconds", "When the last round began.", health.last_round.timestamp())
        )
    return "".join(metric.written() for metric in figures)


def _of_store(store: Queries, now: datetime) -> list[Metric]:
    counts, games, unsent, oldest = store.counts(), store.game_counts(), store.unsent(), store.oldest_waiting()
    failing = sum(bool(letter.tries) for letter in unsent)
    age = max(0.0, (now - oldest).total_seconds()) if oldest else 0
    return [
        Metric("tkid_games", "Games by state.", "gauge", [({"state": name}, n) for name, n in games.items()]),
        Metric("tkid_mails", "Mails that came in, by state.", "gauge", [({"state": s}, counts[s]) for s in STATES]),
        _gauge("tkid_oldest_waiting_mail_seconds", "For how long the oldest mail waits that is not carried out.", age),
        _counter("tkid_letters_sent_total", "Letters that went out.", store.sent()),
        _gauge("tkid_letters_waiting", "Letters that wait.", len(unsent)),
        _gauge("tkid_letters_failing", "Letters that wait as they could not be sent.", failing),
    ]


def _gauge(name: str, text: str, value: float) -> Metric:
    return Metric(name, text, "gauge", [({}, value)])


def _counter(name: str, text: str, value: float) -> Metric:
    return Metric(name, text, "counter", [({}, value)])


def _labels(labels: Mapping[str, str]) -> str:
    stated = ",".join(f'{name}="{value.translate(ESCAPES)}"' for name, value in labels.items())
    return f"{{{stated}}}" if stated else ""


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.3f}"
