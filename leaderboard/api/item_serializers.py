"""The API's answers about items: what was claimed and measured, and the evidence."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from datasets.models import Benchmark
from leaderboard import selectors
from leaderboard.api.attempts import AttemptSerializer
from leaderboard.api.origins import absolute
from leaderboard.api.queue_serializers import MachineSerializer
from leaderboard.api.study_serializers import MinimisedSequenceSerializer
from leaderboard.common.addresses import item_address
from leaderboard.models import Find, FormerVerdict, SubmissionItem
from optarena.documents import kinds
from optarena.specs.board import CONSISTENT, OPTIMISTIC
from runner.models import Verification  # noqa: TC001 - drf-spectacular evaluates the hints
from runner.states import RUNNING


class ReasonSerializer(serializers.Serializer[Any]):
    """Why an item is not verified, and what to do."""

    id = serializers.CharField()
    meaning = serializers.CharField()
    remedy = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)


class ItemVerificationSerializer(serializers.Serializer[Any]):
    """The progress of an item's replay; one that does not run has an empty phase, and 0 of 0 done."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    attempt = serializers.IntegerField(help_text="How often a worker gave it back or was lost.")
    phase = serializers.CharField(source="progress_phase", allow_blank=True)
    done = serializers.IntegerField(source="progress_done")
    total = serializers.IntegerField(source="progress_total")
    hardware_class = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Verification) -> dict[str, Any]:
        """The fields; progress only while it runs."""
        shown: dict[str, Any] = super().to_representation(instance)
        return shown if instance.state in RUNNING else shown | {"phase": "", "done": 0, "total": 0}


class FindSerializer(serializers.Serializer[Find]):
    """Whose find a state of a program is: the owner of the earliest submission that reached it."""

    owner = serializers.CharField(source="owner.username")
    submission = serializers.UUIDField(source="item.submission_id")
    position = serializers.IntegerField(source="item.position")
    submitted_at = serializers.DateTimeField()
    verified_at = serializers.DateTimeField(source="found_at")


class ItemSerializer(serializers.Serializer[SubmissionItem]):
    """An item: what was claimed, and what was measured.

    ``claim_status`` has an entry for each claim about a noisy metric for which we measured an interval:
    ``optimistic`` if the claim is better than the whole interval, else ``consistent``. Neither refutes the
    item: the measured value counts. ``metrics`` are those of the first replay; ``value`` and ``ratio`` count
    the blocks of all.

    ``own`` says whether the program's final state is a find of the owner, and ``first_by`` who was the first
    to find it; both are null until the item is verified. ``commandline`` is null while only the owner may
    read it: until the item is verified, others could submit it as their own.
    """

    submission = serializers.UUIDField(source="submission_id")
    position = serializers.IntegerField()
    benchmark = serializers.CharField(source="benchmark_uri")
    commandline = serializers.SerializerMethodField()
    action_space = serializers.CharField(
        allow_blank=True, help_text="Of its actions; empty for the environment's first."
    )
    reward = serializers.FloatField(allow_null=True)
    walltime = serializers.FloatField(allow_null=True)
    claims = serializers.DictField(child=serializers.FloatField())
    claim_status = serializers.DictField(child=serializers.ChoiceField([CONSISTENT, OPTIMISTIC]))
    metrics = serializers.DictField(child=serializers.FloatField(), source="measured")
    verdict = serializers.CharField()
    reason = serializers.SerializerMethodField()
    value = serializers.FloatField(allow_null=True)
    ratio = serializers.FloatField(allow_null=True)
    effective_actions = serializers.IntegerField(allow_null=True)
    own = serializers.BooleanField(allow_null=True)
    first_by = serializers.SerializerMethodField()
    verification = ItemVerificationSerializer(allow_null=True)
    url = serializers.SerializerMethodField()
    page_url = serializers.SerializerMethodField()

    def get_commandline(self, item: SubmissionItem) -> str | None:
        """The actions in the environment's own text form."""
        return item.commandline if self._may_read(item) else None

    @extend_schema_field(FindSerializer(allow_null=True))
    def get_first_by(self, item: SubmissionItem) -> dict[str, Any] | None:
        """Who was the first to find its final state."""
        found = selectors.first_find(item)
        return None if found is None else dict(FindSerializer(found).data)

    def _may_read(self, item: SubmissionItem) -> bool:
        return selectors.may_read_actions(item, getattr(self.context.get("request"), "user", None))

    @extend_schema_field(ReasonSerializer(allow_null=True))
    def get_reason(self, item: SubmissionItem) -> dict[str, str] | None:
        """Why the item is not verified."""
        known = item.explanation
        if known is None:
            return None
        return {
            "id": known.id,
            "meaning": known.meaning,
            "remedy": known.remedy,
            "detail": item.detail if self._may_read(item) else "",
        }

    def get_url(self, item: SubmissionItem) -> str:
        """The address of this item with its trace, which ``optarena replay`` takes."""
        return absolute(self, item_address("leaderboard-api:item", item.submission_id, item.position))

    def get_page_url(self, item: SubmissionItem) -> str:
        """The item's page."""
        return absolute(self, item_address("leaderboard:item", item.submission_id, item.position))


