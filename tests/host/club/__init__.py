"""A simulated club: people who found, play, watch and leave games by mail alone, and a host to which everything happens."""
