"""The API of accounts: signing up, tokens and profiles."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from datasets.fields import Computed, InContext
from leaderboard.accounts import services as account_services
from leaderboard.accounts.models import ApiToken, Profile
from leaderboard.accounts.queries import profile_of
from leaderboard.accounts.services import is_deleted
from leaderboard.accounts.throttles import LoginThrottle, SignupThrottle, remember_network
from leaderboard.common.problems import ProblemError
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

    deleted = Computed(bool, is_deleted, "Whether its owner has deleted it.")
    profile = InContext(ProfileSerializer(), lambda _, context: context["profile"])


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


_NO_STORE = {"Cache-Control": "no-store"}


class SignupView(APIView):
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
        user = account_services.sign_up(username=given["username"], password=given["password"])
        remember_network(request, user.username)
        token, text = account_services.create_token(user=user, name="sign-up")
        body = SignupSerializer({"user": user, "token": text, "expiry": token.expiry}).data
        return Response(body, status=status.HTTP_201_CREATED, headers=_NO_STORE)


class TokenView(APIView):
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
        remember_network(request, user.get_username())
        token, text = account_services.create_token(
            user=user, name=given.get("name", "API"), days=given.get("days")
        )
        body = TokenSerializer({"token": text, "expiry": token.expiry}).data
        return Response(body, status=status.HTTP_201_CREATED, headers=_NO_STORE)

    @extend_schema(operation_id="revoke_token", tags=["accounts"], responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke the token that this request was sent with."""
        if not isinstance(request.auth, ApiToken):
            raise ProblemError("bad-request", "This request was sent with a session, not with a token.")
        account_services.revoke_token(token=request.auth)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MeView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="me", tags=["accounts"], responses=PublicUserSerializer)
    def get(self, request: Request) -> Response:
        """The account that this request is authenticated as."""
        return Response(_described(_owner(request)), headers=_NO_STORE)

    @extend_schema(
        operation_id="change_profile",
        tags=["accounts"],
        request={"application/json": account_services.PROFILE.schema},
        responses=PublicUserSerializer,
    )
    def post(self, request: Request) -> Response:
        """Change what one says about oneself. Fields that are missing stay as they are."""
        user = _owner(request)
        account_services.change_profile(user=user, values=account_services.read_profile(request.data))
        return Response(_described(user), headers=_NO_STORE)


class PasswordView(APIView):
    permission_classes = (IsAuthenticated,)
    throttle_classes = (LoginThrottle,)

    @extend_schema(
        operation_id="change_password", tags=["accounts"], request=PasswordSerializer, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Change the password. All sessions end; with `revoke_tokens` all tokens end too, also this one."""
        given = _checked(PasswordSerializer(data=request.data))
        account_services.change_password(user=_owner(request), **given)
        return Response(status=status.HTTP_204_NO_CONTENT)


class EmailView(APIView):
    permission_classes = (IsAuthenticated,)
    throttle_classes = (LoginThrottle,)

    @extend_schema(
        operation_id="change_email", tags=["accounts"], request=EmailSerializer, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Change the address to which a reset of the password is sent; an empty one removes it."""
        given = _checked(EmailSerializer(data=request.data))
        account_services.change_email(user=_owner(request), **given)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeletionView(APIView):
    permission_classes = (IsAuthenticated,)
    throttle_classes = (LoginThrottle,)

    @extend_schema(
        operation_id="delete_account", tags=["accounts"], request=DeletionSerializer, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Delete one's own account. Its results stay, without the name; it cannot be undone."""
        given = _checked(DeletionSerializer(data=request.data))
        account_services.delete_account(user=_owner(request), **given)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _owner(request: Request) -> User:
    return cast("User", request.user)


def _described(user: User) -> dict[str, Any]:
    return dict(PublicUserSerializer(user, context={"profile": profile_of(user)}).data)


def _checked(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


urlpatterns = [
    path("auth/signup/", SignupView.as_view(), name="api-signup"),
    path("auth/token/", TokenView.as_view(), name="api-token"),
    path("auth/me/", MeView.as_view(), name="api-me"),
    path("auth/password/", PasswordView.as_view(), name="api-password"),
    path("auth/email/", EmailView.as_view(), name="api-email"),
    path("auth/delete/", DeletionView.as_view(), name="api-delete"),
]
