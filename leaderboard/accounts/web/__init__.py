"""Pages of accounts: sign up, log in, log out, tokens."""
