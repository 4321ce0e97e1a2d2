"""The API of boards, their standings, environments, limits and the queue."""

from __future__ import annotations

import csv
from collections.abc import Callable
from itertools import chain
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.fields import Address, Computed, InContext
from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.boards.queries import BoardCell, BoardProgram, VirtualBest, against_text, permalink
from leaderboard.boards.ranking import EFFORT_CLASSES, UNREPORTED
from leaderboard.common.addresses import submission_address
from leaderboard.common.pagination import PlacePagination, page_number
from leaderboard.models import Board, EntryFigures, Standing, Submission
from leaderboard.runners import queries as runner_queries
from leaderboard.runners.api import QueueSerializer
from leaderboard.runners.queries import Wait
from leaderboard.submissions import queries as submission_queries
from optarena import limits
from optarena.errors import UnknownName
from optarena.specs import environment_spec, environment_specs

AGAINST: Final = "Its score in words, such as `2.1 % larger than -Oz`; empty without a score."
NO_RANK: Final = "Why it has no rank; empty if it has one."


def _content_sha256(submission: Submission, context: dict[str, Any]) -> str | None:
    viewer = getattr(context.get("request"), "user", None)
    may_read = viewer is not None and (viewer.is_staff or viewer.pk == submission.owner_id)
    return submission.content_sha256 if may_read else None


def _wait(submission: Submission) -> Wait | None:
    return runner_queries.wait_of(submission) if submission_queries.tally(submission).pending else None


def _without_rank(standing: EntryFigures, context: dict[str, Any]) -> str:
    return standings.why_without_rank(standing, context["board"])


def _of_best(context: dict[str, Any], of: Callable[[VirtualBest], float | None]) -> float | None:
    best: VirtualBest | None = context["virtual_best"]
    return None if best is None else of(best)


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


class EnvironmentSerializer(serializers.Serializer[Any]):
    """An environment."""

    id = serializers.CharField()
    slug = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    digest = serializers.CharField()
    boardable = serializers.BooleanField()
    metrics = MetricSerializer(many=True)
    action_table = serializers.CharField(source="action_table.name")
    action_count = Computed(int, lambda spec: len(spec.action_table.names), "Number of actions.")


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

    actions = Computed(ActionSerializer(many=True), board_queries.action_rows)
    action_spaces = Computed(ActionSpaceSerializer(many=True), board_queries.action_spaces)


class LeaderSerializer(serializers.Serializer[Standing]):
    """The best entry of a board."""

    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    score = serializers.FloatField()
    against_reference = Computed(
        str, lambda one: against_text(one.board, one), "Its score in words, such as `4.0 % smaller than -Oz`."
    )


