"""What a seat may know, shown to people: one file per medium and game family."""
