"""Limits by address: shared by all processes, exact under load, and there without Valkey."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import RequestFactory

from leaderboard.accounts.throttles import AddressThrottle, LoginThrottle, seconds_to_wait
from leaderboard.settings.environment import shared_cache

if TYPE_CHECKING:
    from pytest_django import Settings

LOCAL = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
LIMIT = 10
PERIOD_MILLISECONDS = 1000


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"login": f"{LIMIT}/hour"})


def use(address: str, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Have the counts where a server with this broker has them."""
    monkeypatch.setenv("OPTARENA_BROKER_URL", address)
    settings.CACHES = {"default": shared_cache(), "local": LOCAL}
    caches["local"].clear()


def allowed(address: str = "192.0.2.1") -> bool:
    return not seconds_to_wait(LoginThrottle(), RequestFactory().get("/", REMOTE_ADDR=address))


def test_attempts_at_the_same_moment_all_count(
    broker: str, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    use(broker, monkeypatch, settings)
    caches["default"].clear()
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: allowed(), range(50)))
    assert sum(answers) == LIMIT
    assert allowed("192.0.2.2")


def test_without_valkey_each_process_counts(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    use("redis+socket:///nowhere/valkey.sock?virtual_host=0", monkeypatch, settings)
    assert [allowed() for _ in range(LIMIT + 5)] == [True] * LIMIT + [False] * 5


@pytest.mark.parametrize(
    ("addresses", "again", "other"),
    [
        ([f"2001:db8::{number:x}" for number in range(1, LIMIT + 2)], "2001:db8::1", "2001:db8:0:1::1"),
        (["::ffff:203.0.113.7"] * (LIMIT + 1), "203.0.113.7", "::ffff:203.0.113.8"),
    ],
)
def test_a_network_is_one_client(addresses: list[str], again: str, other: str) -> None:
    assert [allowed(one) for one in addresses] == [True] * LIMIT + [False]
    assert (allowed(again), allowed(other)) == (False, True)


class ExpiringCache(RedisCache):
    """The cache at its worst moment: a key expires when it is known to exist, before it is added to."""

    _cache: Any

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a count."""
        client = self._cache.get_client(key, write=True)
        name = self.make_and_validate_key(key, version=version)
        if client.pttl(name) < PERIOD_MILLISECONDS:
            client.delete(name)
        return int(client.incr(name, delta))


def test_a_count_that_expires_while_it_is_added_to_refuses_nobody_for_ever(
    broker: str, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """A key without an expiry, which is what such an addition leaves, outlives its period."""
    use(broker, monkeypatch, settings)
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"login": f"{LIMIT}/second"})
    backend = f"{__name__}.{ExpiringCache.__name__}"
    settings.CACHES = {**settings.CACHES, "default": {**settings.CACHES["default"], "BACKEND": backend}}
    caches["default"].clear()
    while allowed():
        pass
    deadline = time.monotonic() + 20
    while not allowed():
        assert time.monotonic() < deadline
        time.sleep(0.5)


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("", "redis://localhost:6379?db=1"),
        ("redis://valkey:6379/0", "redis://valkey:6379?db=1"),
        ("rediss://:word@valkey:6380/3", "rediss://:word@valkey:6380?db=1"),
        ("redis+socket:///run/valkey.sock?virtual_host=0", "unix:///run/valkey.sock?db=1"),
    ],
)
def test_the_cache_is_another_database_of_the_broker(
    url: str, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPTARENA_CACHE_URL", raising=False)
    monkeypatch.setenv("OPTARENA_BROKER_URL", url)
    assert shared_cache()["LOCATION"] == location
