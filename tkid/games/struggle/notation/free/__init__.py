"""The forgiving reading of turns: words and names to facts, facts to the legal turns that have them."""
