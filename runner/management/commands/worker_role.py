"""``manage.py worker_role``: the database role of a worker on another machine."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management.base import BaseCommand, CommandError

from runner.errors import InvalidRoleError
from runner.services.roles import set_worker_role

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Creates the role, or renews its password and rights; run it again after every upgrade."""

    help = "Create a database role that can take work and write the results of its own work only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The role, and where its password is."""
        parser.add_argument("name", help="the role: a-z, 0-9 and _; one for each machine")
        parser.add_argument(
            "--password-file", type=Path, help="a file with the password; without it, one is made and printed"
        )

    def handle(self, *, name: str, password_file: Path | None, **options: object) -> None:  # noqa: ARG002 - Django's own options
        """Create or renew the role."""
        try:
            given = password_file.read_text(encoding="utf-8").strip() if password_file else ""
            password = given if password_file else secrets.token_urlsafe(24)
            set_worker_role(name=name, password=password)
        except (OSError, UnicodeDecodeError, InvalidRoleError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The role {name} can take work.")
        if password_file is None:
            self.stdout.write(f"Its password is {password}")
