"""What a resolution does to the board, whichever card it was played with."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.board import minus, plus
from tkid.games.struggle.moves import Exchange, Place, Spread, Swap
from tkid.games.struggle.position import Position, put
from tkid.kernel.ladder import Nothing
from tkid.rulebook import cites


@cites("partial.nothing")
def changes(position: Position, resolution: Any) -> dict[str, Any]:
    """The attributes of the position that a resolution by the seat to act changes, with their new values."""
    match resolution:
        case Place(group, region):
            return {
                "regions": put(position.regions, region, plus(position.regions[region], group)),
                "supply": minus(position.supply, group),
            }
        case Spread(chosen):
            regions = [list(followers) for followers in position.regions]
            for faction, target in enumerate(chosen):
                if target is not None:
                    regions[target][faction] += 1
            placed = tuple([int(target is not None) for target in chosen])
            return {"regions": tuple(map(tuple, regions)), "supply": minus(position.supply, placed)}
        case Swap(left, right, give, take):
            regions_after = put(position.regions, left, plus(minus(position.regions[left], give), take))
            return {"regions": put(regions_after, right, plus(minus(regions_after[right], take), give))}
        case Exchange(first, second, disc):
            track = [{first: second, second: first}.get(region, region) for region in position.track]
            changed: dict[str, Any] = {"track": tuple(track)}
            if disc is not None:
                assert position.to_act is not None
                discs = list(position.negotiation_discs)
                discs[position.to_act] -= 1
                changed |= {"negotiated": position.negotiated | {disc}, "negotiation_discs": tuple(discs)}
            return changed
        case Nothing():
            return {}
    raise TypeError(resolution)
