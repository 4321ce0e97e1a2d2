"""How the REST API describes the queue: runners, their machines, and what waits for them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


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