class FormerVerdictSerializer(serializers.Serializer[FormerVerdict]):
    """What was decided about an item before it was replayed anew."""

    verdict = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(allow_blank=True)
    value = serializers.FloatField(allow_null=True)
    ratio = serializers.FloatField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    reopened_at = serializers.DateTimeField()
    reopened_by = serializers.CharField()


class RoundSerializer(serializers.Serializer[Any]):
    """One replay of an item's work; ``blocks`` is 0 and ``ratio`` null where everything is exact."""

    state = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    machine = serializers.CharField(allow_blank=True)
    blocks = serializers.IntegerField()
    ratio = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class EvidenceSerializer(serializers.Serializer[Any]):
    """Since when an item's result holds, how often it was found, and on how many machines.

    ``agree`` is false where two measurements differ by more than chance explains.
    """

    since = serializers.DateTimeField()
    last = serializers.DateTimeField()
    times = serializers.IntegerField()
    machines = serializers.IntegerField()
    waiting = serializers.BooleanField()
    agree = serializers.BooleanField()
    rounds = RoundSerializer(many=True)


class ItemDetailSerializer(ItemSerializer):
    """An item with everything that repeating it needs. ``result`` is null until the replay has ended.

    ``actions``, their hash and ``result`` are null as long as ``commandline`` is: short sequences could be
    found by their hash.
    """

    environment = serializers.CharField(source="submission.board.environment_version.env_id")
    environment_digest = serializers.CharField(source="verification.environment_digest")
    benchmark_sha256 = serializers.CharField(source="verification.benchmark_sha256")
    bitcode_url = serializers.SerializerMethodField()
    actions = serializers.SerializerMethodField()
    actions_sha256 = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()
    former_verdicts = serializers.SerializerMethodField()
    attempts = serializers.SerializerMethodField()
    runner = serializers.SerializerMethodField()
    evidence = serializers.SerializerMethodField()
    minimised = serializers.SerializerMethodField()

    @extend_schema_field(FormerVerdictSerializer(many=True))
    def get_former_verdicts(self, item: SubmissionItem) -> list[dict[str, Any]]:
        """What was decided before; without details for those who may not read the actions."""
        told = FormerVerdictSerializer(item.former_verdicts.all(), many=True).data  # type: ignore[arg-type] # many
        return [dict(one) if self._may_read(item) else {**one, "detail": ""} for one in told]

    @extend_schema_field(AttemptSerializer(many=True))
    def get_attempts(self, item: SubmissionItem) -> list[dict[str, Any]]:
        """The attempts that recorded no result; without details for those who may not read the actions."""
        attempts = item.verification.attempts.all() if item.verification else ()
        told = AttemptSerializer(attempts, many=True).data  # type: ignore[arg-type] # many
        hidden = {"detail": "", "failed_step": None}
        return [dict(one) if self._may_read(item) else {**one, **hidden} for one in told]

    @extend_schema_field(MinimisedSequenceSerializer(allow_null=True))
    def get_minimised(self, item: SubmissionItem) -> dict[str, Any] | None:
        """The actions that suffice; null until a worker has found them, and where times are compared."""
        found = selectors.minimised_of(item).minimised
        return None if found is None else dict(MinimisedSequenceSerializer(found).data)

    @extend_schema_field(EvidenceSerializer(allow_null=True))
    def get_evidence(self, item: SubmissionItem) -> dict[str, Any] | None:
        """Each replay of its work that has succeeded or waits; null where none has."""
        found = selectors.evidence(item)
        return None if found is None else dict(EvidenceSerializer(found).data)

    @extend_schema_field({**kinds.INTEGERS.schema, "nullable": True})
    def get_actions(self, item: SubmissionItem) -> list[Any] | None:
        """Members of the action space: numbers, or lists of numbers; null where ``commandline`` is."""
        return list(item.actions) if self._may_read(item) else None

    def get_actions_sha256(self, item: SubmissionItem) -> str | None:
        """The hash of the actions and their space; null where ``commandline`` is."""
        return item.actions_sha256 if self._may_read(item) else None

    @extend_schema_field({"nullable": True})
    def get_result(self, item: SubmissionItem) -> Any:  # noqa: ANN401 # JSON data
        """What the replay found, with its steps; null where ``commandline`` is."""
        return item.verification.result if item.verification and self._may_read(item) else None

    @extend_schema_field(MachineSerializer(allow_null=True))
    def get_runner(self, item: SubmissionItem) -> dict[str, Any] | None:
        """The machine that it was replayed on last; null before."""
        found = selectors.item_runner(item)
        return None if found is None else dict(MachineSerializer(found).data)

    def get_bitcode_url(self, item: SubmissionItem) -> str | None:
        """The program; null where it is computed from the benchmark's URI."""
        if item.benchmark.kind != Benchmark.Kind.STORED:
            return None
        dataset, name = item.benchmark.version.name, item.benchmark.name
        return absolute(self, f"/api/v1/datasets/{dataset}/benchmarks/{name}/bitcode/")
