"""Who wins: chains of comparisons as values, each with its rule, asked in order until one party is left."""

from tkid.games.struggle.rules.endings.chains import control, coronation, invasion, lost, usurpation
from tkid.games.struggle.rules.endings.comparisons import Comparison, Highest, If, Nobody, Parties, Plotter, Remark
from tkid.games.struggle.rules.endings.ending import Ending, ranking

__all__ = [
    "Comparison",
    "Ending",
    "Highest",
    "If",
    "Nobody",
    "Parties",
    "Plotter",
    "Remark",
    "control",
    "coronation",
    "invasion",
    "lost",
    "ranking",
    "usurpation",
]
