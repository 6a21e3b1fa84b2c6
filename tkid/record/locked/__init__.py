"""Secret cards dealt by mail without a dealer: everybody locks and shuffles the deck, and opens cards with proofs."""
