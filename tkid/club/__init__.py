"""A club without side effects: members, gathering players, results, ratings, tournaments, pages."""
