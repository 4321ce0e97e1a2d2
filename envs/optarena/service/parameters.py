"""The session parameters that every service knows, whatever its compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.service.runtime.benchmark_cache import BenchmarkCache

_PREFIX: Final = "service.benchmark_cache."


def handle_cache_parameter(cache: BenchmarkCache, key: str, value: str) -> str | None:
    """Query the benchmark cache or set its limit.

    Returns:
        The number asked for or set, as text; None if the parameter is not one of the cache's.

    Raises:
        ValueError: The value is no number of bytes.
    """
    if key == f"{_PREFIX}set_max_size_in_bytes":
        cache.max_size_in_bytes = _number(key, value)
        return str(cache.max_size_in_bytes)
    if key == f"{_PREFIX}get_max_size_in_bytes":
        return str(cache.max_size_in_bytes)
    if key == f"{_PREFIX}get_size_in_bytes":
        return str(cache.size_in_bytes)
    return None


def _number(key: str, value: str) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number < 0:
        raise ValueError(f"{key}: expected a number of bytes, 0 or more, got {value!r}")
    return number
