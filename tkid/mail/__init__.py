"""Mail without side effects: from the bytes of a mail to orders, from orders to a game and letters, from letters to bytes."""
