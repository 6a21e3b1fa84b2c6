"""How The King is Dead is shown: text, pictures, clicks."""
