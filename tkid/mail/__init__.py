"""Mail without side effects: from bytes to orders, from orders to game and letters, and to bytes."""
