"""The API's answers about the rows of a board, and about its benchmarks."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from leaderboard import selectors
from leaderboard.api.origins import absolute
from leaderboard.api.serializers import EffortSerializer
from leaderboard.common.addresses import item_address
from leaderboard.models import EntryFigures, Standing
from leaderboard.selectors import BoardCell, BoardProgram, ReferenceRow, VirtualBest


class StandingSerializer(serializers.Serializer[EntryFigures]):
    """A row of a board. ``rank`` is null where the row is listed without one.

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
    best_of_agent = serializers.BooleanField()
    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    score = serializers.FloatField(allow_null=True)
    score_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
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
    unranked = serializers.SerializerMethodField()
    gap = serializers.SerializerMethodField()
    contribution = serializers.SerializerMethodField()

    def get_gap(self, standing: EntryFigures) -> float | None:
        """The share by which its score is below that of the virtual best, 0 or negative."""
        best: VirtualBest | None = self.context["virtual_best"]
        return None if best is None else best.gap(standing.score)

    def get_contribution(self, standing: EntryFigures) -> float | None:
        """The share by which the virtual best would be lower without its finds."""
        best: VirtualBest | None = self.context["virtual_best"]
        return None if best is None else best.contribution(standing.submission_id)

    def get_unranked(self, standing: EntryFigures) -> str:
        """Why it has no rank; empty if it has one."""
        return selectors.why_without_rank(standing, self.context["board"])


class ReferenceSerializer(serializers.Serializer[Any]):
    """One of the compiler's own levels, or the best entry of a board that decides less finely; never ranked.

    ``level`` is empty for an entry; ``board`` and ``page_url`` are empty for a level.
    """

    label = serializers.CharField()  # type: ignore[assignment] # a field of the answer, not of the serializer
    level = serializers.CharField(allow_blank=True)
    score = serializers.FloatField()
    mean_improvement = serializers.FloatField()
    board = serializers.CharField(allow_blank=True)
    page_url = serializers.SerializerMethodField()

    def get_page_url(self, reference: ReferenceRow) -> str:
        """The page of the entry."""
        return absolute(self, reference.page) if reference.page else ""


class PendingEntrySerializer(serializers.Serializer[Standing]):
    """An entry that is being verified; it has no score until all of its replays have ended."""

    submission = serializers.UUIDField(source="submission_id")
    agent = serializers.CharField(source="submission.agent")
    owner = serializers.CharField(source="submission.owner.username")
    verified = serializers.IntegerField()
    pending = serializers.IntegerField()
    total = serializers.IntegerField()
    created = serializers.DateTimeField(source="submission.created")
    unranked = serializers.SerializerMethodField()

    def get_unranked(self, standing: Standing) -> str:
        """Why it has no rank."""
        return selectors.why_without_rank(standing, self.context["board"])


class VirtualBestSerializer(serializers.Serializer[Any]):
    """The best verified value of each benchmark, whoever found it, scored like an entry."""

    score = serializers.FloatField()
    verified = serializers.IntegerField()
    total = serializers.IntegerField()


class StandingsPageSerializer(serializers.Serializer[Any]):
    """A page of a board's rows, and what they compare with.

    On a ``provisional`` board no row has a rank; rows are in the order of their scores. Entries that are
    being verified are not among the rows: ``pending`` has the newest, and ``pending_count`` counts all; the
    filters hold for them too. With
    ``as_of`` there are neither these nor references nor a ``virtual_best``, and ``bibtex`` cites the
    standings of that moment.
    """

    provisional = serializers.BooleanField()
    provisional_notice = serializers.CharField(allow_blank=True)
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

    ``contribution`` is the share by which the ratio would be lower without this find and its copies.
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
    page_url = serializers.SerializerMethodField()

    def get_page_url(self, cell: BoardCell) -> str:
        """The item's page; empty where there is no item."""
        if cell.item is None:
            return ""
        return absolute(self, item_address("leaderboard:item", cell.item.submission_id, cell.item.position))


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
