"""Programs that make the fixtures."""
