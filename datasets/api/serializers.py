"""Datasets and benchmarks as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from datasets import selectors
from datasets.models import Benchmark, DatasetVersion

if TYPE_CHECKING:
    from optarena.datasets import Benchmark as MemberBenchmark


class ParameterSerializer(serializers.Serializer[Any]):
    """The range of a parametric dataset or benchmark, both ends included."""

    min = serializers.IntegerField(source="parameter_min")
    max = serializers.IntegerField(source="parameter_max")


class DatasetSerializer(serializers.Serializer[DatasetVersion]):
    """A dataset version in a list."""

    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    licence = serializers.CharField(help_text="Licence of the dataset's own content")
    licences = serializers.SerializerMethodField()
    frozen = serializers.BooleanField()
    kind = serializers.ChoiceField(choices=Benchmark.Kind.choices)
    parameter = serializers.SerializerMethodField()
    benchmark_count = serializers.IntegerField(
        source="member_count", help_text="Number of benchmarks, members of a range included"
    )
    size_bytes = serializers.SerializerMethodField()
    released = serializers.DateField(
        allow_null=True, help_text="The day since which it is frozen, if it is known"
    )
    deprecated = serializers.CharField(
        source="deprecation", help_text="Why it should not be used any more, and its replacement; or empty"
    )
    manifest_sha256 = serializers.CharField()
    url = serializers.HyperlinkedIdentityField(
        view_name="api-dataset", lookup_field="name", lookup_url_kwarg="name"
    )
    benchmarks_url = serializers.HyperlinkedIdentityField(
        view_name="api-benchmarks", lookup_field="name", lookup_url_kwarg="name"
    )
    manifest_url = serializers.HyperlinkedIdentityField(
        view_name="api-manifest", lookup_field="name", lookup_url_kwarg="name"
    )
    archive_url = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_licences(self, version: DatasetVersion) -> list[str]:
        """The licences of the programs, sorted; of programs that are computed, that of the dataset."""
        counts: dict[str, int] | None = version.licence_counts  # type: ignore[attr-defined] # annotated
        return sorted(counts or {version.licence: 1})

    @extend_schema_field(ParameterSerializer(allow_null=True))
    def get_parameter(self, version: DatasetVersion) -> dict[str, Any] | None:
        """The range, for parametric datasets only."""
        return _range(version) if _is_range(version) else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_size_bytes(self, version: DatasetVersion) -> int | None:
        """Bytes of all programs; null where they are computed."""
        return None if _is_range(version) else version.size_bytes

    def get_archive_url(self, version: DatasetVersion) -> str | None:
        """The address of the whole dataset in one file; null for a range, whose members are computed."""
        if version.archive_blob_id is None:
            return None
        kwargs = {"name": version.name}
        return str(reverse("api-archive", kwargs=kwargs, request=self.context.get("request")))


class ChangeSerializer(serializers.Serializer[Any]):
    """One entry of a changelog."""

    version = serializers.CharField()
    date = serializers.CharField()
    text = serializers.CharField()


class DatasetDetailSerializer(DatasetSerializer):
    """A dataset version with its provenance."""

    sha256 = serializers.SerializerMethodField()
    toolchain = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    successor = serializers.CharField(help_text="The dataset to use instead of a deprecated one, or empty")
    upstream = serializers.SerializerMethodField()
    changelog = serializers.SerializerMethodField()
    statistics = serializers.SerializerMethodField()

    def get_upstream(self, version: DatasetVersion) -> str:
        """The dataset's home page, or empty."""
        return str(version.manifest.get("upstream", ""))

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changelog(self, version: DatasetVersion) -> list[dict[str, str]]:
        """The changes of each version."""
        changelog: list[dict[str, str]] = version.manifest.get("changelog", [])
        return changelog

    @extend_schema_field({"type": "object", "additionalProperties": {}})
    def get_statistics(self, version: DatasetVersion) -> dict[str, Any]:
        """Counts by domain, language, licence, split and package, and the distribution of baselines."""
        statistics: dict[str, Any] = version.statistics
        return statistics

    def get_sha256(self, version: DatasetVersion) -> str:
        """Hash over the programs' canonical texts."""
        return str(version.manifest.get("sha256", ""))

    @extend_schema_field({"type": "object", "additionalProperties": {}})
    def get_toolchain(self, version: DatasetVersion) -> dict[str, Any]:
        """Compiler, its version and flags."""
        toolchain: dict[str, Any] = version.manifest.get("toolchain", {})
        return toolchain


class WorkloadSerializer(serializers.Serializer[Any]):
    """One run of the program and its expected output."""

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
    split = serializers.CharField(help_text="`train`, `validation` or `test`; empty where there is no split")
    tags = serializers.ListField(child=serializers.CharField())
    sha256 = serializers.CharField(
        allow_null=True,
        help_text="Hash of the program; for a range, of its URI and ends; null for a generated member",
    )
    size_bytes = serializers.SerializerMethodField()
    run_seconds = serializers.FloatField(allow_null=True)
    parameter = serializers.SerializerMethodField()
    baselines = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    bitcode_url = serializers.SerializerMethodField()

    @extend_schema_field(ParameterSerializer(allow_null=True))
    def get_parameter(self, benchmark: Benchmark) -> dict[str, Any] | None:
        """The range, for parametric benchmarks only."""
        return _range(benchmark) if _is_range(benchmark) else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_size_bytes(self, benchmark: Benchmark) -> int | None:
        """Bytes of the program; null for a range."""
        return None if _is_range(benchmark) else benchmark.size_bytes

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
        return self._address("api-benchmark", benchmark.version.name, benchmark.name)

    def get_bitcode_url(self, benchmark: Benchmark) -> str | None:
        """The address of the program's bytes; null for a range, whose members are computed."""
        if benchmark.blob_id is None:
            return None
        return self._address("api-bitcode", benchmark.version.name, benchmark.name)

    def _address(self, view: str, dataset: str, path: str) -> str:
        kwargs = {"name": dataset, "path": path}
        return str(reverse(view, kwargs=kwargs, request=self.context.get("request")))


class BenchmarkDetailSerializer(BenchmarkSerializer):
    """A benchmark with its workloads and source."""

    description = serializers.CharField()
    source = serializers.JSONField()  # type: ignore[assignment] # a field may be called source
    workloads = WorkloadSerializer(
        many=True, allow_null=True, help_text="Null for a generated member, and for a range of these"
    )

    def to_representation(self, instance: Benchmark) -> dict[str, Any]:
        """The row; for a member of a range, with the member's own values."""
        shown: dict[str, Any] = super().to_representation(instance)
        # Nothing is generated for a request: what depends on the program is unknown for such a member.
        if instance.is_generated:
            shown["workloads"] = None
        member: MemberBenchmark | None = self.context.get("member")
        if member is not None:
            shown |= {"uri": member.uri, "name": member.name, "title": member.title, "source": member.source}
            shown |= {"sha256": member.sha256 or None, "size_bytes": member.size_bytes or None}
            shown["url"] = self._address("api-benchmark", instance.version.name, member.name)
        return shown


def _is_range(described: DatasetVersion | Benchmark) -> bool:
    return described.kind == Benchmark.Kind.PARAMETRIC


def _range(described: DatasetVersion | Benchmark) -> dict[str, Any]:
    return dict(ParameterSerializer(described).data)
