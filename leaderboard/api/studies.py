"""Thin views of what workers find out about an item: what a step changes, and which actions suffice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api.errors import as_problems
from leaderboard.api.study_serializers import (
    AnswerSerializer,
    MinimisedSerializer,
    StepDifferenceSerializer,
)
from leaderboard.api.submissions import find_item, found_item
from leaderboard.services import studies
from leaderboard.services.submissions import Conflict

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

    from leaderboard.models import SubmissionItem

_STEP = OpenApiParameter(
    "step", OpenApiTypes.STR, OpenApiParameter.PATH, description="The number of the step, from 1."
)


def _answered(answer: selectors.StudyAnswer, serializer: type[AnswerSerializer]) -> Response:
    """A worker still has to answer a question that waits."""
    code = status.HTTP_202_ACCEPTED if answer.waits else status.HTTP_200_OK
    return Response(serializer(answer).data, status=code)


def _refuse(item: SubmissionItem, why: str) -> None:
    if why:
        raise Conflict(why, field="item", value=str(item), remedy="Choose another item.")


class StepDifferenceView(APIView):
    """What a step changes."""

    @extend_schema(
        operation_id="step_difference",
        tags=["submissions"],
        parameters=[_STEP],
        responses=StepDifferenceSerializer,
    )
    def get(self, request: Request, submission_id: uuid.UUID, position: int, step: str) -> Response:  # noqa: ARG002 - the framework's signature
        """What a step of a verified item changes in the program's text, or how far the answer is."""
        item = find_item(submission_id, position)
        with as_problems():
            number = selectors.step_number(step, item)
            _refuse(item, selectors.why_no_difference(item))
        return Response(StepDifferenceSerializer(selectors.difference_of(item, number)).data)

    @extend_schema(
        operation_id="ask_step_difference",
        tags=["submissions"],
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
            item = studies.ask_difference(
                submission_id=submission_id,
                position=position,
                step=step,
                actor=request.user,  # type: ignore[arg-type] # the permission admits users only
            )
        number = selectors.step_number(step, item)
        return _answered(selectors.difference_of(item, number), StepDifferenceSerializer)


class MinimisedView(APIView):
    """Which actions suffice."""

    @extend_schema(operation_id="minimised", tags=["submissions"], responses=MinimisedSerializer)
    def get(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:  # noqa: ARG002 - as above
        """Which actions of a verified item suffice, or how far the answer is."""
        item = find_item(submission_id, position)
        with as_problems():
            _refuse(item, selectors.why_not_minimised(item))
        return Response(MinimisedSerializer(selectors.minimised_of(item)).data)

    @extend_schema(
        operation_id="ask_minimised",
        tags=["submissions"],
        request=None,
        responses={
            200: OpenApiResponse(MinimisedSerializer, "The answer was known."),
            202: OpenApiResponse(MinimisedSerializer, "A worker will answer."),
        },
    )
    def post(self, request: Request, submission_id: uuid.UUID, position: int) -> Response:
        """Have a worker find out which actions suffice. Best results and records need not be asked for."""
        with as_problems(), found_item():
            item = studies.ask_minimised(
                submission_id=submission_id,
                position=position,
                actor=request.user,  # type: ignore[arg-type] # as above
            )
        return _answered(selectors.minimised_of(item), MinimisedSerializer)
