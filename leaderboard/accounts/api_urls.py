"""Addresses of the account endpoints, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from leaderboard.accounts import api as account_api

urlpatterns = [
    path("auth/signup/", account_api.SignupView.as_view(), name="api-signup"),
    path("auth/token/", account_api.TokenView.as_view(), name="api-token"),
    path("auth/me/", account_api.MeView.as_view(), name="api-me"),
    path("auth/password/", account_api.PasswordView.as_view(), name="api-password"),
    path("auth/email/", account_api.EmailView.as_view(), name="api-email"),
    path("auth/delete/", account_api.DeletionView.as_view(), name="api-delete"),
]
