"""Thin view of what owners say about their submissions: changing it, and what it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard import selectors
from leaderboard.api.errors import as_problems
from leaderboard.api.serializers import SubmissionDetailSerializer
from leaderboard.api.submissions import find_submission, serialized
from leaderboard.models import SubmissionEdit
from leaderboard.services.edits import EDIT, edit, read_edit

if TYPE_CHECKING:
    import uuid

    from django.db.models import QuerySet
    from rest_framework.request import Request


class EditedFieldSerializer(serializers.Serializer[Any]):
    """A field that was changed: a text, number or truth value before and after; null stands for no value."""

    field = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class EditSerializer(serializers.Serializer[SubmissionEdit]):
    """One edit of what an owner says about a submission."""

    at = serializers.DateTimeField()
    changes = serializers.SerializerMethodField()

    @extend_schema_field(EditedFieldSerializer(many=True))
    def get_changes(self, edit: SubmissionEdit) -> list[dict[str, Any]]:
        """What was changed."""
        return [
            {"field": name, "before": before, "after": after}
            for name, (before, after) in edit.changes.items()
        ]


class EditListView(generics.ListAPIView[SubmissionEdit]):
    """The edits of a submission."""

    serializer_class = EditSerializer
    cursor_ordering = ("-at", "-id")

    def get_queryset(self) -> QuerySet[SubmissionEdit]:
        """Newest first."""
        if getattr(self, "swagger_fake_view", False):
            return SubmissionEdit.objects.none()
        return selectors.list_edits(find_submission(self.kwargs["submission_id"]))

    @extend_schema(operation_id="edits", tags=["submissions"])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - inherited
        """What its owner changed about a submission, newest first."""
        return super().get(request, *args, **kwargs)


class EditView(APIView):
    """Editing of a submission."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="edit",
        tags=["submissions"],
        request={"application/json": EDIT.schema},
        responses=SubmissionDetailSerializer,
    )
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Change description, link or effort of one's own submission. What it was before stays public."""
        find_submission(submission_id)
        with as_problems():
            edit(submission_id=submission_id, actor=request.user, values=read_edit(request.data))  # type: ignore[arg-type] # as in submit
        return Response(serialized(submission_id, request))
