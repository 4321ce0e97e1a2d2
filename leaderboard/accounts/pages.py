"""The pages of accounts: signing up and in, settings, their forms and mails."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterable
from functools import cache, partial, wraps
from http import HTTPStatus
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from django import forms
from django.conf import settings as configured
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import password_validators_help_text_html
from django.contrib.auth.views import LoginView as DjangoLoginView
from django.contrib.auth.views import LogoutView as DjangoLogoutView
from django.contrib.auth.views import (
    PasswordResetConfirmView,
    PasswordResetView,
    RedirectURLMixin,
    redirect_to_login,
)
from django.contrib.messages.views import SuccessMessageMixin
from django.core.exceptions import PermissionDenied
from django.core.validators import MaxLengthValidator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.urls import path, reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic.edit import FormView

from datasets.site import formats
from leaderboard.accounts import queries as account_queries
from leaderboard.accounts import services as account_services
from leaderboard.accounts.throttles import (
    AddressThrottle,
    LoginThrottle,
    MailThrottle,
    ResetThrottle,
    SignupThrottle,
    remember_network,
    seconds_to_wait,
)
from optarena import limits
from optarena.errors import InvalidDocument, InvalidInput, Problem

View = Callable[..., HttpResponse]

_log = structlog.get_logger(__name__)
# Messages that wait to be sent; further ones are dropped, and their owners ask again.
MOST_WAITING: Final = 100
_END_SECONDS: Final = 2.0  # A mail server that hangs must not delay the end of a process.
_places: Final = threading.BoundedSemaphore(MOST_WAITING)
_messages: Final[SimpleQueue[Callable[[], object]]] = SimpleQueue()
_starting: Final = threading.Lock()


def send_later(send: Callable[[], object]) -> None:
    """Have a function called that sends one message, and return at once."""
    if not _places.acquire(blocking=False):
        _log.warning("a message was dropped", waiting=MOST_WAITING)
        return
    _messages.put(partial(_run, send))
    with _starting:
        _start()


@cache
def _start() -> None:
    # The interpreter waits for every other thread, however long it takes.
    threading.Thread(target=_send_all, name="mail", daemon=True).start()
    atexit.register(_end)


def _send_all() -> None:
    while True:
        _messages.get()()


def _end() -> None:
    ended = threading.Event()
    _messages.put(ended.set)  # messages are sent one after the other
    if not ended.wait(_END_SECONDS):
        _log.warning("messages were not sent before the end", waiting=_messages.qsize())


def _run(send: Callable[[], object]) -> None:
    try:
        send()
    except OSError as error:  # smtplib's errors are among them
        _log.warning("a message could not be sent", error=type(error).__name__)
    except Exception:  # noqa: BLE001 - nobody waits for the result, so that nothing else would tell
        _log.exception("a message could not be made")
    finally:
        _places.release()


if TYPE_CHECKING:
    _SetPasswordForm = SetPasswordForm[User]
    _FormView = FormView[Any]
else:  # at runtime they take no parameters
    _SetPasswordForm, _FormView = SetPasswordForm, FormView

_NAME_INPUT = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
_LOCAL: Final = "http://localhost:8000"  # A server without a public address is reached on its own machine.
_MOST_ACCOUNTS: Final = 5  # Accounts of one mail address that are sent a message.
_REVOKE: Final = "Revoke all my tokens too"


def _password(label: str, kind: str, **how: Any) -> forms.CharField:  # noqa: ANN401 - the field's arguments
    return forms.CharField(
        max_length=limits.PASSWORD_LENGTH,
        strip=False,
        label=label,
        widget=forms.PasswordInput({"autocomplete": f"{kind}-password"}),
        **how,
    )


class SignupForm(forms.Form):
    username = forms.CharField(
        max_length=limits.GIVEN_USERNAME_LENGTH,
        label="User name",
        help_text=account_services.USERNAME_HELP,
        widget=forms.TextInput(_NAME_INPUT),
    )
    password = _password("Password", "new", help_text=password_validators_help_text_html)


class TokenForm(forms.Form):
    name = forms.CharField(max_length=limits.TOKEN_NAME_LENGTH, help_text="What it is for, such as “laptop”.")
    days = forms.TypedChoiceField(
        label="Expires after",
        coerce=int,
        choices=[(7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year")],
        initial=90,
    )


class ProfileForm(forms.Form):
    affiliation = forms.CharField(
        required=False, max_length=limits.AFFILIATION_LENGTH, help_text="Where you work or study."
    )
    url = forms.CharField(
        required=False,
        max_length=limits.SUBMISSION_URL_LENGTH,
        label="Link",
        help_text="Your page on the web.",
    )
    about = forms.CharField(
        required=False,
        max_length=limits.DESCRIPTION_LENGTH,
        widget=forms.Textarea({"rows": 5}),
        label="About you",
        help_text="Markdown: emphasis, lists, code, links. No images and no HTML.",
    )


class EmailForm(forms.Form):
    email = forms.CharField(
        required=False,
        max_length=limits.EMAIL_LENGTH,
        label="E-mail address",
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text="Leave it empty to remove it.",
    )
    password = _password("Your password", "current")


class PasswordForm(forms.Form):
    password = _password("Your password", "current")
    new_password = _password("New password", "new", help_text=password_validators_help_text_html)
    revoke_tokens = forms.BooleanField(
        required=False, label=_REVOKE, help_text="Choose this if somebody else may know your password."
    )


class DeletionForm(forms.Form):
    password = _password("Your password", "current")


class ResetForm(PasswordResetForm):
    """Send the links; the answer is the same whether there is such an account or not."""

    email = forms.CharField(
        max_length=limits.EMAIL_LENGTH,
        label="User name or e-mail address",
        widget=forms.TextInput(_NAME_INPUT),
    )

    def get_users(self, email: str) -> Iterable[User]:
        by_name = User.objects.filter(username=email)
        # Nobody has confirmed the addresses: accounts that cannot be used take no place from those that can.
        usable = User.objects.filter(is_active=True).exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
        # Of the others the oldest come first: strangers can enter an address only later.
        by_address = usable.filter(email__iexact=email).order_by("pk")[:_MOST_ACCOUNTS]
        found = by_address if "@" in email else by_name
        return [one for one in found if one.is_active and one.email and one.has_usable_password()]

    def save(self, **how: Any) -> None:  # type: ignore[override] # noqa: ANN401 - as the view calls it
        """Link to the public address of the server, whatever the request called it."""
        public = urlsplit(configured.OPTARENA_PUBLIC_URL or _LOCAL)
        super().save(**how | {"domain_override": public.netloc, "use_https": public.scheme == "https"})

    def send_mail(  # noqa: PLR0913, PLR0917 - Django's signature
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Send it beside this request, unless its owner has got many messages."""
        if not MailThrottle().allow(context["user"].pk, 1):
            return
        sent = partial(super().send_mail, subject_template_name, email_template_name, context)
        send_later(partial(sent, from_email, to_email, html_email_template_name))


