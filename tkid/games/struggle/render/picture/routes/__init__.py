"""Routes on the map: how a line gets from pieces to pieces without touching what is drawn."""
