"""The queue: what waits, who is next, and every write to it."""
