"""The API's answers about boards of portable entries and their entries."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard import selectors
from leaderboard.api.origins import absolute
from leaderboard.models import PortableBoard, PortableEntry
from optarena.documents import kinds


class PortableBoardSerializer(serializers.Serializer[PortableBoard]):
    """A board of portable entries.

    ``programs`` of ``dataset`` are drawn for each entry. Results are compared with ``baseline_level``.
    """

    slug = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    environment = serializers.CharField(source="environment_version.env_id")
    environment_digest = serializers.CharField(source="environment_version.digest")
    dataset = serializers.CharField()
    metric = serializers.CharField()
    baseline_level = serializers.CharField()
    programs = serializers.IntegerField()
    report_dataset = serializers.CharField(allow_blank=True)
    report_split = serializers.CharField(allow_blank=True)
    is_open = serializers.BooleanField()
    entries = serializers.IntegerField(source="number")
    page_url = serializers.SerializerMethodField()

    def get_page_url(self, board: PortableBoard) -> str:
        """The board's page."""
        return absolute(self, board.get_absolute_url())


class PortableBoardPageSerializer(serializers.Serializer[Any]):
    """The only page of boards of portable entries."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PortableBoardSerializer(many=True)


class PortableRowSerializer(serializers.Serializer[selectors.PortableRow]):
    """An entry on its board; ``why`` says why it has no rank."""

    rank = serializers.IntegerField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    entry = serializers.UUIDField(source="entry.pk")
    agent = serializers.CharField(source="entry.agent")
    owner = serializers.CharField(source="entry.owner.username")
    state = serializers.CharField(source="entry.state")
    sequences = serializers.IntegerField(source="entry.size")
    score = serializers.FloatField(source="entry.score", allow_null=True)
    report_score = serializers.FloatField(source="entry.report_score", allow_null=True)
    sealed_at = serializers.DateTimeField(source="entry.sealed_at")


class PortableBoardDetailSerializer(PortableBoardSerializer):
    """A board with its entries: ranked ones by score, then the others, newest first."""

    rows = serializers.SerializerMethodField()

    @extend_schema_field(PortableRowSerializer(many=True))
    def get_rows(self, board: PortableBoard) -> list[dict[str, Any]]:
        """The newest entries."""
        return PortableRowSerializer(selectors.portable_rows(board), many=True).data  # type: ignore[arg-type, return-value] # many


class PortableProgramSerializer(serializers.Serializer[Any]):
    """A program that an entry is applied to.

    It counts for the score if it was drawn, else for the report. ``value`` is the metric after the sequence
    number ``best``, from 0; if every sequence failed, ``best`` is null and ``value`` that of the program as
    given. Both are null until all replays have ended.
    """

    benchmark = serializers.CharField(source="benchmark_uri")
    is_drawn = serializers.BooleanField()
    reference = serializers.FloatField()
    unoptimised = serializers.FloatField()
    value = serializers.FloatField(allow_null=True)
    best = serializers.IntegerField(allow_null=True)
    ratio = serializers.FloatField(allow_null=True)


class PortableSequenceSerializer(serializers.Serializer[Any]):
    """One sequence of an entry.

    ``commandline`` is null where the environment has other actions today. Then ``names`` has the name of each
    action in the version of the entry, or its number where that is not known any more.
    """

    commandline = serializers.CharField(allow_null=True)
    actions = serializers.SerializerMethodField()
    names = serializers.ListField(child=serializers.CharField())

    @extend_schema_field(kinds.INTEGERS.schema)
    def get_actions(self, sequence: selectors.PortableSequence) -> list[Any]:
        """Members of the environment's first action space."""
        return list(sequence.actions)


class PortableEntrySerializer(serializers.Serializer[PortableEntry]):
    """A portable entry.

    Its programs are there once they have been drawn; ``sequences`` are null for others than the owner until
    the entry is published: all replays have ended, and none failed for the machines' sake.
    ``score_interval`` is the score's confidence interval over all programs that could have been drawn.
    ``content_sha256``, the hash from which the programs follow, is null as long as ``sequences`` are: short
    ones could be found by it. ``why`` says why it has no rank.
    """

    id = serializers.UUIDField()
    board = serializers.CharField(source="board.slug")
    agent = serializers.CharField()
    owner = serializers.CharField(source="owner.username")
    state = serializers.CharField(
        help_text="`sealed`, `replaying`, `ended`, `failed`: without a score; `quarantined`: it waits for a "
        "reviewer; `refused` by one; or `withdrawn`."
    )
    content_sha256 = serializers.SerializerMethodField()
    sealed_at = serializers.DateTimeField()
    drawn_at = serializers.DateTimeField(source="programs_drawn_at", allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    rank = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField()
    score = serializers.FloatField(allow_null=True)
    score_interval = serializers.SerializerMethodField()
    report_score = serializers.FloatField(allow_null=True)
    replays = serializers.SerializerMethodField()
    ended_replays = serializers.SerializerMethodField()
    unverified = serializers.IntegerField()
    sequences = serializers.SerializerMethodField()
    programs = PortableProgramSerializer(many=True)
    url = serializers.SerializerMethodField()
    page_url = serializers.SerializerMethodField()

    def to_representation(self, instance: PortableEntry) -> dict[str, Any]:
        """The entry, whose replays are counted once, and whose place is found once."""
        self.figures = selectors.portable_figures(instance)
        self.place = selectors.portable_place(instance)
        return super().to_representation(instance)

    def get_content_sha256(self, entry: PortableEntry) -> str | None:
        """The hash of the set of its sequences."""
        may_read = selectors.may_read_sequences(entry, self.context["request"].user.pk)
        return entry.content_sha256 if may_read else None

    def get_rank(self, entry: PortableEntry) -> int | None:  # noqa: ARG002 - the framework's signature
        """Its rank on its board; null without one."""
        return self.place.rank

    def get_why(self, entry: PortableEntry) -> str:  # noqa: ARG002 - as above
        """Why it has none; empty if it has one."""
        return self.place.why

    @extend_schema_field({"type": "array", "items": {"type": "number"}, "nullable": True})
    def get_score_interval(self, entry: PortableEntry) -> tuple[float, float] | None:
        """Its ends; null for one program."""
        return selectors.score_interval(entry)

    def get_replays(self, entry: PortableEntry) -> int:  # noqa: ARG002 - the framework's signature
        """How many replays there are."""
        return self.figures.replays

    def get_ended_replays(self, entry: PortableEntry) -> int:  # noqa: ARG002 - as above
        """How many of them have ended."""
        return self.figures.ended

    @extend_schema_field(PortableSequenceSerializer(many=True, allow_null=True))
    def get_sequences(self, entry: PortableEntry) -> Any:  # noqa: ANN401 - what a serializer gives
        """The sequences."""
        if not selectors.may_read_sequences(entry, self.context["request"].user.pk):
            return None
        found = selectors.portable_sequences(entry)
        return PortableSequenceSerializer(found, many=True).data

    def get_url(self, entry: PortableEntry) -> str:
        """Its address."""
        return absolute(self, reverse("leaderboard-api:portable-entry", args=[entry.pk]))

    def get_page_url(self, entry: PortableEntry) -> str:
        """Its page."""
        return absolute(self, entry.get_absolute_url())
