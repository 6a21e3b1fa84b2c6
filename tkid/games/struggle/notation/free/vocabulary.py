"""The common words of turns: followers by nation, verbs, and the shortest forms that are understood."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from tkid.notation.free_words import AGAINST, AND, FILLERS, FROM, NOT_ANY, TO

Kind = Literal[
    "card", "followers", "region", "court", "supply", "summon", "disc", "no", "nothing", "place", "return", "move", "swap",
    "from", "to", "against", "and", "stop", "all", "player", "pass", "filler", "unknown", "no-region", "no-faction",
]  # fmt: skip
"""What a mention is about; `no-region` and `no-faction` stand in the place of one and are none."""


def _words(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


FOLLOWERS: Mapping[str, tuple[str, str]] = {
    "S": ("scots scottish scotch scotsmen schotten schottische schottischen ecossais ecossaise ecossaises",
          "scot scotsman scotswoman schotte"),
    "W": ("welsh welch welshmen walisische walisischen waliser gallois galloise galloises", "welshman welshwoman"),
    "E": ("english englishmen englische englischen englander anglais anglaise anglaises", "englishman englishwoman"),
    "R": ("romanobritish romano-british romano british romans britons romanobritons romer romains",
          "roman briton romanobriton"),
    "M": ("mordred mordreds mordred's black", ""),
}  # fmt: skip
"""By a faction's letter its followers in words: of any number, and a single one. Mordred's are printed black."""
NICKNAMES: Mapping[str, str] = {"lancs": "LAN", "lancashire": "LAN", "london": "LON", "northumberland": "NOR"}
"""Other names of regions, each with the code of its own."""
CARDS: Mapping[str, frozenset[str]] = {
    "support": _words("unterstutzung unterstutze unterstutzen soutien soutenir"),
    "assemble": _words("versammlung versammeln versammle sammeln rassembler rassemblement rassemble"),
    "negotiate": _words("verhandlung verhandlungen verhandeln verhandle negocier negociation negocie"),
    "manoeuvre": _words("manover manovrieren manovriere manoeuvrer"),
    "outmanoeuvre": _words("ausmanovrieren uberlisten uberliste dejouer dejoue"),
    "plot": _words("verschworung intrige complot"),
    "spy": _words("spion spionieren espion espionner"),
    "suppress": _words("unterdrucken unterdruckung reprimer"),
    "resist": _words("widerstand resister resistance"),
    "muster": _words("ausheben mustern"),
    "quell": _words("niederschlagen ecraser"),
}
"""German and French words for a card, by its name or the word of its name that is no faction."""
VERBS: Mapping[Kind, Collection[str]] = {
    "summon": _words(
        "summon summons summoning sum sumo summ summo recruit recruiting beschwore rufe berufe hole holen convoque convoquer recrute"
    ),
    "place": _words("place places placing put puts putting add adds adding setze set"),
    "return": _words("return returns returning remove removes back discard retire zuruck"),
    "move": _words("move moves moving going"),
    "swap": _words("swap swaps swapping exchange exchanging trade trading switch switching tausche tauschen echange"),
    "disc": _words("disc disk token marker disque jeton scheibe marke"),
    "nothing": _words("nothing nichts rien"),
    "court": _words("court hof cour"),
    "supply": _words("supply pool stock vorrat reserve"),
    "pass": _words("pass passe passen passing passer"),
    "all": _words("each all everyone everything alle jede tous chaque"),
}
"""Verbs and nouns that say what is done, or with what."""
TAKING = _words("take taking grab grabbing get pick draw fetch call bring nimm nehme prends pull pulling steal")
"""Verbs that mean a summons where no other word does."""
PLAIN: Mapping[Kind, Collection[str]] = {
    **VERBS, "no": NOT_ANY, "from": FROM, "against": AGAINST, "and": AND, "to": TO - {"a"}, "filler": FILLERS,
}  # fmt: skip
"""What a word is that names nothing, the first that has it."""
SPOKEN_GROUPS = _words("we see sees wee sew sews ewe ewes me mew mess mews")
"""Words that are letters of followers too: they are followers beside a region or a card only."""
COUNTING = _words("x of the der von -")
"""What may stand between a number and its followers."""
STRANGERS: Mapping[Kind, tuple[str, str]] = {"no-region": ("notation.region", "region"), "no-faction": ("notation.faction", "faction")}  # fmt: skip
"""What stands in the place of a name and is none, with the rule and the word for what belongs there."""
STOPS = _words(", ; : . ! ? |") | {"\n"}
"""Signs that end a clause."""
