"""What letters say, and how they are written: text, HTML, MIME."""
