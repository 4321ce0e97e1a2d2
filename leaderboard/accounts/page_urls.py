"""Addresses of the account pages."""

from __future__ import annotations

from django.urls import path

from leaderboard.accounts import pages as account_pages

app_name = "accounts"
urlpatterns = [
    path("accounts/signup/", account_pages.signup, name="signup"),
    path("accounts/login/", account_pages.LoginView.as_view(), name="login"),
    path("accounts/logout/", account_pages.LogoutView.as_view(), name="logout"),
    path("accounts/settings/", account_pages.profile, name="settings"),
    path("accounts/email/", account_pages.email, name="email"),
    path("accounts/password/", account_pages.password, name="password"),
    path("accounts/delete/", account_pages.delete, name="delete"),
    path("accounts/reset/", account_pages.ResetView.as_view(), name="reset"),
    path(
        "accounts/reset/<str:uidb64>/<str:token>/",
        account_pages.NewPasswordView.as_view(),
        name="new-password",
    ),
    path("accounts/tokens/", account_pages.tokens, name="tokens"),
    path("accounts/tokens/<uuid:public_id>/revoke/", account_pages.revoke, name="revoke"),
]
