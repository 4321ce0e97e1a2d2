"""Template tags that ask a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.contrib import admin
from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.http import urlencode

from leaderboard.models import PortableEntry, SubmissionItem
from leaderboard.submissions import queries as submission_queries
from optarena.specs import board_specs
from runner.selectors import live_runners

if TYPE_CHECKING:
    from django.db.models import Model
    from django.template.context import Context

    from leaderboard.models import Submission
    from optarena.specs import BoardSpec

register = template.Library()


@register.simple_tag
def tally(submission: Submission) -> submission_queries.Tally:
    """The progress of a submission; costs no query for a list of ``list_submissions``."""
    return submission_queries.tally(submission)


@register.simple_tag(takes_context=True)
def waiting_for_staff(context: Context) -> list[tuple[str, str]]:
    """What waits for the staff's decision, as text and address; only what this user may see."""
    quarantined = {"verdict__exact": SubmissionItem.Verdict.QUARANTINED}
    doubted = {"is_doubted": True, "is_accepted__isnull": True}
    doubted |= {"ended_at__isnull": False, "withdrawn_at__isnull": True}
    kinds: tuple[tuple[type[Model], str, dict[str, Any]], ...] = (
        (SubmissionItem, "quarantined item,quarantined items", quarantined),
        (PortableEntry, "quarantined portable entry,quarantined portable entries", doubted),
    )
    found = []
    for model, texts, chosen in kinds:
        shown = admin.site.get_model_admin(model)
        if shown.has_view_permission(context["request"]):
            number = shown.get_queryset(context["request"]).filter(**chosen).count()
            address = reverse(f"admin:{shown.opts.app_label}_{shown.opts.model_name}_changelist")
            found.append((number, texts, f"{address}?{urlencode(chosen)}"))
    paused = live_runners().filter(paused_at__isnull=False).count()
    found.append((paused, "paused runner,paused runners", reverse("leaderboard:runners")))
    return [
        (f"{intcomma(number)} {pluralize(number, texts)}", address)
        for number, texts, address in found
        if number
    ]


@register.simple_tag
def usual_board() -> BoardSpec | None:
    """The first board of this installation, for examples on pages that are not about a board."""
    return next(iter(board_specs()), None)
