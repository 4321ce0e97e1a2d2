"""Tokens of programs, and what people say about themselves. Of a token only its hash is stored."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from knox.models import AbstractAuthToken

from optarena import limits


# `public_id` names a token in addresses without revealing anything.
class ApiToken(AbstractAuthToken):  # type: ignore[misc] # knox ships no types
    public_id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False
    )
    name: models.CharField[str, str] = models.CharField(max_length=limits.TOKEN_NAME_LENGTH, default="token")

    class Meta:
        verbose_name = "API token"
        ordering = ("-created", "public_id")

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def expired(self) -> bool:
        return self.expiry is not None and self.expiry < timezone.now()


class Profile(models.Model):
    """What a person says of themselves. Everything in it is public, and may be empty."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="profile"
    )
    affiliation = models.CharField(max_length=limits.AFFILIATION_LENGTH, blank=True, default="")
    url = models.URLField(max_length=limits.SUBMISSION_URL_LENGTH, blank=True, default="")
    about = models.TextField(max_length=limits.DESCRIPTION_LENGTH, blank=True, default="")

    def __str__(self) -> str:
        return f"profile of {self.user_id}"


class FormerName(models.Model):
    """The hash of a deleted account's name, which nobody gets again.

    Nothing leads from here to the account, or from the account to here.
    """

    name_sha256 = models.CharField(max_length=limits.SHA256_LENGTH, primary_key=True)

    def __str__(self) -> str:
        return self.name_sha256