class NewPasswordForm(_SetPasswordForm):
    revoke_tokens = forms.BooleanField(
        required=False, initial=True, label=_REVOKE, help_text="Programs that use one need a new token."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        super().__init__(*args, **kwargs)
        for name in ("new_password1", "new_password2"):  # Django's own have no limit
            self.fields[name].validators.append(MaxLengthValidator(limits.PASSWORD_LENGTH))

    def save(self, commit: bool = True) -> User:  # noqa: ARG002, FBT001, FBT002 - Django's signature
        given = self.cleaned_data
        account_services.set_password(
            user=self.user, password=given["new_password1"], revoke_tokens=given["revoke_tokens"]
        )
        return self.user


def _add_problems(form: forms.Form, error: InvalidDocument | InvalidInput) -> None:
    for problem in error.problems if isinstance(error, InvalidDocument) else [Problem.of(error)]:
        field = problem.field if problem.field in form.fields else None
        is_told = problem.field in {"password", "new_password"} or (
            field is not None and problem.remedy == form.fields[field].help_text
        )
        form.add_error(field, problem.message if is_told else f"{problem.message} {problem.remedy}".strip())


def _limited(throttle: type[AddressThrottle]) -> Callable[[View], View]:
    """Count each form that is sent to the view as an attempt, and refuse those beyond the limit."""

    def decorate(view: View) -> View:
        @wraps(view)
        def counting(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ANN401 - any view's
            limit = throttle()
            seconds = seconds_to_wait(limit, request) if request.method == "POST" else 0
            if not seconds:
                return view(request, *args, **kwargs)
            context = {
                "problem": {
                    "title": "Too many attempts",
                    "remedy": "",
                    "status": HTTPStatus.TOO_MANY_REQUESTS,
                },
                "detail": f"{limit.refusal} Try again in {formats.wait(seconds)}.",
            }
            response = render(request, "problem.html", context, status=429)
            response["Retry-After"] = str(seconds)
            return response

        return counting

    return decorate


_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@_limited(SignupThrottle)
def signup(request: HttpRequest) -> HttpResponse:
    form = SignupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = account_services.sign_up(**form.cleaned_data)
        except InvalidDocument as error:
            _add_problems(form, error)
        else:
            login(request, user, backend=_BACKEND)
            remember_network(request, user.username)
            target = request.POST.get("next", "")
            return redirect(target if is_local(target) else resolve_url("accounts:tokens"))
    return _page(request, form, "accounts/signup.html", next=request.GET.get("next", ""))


def is_local(target: str) -> bool:
    plain = target.startswith("/") and target.isprintable() and "\\" not in target and " " not in target
    return plain and "%0" not in target and url_has_allowed_host_and_scheme(target, allowed_hosts=None)


class _LocalRedirect(RedirectURLMixin):
    def get_redirect_url(self) -> str:
        target = super().get_redirect_url()
        return target if is_local(target) else ""


class LoginForm(AuthenticationForm):
    """Django's form, in the words of the other pages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "User name"
        self.error_messages = {**self.error_messages, "invalid_login": "User name or password is wrong."}


@method_decorator(never_cache, name="dispatch")
@method_decorator(_limited(LoginThrottle), name="post")
class LoginView(_LocalRedirect, DjangoLoginView):
    form_class = LoginForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        remember_network(self.request, form.get_user().get_username())
        return super().form_valid(form)


class LogoutView(_LocalRedirect, DjangoLogoutView):
    """Django's view, which leads to pages of this server only."""


# Operators use the login page of all users, where attempts are throttled.
def admin_login(request: HttpRequest) -> HttpResponseRedirect:
    if request.user.is_authenticated and not request.user.is_staff:
        raise PermissionDenied("This account does not have operator rights.")
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))


