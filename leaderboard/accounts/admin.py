"""Admin of tokens: operators can list and revoke tokens, but neither read nor create one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest
from knox.models import AuthToken

from leaderboard.accounts.models import ApiToken

if TYPE_CHECKING:
    _TokenAdmin = admin.ModelAdmin[ApiToken]
else:
    _TokenAdmin = admin.ModelAdmin

if admin.site.is_registered(AuthToken):
    admin.site.unregister(AuthToken)


@admin.register(ApiToken)
class ApiTokenAdmin(_TokenAdmin):
    list_display = ("name", "user", "created", "expiry")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    readonly_fields = ("public_id", "user", "name", "created", "expiry")
    fields = readonly_fields

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - inherited
        return False
