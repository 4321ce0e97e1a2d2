"""Forms of the account pages. The services decide what is allowed; forms only show it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html

from leaderboard.accounts import services
from optarena import limits

_NAME_INPUT = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}


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


def add_problems(form: forms.Form, problems: list[Any]) -> None:
    """Show a service's problems beside the fields they belong to."""
    for problem in problems:
        field = problem.field if problem.field in form.fields else None
        text = problem.message if problem.field == "password" else f"{problem.message} {problem.remedy}"
        form.add_error(field, text.strip())