# Only the answer to the form shows the text of a new token.
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    form = TokenForm(request.POST or None)
    text = ""
    if request.method == "POST" and form.is_valid():
        try:
            _, text = account_services.create_token(user=user, **form.cleaned_data)
        except InvalidInput as error:
            _add_problems(form, error)
        else:
            form = TokenForm()
    tokens = account_queries.tokens_of(user)
    return _page(request, form, "accounts/tokens.html", new_token=text, tokens=tokens)


@login_required
@require_POST
def revoke(request: HttpRequest, public_id: UUID) -> HttpResponseRedirect:
    token = account_queries.tokens_of(cast("User", request.user)).filter(public_id=public_id).first()
    if token is None:
        raise Http404("You do not have such a token.")
    account_services.revoke_token(token=token)
    messages.success(request, f"The token “{token.name}” was revoked and no longer works.")
    return redirect("accounts:tokens")


_ON_ITS_WAY = "If there is such an account with an e-mail address, a message with a link is on its way to it."
_CONSOLE = "django.core.mail.backends.console.EmailBackend"


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    names, found = account_services.PROFILE.fields, account_queries.profile_of(user)
    form = ProfileForm(_sent(request), initial={name: getattr(found, name) for name in names})

    def change() -> None:
        texts = {name: str(form.cleaned_data[name]) for name in names}
        account_services.change_profile(user=user, values=account_services.read_profile(texts, is_form=True))

    said = "Your profile was changed."
    return _change_page(request, form, "accounts/profile.html", change, said, "accounts:settings")


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "POST"])
@_limited(LoginThrottle)
def email(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    form = EmailForm(_sent(request), initial={"email": user.email})

    def change() -> None:
        account_services.change_email(user=user, **form.cleaned_data)

    said = "Your e-mail address was changed."
    return _change_page(
        request, form, "accounts/email.html", change, said, "accounts:email", is_console=_is_console()
    )


@never_cache
@sensitive_post_parameters("password", "new_password")
@login_required
@require_http_methods(["GET", "POST"])
@_limited(LoginThrottle)
def password(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    form = PasswordForm(_sent(request))

    def change() -> None:
        account_services.change_password(user=user, **form.cleaned_data)
        update_session_auth_hash(request, user)

    said = "Your password was changed. All other sessions have ended."
    return _change_page(request, form, "accounts/password.html", change, said, "accounts:password")


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "POST"])
@_limited(LoginThrottle)
def delete(request: HttpRequest) -> HttpResponse:
    form = DeletionForm(_sent(request))

    def change() -> None:
        account_services.delete_account(user=cast("User", request.user), **form.cleaned_data)
        logout(request)

    target = configured.LOGOUT_REDIRECT_URL or "/"
    return _change_page(request, form, "accounts/delete.html", change, "Your account was deleted.", target)


