"""People and their agents."""
