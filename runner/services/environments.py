"""Keeps a row for every version of every environment that this installation has ever had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from optarena.specs import environment_spec, environment_specs
from runner.models import EnvironmentVersion

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec


def current_environment_version(*, environment: str) -> EnvironmentVersion:
    """The row of the present version of ``environment`` (id or slug); created if it is missing.

    Raises:
        UnknownName: There is no such environment.
    """
    return _version_of(environment_spec(environment))


def own_digests() -> list[str]:
    """The versions of environments that this installation can run: a worker takes the work of no other.

    An environment whose toolchain is not on this machine is not among them.
    """
    return sorted({spec.digest for spec in environment_specs() if not spec.why_unavailable()})


@transaction.atomic
def sync_environment_versions() -> list[EnvironmentVersion]:
    """Create the rows that are missing; rows of former versions stay. Idempotent.

    Returns:
        The current version of every environment.
    """
    return [_version_of(spec) for spec in environment_specs()]


def _version_of(spec: EnvironmentSpec) -> EnvironmentVersion:
    version, _ = EnvironmentVersion.objects.get_or_create(
        env_id=spec.slug, digest=spec.digest, defaults={"spec": spec.version_spec()}
    )
    return version
