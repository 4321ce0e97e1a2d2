"""Forms of the account pages. The services decide what is allowed; forms only show it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import password_validators_help_text_html
from django.core.validators import MaxLengthValidator

from leaderboard.accounts import mail, services
from leaderboard.accounts.throttles import MailThrottle
from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Iterable

    _SetPasswordForm = SetPasswordForm[User]
else:
    _SetPasswordForm = SetPasswordForm  # at runtime it takes no parameters

_NAME_INPUT = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
_MOST_ACCOUNTS: Final = 5
"""Accounts of one mail address that are sent a message."""
_REVOKE: Final = "Revoke all my tokens too"


def _present_password() -> forms.CharField:
    return forms.CharField(
        max_length=limits.PASSWORD_LENGTH,
        strip=False,
        label="Your password",
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )


def _new_password() -> forms.CharField:
    return forms.CharField(
        max_length=limits.PASSWORD_LENGTH,
        strip=False,
        label="New password",
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html,
    )


class SignupForm(forms.Form):
    """A new account."""

    username = forms.CharField(
        max_length=limits.GIVEN_USERNAME_LENGTH,
        label="User name",
        help_text=services.USERNAME_HELP,
        widget=forms.TextInput(_NAME_INPUT),
    )
    password = forms.CharField(
        max_length=limits.PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html,
    )


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(max_length=limits.TOKEN_NAME_LENGTH, help_text="What it is for, such as “laptop”.")
    days = forms.TypedChoiceField(
        label="Expires after",
        coerce=int,
        choices=[(7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year")],
        initial=90,
    )


class ProfileForm(forms.Form):
    """What somebody says about themselves."""

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
    """The address for resets of the password."""

    email = forms.CharField(
        required=False,
        max_length=limits.EMAIL_LENGTH,
        label="E-mail address",
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text="Leave it empty to remove it.",
    )
    password = _present_password()


class PasswordForm(forms.Form):
    """A new password, by the present one."""

    password = _present_password()
    new_password = _new_password()
    revoke_tokens = forms.BooleanField(
        required=False, label=_REVOKE, help_text="Choose this if somebody else may know your password."
    )


class DeletionForm(forms.Form):
    """The end of an account."""

    password = _present_password()


class ResetForm(PasswordResetForm):
    """Asks for a message with a link. Its answer is the same whether there is such an account or not."""

    email = forms.CharField(
        max_length=limits.EMAIL_LENGTH,
        label="User name or e-mail address",
        widget=forms.TextInput(_NAME_INPUT),
    )

    def get_users(self, email: str) -> Iterable[User]:
        """The accounts that are sent a message: by name or by address, if they have an address."""
        by_name = User.objects.filter(username=email)
        # Nobody has confirmed the addresses: accounts that cannot be used take no place from those that can.
        usable = User.objects.filter(is_active=True).exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
        # Of the others the oldest come first: strangers can enter an address only later.
        by_address = usable.filter(email__iexact=email).order_by("pk")[:_MOST_ACCOUNTS]
        found = by_address if "@" in email else by_name
        return [one for one in found if one.is_active and one.email and one.has_usable_password()]

    def send_mail(  # noqa: PLR0913, PLR0917 - Django's signature
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Send one message beside this request, unless its owner has got many."""
        if not MailThrottle().allow(context["user"].pk, 1):
            return
        sent = partial(super().send_mail, subject_template_name, email_template_name, context)
        mail.later(partial(sent, from_email, to_email, html_email_template_name))


class NewPasswordForm(_SetPasswordForm):
    """A new password, by the link of a message."""

    revoke_tokens = forms.BooleanField(
        required=False, initial=True, label=_REVOKE, help_text="Programs that use one need a new token."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        super().__init__(*args, **kwargs)
        for name in ("new_password1", "new_password2"):  # Django's own have no limit
            self.fields[name].validators.append(MaxLengthValidator(limits.PASSWORD_LENGTH))

    def save(self, commit: bool = True) -> User:  # noqa: ARG002, FBT001, FBT002 - Django's signature
        """Store it."""
        given = self.cleaned_data
        services.set_password(
            user=self.user, password=given["new_password1"], revoke_tokens=given["revoke_tokens"]
        )
        return self.user


def add_problems(form: forms.Form, problems: list[Any]) -> None:
    """Show a service's problems beside the fields they belong to."""
    for problem in problems:
        field = problem.field if problem.field in form.fields else None
        is_told = problem.field in {"password", "new_password"}
        form.add_error(field, problem.message if is_told else f"{problem.message} {problem.remedy}".strip())
