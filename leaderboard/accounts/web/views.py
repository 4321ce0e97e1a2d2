"""Thin views of the account pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView as DjangoLoginView
from django.contrib.auth.views import LogoutView as DjangoLogoutView
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard.accounts import selectors, services
from leaderboard.accounts.throttles import LoginThrottle, SignupThrottle
from leaderboard.accounts.web.forms import SignupForm, TokenForm, add_problems
from leaderboard.accounts.web.refusals import throttled
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from uuid import UUID

    from django.contrib.auth.models import User
    from django.http import HttpRequest

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def signup(request: HttpRequest) -> HttpResponse:
    """Create an account and log in."""
    form = SignupForm(request.POST or None)
    if request.method == "POST":
        if (refused := throttled(SignupThrottle(), request)) is not None:
            return refused
        if form.is_valid():
            try:
                user = services.sign_up(**form.cleaned_data)
            except InvalidDocument as error:
                add_problems(form, error.problems)
            else:
                login(request, user, backend=_BACKEND)
                return redirect(_next_of(request))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    context = {"form": form, "next": request.GET.get("next", "")}
    return render(request, "accounts/signup.html", context, status=status)


@method_decorator(never_cache, name="dispatch")
class LoginView(DjangoLoginView):
    """Django's login, with a limit on the number of attempts."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get_redirect_url(self) -> str:
        """The page that the caller came from, if it is on this server."""
        target = super().get_redirect_url()
        return target if is_local(target) else ""

    def post(self, request: HttpRequest, *args: str, **kwargs: object) -> HttpResponse:
        """Log in."""
        refused = throttled(LoginThrottle(), request)
        return super().post(request, *args, **kwargs) if refused is None else refused


def admin_login(request: HttpRequest) -> HttpResponseRedirect:
    """Operators use the login page of all users, where attempts are throttled."""
    if request.user.is_authenticated and not request.user.is_staff:
        raise PermissionDenied("This account does not have operator rights.")
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))


class LogoutView(DjangoLogoutView):
    """Django's logout, which redirects to pages of this server only."""

    def get_redirect_url(self) -> str:
        """The requested next page, if it is on this server."""
        target = super().get_redirect_url()
        return target if is_local(target) else ""


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List one's tokens, and create one. Only the answer to the form shows the new text."""
    user = cast("User", request.user)
    form = TokenForm(request.POST or None)
    text = ""
    if request.method == "POST" and form.is_valid():
        try:
            _, text = services.create_token(user=user, **form.cleaned_data)
        except InvalidInput as error:
            add_problems(form, [Problem.of(error)])
        else:
            form = TokenForm()
    context = {"form": form, "new_token": text, "tokens": selectors.tokens_of(user)}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke(request: HttpRequest, public_id: UUID) -> HttpResponseRedirect:
    """Revoke one of one's own tokens."""
    token = selectors.find_token(user=cast("User", request.user), public_id=public_id)
    if token is None:
        raise Http404("You do not have such a token.")
    name = token.name
    services.revoke_token(token=token)
    messages.success(request, f"The token “{name}” was revoked and no longer works.")
    return redirect("accounts:tokens")


def _next_of(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    return target if is_local(target) else resolve_url("accounts:tokens")


def is_local(target: str) -> bool:
    """Whether an address is a plain absolute path of this server, so that a redirect to it is safe."""
    plain = target.startswith("/") and target.isprintable() and "\\" not in target and " " not in target
    return plain and "%0" not in target and url_has_allowed_host_and_scheme(target, allowed_hosts=None)
