"""Thin views of submissions and their items."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import generics, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.accounts.throttles import CheckThrottle
from leaderboard.api import examples, item_serializers, serializers
from leaderboard.api.errors import as_problems
from leaderboard.api.parsers import RawCsv, RawJson
from leaderboard.common.queries import refused
from leaderboard.models import Submission, SubmissionItem
from leaderboard.services import intake, quotas
from leaderboard.services.intake import Incoming
from leaderboard.services.reopening import retry
from leaderboard.services.repetitions import ask_again
from leaderboard.services.submissions import new_seconds, withdraw
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from django.contrib.auth.models import User
    from django.db.models import QuerySet
    from rest_framework.request import Request


_UNKNOWN: Final = "There is no such submission; see /api/v1/submissions/."
_NO_ITEM: Final = "This submission has no such item."


def incoming(request: Request) -> Incoming:
    """The submission that a request carries.

    Raises:
        InvalidDocument: It is JSON, and the address has parameters: its fields are in its body.
    """
    is_csv = (request.content_type or "").split(";")[0].strip().lower() == "text/csv"
    format_: Literal["json", "csv"] = "csv" if is_csv else "json"
    known = tuple(request.query_params) if is_csv else ()  # reading reports the others with all problems
    if problems := refused(request.query_params, known):
        raise InvalidDocument(problems)
    about = {name: str(value) for name, value in request.query_params.items()}
    body = request.data
    return Incoming(body=body if isinstance(body, bytes) else b"", format=format_, about=about)


def find_submission(submission_id: uuid.UUID, *, largest: bool = False) -> Submission:
    """The submission with the id of an address, on request with what ``largest_ratio`` needs.

    Raises:
        Http404: There is none.
    """
    submission = selectors.get_submission(submission_id, largest=largest)
    if submission is None:
        raise Http404(_UNKNOWN)
    return submission


def find_item(submission_id: uuid.UUID, position: int) -> SubmissionItem:
    """The item of an address.

    Raises:
        Http404: There is none.
    """
    item = selectors.item(find_submission(submission_id), position)
    if item is None:
        raise Http404(_NO_ITEM)
    return item


def serialized(submission_id: uuid.UUID, request: Request) -> dict[str, Any]:
    """The submission with the id of an address, as the API describes it.

    Raises:
        Http404: There is none.
    """
    [submission] = selectors.add_figures([find_submission(submission_id, largest=True)])
    found = serializers.SubmissionDetailSerializer(submission, context={"request": request})
    data: dict[str, Any] = found.data
    return data


@contextmanager
def _found() -> Iterator[None]:
    """Turn a service's missing submission into a 404 answer."""
    try:
        yield
    except Submission.DoesNotExist as error:
        raise Http404(_UNKNOWN) from error


@contextmanager
def found_item() -> Iterator[None]:
    """Turn a service's missing item into a 404 answer."""
    try:
        yield
    except SubmissionItem.DoesNotExist as error:
        raise Http404(_NO_ITEM) from error


