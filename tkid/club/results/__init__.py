"""What comes of games: results, cross-tables, ratings and tournaments. Pure: who played and what time it is are arguments."""
