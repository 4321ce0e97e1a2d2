"""Submits the committed results of the package's agents, as anybody submits results."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from leaderboard.models import Submission
from leaderboard.services.intake import Incoming, check, receive
from optarena.agents.catalogue import agent_named
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from baselines.reading import CommittedResult


_CARRIED: Final = (
    " It searched in an earlier version of the environment; in this one it may find something else."
)


def submit_baseline(*, owner: User, result: CommittedResult) -> tuple[Submission, bool]:
    """Submit an agent's committed results, unless the owner has submitted them for this agent before.

    Each is marked as a baseline, with the command that found it.

    Returns:
        The submission, and whether this call made it.

    Raises:
        InvalidDocument: The board does not take them, such as one of another dataset or version.
        KeyReused, QuotaExceeded: As for every submission.
    """
    run = result.report.run
    remark = _CARRIED if run.carried_from else ""
    document = {
        "board": result.board.slug,
        "agent": result.agent,
        "description": agent_named(run.agent).summary + remark,
        "effort": {
            "compilations": result.compilations,
            "walltime_seconds": result.wall_seconds,
            "trained_on_test_set": run.trained_on_test_set,
        },
        "items": [
            {"benchmark": one.benchmark, "commandline": one.commandline, "claims": dict(one.claims)}
            for one in result.states
        ],
    }
    body = json.dumps(document).encode()
    incoming = Incoming(body=body, format="json")
    submission, is_new = _submitted(owner, incoming), False
    if submission is None:
        key = f"baseline-{hashlib.sha256(body).hexdigest()}"
        submission, is_new = receive(owner=owner, incoming=incoming, key=key)
    Submission.objects.filter(pk=submission.pk).update(baseline_command=run.command)
    return submission, is_new


def _submitted(owner: User, incoming: Incoming) -> Submission | None:
    """The owner's submission of the same results; keys are pruned, and descriptions may be reworded."""
    try:
        draft = check(incoming=incoming)
    except InvalidDocument:
        return None  # `receive` refuses it as well, unless the board was frozen since
    same = Submission.objects.filter(
        owner=owner, board=draft.board, agent=draft.about.agent, content_sha256=draft.content_sha256
    )
    return same.order_by("created", "id").first()
