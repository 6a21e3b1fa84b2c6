"""A club: its members, games that gather players, results and ratings, tournaments, pages. Pure: no clock, disk or network."""
