"""REST API of accounts: sign up, make and end tokens, who am I."""
