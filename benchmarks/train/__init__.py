"""A trial of a learned value: `generate` plays games, `fit` makes weights of them, `match` asks whether they win."""
