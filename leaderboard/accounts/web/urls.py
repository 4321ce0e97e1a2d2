"""Addresses of the account pages."""

from __future__ import annotations

from django.urls import path

from leaderboard.accounts.web import settings, views

app_name = "accounts"
urlpatterns = [
    path("accounts/signup/", views.signup, name="signup"),
    path("accounts/login/", views.LoginView.as_view(), name="login"),
    path("accounts/logout/", views.LogoutView.as_view(), name="logout"),
    path("accounts/settings/", settings.profile, name="settings"),
    path("accounts/email/", settings.email, name="email"),
    path("accounts/password/", settings.password, name="password"),
    path("accounts/delete/", settings.delete, name="delete"),
    path("accounts/reset/", settings.ResetView.as_view(), name="reset"),
    path("accounts/reset/<str:uidb64>/<str:token>/", settings.NewPasswordView.as_view(), name="new-password"),
    path("accounts/tokens/", views.tokens, name="tokens"),
    path("accounts/tokens/<uuid:public_id>/revoke/", views.revoke, name="revoke"),
]
