"""How datasets and benchmarks look as JSON."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from datasets import selectors
from datasets.models import Benchmark, DatasetVersion


class DatasetSerializer(serializers.Serializer[DatasetVersion]):
    """A dataset version in a list."""

    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    licence = serializers.CharField()
    frozen = serializers.BooleanField()
    benchmark_count = serializers.IntegerField()
    size_bytes = serializers.IntegerField()
    manifest_sha256 = serializers.CharField()
    url = serializers.HyperlinkedIdentityField(
        view_name="api-dataset", lookup_field="name", lookup_url_kwarg="name"
    )
    benchmarks_url = serializers.HyperlinkedIdentityField(
        view_name="api-benchmarks", lookup_field="name", lookup_url_kwarg="name"
    )


class DatasetDetailSerializer(DatasetSerializer):
    """A dataset version with what made it."""

    sha256 = serializers.SerializerMethodField()
    toolchain = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    def get_sha256(self, version: DatasetVersion) -> str:
        """Hash over the programs' canonical texts."""
        return str(version.manifest.get("sha256", ""))

    @extend_schema_field({"type": "object", "additionalProperties": {}})
    def get_toolchain(self, version: DatasetVersion) -> dict[str, Any]:
        """Compiler, its version and flags."""
        toolchain: dict[str, Any] = version.manifest.get("toolchain", {})
        return toolchain


class ParameterSerializer(serializers.Serializer[Any]):
    """The range of a parametric benchmark, both ends included."""

    min = serializers.IntegerField(source="parameter_min")
    max = serializers.IntegerField(source="parameter_max")


class WorkloadSerializer(serializers.Serializer[Any]):
    """One run of the program and what it must print."""

    name = serializers.CharField()
    args = serializers.ListField(child=serializers.CharField())
    stdin = serializers.CharField()
    expected_stdout = serializers.CharField()
    exit_code = serializers.IntegerField()


class BenchmarkSerializer(serializers.Serializer[Benchmark]):
    """A benchmark in a list."""

    uri = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    domain = serializers.CharField()
    language = serializers.CharField()
    licence = serializers.CharField()
    kind = serializers.ChoiceField(choices=Benchmark.Kind.choices)
    sha256 = serializers.CharField()
    size_bytes = serializers.IntegerField()
    run_seconds = serializers.FloatField(allow_null=True)
    parameter = serializers.SerializerMethodField()
    baselines = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    bitcode_url = serializers.SerializerMethodField()

    @extend_schema_field(ParameterSerializer(allow_null=True))
    def get_parameter(self, benchmark: Benchmark) -> dict[str, Any] | None:
        """The range, for parametric benchmarks only."""
        if benchmark.kind != Benchmark.Kind.PARAMETRIC:
            return None
        return {"min": benchmark.parameter_min, "max": benchmark.parameter_max}

    @extend_schema_field(
        {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "number"}},
        }
    )
    def get_baselines(self, benchmark: Benchmark) -> dict[str, dict[str, float]]:
        """Value by level by metric."""
        return selectors.baselines_of(benchmark)

    def get_url(self, benchmark: Benchmark) -> str:
        """This benchmark's address in the API."""
        return self._address("api-benchmark", benchmark)

    def get_bitcode_url(self, benchmark: Benchmark) -> str | None:
        """Where the program's bytes can be had; nowhere for a range, whose members are computed."""
        return None if benchmark.blob_id is None else self._address("api-bitcode", benchmark)

    def _address(self, view: str, benchmark: Benchmark) -> str:
        kwargs = {"name": benchmark.version.name, "path": benchmark.name}
        return str(reverse(view, kwargs=kwargs, request=self.context.get("request")))


class BenchmarkDetailSerializer(BenchmarkSerializer):
    """A benchmark with its workloads and source."""

    description = serializers.CharField()
    source = serializers.JSONField()  # type: ignore[assignment] # a field may be called source
    workloads = WorkloadSerializer(many=True)
