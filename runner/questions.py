"""Reads of studies: which one answers a question, and how many come before it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from optarena.specs import actions_digest, canonical_json
from optarena.studies import Minimisation, TextDifference
from runner.models import Study, StudyState

if TYPE_CHECKING:
    from runner.models import Verification

LINE: Final = ("automatic", "available_at", "id")
"""The order in which studies of a class are taken: those that somebody asked for first."""


def identity_of(kind: Study.Kind, verification: Verification, steps: int) -> str:
    """The hash of what the answer to a question depends on; equal questions of any items have one answer."""
    actions = [tuple(one) if isinstance(one, list) else one for one in verification.actions[:steps]]
    parts: list[Any] = [
        kind.value,
        verification.environment_digest,
        verification.benchmark_sha256,
        verification.hardware_class,
        actions_digest(actions, verification.action_space),
    ]
    if kind == Study.Kind.MINIMISED:
        parts += [verification.workloads_sha256, verification.wanted_metrics]
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def find_study(kind: Study.Kind, verification: Verification, steps: int) -> Study | None:
    """The study of a question; None while nobody has asked, or if the answer was not kept."""
    return Study.objects.filter(identity=identity_of(kind, verification, steps)).first()


def read_answer(study: Study) -> TextDifference | Minimisation:
    """What a study that is done found out.

    Raises:
        ValueError: It is not an answer: whatever a worker wrote must break nothing.
    """
    if study.kind == Study.Kind.DIFFERENCE:
        return TextDifference.from_json(study.result)
    return Minimisation.from_json(study.result, actions=study.steps)


def is_answered(study: Study) -> bool:
    """Whether a study is done, and can be read."""
    if study.state != StudyState.DONE:
        return False
    try:
        read_answer(study)
    except ValueError:
        return False
    return True


def place_in_line(study: Study) -> int | None:
    """The place of a queued study among those of its class, from 1; None if it is not queued.

    Verifications come before all of them.
    """
    if study.state != StudyState.QUEUED:
        return None
    before = Q(automatic__lt=study.automatic) | Q(
        Q(available_at__lt=study.available_at) | Q(available_at=study.available_at, pk__lt=study.pk),
        automatic=study.automatic,
    )
    queued = Study.objects.filter(state=StudyState.QUEUED, hardware_class=study.hardware_class)
    return 1 + queued.filter(before).count()
