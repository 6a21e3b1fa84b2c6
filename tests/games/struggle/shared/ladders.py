"""For each card of the advanced game a made-up position, and turns that go down through all the tiers of its ladder."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen


@frozen
class Ladder:
    """A card, a position without its ruleset, turns, and readings other than the defaults."""

    card: str
    position: str
    turns: tuple[str, ...]
    readings: Mapping[str, str] = field(factory=dict)


LADDERS: dict[str, dict[str, Ladder]] = {
    "second-edition-advanced": {
        "assemble": Ladder(
            "Assemble",
            "MOR =S, STR =S, LAN SWEE, NOR =E, GWY =E, WAR =W, ESS SS, DEV W; supply 1S 1E; "
            "track GWY MOR WAR NOR STR DEV LAN ESS; 1 court SSW; 1 hand Assemble, Assemble; 2 court SSW; "
            "2 hand Assemble, Assemble; to play 1",
            (
                "Assemble S Devon, E Essex; summon E Lancaster",
                "Assemble nothing; summon E Essex",
            ),
        ),
        "negotiate": Ladder(
            "Negotiate",
            "MOR =S, STR W, LAN =W, NOR SWWEE, GWY =unstable, WAR =E, ESS SWW, DEV =E; supply -; "
            "track DEV GWY WAR LAN MOR NOR STR ESS; 1 court SSWWEE; 1 hand Negotiate, Assemble; 2 court SSSWE; "
            "2 hand Negotiate, Negotiate, Assemble; to play 2",
            (
                "Negotiate Northumbria <> Essex, disc Northumbria; summon W Strathclyde",
                "Pass",
                "Negotiate Essex <> Strathclyde, no disc; summon S Northumbria",
                "Pass",
                "Pass",
                "Negotiate nothing; summon W Northumbria",
            ),
        ),
        "manoeuvre": Ladder(
            "Manoeuvre",
            "MOR EE, STR =W, LAN -, NOR =W, GWY =unstable, WAR =W, ESS S, DEV =E; supply 3S 2W 1E; "
            "track STR DEV NOR WAR GWY ESS MOR LAN; 1 court EEE; 1 hand Manoeuvre, Assemble; 2 court SWEE; "
            "2 hand Manoeuvre, Assemble; to play 1",
            (
                "Manoeuvre E Moray <> S Essex; summon E Moray",
                "Manoeuvre nothing; summon E Essex",
            ),
        ),
        "outmanoeuvre": Ladder(
            "Outmanoeuvre",
            "MOR W, STR =S, LAN =E, NOR =W, GWY =E, WAR SW, ESS S, DEV =S; supply 1S 2W 2E; "
            "track LAN GWY NOR STR DEV ESS MOR WAR; 1 court SSS; 1 hand Outmanoeuvre, Outmanoeuvre, Assemble; "
            "2 court WE; 2 hand Outmanoeuvre, Assemble; to play 1",
            (
                "Outmanoeuvre S Essex <> SW Warwick; summon W Moray",
                "Outmanoeuvre S Warwick <> W Essex; summon W Warwick",
                "Outmanoeuvre nothing; summon S Essex",
            ),
        ),
        "ambush": Ladder(
            "Ambush",
            "MOR =S, STR =S, LAN W, NOR =E, GWY =W, WAR =W, ESS WW, DEV =unstable; supply 2S 3W 1E; "
            "track GWY WAR STR NOR MOR DEV LAN ESS; 1 court SSS; 1 hand Ambush, Ambush, Assemble; 2 court WWEE; "
            "2 hand Ambush, Ambush, Assemble; to play 1",
            (
                "Ambush Essex place SS return S; summon W Essex",
                "Ambush Essex place S return W; summon S Essex",
                "Ambush Lancaster return W; summon S Essex",
                "Ambush nothing; no summon",
            ),
        ),
        "march": Ladder(
            "March",
            "MOR E, STR =W, LAN SE, NOR -, GWY =W, WAR =E, ESS =unstable, DEV =E; supply 2S 1W 3E; "
            "track ESS STR WAR GWY DEV MOR NOR LAN; 1 court -; 1 hand March, March, Assemble; 2 court SW; "
            "2 hand March, Assemble; to play 1",
            (
                "March SE Lancaster > Northumbria; summon S Northumbria",
                "March E Northumbria > Lancaster; summon E Lancaster",
                "March nothing; summon E Moray",
            ),
        ),
        "aid": Ladder(
            "Aid",
            "MOR =E, STR =W, LAN SE, NOR -, GWY =E, WAR =E, ESS SWEE, DEV =E; supply 3E; "
            "track DEV MOR STR WAR GWY NOR ESS LAN; 1 court SSS; 1 hand Aid, Aid, Assemble; 2 court WEE; "
            "2 hand Aid, Assemble; to play 1",
            (
                "Aid EE Essex; summon E Lancaster",
                "Aid E Essex; summon E Essex",
                "Aid nothing; summon S Essex",
            ),
        ),
        "influence": Ladder(
            "Influence",
            "MOR EE, STR =E, LAN WWE, NOR =S, GWY =S, WAR EE, ESS =S, DEV =unstable; supply 1S 1E; "
            "track STR DEV GWY NOR ESS WAR MOR LAN; 1 court SWEE; 1 hand Influence, Influence, Assemble; "
            "2 court WWE; 2 hand Influence, Assemble; to play 1",
            (
                "Influence E Moray <> WW Lancaster; summon W Moray",
                "Influence E Warwick <> W Moray; summon W Warwick",
                "Influence nothing; summon E Moray",
            ),
        ),
        "dispute": Ladder(
            "Dispute",
            "MOR E, STR =S, LAN =unstable, NOR =W, GWY SSWE, WAR -, ESS =W, DEV =E; supply 1S 3E; "
            "track NOR ESS DEV STR LAN MOR WAR GWY; 1 court SWWWE; 1 hand Dispute, Assemble; 2 court E; "
            "2 hand Dispute, Assemble; to play 2",
            (
                "Dispute W Gwynedd <> E Moray; summon W Moray",
                "Dispute nothing; summon S Gwynedd",
            ),
        ),
        "edict": Ladder(
            "Edict",
            "MOR =E, STR =S, LAN =W, NOR =W, GWY S, WAR WWEE, ESS SS, DEV =E; supply 2S 3W 1E; "
            "track MOR STR LAN DEV NOR WAR GWY ESS; 1 court WWW; 1 hand Edict, Edict, Assemble; 2 court W; "
            "2 hand Edict, Edict, Edict, Assemble; to play 2",
            (
                "Edict SS Essex <> WW Warwick; summon W Essex",
                "Pass",
                "Edict S Gwynedd <> EE Warwick; summon E Gwynedd",
                "Edict SS Warwick <> W Essex; summon S Essex",
                "Edict S Essex <> W Warwick; summon E Gwynedd",
                "Pass",
                "Pass",
                "Edict nothing; summon W Essex",
            ),
        ),
        "resist": Ladder(
            "Resist",
            "MOR =S, STR E, LAN SE, NOR =S, GWY =unstable, WAR SW, ESS =S, DEV =W; supply 1S 3E; "
            "track ESS MOR NOR GWY DEV WAR LAN STR; 1 court SWE; 1 hand Resist, Assemble; 2 court S; "
            "2 hand Resist, Resist, Assemble; to play 2",
            (
                "Resist EE Strathclyde; summon E Lancaster",
                "Resist E Lancaster; summon S Warwick",
                "Resist nothing; summon S Lancaster",
            ),
        ),
        "quell": Ladder(
            "Quell",
            "MOR =W, STR =S, LAN =S, NOR =E, GWY =S, WAR SEE, ESS SSW, DEV =W; supply 1E; "
            "track DEV NOR MOR STR GWY LAN ESS WAR; 1 court WWWE; 1 hand Quell, Quell, Quell, Assemble; "
            "2 court SSE; 2 hand Quell, Quell, Assemble; to play 1",
            (
                "Quell Essex return W place WE; summon S Essex",
                "Quell Essex return W place W; summon S Warwick",
                "Pass",
                "Pass",
                "Quell Warwick place SW; summon W Warwick",
                "Quell Warwick place E; summon E Warwick",
                "Quell nothing; summon S Warwick",
            ),
        ),
        "suppress": Ladder(
            "Suppress",
            "MOR =S, STR =unstable, LAN =E, NOR E, GWY =E, WAR =S, ESS =W, DEV WEE; supply -; "
            "track MOR WAR ESS LAN GWY STR DEV NOR; 1 court SSSWE; "
            "1 hand Suppress, Suppress, Suppress, Assemble; 2 court SSW; 2 hand Suppress, Suppress, Assemble; "
            "to play 2",
            (
                "Suppress Devon return EW place W; summon E Devon",
                "Suppress Northumbria return E place E; summon E Northumbria",
                "Suppress Devon return W place E; summon E Devon",
                "Suppress Devon place W; summon W Devon",
                "Pass",
                "Suppress nothing; no summon",
            ),
        ),
        "suppress-english": Ladder(
            "Suppress",
            "MOR SWE, STR W, LAN =S, NOR =W, GWY =E, WAR =W, ESS =E, DEV EE; supply 3S 3W 1E; "
            "track WAR LAN NOR ESS GWY DEV MOR STR; 1 court -; 1 hand Suppress, Suppress, Assemble; "
            "2 court SWWEEE; 2 hand Suppress, Suppress, Suppress, Assemble; to play 2",
            (
                "Suppress Devon return EE place E; summon S Moray",
                "Suppress Devon return E place S; summon W Moray",
                "Suppress Devon return S place W; summon W Devon",
                "Suppress Devon place S; summon E Moray",
                "Pass",
                "Pass",
                "Suppress nothing; summon W Strathclyde",
            ),
            {"second.ruling.suppress-second": "english"},
        ),
        "muster": Ladder(
            "Muster",
            "MOR =S, STR =W, LAN =W, NOR SSEE, GWY =E, WAR =unstable, ESS =S, DEV E; supply 1E; "
            "track STR WAR MOR LAN GWY ESS NOR DEV; 1 court WWWE; 1 hand Muster, Muster, Assemble; 2 court SSSE; "
            "2 hand Muster, Muster, Muster, Assemble; to play 1",
            (
                "Muster Northumbria return S place SE; summon S Northumbria",
                "Muster Northumbria return S place S; summon E Northumbria",
                "Pass",
                "Pass",
                "Muster Devon place EE; summon E Devon",
                "Muster Devon place S; summon S Devon",
                "Pass",
                "Muster nothing; summon E Devon",
            ),
        ),
    },
}
