"""Commands of the leaderboard app."""