class BoardSerializer(serializers.Serializer[board_queries.BoardSummary]):
    """A board.

    Results are compared with ``baseline_level`` of the dataset or with ``reference_metric`` of the same
    replay; the other one is empty. An empty list of ``benchmarks`` means all stored benchmarks of the
    dataset. A ``provisional`` board has no ranks and no leaders, nor has one that is ``withdrawn``: the text
    says why it was closed for good, and is empty for other boards.
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
    hardware_class = Computed(
        str,
        lambda one: runner_queries.hardware_class(one.board),
        "The machines that replays are made on; see the queue.",
    )
    exact = serializers.BooleanField(source="board.exact")
    provisional = serializers.BooleanField(source="board.provisional")
    provisional_notice = serializers.CharField(source="board.provisional_notice", allow_blank=True)
    withdrawn = serializers.CharField(source="board.withdrawn", allow_blank=True)
    entries = serializers.IntegerField()
    leaders = LeaderSerializer(many=True)
    url = Address(lambda one: one.board.get_absolute_url(), "The board's page.")
    standings_url = Address(
        lambda one: reverse("leaderboard-api:standings", args=[one.board.slug]), "The board's rows."
    )


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
    """A submission. Only a complete one has a ``score``, and ``saving``, which is 1 - 1 / ``score``.

    ``own_items`` of its verified items are finds of its owner; a ``collection`` has none.

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
    content_sha256 = InContext(str | None, _content_sha256, "The hash of the board and of all sequences.")
    created = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    state = Computed(
        str,
        lambda one: submission_queries.tally(one).state,
        "verifying, verified, partial, refuted, failed or withdrawn.",
    )
    progress = Computed(ProgressSerializer(), submission_queries.tally)
    verdicts = Computed(
        dict[str, int], lambda one: submission_queries.tally(one).by_verdict(), "Number of items by verdict."
    )
    score = serializers.FloatField(source="standing.score", allow_null=True, default=None)
    saving = serializers.FloatField(source="standing.saving", allow_null=True, default=None)
    against_reference = Computed(
        str, lambda one: against_text(one.board, getattr(one, "standing", None)), AGAINST
    )
    mean_improvement = serializers.FloatField(
        source="standing.mean_improvement", allow_null=True, default=None
    )
    coverage = serializers.FloatField(source="standing.coverage", allow_null=True, default=None)
    own_items = serializers.IntegerField(source="standing.own_items", allow_null=True, default=None)
    collection = serializers.BooleanField(source="standing.is_collection", allow_null=True, default=None)
    rank = serializers.IntegerField(source="standing.rank", allow_null=True, default=None)
    rank_high = serializers.IntegerField(source="standing.rank_high", allow_null=True, default=None)
    unranked = Computed(str, standings.why_unranked, NO_RANK)
    url = Address(lambda one: one.get_absolute_url(), "The submission's page.")
    items_url = Address(
        lambda one: submission_address("leaderboard-api:items", one.pk), "The submission's items."
    )


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

    largest_ratio = Computed(LargestRatioSerializer(allow_null=True), submission_queries.largest_ratio)
    wait = Computed(WaitSerializer(allow_null=True), _wait)


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


def find_board(slug: str) -> Board:
    board = standings.get_board(slug)
    if board is None:
        raise Http404(str(standings.unknown_board(slug)))
    return board


