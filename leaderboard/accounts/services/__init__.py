"""Writes of accounts: signing up, tokens, profiles, credentials. Nothing else writes these rows."""

from leaderboard.accounts.services.credentials import (
    change_email,
    change_password,
    check_password,
    delete_account,
    is_deleted,
    set_password,
)
from leaderboard.accounts.services.profiles import PROFILE, change_profile, lock_account, read_profile
from leaderboard.accounts.services.signing_up import USERNAME_HELP, sign_up
from leaderboard.accounts.services.tokens import create_token, revoke_token

__all__ = (
    "PROFILE",
    "USERNAME_HELP",
    "change_email",
    "change_password",
    "change_profile",
    "check_password",
    "create_token",
    "delete_account",
    "is_deleted",
    "lock_account",
    "read_profile",
    "revoke_token",
    "set_password",
    "sign_up",
)