class _Unprocessable(_FormView):
    def form_invalid(self, form: forms.Form) -> HttpResponse:
        return self.render_to_response(
            self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY
        )


@method_decorator(_limited(ResetThrottle), name="post")
class ResetView(SuccessMessageMixin, _Unprocessable, PasswordResetView):  # type: ignore[type-arg] # as Django runs
    template_name = "accounts/reset.html"
    form_class = ResetForm
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"
    success_url = reverse_lazy("accounts:reset")
    success_message = _ON_ITS_WAY  # the same whether there is such an account or not

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - Django's signature
        return super().get_context_data(**kwargs) | {"is_console": _is_console()}


@method_decorator([never_cache, require_http_methods(["GET", "HEAD", "POST"])], name="dispatch")
@method_decorator(_limited(LoginThrottle), name="post")
class NewPasswordView(SuccessMessageMixin, _Unprocessable, PasswordResetConfirmView):  # type: ignore[type-arg] # as above
    template_name = "accounts/new_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("accounts:login")
    success_message = "Your password was changed. Log in with the new one."

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        remember_network(self.request, form.user.get_username())
        return super().form_valid(form)


def _sent(request: HttpRequest) -> QueryDict | None:
    """The form that was sent, which may be empty; None where the form is asked for."""
    return request.POST if request.method == "POST" else None


def _is_console() -> bool:
    return bool(configured.EMAIL_BACKEND == _CONSOLE)


def _change_page(  # noqa: PLR0913, PLR0917 - a form and all that depends on it
    request: HttpRequest,
    form: forms.Form,
    template: str,
    change: Callable[[], object],
    said: str,
    target: str,
    **context: object,
) -> HttpResponse:
    """Return the page of a form, or the page to go on with once the form was sent and its change made."""
    if request.method == "POST" and form.is_valid():
        try:
            change()
        except (InvalidDocument, InvalidInput) as error:
            _add_problems(form, error)
        else:
            messages.success(request, said)
            return redirect(target)
    return _page(request, form, template, **context)


def _page(request: HttpRequest, form: forms.Form, template: str, **context: object) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, template, {"form": form} | context, status=status)


app_name = "accounts"
urlpatterns = [
    path("accounts/signup/", signup, name="signup"),
    path("accounts/login/", LoginView.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/settings/", profile, name="settings"),
    path("accounts/email/", email, name="email"),
    path("accounts/password/", password, name="password"),
    path("accounts/delete/", delete, name="delete"),
    path("accounts/reset/", ResetView.as_view(), name="reset"),
    path("accounts/reset/<str:uidb64>/<str:token>/", NewPasswordView.as_view(), name="new-password"),
    path("accounts/tokens/", tokens, name="tokens"),
    path("accounts/tokens/<uuid:public_id>/revoke/", revoke, name="revoke"),
]
