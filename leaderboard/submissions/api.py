"""The API of submissions, their items, edits and studies."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Final, Literal

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from datasets.fields import Address, Computed, InContext
from datasets.models import Benchmark
from leaderboard.accounts.throttles import CheckThrottle
from leaderboard.boards import api as board_api
from leaderboard.boards import standings
from leaderboard.boards.api import SubmissionDetailSerializer
from leaderboard.common.addresses import item_address
from leaderboard.common.middleware import parameter_problems
from leaderboard.models import Find, FormerVerdict, Submission, SubmissionEdit, SubmissionItem
from leaderboard.records import queries as record_queries
from leaderboard.runners import queries as runner_queries
from leaderboard.runners.api import MachineSerializer
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions import quotas, uploads
from leaderboard.submissions import services as submission_services
from leaderboard.submissions import steps as submission_steps
from leaderboard.submissions.replay_again import repeat_item, retry
from leaderboard.submissions.services import EDIT, Conflict, Incoming, edit, new_seconds, read_edit, withdraw
from leaderboard.submissions.uploads import RawCsv, RawJson, as_problems
from optarena.documents import kinds
from optarena.errors import InvalidDocument
from optarena.specs.board import CONSISTENT, OPTIMISTIC
from runner.models import RUNNING, AttemptDecision, StudyState, Verification, VerificationAttempt

_STATES: Final = [submission_steps.NOT_ASKED, *StudyState.values]


def may_read(item: SubmissionItem, context: dict[str, Any]) -> bool:
    return record_queries.may_read_actions(item, getattr(context.get("request"), "user", None))


class Readable(Computed):
    """Null for those who may not read the actions of the item."""

    def value_of(self, row: SubmissionItem) -> Any:  # noqa: ANN401 - inherited
        return super().value_of(row) if may_read(row, self.context) else None


def _reason(item: SubmissionItem, context: dict[str, Any]) -> dict[str, str] | None:
    if (known := item.explanation) is None:
        return None
    return {**asdict(known), "detail": item.detail if may_read(item, context) else ""}


def _bitcode(item: SubmissionItem) -> str | None:
    if item.benchmark.kind != Benchmark.Kind.STORED:
        return None
    dataset, name = item.benchmark.version.name, item.benchmark.name
    return f"/api/v1/datasets/{dataset}/benchmarks/{name}/bitcode/"


def _edited(edit: SubmissionEdit) -> list[dict[str, Any]]:
    return [
        {"field": name, "before": before, "after": after} for name, (before, after) in edit.changes.items()
    ]


class TextDifferenceSerializer(serializers.Serializer[Any]):
    """The difference of two texts in the unified format, without the lines that name files.

    Of a long one ``text`` has the first ``shown`` of ``lines``; ``added`` and ``removed`` count all. The ends
    of ``shortened`` lines were cut off. ``renumbered`` lines differ in the numbers of values alone, which the
    compiler gives anew each time: they count as equal, and are shown as they are afterwards. ``aligned`` is
    false where parts differ that are too long to be matched: each is shown as one change. ``before`` and
    ``after`` are the lines of the two texts, 0 where the step had no effect.
    """

    text = serializers.CharField(allow_blank=True)
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    lines = serializers.IntegerField()
    shown = serializers.IntegerField()
    shortened = serializers.IntegerField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    renumbered = serializers.IntegerField()
    aligned = serializers.BooleanField()


class MinimisedSequenceSerializer(serializers.Serializer[Any]):
    """The actions of an item that suffice for the same final state and the same exact metrics.

    ``steps`` are their numbers among the ``total`` of the item, from 1. ``minimal`` says whether none of them
    can be left out; it is false where the limit of trials was reached before that was known. ``commandline``
    is null where the environment has other actions today.
    """

    steps = serializers.ListField(child=serializers.IntegerField())
    total = serializers.IntegerField()
    actions = Computed(kinds.INTEGERS.schema, lambda found: list(found.actions))
    commandline = serializers.CharField(allow_null=True)
    minimal = serializers.BooleanField()
    trials = serializers.IntegerField()


class AnswerSerializer(serializers.Serializer[Any]):
    """How far the answer to a question is."""

    state = serializers.ChoiceField(_STATES, help_text="`none`: nobody has asked.")
    position = serializers.IntegerField(
        allow_null=True, help_text="Among the questions that wait; replays come before all of them."
    )
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no answer, a reason id.")
    detail = serializers.CharField(allow_blank=True)


class StepDifferenceSerializer(AnswerSerializer):
    """What a step changes in the text of the program; ``difference`` is null until the state is ``done``."""

    difference = TextDifferenceSerializer(allow_null=True)


class MinimisedSerializer(AnswerSerializer):
    """Which actions suffice; ``minimised`` is null until the state is ``done``."""

    minimised = MinimisedSequenceSerializer(allow_null=True)


class AttemptSerializer(serializers.Serializer[VerificationAttempt]):
    """An attempt that did not record a result: why, what followed, and how it ran.

    A failure that is suspected to be the submission's is repeated (``confirm``). It is final (``fail``) only
    if it repeats; otherwise the replay is queued again (``give-back``). For those who may not read the
    actions, ``detail`` is empty and ``failed_step`` is null.
    """

    number = serializers.IntegerField()
    decision = serializers.ChoiceField(
        [one for one in AttemptDecision.values if one != AttemptDecision.RECORD]
    )
    reason = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    failed_step = serializers.IntegerField(allow_null=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    evidence = Computed(
        dict[str, Any],
        lambda one: one.evidence if isinstance(one.evidence, dict) else {},
        "How it ran, as the worker tells it; empty if that is not an object.",
    )


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

    ``own`` is true unless the owner could read a sequence with an equal result, and ``first_by`` says who was
    the first to find it; both are null until the item is verified. ``commandline`` is null for those who may
    not read it. Everybody may from ``opens_at`` on, and whoever has verified something at least as good.
    """

    submission = serializers.UUIDField(source="submission_id")
    position = serializers.IntegerField()
    benchmark = serializers.CharField(source="benchmark_uri")
    commandline = Readable(
        str | None, lambda item: item.commandline, "The actions in the environment's own text form."
    )
    action_space = serializers.CharField(
        allow_blank=True, help_text="Of its actions; empty for the environment's first."
    )
    reward = serializers.FloatField(allow_null=True)
    walltime = serializers.FloatField(allow_null=True)
    claims = serializers.DictField(child=serializers.FloatField())
    claim_status = serializers.DictField(child=serializers.ChoiceField([CONSISTENT, OPTIMISTIC]))
    metrics = serializers.DictField(child=serializers.FloatField(), source="measured")
    verdict = serializers.CharField()
    reason = InContext(ReasonSerializer(allow_null=True), _reason)
    value = serializers.FloatField(allow_null=True)
    ratio = serializers.FloatField(allow_null=True)
    effective_actions = serializers.IntegerField(allow_null=True)
    own = serializers.BooleanField(allow_null=True)
    opens_at = serializers.DateTimeField(allow_null=True)
    first_by = Computed(FindSerializer(allow_null=True), record_queries.first_find)
    verification = ItemVerificationSerializer(allow_null=True)
    url = Address(
        lambda item: item_address("leaderboard-api:item", item.submission_id, item.position),
        "The address of this item with its trace, which ``optarena replay`` takes.",
    )
    page_url = Address(lambda item: item.get_absolute_url(), "The item's page.")


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
    bitcode_url = Address(
        _bitcode, "The program; null where it is computed from the benchmark's URI.", str | None
    )
    actions = Readable({**kinds.INTEGERS.schema, "nullable": True}, lambda item: list(item.actions))
    actions_sha256 = Readable(
        str | None,
        lambda item: item.actions_sha256,
        "The hash of the actions and their space; null where ``commandline`` is.",
    )
    result = Readable({"nullable": True}, lambda item: item.verification and item.verification.result)
    former_verdicts = serializers.SerializerMethodField()
    attempts = serializers.SerializerMethodField()
    runner = Computed(MachineSerializer(allow_null=True), runner_queries.item_runner)
    evidence = Computed(EvidenceSerializer(allow_null=True), submission_queries.evidence)
    minimised = Readable(
        MinimisedSequenceSerializer(allow_null=True),
        lambda item: submission_steps.minimised_of(item).minimised,
    )

    @extend_schema_field(FormerVerdictSerializer(many=True))
    def get_former_verdicts(self, item: SubmissionItem) -> list[dict[str, Any]]:
        """What was decided before; without details for those who may not read the actions."""
        rows = FormerVerdictSerializer(item.former_verdicts.all(), many=True).data  # type: ignore[arg-type] # many
        return [dict(one) if may_read(item, self.context) else {**one, "detail": ""} for one in rows]

    @extend_schema_field(AttemptSerializer(many=True))
    def get_attempts(self, item: SubmissionItem) -> list[dict[str, Any]]:
        """The attempts that recorded no result; without details for those who may not read the actions."""
        attempts = item.verification.attempts.all() if item.verification else ()
        rows = AttemptSerializer(attempts, many=True).data  # type: ignore[arg-type] # many
        hidden = {"detail": "", "failed_step": None}
        return [dict(one) if may_read(item, self.context) else {**one, **hidden} for one in rows]


