"""How the pages of the site are made of the register, the engine, the suite and the recorded games."""
