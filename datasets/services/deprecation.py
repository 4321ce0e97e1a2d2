"""Recommends another dataset version; the deprecated one, and results on it, stay as they are.

An operator deprecates a version, or a file beside its manifest. The same rules hold for both, but an operator
can only name a successor that is loaded. Where an operator has decided otherwise, the file no longer counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from datasets.models import DatasetVersion
from optarena.datasets import manifest
from optarena.datasets.manifest import DEPRECATED_NAME, Deprecation, read_deprecation
from optarena.documents.loading import refused
from optarena.documents.places import Place
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from pathlib import Path


def deprecate_dataset(*, name: str, reason: str, successor: str = "") -> DatasetVersion:
    """Hide a dataset version from lists, and say why on its page.

    Args:
        name: The name of the version.
        reason: For people: why it should not be used any more.
        successor: The version to use instead, where there is one.

    Raises:
        UnknownName: There is no such version, or no such successor.
        InvalidInput: There is no reason, or it is not text; or a version succeeds itself.
    """
    with transaction.atomic():
        version = _version(name, "dataset")
        if successor:
            _version(successor, "successor")
        deprecation = _checked(name, read_deprecation({"reason": reason, "successor": successor}, Place()))
        version.deprecated, version.successor = deprecation
        version.save(update_fields=["deprecated", "successor"])
    return version


@transaction.atomic
def restore_dataset(*, name: str) -> DatasetVersion:
    """Undo a deprecation.

    Raises:
        UnknownName: There is no such version.
    """
    version = _version(name, "dataset")
    version.deprecated = version.successor = ""
    version.save(update_fields=["deprecated", "successor"])
    return version


def deprecation_in(folder: Path, name: str) -> Deprecation | None:
    """The deprecation in the file of a dataset's folder; None if there is no such file.

    Args:
        folder: The folder.
        name: The dataset that is in it.

    Raises:
        InvalidDocument: The file is malformed; every problem is listed.
    """
    deprecation = manifest.deprecation_in(folder)
    return None if deprecation is None else _checked(name, deprecation, path=f"{DEPRECATED_NAME}.")


def take_from_folder(version: DatasetVersion, deprecation: Deprecation) -> None:
    """Deprecate a version as its folder says, unless an operator has decided otherwise; the caller saves it.

    An operator has, if the version does not say what its folder said the last time.
    """
    if version.deprecation == version.folder_deprecation:
        version.deprecated, version.successor = deprecation
    version.folder_deprecation = str(deprecation)


def _checked(name: str, deprecation: Deprecation, *, path: str = "") -> Deprecation:
    """A deprecation of a dataset by another one.

    Raises:
        InvalidDocument: The dataset would succeed itself.
    """
    if deprecation.successor == name:
        message, remedy = f"{name} cannot be its own successor.", "Name another version, or none."
        raise refused(f"{path}successor", message, remedy, deprecation.successor)
    return deprecation


def _version(name: str, field: str) -> DatasetVersion:
    # Compared in Python: PostgreSQL refuses some texts in a query.
    names = list(DatasetVersion.objects.values_list("name", flat=True))
    if name not in names:
        raise unknown_name(field, name, names)
    return DatasetVersion.objects.select_for_update().get(name=name)
