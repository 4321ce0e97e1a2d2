"""Thin views of accounts: parse, call a service, answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.accounts import services
from leaderboard.accounts.api.serializers import (
    CredentialsSerializer,
    SignupSerializer,
    TokenRequestSerializer,
    TokenSerializer,
    UserSerializer,
)
from leaderboard.accounts.models import ApiToken
from leaderboard.accounts.throttles import LoginThrottle, SignupThrottle
from leaderboard.common.problems import ProblemError

if TYPE_CHECKING:
    from rest_framework.authentication import BaseAuthentication
    from rest_framework.request import Request
    from rest_framework.throttling import BaseThrottle

_NO_STORE = {"Cache-Control": "no-store"}


class SignupView(APIView):
    """Create an account and its first token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (SignupThrottle,)

    @extend_schema(
        operation_id="signup",
        tags=["accounts"],
        request=CredentialsSerializer,
        responses={201: SignupSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Sign up. The answer is the only place that shows the token."""
        given = _checked(CredentialsSerializer(data=request.data))
        user = services.sign_up(username=given["username"], password=given["password"])
        token, text = services.create_token(user=user, name="sign-up")
        body = SignupSerializer({"user": user, "token": text, "expiry": token.expiry}).data
        return Response(body, status=status.HTTP_201_CREATED, headers=_NO_STORE)


class TokenView(APIView):
    """Create a token with user name and password; revoke the one in use."""

    def get_authenticators(self) -> list[BaseAuthentication]:
        """No authentication to create a token: an expired one in the header must not stop its owner."""
        making = self.request is not None and self.request.method == "POST"
        return [] if making else super().get_authenticators()

    def get_permissions(self) -> list[Any]:
        """Creating a token needs a password, revoking one needs the token."""
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Password guesses are throttled."""
        return [LoginThrottle()] if self.request.method == "POST" else []

    @extend_schema(
        operation_id="create_token",
        tags=["accounts"],
        request=TokenRequestSerializer,
        responses={201: TokenSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Create a token. The answer is the only place that shows its text."""
        given = _checked(TokenRequestSerializer(data=request.data))
        user = authenticate(request=None, username=given["username"], password=given["password"])
        if user is None:
            raise ProblemError("invalid-credentials")
        token, text = services.create_token(user=user, name=given.get("name", "API"), days=given.get("days"))
        body = TokenSerializer({"token": text, "expiry": token.expiry}).data
        return Response(body, status=status.HTTP_201_CREATED, headers=_NO_STORE)

    @extend_schema(operation_id="revoke_token", tags=["accounts"], responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke the token that this request was sent with."""
        if not isinstance(request.auth, ApiToken):
            raise ProblemError("bad-request", "This request was sent with a session, not with a token.")
        services.revoke_token(token=request.auth)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MeView(APIView):
    """The account behind a token."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="me", tags=["accounts"], responses=UserSerializer)
    def get(self, request: Request) -> Response:
        """The account that this request is authenticated as."""
        return Response(UserSerializer(request.user).data, headers=_NO_STORE)


def _checked(serializer: CredentialsSerializer) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values
