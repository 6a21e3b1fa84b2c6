"""Pictures made of pixels: tiles of parts that come again, whole games that move, and cards for links."""
