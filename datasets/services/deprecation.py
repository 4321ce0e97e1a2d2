"""Tells people to take another dataset version; what is stored, and results on it, stay as they are."""

from __future__ import annotations

from django.db import transaction

from datasets.models import DatasetVersion
from optarena.errors import InvalidInput
from optarena.specs import unknown_name


@transaction.atomic
def deprecate_dataset(*, name: str, reason: str, successor: str = "") -> DatasetVersion:
    """Hide a dataset version from lists, and say why on its page.

    Args:
        name: Of the version.
        reason: For people: why it should not be used any more.
        successor: The version to use instead, where there is one.

    Raises:
        UnknownName: There is no such version, or no such successor.
        InvalidInput: There is no reason, or a version succeeds itself.
    """
    if not reason.strip():
        raise InvalidInput(
            "There is no reason.", field="reason", value=reason, remedy="Say why it should not be used."
        )
    version = _version(name, "dataset")
    if successor and _version(successor, "successor") == version:
        remedy = "Name another version, or none."
        raise InvalidInput(
            f"{name} cannot succeed itself.", field="successor", value=successor, remedy=remedy
        )
    version.deprecated, version.successor = reason.strip(), successor
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


def _version(name: str, field: str) -> DatasetVersion:
    found = DatasetVersion.objects.select_for_update().filter(name=name).first()
    if found is None:
        names = DatasetVersion.objects.values_list("name", flat=True)
        raise unknown_name(field, name, list(names))
    return found
