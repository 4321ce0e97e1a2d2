"""Reads of accounts."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import QuerySet

from leaderboard.accounts.models import ApiToken, Profile


def tokens_of(user: AbstractBaseUser) -> QuerySet[ApiToken]:
    """Return them newest first, expired ones included."""
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(user_id=user.pk)
    return tokens


def profile_of(user: AbstractBaseUser) -> Profile:
    """Return an empty profile, which is not stored, where there is none."""
    return Profile.objects.filter(user_id=user.pk).first() or Profile(user_id=user.pk)
