"""The API's answers. Read-only: ``services.documents`` reads the bodies of requests."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard import selectors
from leaderboard.api.origins import absolute
from leaderboard.common.addresses import submission_address
from leaderboard.models import Standing, Submission
from optarena.specs import EnvironmentSpec  # noqa: TC001 - drf-spectacular evaluates the hints


class MetricSerializer(serializers.Serializer[Any]):
    """A quantity that a replay measures."""

    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()
    exact = serializers.BooleanField()
    lower_is_better = serializers.BooleanField()


class ActionSerializer(serializers.Serializer[Any]):
    """One action of an environment."""

    index = serializers.IntegerField()
    name = serializers.CharField()
    pipeline = serializers.CharField(allow_blank=True)
    level = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)


class EnvironmentSerializer(serializers.Serializer["EnvironmentSpec"]):
    """An environment."""

    id = serializers.CharField()
    slug = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    digest = serializers.CharField()
    boardable = serializers.BooleanField()
    metrics = MetricSerializer(many=True)
    action_table = serializers.CharField(source="action_table.name")
    action_count = serializers.SerializerMethodField()

    def get_action_count(self, spec: EnvironmentSpec) -> int:
        """Number of actions."""
        return len(spec.action_table.names)


class EnvironmentPageSerializer(serializers.Serializer[Any]):
    """The only page of environments."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = EnvironmentSerializer(many=True)


class ActionSpaceSerializer(serializers.Serializer[Any]):
    """One action space of an environment.

    An action is an index into ``names``, or a list of numbers where ``sizes`` is not empty: one number below
    each size, the first an index into ``names``. ``ranked`` says whether boards take its actions.
    """

    name = serializers.CharField()
    ranked = serializers.BooleanField()
    sizes = serializers.ListField(child=serializers.IntegerField())
    names = serializers.ListField(child=serializers.CharField())


class EnvironmentDetailSerializer(EnvironmentSerializer):
    """An environment with the actions of its first action space, and with all its action spaces."""

    actions = serializers.SerializerMethodField()
    action_spaces = serializers.SerializerMethodField()

    @extend_schema_field(ActionSpaceSerializer(many=True))
    def get_action_spaces(self, spec: EnvironmentSpec) -> list[dict[str, Any]]:
        """The action spaces, the first one first."""
        return selectors.action_spaces(spec)

    @extend_schema_field(ActionSerializer(many=True))
    def get_actions(self, spec: EnvironmentSpec) -> list[dict[str, Any]]:
        """The action table."""
        return selectors.action_rows(spec)


class LeaderSerializer(serializers.Serializer[Standing]):
    """The best entry of a board."""

    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    score = serializers.FloatField()


class BoardSerializer(serializers.Serializer[selectors.BoardSummary]):
    """A board.

    Results are compared with ``baseline_level`` of the dataset or with ``reference_metric`` of the same
    replay; the other one is empty. An empty list of ``benchmarks`` means all stored benchmarks of the
    dataset. A ``provisional`` board has no ranks and no leaders.
    """

    slug = serializers.CharField(source="board.slug")
    title = serializers.CharField(source="board.title")
    description = serializers.CharField(source="board.description")
    state = serializers.CharField(source="board.state")
    dataset = serializers.CharField(source="board.dataset_version.name")
    environment = serializers.CharField(source="board.environment_version.env_id")
    environment_digest = serializers.CharField(source="board.environment_version.digest")
    metric = serializers.CharField(source="board.metric")
    baseline_level = serializers.CharField(source="board.baseline_level", allow_blank=True)
    reference_metric = serializers.CharField(source="board.reference_metric", allow_blank=True)
    benchmarks = serializers.ListField(source="board.benchmarks", child=serializers.CharField())
    device = serializers.CharField(source="board.device")
    hardware_class = serializers.SerializerMethodField()
    exact = serializers.BooleanField(source="board.exact")
    provisional = serializers.BooleanField(source="board.provisional")
    provisional_notice = serializers.CharField(source="board.provisional_notice", allow_blank=True)
    entries = serializers.IntegerField()
    leaders = LeaderSerializer(many=True)
    url = serializers.SerializerMethodField()
    standings_url = serializers.SerializerMethodField()

    def get_url(self, one: selectors.BoardSummary) -> str:
        """The board's page."""
        return absolute(self, reverse("leaderboard:board", args=[one.board.slug]))

    def get_hardware_class(self, one: selectors.BoardSummary) -> str:
        """The machines that replays are made on; see the queue."""
        return selectors.hardware_class(one.board)

    def get_standings_url(self, one: selectors.BoardSummary) -> str:
        """The board's rows."""
        return absolute(self, reverse("leaderboard-api:standings", args=[one.board.slug]))


class EffortSerializer(serializers.Serializer[Submission]):
    """The effort as the submitter reports it; it cannot be checked."""

    compilations = serializers.IntegerField(allow_null=True)
    walltime_seconds = serializers.FloatField(allow_null=True)
    trained_on_test_set = serializers.BooleanField()
    effort_class = serializers.CharField(source="effort")


