"""The daily puzzle: a generated program a day with its own board, promised by its hash the day before."""
