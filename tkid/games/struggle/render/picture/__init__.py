"""The King is Dead as a picture: a page of parts, the map, the pieces, the column beside the map, and the players."""
