"""The King is Dead, all its editions: rules, notation, records, pictures, mail, bots."""
