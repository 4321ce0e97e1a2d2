"""What a worker does with a lease."""
