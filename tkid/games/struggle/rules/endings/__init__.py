"""Who wins: chains of comparisons as values, each with its rule, asked in order until one party is left."""
