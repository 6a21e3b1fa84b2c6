"""The database of a host: schema, transactions, queries."""
