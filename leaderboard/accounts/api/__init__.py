"""REST API of accounts: sign up, create and revoke tokens, show the current account."""
