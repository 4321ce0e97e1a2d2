"""Requests and answers of the account endpoints."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User  # noqa: TC002 - drf-spectacular evaluates the hints
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard.accounts.models import Profile
from leaderboard.accounts.services import is_deleted
from optarena import limits


def _password() -> serializers.CharField:
    return serializers.CharField(max_length=limits.PASSWORD_LENGTH, trim_whitespace=False, write_only=True)


class CredentialsSerializer(serializers.Serializer[Any]):
    """User name and password."""

    username = serializers.CharField(max_length=limits.GIVEN_USERNAME_LENGTH)
    password = _password()


class TokenRequestSerializer(CredentialsSerializer):
    """Credentials, and optionally the token's name and lifetime."""

    name = serializers.CharField(max_length=limits.TOKEN_NAME_LENGTH, required=False)
    days = serializers.IntegerField(required=False)


class UserSerializer(serializers.Serializer[Any]):
    """A public account."""

    username = serializers.CharField(read_only=True)
    joined = serializers.DateTimeField(source="date_joined", read_only=True)


class ProfileSerializer(serializers.Serializer[Profile]):
    """What somebody says about themselves; ``about`` is Markdown. All may be empty."""

    affiliation = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    about = serializers.CharField(allow_blank=True)


class PublicUserSerializer(UserSerializer):
    """A public account with its profile, which the context has. A ``deleted`` one has another name."""

    deleted = serializers.SerializerMethodField()
    profile = serializers.SerializerMethodField()

    def get_deleted(self, user: User) -> bool:
        """Whether its owner has deleted it."""
        return is_deleted(user)

    @extend_schema_field(ProfileSerializer)
    def get_profile(self, user: User) -> dict[str, str]:  # noqa: ARG002 - the framework's signature
        """What they say about themselves."""
        return dict(ProfileSerializer(self.context["profile"]).data)


class PasswordSerializer(serializers.Serializer[Any]):
    """The present password and a new one."""

    password = _password()
    new_password = _password()
    revoke_tokens = serializers.BooleanField(required=False, default=False)


class EmailSerializer(serializers.Serializer[Any]):
    """The present password and a new mail address; an empty one removes the address."""

    password = _password()
    email = serializers.CharField(max_length=limits.EMAIL_LENGTH, allow_blank=True)


class DeletionSerializer(serializers.Serializer[Any]):
    """The password, to confirm."""

    password = _password()


class TokenSerializer(serializers.Serializer[Any]):
    """A new token; its text is never shown again."""

    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True)


class SignupSerializer(TokenSerializer):
    """A new account and its first token."""

    user = UserSerializer(read_only=True)
