"""Addresses of the account endpoints, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from leaderboard.accounts.api import views

urlpatterns = [
    path("auth/signup/", views.SignupView.as_view(), name="api-signup"),
    path("auth/token/", views.TokenView.as_view(), name="api-token"),
    path("auth/me/", views.MeView.as_view(), name="api-me"),
]
