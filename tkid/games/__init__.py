"""The games themselves, one package for each family."""
