"""The rulesets of The King is Dead, in the order in which they are listed to people."""

from __future__ import annotations

from tkid.games.struggle.rulesets.digest import DIGEST, DIGEST_ADVANCED
from tkid.games.struggle.rulesets.first_edition import FIRST_EDITION
from tkid.games.struggle.rulesets.manual import MANUAL
from tkid.games.struggle.rulesets.mordred import FIRST_EDITION_MORDRED
from tkid.games.struggle.rulesets.second_edition import SECOND_EDITION, SECOND_EDITION_ADVANCED

PLUGIN = (
    SECOND_EDITION,
    SECOND_EDITION_ADVANCED,
    FIRST_EDITION,
    FIRST_EDITION_MORDRED,
    DIGEST,
    DIGEST_ADVANCED,
    MANUAL,
)
