"""``manage.py export_data``: writes releases of step data, of what has opened since the last one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.data.queries import data_root
from leaderboard.data.services import export_next
from optarena.errors import OptArenaError


class Command(BaseCommand):
    """May be interrupted and repeated: a release is listed when it is whole, and the next run goes on."""

    help = (
        "Write what each action did, of the verified sequences that everybody may read, into releases in "
        "OPTARENA_DATA_ROOT. The sweeper does so once a day."
    )

    def handle(self, **options: Any) -> None:  # noqa: ANN401, ARG002 - Django's signature
        written = 0
        try:
            while (release := export_next()) is not None:
                written += 1
                self.stdout.write(f"{release.name}: {release.rows:,} steps, {release.size_bytes:,} bytes")
        except OptArenaError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            message = (
                f"{data_root()} cannot be written: {error}. Set OPTARENA_DATA_ROOT to a folder with room."
            )
            raise CommandError(message) from error
        if not written:
            self.stdout.write("Nothing has opened since the last release.")
