"""Addresses of the account endpoints, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from leaderboard.accounts.api import views

urlpatterns = [
    path("auth/signup/", views.SignupView.as_view(), name="api-signup"),
    path("auth/token/", views.TokenView.as_view(), name="api-token"),
    path("auth/me/", views.MeView.as_view(), name="api-me"),
    path("auth/password/", views.PasswordView.as_view(), name="api-password"),
    path("auth/email/", views.EmailView.as_view(), name="api-email"),
    path("auth/delete/", views.DeletionView.as_view(), name="api-delete"),
]
