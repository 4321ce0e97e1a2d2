"""The API's answers about what workers find out about items."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard import selectors
from optarena.documents import kinds
from runner.models import StudyState

_STATES: Final = [selectors.NOT_ASKED, *StudyState.values]


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
    actions = serializers.SerializerMethodField()
    commandline = serializers.CharField(allow_null=True)
    minimal = serializers.BooleanField()
    trials = serializers.IntegerField()

    @extend_schema_field(kinds.INTEGERS.schema)
    def get_actions(self, found: selectors.MinimisedSequence) -> list[Any]:
        """Members of the item's action space: numbers, or lists of numbers."""
        return list(found.actions)


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
