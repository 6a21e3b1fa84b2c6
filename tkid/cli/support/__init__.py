"""What the commands share: files, colour, problems, letters as files."""