class ProgressSerializer(serializers.Serializer[Any]):
    """The number of items that have a verdict, and of all items."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()


class SubmissionSerializer(serializers.Serializer[Submission]):
    """A submission. ``own_items`` of its verified items are finds of its owner; a ``collection`` has none.

    ``baseline_command`` found it if it is a baseline of OptArena itself, and is empty for all others.
    ``content_sha256`` is null for others than the owner: short sequences could be found by it.
    """

    id = serializers.UUIDField()
    board = serializers.CharField(source="board.slug")
    agent = serializers.CharField()
    owner = serializers.CharField(source="owner.username")
    description = serializers.CharField()
    submitted_url = serializers.CharField(source="url")
    effort = EffortSerializer(source="*")
    baseline_command = serializers.CharField(allow_blank=True)
    content_sha256 = serializers.SerializerMethodField()
    created = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    state = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()
    verdicts = serializers.SerializerMethodField()
    score = serializers.FloatField(source="standing.score", allow_null=True, default=None)
    mean_improvement = serializers.FloatField(
        source="standing.mean_improvement", allow_null=True, default=None
    )
    coverage = serializers.FloatField(source="standing.coverage", allow_null=True, default=None)
    own_items = serializers.IntegerField(source="standing.own_items", allow_null=True, default=None)
    collection = serializers.BooleanField(source="standing.is_collection", allow_null=True, default=None)
    rank = serializers.IntegerField(source="standing.rank", allow_null=True, default=None)
    rank_high = serializers.IntegerField(source="standing.rank_high", allow_null=True, default=None)
    unranked = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    items_url = serializers.SerializerMethodField()

    def get_content_sha256(self, submission: Submission) -> str | None:
        """The hash of the board and of all sequences."""
        viewer = getattr(self.context.get("request"), "user", None)
        may_read = viewer is not None and (viewer.is_staff or viewer.pk == submission.owner_id)
        return submission.content_sha256 if may_read else None

    def get_unranked(self, submission: Submission) -> str:
        """Why it has no rank; empty if it has one."""
        return selectors.why_unranked(submission)

    def get_state(self, submission: Submission) -> str:
        """verifying, verified, partial, refuted, failed or withdrawn."""
        return selectors.tally(submission).state

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, submission: Submission) -> dict[str, int]:
        """The number of items that have a verdict, and of all items."""
        tally = selectors.tally(submission)
        return {"done": tally.done, "total": tally.total}

    def get_verdicts(self, submission: Submission) -> dict[str, int]:
        """Number of items by verdict."""
        return selectors.tally(submission).by_verdict()

    def get_url(self, submission: Submission) -> str:
        """The submission's page."""
        return absolute(self, submission_address("leaderboard:submission", submission.pk))

    def get_items_url(self, submission: Submission) -> str:
        """The submission's items."""
        return absolute(self, submission_address("leaderboard-api:items", submission.pk))


class WaitSerializer(serializers.Serializer[Any]):
    """A forecast of when a submission's replays start and end; ``text`` says it in words.

    ``position`` is the place of the first replay that waits, 1 being next. Leases go round by owner.
    ``processes`` is the number of replays that the live runners do at once. Times are null while no runner
    is live.
    """

    position = serializers.IntegerField(source="forecast.position", allow_null=True)
    waiting = serializers.IntegerField(source="forecast.waiting")
    running = serializers.IntegerField(source="forecast.running")
    processes = serializers.IntegerField(source="forecast.processes")
    seconds_to_start = serializers.FloatField(source="forecast.seconds_to_start", allow_null=True)
    seconds_to_end = serializers.FloatField(source="forecast.seconds_to_end", allow_null=True)
    text = serializers.CharField()


class LargestRatioSerializer(serializers.Serializer[Any]):
    """The benchmark with the largest ratio, and the score of all others."""

    benchmark = serializers.CharField()
    ratio = serializers.FloatField()
    score_without = serializers.FloatField()


class SubmissionDetailSerializer(SubmissionSerializer):
    """A submission, with a forecast while it waits for verdicts; ``wait`` is null afterwards.

    ``largest_ratio`` says what its score owes to a single benchmark; null while it has no score.
    """

    largest_ratio = serializers.SerializerMethodField()
    wait = serializers.SerializerMethodField()

    @extend_schema_field(LargestRatioSerializer(allow_null=True))
    def get_largest_ratio(self, submission: Submission) -> dict[str, Any] | None:
        """The benchmark with the largest ratio, and the score without it."""
        found = selectors.largest_ratio(submission)
        return None if found is None else dict(LargestRatioSerializer(found).data)

    @extend_schema_field(WaitSerializer(allow_null=True))
    def get_wait(self, submission: Submission) -> dict[str, Any] | None:
        """When its replays probably start and end."""
        found = selectors.wait_of(submission) if selectors.tally(submission).pending else None
        return None if found is None else dict(WaitSerializer(found).data)


class NewWaitSerializer(serializers.Serializer[Any]):
    """A forecast for a submission that was not sent; ``text`` says it in words.

    ``new_replays`` of its items would be new work; ``position`` is the place of the first of them. Times are
    null while no runner is live, and where nothing would be new.
    """

    new_replays = serializers.IntegerField(source="forecast.waiting", default=0)
    position = serializers.IntegerField(source="forecast.position", allow_null=True, default=None)
    processes = serializers.IntegerField(source="forecast.processes", allow_null=True, default=None)
    seconds_to_start = serializers.FloatField(
        source="forecast.seconds_to_start", allow_null=True, default=None
    )
    seconds_to_end = serializers.FloatField(source="forecast.seconds_to_end", allow_null=True, default=None)
    text = serializers.CharField()


class CheckedSerializer(serializers.Serializer[Any]):
    """A submission that could be sent: its board, the number of its items, and the forecast."""

    board = serializers.CharField()
    items = serializers.IntegerField()
    wait = NewWaitSerializer()
