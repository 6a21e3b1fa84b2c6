"""What pages say about rules: where they come from, and the rulings that touch them."""

from __future__ import annotations

from tkid.rulebook import Rule, all_rules

SOURCES = {
    "rulebook": "rulebook of the second edition (2020)",
    "digest": "digest of the second edition",
    "manual": "reference manual, by an unknown author",
    "claim": "rules of Claim",
    "notation": "[notation](../notation.md)",
    "fair-play": "[fair play](../fair-play.md)",
    "mail": "what real mail does",
    "orders": "[orders](../orders.md)",
    "clock": "[the clock](../clock.md)",
    "design": "the design of tkid",
}
"""How a rule's source begins, and what that stands for."""


def touching(entry: Rule) -> list[Rule]:
    """The rulings that touch a rule: one names the other, or both come from the same heading of the same source."""
    text, _, headings = entry.source.partition(": ")
    own = {f"{text}: {each}" for each in headings.split("; ")}

    def touches(ruling: Rule) -> bool:
        its_text, _, its_headings = ruling.source.partition(": ")
        same = own & {f"{its_text}: {each}" for each in its_headings.split("; ")}
        return bool(same) or entry.id in ruling.related or ruling.id in entry.related

    rulings = [each for each in all_rules() if each.kind == "ruling" and each.prefix == entry.prefix and not each.moved]
    return [each for each in rulings if each.id != entry.id and touches(each)]
