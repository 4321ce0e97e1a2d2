"""Options of a connection: what each may be is checked when they are made."""

from __future__ import annotations

from typing import Any

import pytest

from optarena.errors import InvalidInput
from optarena.service.client.options import ConnectionOptions

BAD: dict[str, list[Any]] = {
    "rpc_call_max_seconds": ["x", None, True, -1, 0, float("nan"), float("inf"), 10**400],
    "init_max_seconds": [-1, 1j],
    "retry_wait_seconds": [-0.1, "1"],
    "retry_wait_backoff_exponent": [float("nan"), -1, None],
    "rpc_max_retries": [1.5, -1, True],
    "init_max_attempts": [0, "2"],
    "max_message_bytes": [2**40, 0, 1e6],
    "always_send_benchmark_on_reset": [1, "yes"],
    "script_args": ["--port", [1], None, ("a\0b",)],
    "script_env": [{"A": 1}, {"A=B": "c"}, {"": "c"}, [("A", "b")], {"A": "\0"}],
    "token": [None, b"secret", "secret\0"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in BAD for value in BAD[name]])
def test_a_value_that_cannot_be_is_named(name: str, value: object) -> None:
    given: Any = {name: value}
    with pytest.raises(InvalidInput, match=f"{name} is .*Give ") as caught:
        ConnectionOptions(**given)
    assert caught.value.field == name
    assert "secret" not in str(caught.value)


def test_values_at_the_ends_are_allowed() -> None:
    ConnectionOptions(
        rpc_call_max_seconds=4_000_000,
        retry_wait_seconds=0,
        local_service_exit_max_seconds=0,
        rpc_max_retries=0,
        max_message_bytes=2**31 - 1,
        script_args=("--x",),
        script_env={"A": ""},
    )
