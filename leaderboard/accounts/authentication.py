"""Bearer tokens of the API. An expired token is reported as expired, not as unknown."""

from __future__ import annotations

import binascii
from hmac import compare_digest

from django.contrib.auth.models import User
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

from leaderboard.accounts.models import ApiToken


# A token is looked up by its key and compared by its hash.
class BearerAuthentication(TokenAuthentication):  # type: ignore[misc] # knox ships no types
    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        try:
            text = token.decode("ascii")
            digest = hash_token(text)
        except (UnicodeDecodeError, binascii.Error, TypeError):
            found = None
        else:
            candidates = ApiToken.objects.filter(token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH])
            own = (one for one in candidates.select_related("user") if compare_digest(digest, one.digest))
            found = next(own, None)
        if found is None:
            raise AuthenticationFailed("The token is unknown.", code="invalid-token")
        if found.expiry is not None and found.expiry < timezone.now():
            when = found.expiry.strftime("%Y-%m-%d %H:%M UTC")
            raise AuthenticationFailed(f"The token {found.name!r} expired at {when}.", code="token-expired")
        if not found.user.is_active:
            raise AuthenticationFailed("The account of this token is closed.", code="account-closed")
        return found.user, found
