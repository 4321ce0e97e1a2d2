"""Accounts: sign-up, sessions for people, expiring tokens for programs. Knows nothing of boards."""
