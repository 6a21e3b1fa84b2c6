"""A club: members, games that gather players, results, ratings, tournaments, pages. Pure."""
