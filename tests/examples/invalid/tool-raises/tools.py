raise RuntimeError("no such table")
