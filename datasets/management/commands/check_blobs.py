"""``manage.py check_blobs``: read every stored blob; name those that are missing, damaged or unused."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from datasets import selectors as dataset_selectors
from datasets import store
from datasets.models import Blob
from datasets.services import remove_unused as remove_unused_files
from datasets.services import unused_files


class Command(BaseCommand):
    # Not every download is hashed, so run it now and then.
    help = "Read every stored blob and name those that are missing or damaged; exit with 1 if there are any."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--remove-unused",
            action="store_true",
            help="remove files that do not belong to a dataset and are older than an hour",
        )

    def handle(self, *, remove_unused: bool = False, **options: object) -> None:  # noqa: ARG002 - Django's own options
        try:
            for name in remove_unused_files() if remove_unused else ():
                self.stdout.write(f"{name}: removed, since nothing referred to it")
            remedy = "younger than an hour" if remove_unused else "--remove-unused removes it"
            for name in unused_files():
                self.stdout.write(f"{name}: nothing refers to it; {remedy}")
        except OSError as error:
            raise CommandError(store.folder_fault(error)) from error
        count = size = 0
        faults = []
        for blob in Blob.objects.order_by("sha256").iterator():
            count, size = count + 1, size + blob.size_bytes
            if fault := store.fault(blob):
                faults.append(
                    f"{fault} It belongs to: {', '.join(dataset_selectors.datasets_of(blob)) or 'none'}."
                )
        if faults:
            raise CommandError("\n".join(faults), returncode=1)
        self.stdout.write(f"{count} blobs, {size} bytes, all intact")
