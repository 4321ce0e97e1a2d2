"""Addresses of the account pages."""

from __future__ import annotations

from django.urls import path

from leaderboard.accounts.web import views

app_name = "accounts"
urlpatterns = [
    path("accounts/signup/", views.signup, name="signup"),
    path("accounts/login/", views.LoginView.as_view(), name="login"),
    path("accounts/logout/", views.LogoutView.as_view(), name="logout"),
    path("accounts/tokens/", views.tokens, name="tokens"),
    path("accounts/tokens/<uuid:public_id>/revoke/", views.revoke, name="revoke"),
]
