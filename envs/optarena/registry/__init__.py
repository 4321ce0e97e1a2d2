"""Making environments, datasets and boards known."""
