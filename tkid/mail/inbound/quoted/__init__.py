"""What a reply quotes from our own letters, told apart from what its sender wrote."""
