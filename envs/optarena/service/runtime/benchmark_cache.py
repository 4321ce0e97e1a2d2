"""The cache of parsed benchmarks, by the path that CompilerGym's documents give."""

from optarena.service.session_process.benchmarks import BenchmarkCache

__all__ = ["BenchmarkCache"]
