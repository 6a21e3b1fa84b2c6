"""The fonts in which pictures are drawn as PNG, and the widths of their letters."""