class SubmissionListView(generics.ListAPIView[Submission]):
    """The list of submissions, and submitting."""

    serializer_class = serializers.SubmissionSerializer
    parser_classes = (RawJson, RawCsv)
    cursor_ordering = ("-created", "id")
    query_parameters = ("board", "owner", "agent")
    free_queries = ("POST",)  # of a CSV body they are fields, which are checked with it

    def get_queryset(self) -> QuerySet[Submission]:
        """Newest first.

        Raises:
            InvalidDocument: The board or the owner does not exist.
        """
        asked = self.request.query_params
        if problems := selectors.unknown_filters(board=asked.get("board"), owner=asked.get("owner")):
            raise InvalidDocument(problems)
        return selectors.list_submissions(
            board=asked.get("board", ""), owner=asked.get("owner", ""), agent=asked.get("agent", "")
        )

    def paginate_queryset(self, queryset: QuerySet[Submission]) -> list[Any] | None:  # type: ignore[override] # no other rows
        """A page of submissions with their figures."""
        page = super().paginate_queryset(queryset)
        return page and list(selectors.add_figures(page))

    @extend_schema(
        operation_id="submissions",
        tags=["submissions"],
        parameters=[
            OpenApiParameter("board", OpenApiTypes.STR),
            OpenApiParameter("owner", OpenApiTypes.STR),
            OpenApiParameter("agent", OpenApiTypes.STR, description="Part of the agent's name."),
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """Submissions, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="submit",
        tags=["submissions"],
        parameters=[examples.KEY_PARAMETER, *examples.CSV_PARAMETERS, *examples.QUOTA_HEADERS],
        request=examples.REQUEST,
        responses={
            202: OpenApiResponse(
                serializers.SubmissionDetailSerializer,
                "The submission was stored and its replays were requested.",
            ),
            200: OpenApiResponse(
                serializers.SubmissionDetailSerializer, "The same request was stored before."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Submit. All problems are reported at once, and nothing is stored if there is one.

        A submission over the owner's quota is refused with status 429; Retry-After says when to try again.
        """
        owner: User = request.user  # type: ignore[assignment] # the permission admits users only
        with as_problems():
            submission, created = intake.receive(
                owner=owner,
                incoming=incoming(request),
                key=request.headers.get("Idempotency-Key"),
            )
        location = request.build_absolute_uri(reverse("leaderboard-api:submission", args=[submission.pk]))
        code = status.HTTP_202_ACCEPTED if created else status.HTTP_200_OK
        headers = {"Location": location, **quotas.headers(owner)}
        return Response(serialized(submission.pk, request), status=code, headers=headers)


class ValidateView(APIView):
    """The check of a submission."""

    permission_classes = (IsAuthenticated,)
    throttle_classes = (CheckThrottle,)
    parser_classes = (RawJson, RawCsv)
    free_queries = ("POST",)

    @extend_schema(
        operation_id="validate_submission",
        tags=["submissions"],
        parameters=list(examples.CSV_PARAMETERS),
        request=examples.REQUEST,
        responses=serializers.CheckedSerializer,
    )
    def post(self, request: Request) -> Response:
        """Check a submission completely without storing it, and tell when its replays would probably end."""
        with as_problems():
            draft = intake.check(incoming=incoming(request))
        wait = selectors.wait_of_new(
            user_id=request.user.pk,  # type: ignore[arg-type] # logged in
            board=draft.board,
            seconds=new_seconds(request.user, draft),  # type: ignore[arg-type] # logged in
        )
        found = {"board": draft.board.slug, "items": len(draft.items), "wait": wait}
        return Response(serializers.CheckedSerializer(found).data)


class SubmissionView(APIView):
    """One submission."""

    @extend_schema(
        operation_id="submission", tags=["submissions"], responses=serializers.SubmissionDetailSerializer
    )
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """A submission: its state, progress, score and rank."""
        return Response(serialized(submission_id, request))


class WithdrawView(APIView):
    """Withdrawal of a submission."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="withdraw",
        tags=["submissions"],
        request=None,
        responses=serializers.SubmissionDetailSerializer,
    )
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Withdraw one's own submission. It stays without a rank; replays that nobody else needs stop."""
        with as_problems(), _found():
            withdraw(submission_id=submission_id, actor=request.user)  # type: ignore[arg-type] # as in submit
        return Response(serialized(submission_id, request))


@extend_schema_view(get=extend_schema(operation_id="items", tags=["submissions"]))
class ItemListView(generics.ListAPIView[SubmissionItem]):
    """The items of a submission."""

    serializer_class = item_serializers.ItemSerializer
    cursor_ordering = "position"

    def get_queryset(self) -> QuerySet[SubmissionItem]:
        """In the order in which they were sent."""
        if getattr(self, "swagger_fake_view", False):
            return SubmissionItem.objects.none()
        return selectors.items(find_submission(self.kwargs["submission_id"]))

    def paginate_queryset(self, queryset: QuerySet[SubmissionItem]) -> list[Any] | None:  # type: ignore[override] # no other rows
        """A page of items with who found them first."""
        page = super().paginate_queryset(queryset)
        return page and list(selectors.add_finds(page))


class ItemView(APIView):
    """One item."""

    @extend_schema(operation_id="item", tags=["submissions"], responses=item_serializers.ItemDetailSerializer)
    def get(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """An item with its trace: everything that `optarena replay` needs to repeat it."""
        item = find_item(submission_id, position)
        serializer = item_serializers.ItemDetailSerializer(item, context={"request": request})
        return Response(serializer.data)


class RepeatView(APIView):
    """Another replay of a verified item."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="repeat_item",
        tags=["submissions"],
        request=None,
        responses={
            202: OpenApiResponse(item_serializers.ItemSerializer, "The item stays verified meanwhile.")
        },
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Replay a verified item once more, for more evidence; it is charged to whoever asks."""
        with as_problems(), found_item():
            item = ask_again(submission_id=submission_id, position=position, actor=request.user)  # type: ignore[arg-type] # as in submit
        serializer = item_serializers.ItemSerializer(item, context={"request": request})
        return Response(serializer.data, status=status.HTTP_202_ACCEPTED)


class RetryView(APIView):
    """Another replay of an item that failed because of the infrastructure."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="retry_item",
        tags=["submissions"],
        request=None,
        responses={202: OpenApiResponse(item_serializers.ItemSerializer, "The item is pending again.")},
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Replay an item once more that failed for a reason ``infra:…``. Anybody with a token may ask."""
        with as_problems(), found_item():
            item = retry(submission_id=submission_id, position=position, actor=request.user)  # type: ignore[arg-type] # as in submit
        serializer = item_serializers.ItemSerializer(item, context={"request": request})
        return Response(serializer.data, status=status.HTTP_202_ACCEPTED)
