"""Making environments, and their classes by name for annotations and ``isinstance``.

Importing this module loads no compiler: a class is imported when it is first named.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from typing import TYPE_CHECKING, Any, Final, cast

from optarena.errors import InvalidInput, OptArenaError
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.gcc.env import GccEnv
    from optarena.llvm.env import LlvmEnv
    from optarena.loop_tool.env import LoopToolEnv
    from optarena.wrappers.vector import CompilerVectorEnv

__all__ = ["GccEnv", "LlvmEnv", "LoopToolEnv", "make", "make_vec"]

_HOMES: Final = {
    "GccEnv": "optarena.gcc.env",
    "LlvmEnv": "optarena.llvm.env",
    "LoopToolEnv": "optarena.loop_tool.env",
}
# Arguments of ``gymnasium.make`` that environments do not receive.
_GYMNASIUMS_OWN: Final = frozenset({"max_episode_steps", "disable_env_checker"})


def make(environment: str, **arguments: Any) -> CompilerEnv:  # noqa: ANN401 # whatever the environment takes
    """Make an environment, without a wrapper: ``gymnasium.make`` for those of OptArena.

    Args:
        environment: Id (``optarena/llvm-ic-v0``) or slug (``llvm-ic-v0``).
        arguments: Those of the environment; see :class:`optarena.env.CompilerEnv`.

    Raises:
        UnknownName: There is no such environment.
        InvalidInput: An argument makes gymnasium wrap environments.
        OptArenaError: The environment cannot be made; see its class.
    """
    for name in _GYMNASIUMS_OWN & arguments.keys():
        message = f"{name} makes gymnasium put a wrapper around the environment."
        remedy = "Leave it out, or use gymnasium.make; optarena.wrappers.TimeLimit limits episodes."
        raise InvalidInput(message, field=name, value=arguments[name], remedy=remedy)
    spec = environment_spec(environment)
    if arguments.get("service") is None and "gymnasium" not in sys.modules:
        _start_early(spec.service)
    import gymnasium  # noqa: PLC0415 - takes long to load, and most processes make no environment

    return cast("CompilerEnv", gymnasium.make(spec.id, **arguments))


def _start_early(service: str) -> None:
    # While gymnasium is loaded, which takes as long.
    with contextlib.suppress(ImportError, OptArenaError):  # then the environment says what is wrong
        from optarena.service.client.target import ServiceTarget, TargetKind  # noqa: PLC0415 # as gymnasium
        from optarena.service.client.zygote import start_early  # noqa: PLC0415 # Linux only

        if ServiceTarget.parse(service).kind is TargetKind.SESSION_TYPE:
            start_early(service)


def make_vec(
    environment: str,
    num_envs: int,
    *,
    max_episode_steps: int | None = None,
    **arguments: Any,  # noqa: ANN401 # as above
) -> CompilerVectorEnv:
    """Make several environments that step at once: a ``gymnasium.vector.VectorEnv``.

    Args:
        environment: Id (``optarena/llvm-ic-v0``) or slug (``llvm-ic-v0``).
        num_envs: How many members there are.
        max_episode_steps: After how many steps an episode is truncated; None, or gymnasium's -1, is never.
        arguments: Those of :class:`optarena.wrappers.vector.CompilerVectorEnv`, and of each member.

    Raises:
        UnknownName: There is no such environment.
        InvalidInput: The number of members, or another argument, is wrong.
        OptArenaError: The environment cannot be made; see its class.
    """
    from optarena.wrappers import TimeLimit  # noqa: PLC0415 - as above
    from optarena.wrappers.vector import CompilerVectorEnv  # noqa: PLC0415 - as above

    if max_episode_steps not in (None, -1):
        limit = functools.partial(TimeLimit, max_episode_steps=max_episode_steps)
        arguments["wrappers"] = (limit, *arguments.get("wrappers", ()))
    return CompilerVectorEnv(functools.partial(make, environment), num_envs, **arguments)


def __getattr__(name: str) -> Any:  # noqa: ANN401 # a class
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
