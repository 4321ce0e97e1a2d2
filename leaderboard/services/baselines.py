"""Submits the committed results of the package's agents, as anybody submits results."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from leaderboard.services.intake import Incoming, receive

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from baselines.reading import CommittedResult
    from leaderboard.models import Submission


def submit_baseline(*, owner: User, result: CommittedResult) -> tuple[Submission, bool]:
    """Submit an agent's committed results, once.

    Returns:
        The submission, and whether this call made it.

    Raises:
        InvalidDocument: The board does not take them, such as one of another dataset or version.
        KeyReused, QuotaExceeded: As for every submission.
    """
    run = result.report.run
    document = {
        "board": result.board.slug,
        "agent": run.agent,
        "description": f"A baseline of this project. `{run.command}` repeats it.",
        "effort": {
            "compilations": result.report.compilations,
            "walltime_seconds": result.report.wall_seconds,
            "trained_on_test_set": run.trained_on_test_set,
        },
        "items": [
            {"benchmark": one.benchmark, "commandline": one.commandline, "claims": dict(one.claims)}
            for one in result.states
        ],
    }
    body = json.dumps(document).encode()
    key = f"baseline-{hashlib.sha256(body).hexdigest()}"
    return receive(owner=owner, incoming=Incoming(body=body, format="json"), key=key)
