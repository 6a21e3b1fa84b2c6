"""How Claim is shown: text, pictures, clicks."""
