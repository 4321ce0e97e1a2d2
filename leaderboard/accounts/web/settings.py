"""Thin views of an account's own pages: profile, mail address, password, deletion, and the reset by mail."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings as configured
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from leaderboard.accounts import selectors, services
from leaderboard.accounts.throttles import LoginThrottle, ResetThrottle
from leaderboard.accounts.web.forms import (
    DeletionForm,
    EmailForm,
    NewPasswordForm,
    PasswordForm,
    ProfileForm,
    ResetForm,
    add_problems,
)
from leaderboard.accounts.web.refusals import throttled
from optarena.errors import InvalidDocument, InvalidInput, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.contrib.auth.models import User
    from django.http import HttpRequest, HttpResponse, QueryDict

_ON_ITS_WAY = "If there is such an account with an e-mail address, a message with a link is on its way to it."
_CONSOLE = "django.core.mail.backends.console.EmailBackend"


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change what one says about oneself."""
    user, found = cast("User", request.user), selectors.profile_of(cast("User", request.user))
    form = ProfileForm(
        _sent(request), initial={name: getattr(found, name) for name in services.PROFILE.fields}
    )

    def change() -> None:
        texts = {name: str(form.cleaned_data[name]) for name in services.PROFILE.fields}
        services.change_profile(user=user, values=services.read_profile(texts, is_form=True))

    if request.method == "POST" and _is_done(form, change):
        messages.success(request, "Your profile was changed.")
        return redirect("accounts:settings")
    return _page(request, form, "accounts/profile.html")


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "POST"])
def email(request: HttpRequest) -> HttpResponse:
    """Show and change the address for resets of the password."""
    user = cast("User", request.user)
    form = EmailForm(_sent(request), initial={"email": user.email})
    if request.method == "POST":
        if (refused := throttled(LoginThrottle(), request)) is not None:
            return refused
        if _is_done(form, lambda: services.change_email(user=user, **form.cleaned_data)):
            messages.success(request, "Your e-mail address was changed.")
            return redirect("accounts:email")
    return _page(request, form, "accounts/email.html", is_console=_is_console())


@never_cache
@sensitive_post_parameters("password", "new_password")
@login_required
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Change the password. Other sessions end; this one goes on."""
    user = cast("User", request.user)
    form = PasswordForm(_sent(request))
    if request.method == "POST":
        if (refused := throttled(LoginThrottle(), request)) is not None:
            return refused
        if _is_done(form, lambda: services.change_password(user=user, **form.cleaned_data)):
            update_session_auth_hash(request, user)
            messages.success(request, "Your password was changed. All other sessions have ended.")
            return redirect("accounts:password")
    return _page(request, form, "accounts/password.html")


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete one's own account."""
    user = cast("User", request.user)
    form = DeletionForm(_sent(request))
    if request.method == "POST":
        if (refused := throttled(LoginThrottle(), request)) is not None:
            return refused
        if _is_done(form, lambda: services.delete_account(user=user, **form.cleaned_data)):
            logout(request)
            messages.success(request, "Your account was deleted.")
            return redirect(configured.LOGOUT_REDIRECT_URL or "/")
    return _page(request, form, "accounts/delete.html")


class ResetView(PasswordResetView):
    """Django's view that sends a link, with a limit on the number of attempts."""

    template_name = "accounts/reset.html"
    form_class = ResetForm
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"
    success_url = reverse_lazy("accounts:reset")

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:  # noqa: ANN401 - Django's signature
        """Send a link, if there is such an account and it has an address."""
        refused = throttled(ResetThrottle(), request)
        return super().post(request, *args, **kwargs) if refused is None else refused

    def form_valid(self, form: ResetForm) -> HttpResponse:
        """Say the same whether there is such an account or not."""
        response = super().form_valid(form)
        messages.success(self.request, _ON_ITS_WAY)
        return response

    def form_invalid(self, form: ResetForm) -> HttpResponse:
        """Show the form with what is wrong."""
        return self.render_to_response(
            self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY
        )

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - Django's signature
        """Whether messages reach mailboxes."""
        return super().get_context_data(**kwargs) | {"is_console": _is_console()}


@method_decorator([never_cache, require_http_methods(["GET", "HEAD", "POST"])], name="dispatch")
class NewPasswordView(PasswordResetConfirmView):
    """Django's view behind the link: it can be used once, and for a limited time."""

    template_name = "accounts/new_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("accounts:login")

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:  # noqa: ANN401 - Django's signature
        """Set the new password."""
        refused = throttled(LoginThrottle(), request)
        return super().post(request, *args, **kwargs) if refused is None else refused

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        """Lead to the login."""
        response = super().form_valid(form)
        messages.success(self.request, "Your password was changed. Log in with the new one.")
        return response

    def form_invalid(self, form: NewPasswordForm) -> HttpResponse:
        """Show the form with what is wrong."""
        return self.render_to_response(
            self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY
        )


def _sent(request: HttpRequest) -> QueryDict | None:
    """The form's fields; None where it is asked for. An empty form is one that was sent."""
    return request.POST if request.method == "POST" else None


def _is_console() -> bool:
    return bool(configured.EMAIL_BACKEND == _CONSOLE)


def _is_done(form: forms.Form, change: Callable[[], object]) -> bool:
    """Whether a form could be read and its change was made; otherwise the form has the problems."""
    if not form.is_valid():
        return False
    try:
        change()
    except InvalidDocument as error:
        add_problems(form, error.problems)
    except InvalidInput as error:
        add_problems(form, [Problem.of(error)])
    return not form.errors


def _page(request: HttpRequest, form: forms.Form, template: str, **context: object) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, template, {"form": form} | context, status=status)