class LimitsView(APIView):
    @extend_schema(
        operation_id="limits",
        tags=["environments"],
        responses={200: {"type": "object", "additionalProperties": {"type": "integer"}}},
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the framework's signature
        """All limits by name."""
        return Response(limits.as_dict())


class EnvironmentListView(APIView):
    @extend_schema(operation_id="environments", responses=EnvironmentPageSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """All environments, on one page."""
        results = [EnvironmentSerializer(spec).data for spec in environment_specs()]
        return Response({"next": None, "previous": None, "results": results})


class EnvironmentView(APIView):
    @extend_schema(operation_id="environment", responses=EnvironmentDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as above
        """An environment with its metrics and its action table."""
        try:
            spec = environment_spec(slug)
        except UnknownName as error:
            raise Http404(str(error)) from error
        return Response(EnvironmentDetailSerializer(spec).data)


class QueueView(APIView):
    """The queue of replays."""

    @extend_schema(operation_id="queue", tags=["runners"], responses=QueueSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """The waiting and running replays and the live runners of each hardware class that has any."""
        return Response(QueueSerializer(runner_queries.queue_overview()).data)


@extend_schema_view(get=extend_schema(operation_id="boards"))
class BoardListView(generics.ListAPIView[Any]):
    """All boards but those of daily puzzles."""

    serializer_class = BoardSerializer
    cursor_ordering = "slug"

    def get_queryset(self) -> QuerySet[Board]:
        return standings.listed_boards()

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:  # noqa: ANN401 # as the base class
        page: list[Any] | None = super().paginate_queryset(queryset)
        return page and board_queries.board_summaries(page)


class BoardView(APIView):
    @extend_schema(operation_id="board", responses=BoardSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A board: what it compares, and its leaders."""
        [summary] = board_queries.board_summaries([find_board(slug)])
        serializer = BoardSerializer(summary, context={"request": request})
        return Response(serializer.data)


class StandingSerializer(serializers.Serializer[EntryFigures]):
    """A row of a board. ``rank`` is null where the row is listed without one.

    Only a complete entry has a ``score``, and what is derived from it: ``saving`` is 1 - 1 / ``score``.
    ``own_items`` is the number of verified results that are finds of the owner; a ``collection`` has none,
    and no rank. Where scores are measured, the rank is an interval from ``rank`` to ``rank_high``, and
    ``score_interval`` has the ends of the score's 95 % confidence interval. ``gap`` is the share by which the
    score is below that of the virtual best, and ``contribution`` the share by which the virtual best would be
    lower without the entry's finds; both are null where a past moment is asked for. ``baseline_command``
    found the entry if it is a baseline of OptArena itself, and is empty for all others.
    """

    position = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    best_of_owner = serializers.BooleanField()
    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    score = serializers.FloatField(allow_null=True)
    score_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    saving = serializers.FloatField(allow_null=True)
    against_reference = InContext(str, lambda one, context: against_text(context["board"], one), AGAINST)
    mean_improvement = serializers.FloatField(allow_null=True)
    verified = serializers.IntegerField()
    own_items = serializers.IntegerField()
    collection = serializers.BooleanField(source="is_collection")
    pending = serializers.IntegerField()
    total = serializers.IntegerField()
    coverage = serializers.FloatField()
    effective_actions = serializers.IntegerField()
    effort = EffortSerializer(source="submission")
    baseline_command = serializers.CharField(source="submission.baseline_command", allow_blank=True)
    created = serializers.DateTimeField(source="submission.created")
    unranked = InContext(str, _without_rank, NO_RANK)
    gap = InContext(
        float | None,
        lambda one, context: _of_best(context, lambda best: best.gap(one.score)),
        "The share by which its score is below that of the virtual best, 0 or negative.",
    )
    contribution = InContext(
        float | None,
        lambda one, context: _of_best(context, lambda best: best.contribution(one.submission_id)),
        "The share by which the virtual best would be lower without its finds.",
    )


class ReferenceSerializer(serializers.Serializer[Any]):
    """A reference of the dataset or of the replays, or the best entry of a coarser board; never ranked.

    Where each replay measures its own reference, the score of that is 1 by definition. ``level`` is empty for
    an entry, and for a level that replays measure beside their reference. ``board`` and ``page_url`` are
    empty for all but an entry.
    """

    label = serializers.CharField()  # type: ignore[assignment] # a field of the answer, not of the serializer
    level = serializers.CharField(allow_blank=True)
    score = serializers.FloatField()
    saving = serializers.FloatField()
    against_reference = InContext(
        str,
        lambda one, context: "" if context["board"].reference_metric else against_text(context["board"], one),
        "Its score in words; empty where each replay measures its own reference.",
    )
    mean_improvement = serializers.FloatField()
    board = serializers.CharField(allow_blank=True)
    page_url = Address(lambda one: one.page, "The page of the entry.")


class PendingEntrySerializer(serializers.Serializer[Standing]):
    """An entry that is being verified; it has no score until all of its replays have ended."""

    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    verified = serializers.IntegerField()
    pending = serializers.IntegerField()
    total = serializers.IntegerField()
    created = serializers.DateTimeField(source="submission.created")
    unranked = InContext(str, _without_rank, "Why it has no rank.")


class VirtualBestSerializer(serializers.Serializer[Any]):
    """The best verified results, and the reference where none reaches it, scored like an entry."""

    score = serializers.FloatField()
    verified = serializers.IntegerField()
    total = serializers.IntegerField()


class StandingsPageSerializer(serializers.Serializer[Any]):
    """A page of a board's rows, and what they compare with.

    On a board that is ``provisional`` or ``withdrawn`` no row has a rank; rows are in the order of their
    scores. Entries that are being verified are not among the rows: ``pending`` has the newest, and
    ``pending_count`` counts all; the filters hold for them too. With ``as_of`` there are neither these nor
    references nor a ``virtual_best``, and ``bibtex`` cites the standings of that moment.
    """

    provisional = serializers.BooleanField()
    provisional_notice = serializers.CharField(allow_blank=True)
    withdrawn = serializers.CharField(allow_blank=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = StandingSerializer(many=True)
    references = ReferenceSerializer(many=True)
    virtual_best = VirtualBestSerializer(allow_null=True)
    pending = PendingEntrySerializer(many=True)
    pending_count = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True)
    environment_digest = serializers.CharField()
    dataset_sha256 = serializers.CharField()
    bibtex = serializers.CharField(allow_blank=True)


class BestResultSerializer(serializers.Serializer[Any]):
    """The best verified result of a benchmark on a board.

    ``contribution`` is the share by which the ratio would be lower without this find and its copies; a ratio
    below 1 counts as 1, since the reference would be the best.
    """

    ratio = serializers.FloatField(source="item.ratio")
    value = serializers.FloatField(source="item.value")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    submission = serializers.UUIDField(source="item.submission_id")
    position = serializers.IntegerField(source="item.position")
    own = serializers.BooleanField(allow_null=True)
    contribution = serializers.FloatField()
    verified_at = serializers.DateTimeField(source="item.decided_at")


class BoardCellSerializer(serializers.Serializer[BoardCell]):
    """What an entry has of a benchmark; ``ratio`` and ``position`` are null where it has nothing."""

    submission = serializers.UUIDField(source="entry.submission_id")
    verdict = serializers.CharField(source="item.verdict", allow_null=True, default=None)
    position = serializers.IntegerField(source="item.position", allow_null=True, default=None)
    ratio = serializers.FloatField(allow_null=True)
    best = serializers.BooleanField(source="is_best")
    page_url = Address(
        lambda cell: cell.item.get_absolute_url() if cell.item else "",
        "The item's page; empty where there is no item.",
    )


class BoardProgramSerializer(serializers.Serializer[BoardProgram]):
    """A benchmark of a board: its best verified result, and what some entries have, in the same order."""

    benchmark = serializers.CharField(source="uri")
    best = BestResultSerializer(allow_null=True)
    results = BoardCellSerializer(source="cells", many=True)


class ProgramEntrySerializer(serializers.Serializer[EntryFigures]):
    """An entry whose results are listed; measured ranks are intervals from ``rank`` to ``rank_high``."""

    position = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    score = serializers.FloatField(allow_null=True)


class ProgramsPageSerializer(serializers.Serializer[Any]):
    """A page of a board's benchmarks, with ``entries`` beside each other."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    entries = ProgramEntrySerializer(many=True)
    results = BoardProgramSerializer(many=True)


PENDING: Final = 10
"""Entries that are being verified, and that page and API list; the newest ones."""
# The serializer is of a page and not of a row, which the generator would put into a page of pages.
_ONE_PAGE = forced_singular_serializer(StandingsPageSerializer)  # type: ignore[no-untyped-call] # ships none
_PROGRAMS = forced_singular_serializer(ProgramsPageSerializer)  # type: ignore[no-untyped-call] # as above
_CHOICES: Final = [
    OpenApiParameter("all", OpenApiTypes.BOOL, description="Every entry, not only the best ones."),
    OpenApiParameter(
        "effort",
        OpenApiTypes.STR,
        enum=[*(one.slug for one in EFFORT_CLASSES), UNREPORTED],
        description="Entries whose reported effort is of this class.",
    ),
    OpenApiParameter(
        "trained", OpenApiTypes.BOOL, description="Entries whose agents saw the programs in training, or not."
    ),
    OpenApiParameter("owner", OpenApiTypes.STR, description="Entries of this user."),
    OpenApiParameter("text", OpenApiTypes.STR, description="Part of an agent's name or description."),
    OpenApiParameter(
        "sort",
        OpenApiTypes.STR,
        enum=[sign + name for name in standings.SORTABLE for sign in ("", "-") if sign + name != "-rank"],
        description="A column to sort by, with a minus before it in descending order.",
    ),
    OpenApiParameter(
        "as_of",
        OpenApiTypes.STR,
        description="A day, meaning its beginning in UTC, or a moment in ISO 8601: the rows of then.",
    ),
]


@extend_schema_view(get=extend_schema(operation_id="standings", parameters=_CHOICES, responses=_ONE_PAGE))
class StandingsView(generics.ListAPIView[Standing]):
    """The rows of a board."""

    serializer_class = StandingSerializer  # type: ignore[assignment] # also of rows of the past
    query_parameters = standings.CHOICES
    pagination_class = PlacePagination
    queryset = Standing.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[Standing]:
        self.board = find_board(self.kwargs["slug"])
        self.choice = standings.choice_of(self.request.query_params)
        return standings.standings(self.board, self.choice)  # type: ignore[return-value] # only sliced

    def paginate_queryset(self, queryset: QuerySet[Standing]) -> list[Any] | None:  # type: ignore[override] # no other rows
        page = super().paginate_queryset(queryset) or []
        shown = [row.submission_id for row in page]
        self.best = None if self.choice.as_of else board_queries.virtual_best(self.board, shown)
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        return super().get_serializer_context() | {"board": self.board, "virtual_best": self.best}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        response = super().list(request, *args, **kwargs)
        data, board, moment = response.data, self.board, self.choice.as_of
        context = self.get_serializer_context()
        pending = standings.PendingEntries(board, self.choice)
        listed = pending[:PENDING]
        references = [] if moment else board_queries.references(board)
        data["provisional"] = board.provisional
        data["provisional_notice"] = board.provisional_notice
        data["withdrawn"] = board.withdrawn
        data["references"] = ReferenceSerializer(references, many=True, context=context).data
        data["virtual_best"] = self.best and VirtualBestSerializer(self.best).data
        data["pending"] = PendingEntrySerializer(listed, many=True, context=context).data  # type: ignore[arg-type] # many
        data["pending_count"] = len(pending)
        data["as_of"] = moment
        data["environment_digest"] = board.environment_version.digest
        data["dataset_sha256"] = board.dataset_version.manifest_sha256
        data["bibtex"] = permalink(request, board, self.choice, moment).bibtex if moment else ""
        return response


class StandingsCsvView(APIView):
    query_parameters = standings.CHOICES

    @extend_schema(
        operation_id="standings_csv", parameters=_CHOICES, responses={(200, "text/csv"): OpenApiTypes.STR}
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Every row as CSV.

        A whole board begins with the virtual best, and has the references among its rows (without a rank).
        The entries that are being verified stand at the end, without a score.
        """
        board = find_board(slug)
        choice = standings.choice_of(request.query_params)
        rows = [board_queries.EXPORT_COLUMNS], board_queries.export_rows(board, choice)
        lines = map(csv.writer(_Line(), lineterminator="\n").writerow, chain(*rows))
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{board.slug}.csv"'
        return response


class _Line:
    """A file that keeps nothing: writing returns the text."""

    def write(self, text: str) -> str:
        return text


@extend_schema_view(
    get=extend_schema(
        operation_id="programs",
        parameters=[
            *(one for one in _CHOICES if one.name != "as_of"),
            OpenApiParameter(
                "entries",
                {"type": "integer", "minimum": 1, "default": 1},
                description=f"Which entries to list, as a page of {board_queries.ENTRIES} of them.",
            ),
        ],
        responses=_PROGRAMS,
    )
)
class ProgramsView(generics.ListAPIView[Standing]):
    """The benchmarks of a board, with the results of some of its entries."""

    serializer_class = BoardProgramSerializer  # type: ignore[assignment] # of no model
    query_parameters = (*(one for one in standings.CHOICES if one != "as_of"), "entries")
    pagination_class = PlacePagination
    queryset = Standing.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[Standing]:
        board = find_board(self.kwargs["slug"])
        asked = self.request.query_params
        first = (page_number("entries", asked.get("entries")) - 1) * board_queries.ENTRIES
        self.found = board_queries.programs(board, standings.choice_of(asked), first=first)
        return self.found  # type: ignore[return-value] # only sliced

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        response = super().list(request, *args, **kwargs)
        entries = list(self.found.entries)
        response.data["entries"] = ProgramEntrySerializer(entries, many=True).data  # type: ignore[arg-type] # many
        return response
