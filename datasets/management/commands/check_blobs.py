"""``manage.py check_blobs``: read every stored blob and name those that are missing or damaged."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from datasets import blobs, selectors


class Command(BaseCommand):
    """Checks every blob against its sha256; downloads are not hashed each time, so run it now and then."""

    help = "Read every stored blob and name those that are missing or damaged; exit with 1 if there are any."

    def handle(self, *args: object, **options: object) -> None:  # noqa: ARG002 - Django's own options
        """Look at all of them, and say what belongs to which dataset."""
        count = size = 0
        faults = []
        for blob in selectors.all_blobs().iterator():
            count, size = count + 1, size + blob.size_bytes
            if fault := blobs.fault(blob):
                faults.append(f"{fault} It belongs to: {', '.join(selectors.datasets_of(blob)) or 'none'}.")
        if faults:
            raise CommandError("\n".join(faults), returncode=1)
        self.stdout.write(f"{count} blobs, {size} bytes, all intact")