_UNKNOWN: Final = "There is no such submission; see /api/v1/submissions/."
_NO_ITEM: Final = "This submission has no such item."


def incoming(request: Request) -> Incoming:
    """The submission that a request carries."""
    is_csv = (request.content_type or "").split(";")[0].strip().lower() == "text/csv"
    format_: Literal["json", "csv"] = "csv" if is_csv else "json"
    # Reading reports unknown ones with all problems.
    if problems := parameter_problems(request.query_params, tuple(request.query_params)):
        raise InvalidDocument(problems)
    about = {name: str(value) for name, value in request.query_params.items()}
    body = request.data
    return Incoming(body=body if isinstance(body, bytes) else b"", format=format_, about=about)


def find_submission(submission_id: uuid.UUID, *, counted: bool = False) -> Submission:
    """The submission with the id of an address, on request with its items counted."""
    submission = submission_queries.get_submission(submission_id, counted=counted)
    if submission is None:
        raise Http404(_UNKNOWN)
    return submission


def find_item(submission_id: uuid.UUID, position: int) -> SubmissionItem:
    item = submission_queries.item(find_submission(submission_id), position)
    if item is None:
        raise Http404(_NO_ITEM)
    return item


def serialized(submission_id: uuid.UUID, request: Request) -> dict[str, Any]:
    return _serialized(find_submission(submission_id, counted=True), request)


