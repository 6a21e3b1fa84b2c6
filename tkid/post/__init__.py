"""E-mail: intake (bytes to orders), the desk (order and game to game and letter), letters."""
