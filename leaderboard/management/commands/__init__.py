"""Commands of the leaderboard app: thin, each calls one service."""
