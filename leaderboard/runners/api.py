"""The API of runners, and the fields that describe a place in the queue."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.runners import queries as runner_queries


class MachineSerializer(serializers.Serializer[Any]):
    """A runner's machine, and the versions of the software that its results depend on."""

    machine = serializers.DictField()
    versions = serializers.DictField(child=serializers.CharField())


class RunnerSerializer(MachineSerializer):
    """A live runner. It takes no work from ``paused_at`` until it has tested itself again."""

    id = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField()
    paused_at = serializers.DateTimeField(allow_null=True)
    pause_reason = serializers.CharField(allow_blank=True)


class UnknownWorkSerializer(serializers.Serializer[Any]):
    """The replays that wait for a version of an environment that no live runner has."""

    environment = serializers.CharField()
    digest = serializers.CharField()
    queued = serializers.IntegerField()


class HardwareClassSerializer(serializers.Serializer[Any]):
    """The load of one hardware class. It is ``stuck`` if work waits and no runner takes it.

    The live runners do ``processes`` replays at once. ``expected_seconds`` says when what waits now has
    probably ended; it is null if nothing waits or no runner is live.
    """

    name = serializers.CharField()
    waiting = serializers.IntegerField()
    running = serializers.IntegerField()
    owners = serializers.IntegerField()
    processes = serializers.IntegerField()
    expected_seconds = serializers.FloatField(allow_null=True)
    runners = RunnerSerializer(many=True)
    stuck = serializers.BooleanField()
    unknown_versions = UnknownWorkSerializer(many=True)
    last_seen_at = serializers.DateTimeField(allow_null=True)


class QueueSerializer(serializers.Serializer[Any]):
    """The queue of replays."""

    hardware_classes = HardwareClassSerializer(many=True)
    oldest_waiting_since = serializers.DateTimeField(allow_null=True)


class KnownRunnerSerializer(RunnerSerializer):
    """A runner that was seen in the last 30 days.

    Its ``state`` is live, paused, stopped (by its operator) or lost (it reports no more). ``confinement`` is
    what confined one of its replays; empty before the first. ``drift`` says how its machine had changed at
    the last calibration; empty if it had not.
    """

    hardware_class = serializers.CharField()
    processes = serializers.IntegerField()
    state = serializers.CharField()
    stopped_at = serializers.DateTimeField(allow_null=True)
    confinement = serializers.CharField(allow_blank=True)
    calibrated_at = serializers.DateTimeField(allow_null=True)
    drift = serializers.CharField(allow_blank=True)


class RunnerPageSerializer(serializers.Serializer[Any]):
    """All runners, on one page."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = KnownRunnerSerializer(many=True)


class SelfTestCheckSerializer(serializers.Serializer[Any]):
    """One check of a runner's test of itself."""

    name = serializers.CharField()
    ok = serializers.BooleanField()
    seconds = serializers.FloatField(allow_null=True)


class SelfTestSerializer(serializers.Serializer[Any]):
    """A runner's last test of itself."""

    passed = serializers.BooleanField()
    at = serializers.DateTimeField(allow_null=True)
    checks = SelfTestCheckSerializer(many=True)


class CalibrationEntrySerializer(serializers.Serializer[Any]):
    """One workload: the least of its readings, and by which part their median is above."""

    name = serializers.CharField()
    seconds = serializers.FloatField()
    spread = serializers.FloatField()


class CalibrationSerializer(serializers.Serializer[Any]):
    """One calibration.

    ``begins`` says why a new history begins with it; times of two histories are not compared.
    """

    at = serializers.DateTimeField()
    version = serializers.CharField()
    entries = CalibrationEntrySerializer(many=True)
    load = serializers.FloatField(allow_null=True)
    tries = serializers.IntegerField()
    drift = serializers.CharField(allow_blank=True)
    begins = serializers.CharField(allow_blank=True)


class RunnerDetailSerializer(KnownRunnerSerializer):
    """A runner with its test of itself and its latest calibrations, the latest first."""

    self_test = SelfTestSerializer(allow_null=True)
    calibrations = CalibrationSerializer(many=True)


class RunnerListView(APIView):
    @extend_schema(operation_id="runners", responses=RunnerPageSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the framework's signature
        """Every runner that was seen in the last 30 days, on one page."""
        page = {"next": None, "previous": None, "results": runner_queries.known_runners()}
        return Response(RunnerPageSerializer(page).data)


class RunnerView(APIView):
    @extend_schema(operation_id="runner", responses=RunnerDetailSerializer)
    def get(self, request: Request, runner_id: int) -> Response:  # noqa: ARG002 - as above
        """A runner with its test of itself and its latest 90 calibrations."""
        found = runner_queries.known_runner(runner_id)
        if found is None:
            raise Http404(f"There is no runner {runner_id}; see /api/v1/runners/.")
        return Response(RunnerDetailSerializer(found).data)