def _serialized(submission: Submission, request: Request) -> dict[str, Any]:
    [one] = submission_queries.add_figures([submission])
    data: dict[str, Any] = board_api.SubmissionDetailSerializer(one, context={"request": request}).data
    return data


@contextmanager
def found_item() -> Iterator[None]:
    """Turn a service's missing item into a 404 answer."""
    try:
        yield
    except SubmissionItem.DoesNotExist as error:
        raise Http404(_NO_ITEM) from error


class SubmissionListView(generics.ListAPIView[Submission]):
    serializer_class = board_api.SubmissionSerializer
    parser_classes = (RawJson, RawCsv)
    cursor_ordering = ("-created", "id")
    query_parameters = ("board", "owner", "agent", "id")
    free_queries = ("POST",)  # of a CSV body they are fields, which are checked with it

    def get_queryset(self) -> QuerySet[Submission]:
        asked = self.request.query_params
        if problems := standings.unknown_filters(board=asked.get("board"), owner=asked.get("owner")):
            raise InvalidDocument(problems)
        return submission_queries.list_submissions(
            board=asked.get("board", ""),
            owner=asked.get("owner", ""),
            agent=asked.get("agent", ""),
            ids=submission_queries.ids_from(asked["id"]) if "id" in asked else None,
        )

    def paginate_queryset(self, queryset: QuerySet[Submission]) -> list[Any] | None:  # type: ignore[override] # no other rows
        page = super().paginate_queryset(queryset)
        return page and list(submission_queries.add_figures(page))

    @extend_schema(
        operation_id="submissions",
        parameters=[
            OpenApiParameter("board", OpenApiTypes.STR),
            OpenApiParameter("owner", OpenApiTypes.STR),
            OpenApiParameter("agent", OpenApiTypes.STR, description="Part of the agent's name."),
            OpenApiParameter("id", OpenApiTypes.STR, description="The beginning of the submission's id."),
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """Submissions, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="submit",
        parameters=[uploads.KEY_PARAMETER, *uploads.CSV_PARAMETERS, *uploads.QUOTA_HEADERS],
        request=uploads.REQUEST,
        responses={
            202: OpenApiResponse(
                board_api.SubmissionDetailSerializer,
                "The submission was stored and its replays were requested.",
            ),
            200: OpenApiResponse(board_api.SubmissionDetailSerializer, "The same request was stored before."),
        },
    )
    def post(self, request: Request) -> Response:
        """Submit. All problems are reported at once, and nothing is stored if there is one.

        The items may also come alone, as CSV or as a JSON list; the fields beside them are then parameters.
        A submission over the owner's quota is refused with status 429; Retry-After says when to try again.
        """
        owner: User = request.user  # type: ignore[assignment] # the permission admits users only
        with as_problems():
            submission, created = submission_services.receive(
                owner=owner, incoming=incoming(request), key=request.headers.get("Idempotency-Key")
            )
        location = request.build_absolute_uri(reverse("leaderboard-api:submission", args=[submission.pk]))
        code = status.HTTP_202_ACCEPTED if created else status.HTTP_200_OK
        headers = {"Location": location, **quotas.headers(owner)}
        # What has just been stored has its board and its owner.
        data = _serialized(submission, request) if created else serialized(submission.pk, request)
        return Response(data, status=code, headers=headers)


class ValidateView(APIView):
    permission_classes = (IsAuthenticated,)
    throttle_classes = (CheckThrottle,)
    parser_classes = (RawJson, RawCsv)
    free_queries = ("POST",)

    @extend_schema(
        operation_id="validate_submission",
        parameters=list(uploads.CSV_PARAMETERS),
        request=uploads.REQUEST,
        responses=board_api.CheckedSerializer,
    )
    def post(self, request: Request) -> Response:
        """Check a submission completely without storing it, and tell when its replays would probably end."""
        with as_problems():
            draft = submission_services.check(incoming=incoming(request))
        wait = runner_queries.wait_of_new(
            user_id=request.user.pk,  # type: ignore[arg-type] # logged in
            board=draft.board,
            seconds=new_seconds(request.user, draft),  # type: ignore[arg-type] # logged in
        )
        found = {"board": draft.board.slug, "items": len(draft.items), "wait": wait}
        return Response(board_api.CheckedSerializer(found).data)


class SubmissionView(APIView):
    @extend_schema(operation_id="submission", responses=board_api.SubmissionDetailSerializer)
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """A submission: its state, progress, score and rank."""
        return Response(serialized(submission_id, request))


class WithdrawView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="withdraw", request=None, responses=board_api.SubmissionDetailSerializer)
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Withdraw one's own submission. It stays without a rank; replays that nobody else needs stop."""
        with as_problems():
            try:
                withdraw(submission_id=submission_id, actor=request.user)  # type: ignore[arg-type] # as in submit
            except Submission.DoesNotExist as error:
                raise Http404(_UNKNOWN) from error
        return Response(serialized(submission_id, request))


@extend_schema_view(get=extend_schema(operation_id="items"))
class ItemListView(generics.ListAPIView[SubmissionItem]):
    """The items of a submission."""

    serializer_class = ItemSerializer
    cursor_ordering = "position"
    queryset = SubmissionItem.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[SubmissionItem]:
        return submission_queries.items(find_submission(self.kwargs["submission_id"]))

    def paginate_queryset(self, queryset: QuerySet[SubmissionItem]) -> list[Any] | None:  # type: ignore[override] # no other rows
        page = super().paginate_queryset(queryset)
        return page and list(record_queries.add_reading(record_queries.add_finds(page), self.request.user))


class ItemView(APIView):
    @extend_schema(operation_id="item", responses=ItemDetailSerializer)
    def get(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """An item with its trace: everything that `optarena replay` needs to repeat it."""
        item = find_item(submission_id, position)
        serializer = ItemDetailSerializer(item, context={"request": request})
        return Response(serializer.data)


class RepeatView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="repeat_item",
        request=None,
        responses={202: OpenApiResponse(ItemSerializer, "The item stays verified meanwhile.")},
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Replay a verified item once more, for more evidence; it is charged to whoever asks."""
        with as_problems(), found_item():
            item = repeat_item(submission_id=submission_id, position=position, actor=request.user)  # type: ignore[arg-type] # as in submit
        serializer = ItemSerializer(item, context={"request": request})
        return Response(serializer.data, status=status.HTTP_202_ACCEPTED)


class RetryView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="retry_item",
        request=None,
        responses={202: OpenApiResponse(ItemSerializer, "The item is pending again.")},
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Replay an item once more that failed for a reason ``infra:…``. Anybody with a token may ask."""
        with as_problems(), found_item():
            item = retry(submission_id=submission_id, position=position, actor=request.user)  # type: ignore[arg-type] # as in submit
        serializer = ItemSerializer(item, context={"request": request})
        return Response(serializer.data, status=status.HTTP_202_ACCEPTED)


class EditedFieldSerializer(serializers.Serializer[Any]):
    """A field that was changed: a text, number or truth value before and after; null stands for no value."""

    field = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class EditSerializer(serializers.Serializer[SubmissionEdit]):
    """One edit of what an owner says about a submission."""

    at = serializers.DateTimeField()
    changes = Computed(EditedFieldSerializer(many=True), _edited)


class EditListView(generics.ListAPIView[SubmissionEdit]):
    serializer_class = EditSerializer
    cursor_ordering = ("-at", "-id")
    queryset = SubmissionEdit.objects.none()  # for the OpenAPI document

    def get_queryset(self) -> QuerySet[SubmissionEdit]:
        return submission_queries.list_edits(find_submission(self.kwargs["submission_id"]))

    @extend_schema(operation_id="edits")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """What its owner changed about a submission, newest first."""
        return super().get(request, *args, **kwargs)


class EditView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="edit", request={"application/json": EDIT.schema}, responses=SubmissionDetailSerializer
    )
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Change what one has told about a submission, or open its sequences. What was told stays public."""
        find_submission(submission_id)
        with as_problems():
            edit(submission_id=submission_id, actor=request.user, values=read_edit(request.data))  # type: ignore[arg-type] # as in submit
        return Response(serialized(submission_id, request))


_STEP = OpenApiParameter(
    "step", OpenApiTypes.STR, OpenApiParameter.PATH, description="The number of the step, from 1."
)


def _answered(answer: submission_steps.StudyAnswer, serializer: type[AnswerSerializer]) -> Response:
    """A worker still has to answer a question that waits."""
    code = status.HTTP_202_ACCEPTED if answer.waits else status.HTTP_200_OK
    return Response(serializer(answer).data, status=code)


def _refuse(item: SubmissionItem, why: str) -> None:
    if why:
        raise Conflict(why, field="item", value=str(item), remedy="Choose another item.")


class StepDifferenceView(APIView):
    @extend_schema(operation_id="step_difference", parameters=[_STEP], responses=StepDifferenceSerializer)
    def get(self, request: Request, submission_id: uuid.UUID, position: int, step: str) -> Response:
        """What a step of a verified item changes in the program's text, or how far the answer is."""
        item = find_item(submission_id, position)
        with as_problems():
            number = submission_steps.step_number(step, item)
            why = submission_steps.why_no_difference(item) or record_queries.why_closed(item, request.user)
            _refuse(item, why)
        return Response(StepDifferenceSerializer(submission_steps.difference_of(item, number)).data)

    @extend_schema(
        operation_id="ask_step_difference",
        parameters=[_STEP],
        request=None,
        responses={
            200: OpenApiResponse(StepDifferenceSerializer, "The answer was known."),
            202: OpenApiResponse(StepDifferenceSerializer, "A worker will answer."),
        },
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int, step: str) -> Response:
        """Have a worker find out what a step changes. The answer is for everybody, and kept for a while."""
        with as_problems(), found_item():
            item = submission_services.ask_difference(
                submission_id=submission_id,
                position=position,
                step=step,
                actor=request.user,  # type: ignore[arg-type] # the permission admits users only
            )
        number = submission_steps.step_number(step, item)
        return _answered(submission_steps.difference_of(item, number), StepDifferenceSerializer)


class MinimisedView(APIView):
    @extend_schema(operation_id="minimised", responses=MinimisedSerializer)
    def get(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Which actions of a verified item suffice, or how far the answer is."""
        item = find_item(submission_id, position)
        with as_problems():
            why = submission_steps.why_not_minimised(item) or record_queries.why_closed(item, request.user)
            _refuse(item, why)
        return Response(MinimisedSerializer(submission_steps.minimised_of(item)).data)

    @extend_schema(
        operation_id="ask_minimised",
        request=None,
        responses={
            200: OpenApiResponse(MinimisedSerializer, "The answer was known."),
            202: OpenApiResponse(MinimisedSerializer, "A worker will answer."),
        },
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Have a worker find out which actions suffice. Best results and records need not be asked for."""
        with as_problems(), found_item():
            item = submission_services.ask_minimised(
                submission_id=submission_id,
                position=position,
                actor=request.user,  # type: ignore[arg-type] # as above
            )
        return _answered(submission_steps.minimised_of(item), MinimisedSerializer)
