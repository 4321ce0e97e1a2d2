"""``manage.py load_baselines``: submits the committed results of the agents, once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Board
from leaderboard.submissions.services import submit_baseline
from optarena.errors import InvalidInput


class Command(BaseCommand):
    help = "Submit the committed results of the agents for an account; workers verify them as all others."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--owner", required=True, help="user name of the account that owns them")

    def handle(self, *, owner: str, **options: Any) -> None:  # noqa: ANN401, ARG002 # Django's signature
        try:
            from baselines.reading import committed  # noqa: PLC0415 # not installed everywhere
        except ModuleNotFoundError as error:
            raise CommandError("The baselines are not installed here: run this in a checkout.") from error
        user = User.objects.filter(username=owner, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {owner!r}. Sign it up first.")
        boards = Board.objects.filter(state=Board.State.OPEN).select_related("dataset_version")
        here = {(board.slug, board.dataset_version.name) for board in boards}
        chosen = [one for one in committed() if (one.board.slug, one.board.dataset) in here]
        if not chosen:
            raise CommandError("The baselines are for none of the boards of this server.")
        refused = 0
        for result in chosen:
            name = result.name
            try:
                submission, is_new = submit_baseline(owner=user, result=result)
            except InvalidInput as error:
                refused += 1
                self.stderr.write(f"{name}: {error}")
                continue
            known = "known, and withdrawn," if submission.withdrawn_at else "known"
            self.stdout.write(f"{name}: {'submitted' if is_new else known} as {submission.pk}")
        if refused:
            raise CommandError(f"{refused} baselines cannot be submitted here; see above.")
