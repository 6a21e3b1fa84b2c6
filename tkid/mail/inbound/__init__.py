"""From the bytes of a mail to the orders in it."""
