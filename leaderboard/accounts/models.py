"""The only model of accounts: an API token. Only its hash is stored; the text is shown once."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from knox.models import AbstractAuthToken

from optarena import limits


class ApiToken(AbstractAuthToken):  # type: ignore[misc] # knox ships no types
    """A named, expiring bearer token. ``public_id`` names it in addresses without revealing anything."""

    public_id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False
    )
    name: models.CharField[str, str] = models.CharField(max_length=limits.TOKEN_NAME_LENGTH, default="token")

    class Meta:
        ordering = ("-created", "public_id")

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def expired(self) -> bool:
        """Whether the token has expired."""
        return self.expiry is not None and self.expiry < timezone.now()
