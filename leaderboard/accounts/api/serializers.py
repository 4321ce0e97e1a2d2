"""Requests and answers of the account endpoints."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from optarena import limits


class CredentialsSerializer(serializers.Serializer[Any]):
    """User name and password."""

    username = serializers.CharField(max_length=limits.GIVEN_USERNAME_LENGTH)
    password = serializers.CharField(
        max_length=limits.PASSWORD_LENGTH, trim_whitespace=False, write_only=True
    )


class TokenRequestSerializer(CredentialsSerializer):
    """Credentials, and optionally the token's name and lifetime."""

    name = serializers.CharField(max_length=limits.TOKEN_NAME_LENGTH, required=False)
    days = serializers.IntegerField(required=False)


class UserSerializer(serializers.Serializer[Any]):
    """A public account."""

    username = serializers.CharField(read_only=True)
    joined = serializers.DateTimeField(source="date_joined", read_only=True)


class TokenSerializer(serializers.Serializer[Any]):
    """A new token; its text is never shown again."""

    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True)


class SignupSerializer(TokenSerializer):
    """A new account and its first token."""

    user = UserSerializer(read_only=True)
