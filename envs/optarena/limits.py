"""Every limit of the system, each written once; pages, API, CLI, services and tests read them here."""

from __future__ import annotations

from typing import Final

MAX_ACTIONS_PER_ITEM: Final = 10_000
MAX_SUBMISSION_BYTES: Final = 5_000_000
MAX_ITEMS_PER_SUBMISSION: Final = 10_000
MAX_BENCHMARK_BYTES: Final = 8_000_000
MAX_NUMBER: Final = 10**18
"""Of numbers that documents state: rewards, times, claims, sizes."""

ACTION_CPU_SECONDS: Final = 10
"""CPU time of one action, in seconds."""

ACTION_WALL_SECONDS: Final = 60
"""Wall time of one call of a session, in seconds; generous, since machines are shared."""

SESSION_MEMORY_BYTES: Final = 2 * 1024**3
SESSION_FILE_BYTES: Final = 64 * 1024**2
"""Size of any file that a session's process writes, its standard error included."""

LINK_SECONDS: Final = 30
"""Wall time of linking one program; less than a call of a session may take."""

COMPILE_SECONDS: Final = 300
"""Wall time of making one benchmark from sources, unless the caller says otherwise."""

TOOL_MEMORY_BYTES: Final = 8 * 1024**3
"""Address space of a compiler or linker that is started."""

MAX_MESSAGE_BYTES: Final = 512 * 1024**2
"""Size of one message between an environment and its service; only a broken or hostile peer sends more."""

IR_GROWTH_FLOOR: Final = 1_000_000
IR_GROWTH_FACTOR: Final = 10

WORKLOAD_SECONDS: Final = 60
WORKLOAD_OUTPUT_BYTES: Final = 1_000_000

REPLAY_SECONDS: Final = 3600
"""Wall time of one whole replay on a runner, in seconds."""

BLOCK_SECONDS: Final = 120
"""Wall time of one block of a measurement, its process included, in seconds."""

INFRASTRUCTURE_RETRIES: Final = 3


def max_instructions(initial: int) -> int:
    """The number of IR instructions a program that began with ``initial`` may grow to."""
    return max(IR_GROWTH_FLOOR, IR_GROWTH_FACTOR * initial)


def as_dict() -> dict[str, int]:
    """All limits by name, for the API and the CLI."""
    return {
        "actions_per_item": MAX_ACTIONS_PER_ITEM,
        "submission_bytes": MAX_SUBMISSION_BYTES,
        "items_per_submission": MAX_ITEMS_PER_SUBMISSION,
        "benchmark_bytes": MAX_BENCHMARK_BYTES,
        "action_cpu_seconds": ACTION_CPU_SECONDS,
        "action_wall_seconds": ACTION_WALL_SECONDS,
        "session_memory_bytes": SESSION_MEMORY_BYTES,
        "ir_growth_floor_instructions": IR_GROWTH_FLOOR,
        "ir_growth_factor": IR_GROWTH_FACTOR,
        "workload_seconds": WORKLOAD_SECONDS,
        "workload_output_bytes": WORKLOAD_OUTPUT_BYTES,
        "replay_seconds": REPLAY_SECONDS,
        "block_seconds": BLOCK_SECONDS,
        "infrastructure_retries": INFRASTRUCTURE_RETRIES,
    }
