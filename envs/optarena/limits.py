"""What users may send (texts, counts, sizes), and what replays may use. Rates are settings of the server.

A database column may be longer than what is accepted today, since older rows stay; these are separate limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from optarena.errors import InvalidInput

# Texts of environments and boards, in characters.
ENVIRONMENT_FAMILY_LENGTH: Final = 61  # The name of an environment without its version
ENVIRONMENT_VERSION_DIGITS: Final = 4
ENVIRONMENT_ID_LENGTH: Final = 100  # The column of an environment's name with its version
ACTION_SPACE_LENGTH: Final = 100  # Of the names of action spaces whose actions boards take
# Of the name of what an action is about: names of functions in C++ may have thousands of characters.
SUBJECT_LENGTH: Final = 300
METRIC_NAME_LENGTH: Final = 60
BOARD_METRIC_LENGTH: Final = 64  # The column of a board's metric
LEVEL_NAME_LENGTH: Final = 16
BASELINE_LEVEL_LENGTH: Final = 20  # The column of a baseline's level
DEVICE_LENGTH: Final = 16
BOARD_SLUG_LENGTH: Final = 40  # The slug of a board that is added
RETIRED_SLUG_LENGTH: Final = 60  # The slug of a board that gave way to its successor; a number may follow it
RELEASE_NAME_LENGTH: Final = 60  # The name of a release of step data
STORED_SLUG_LENGTH: Final = 64  # The column of a board's slug, retired or not
BOARD_TITLE_LENGTH: Final = 120
BOARD_STATE_LENGTH: Final = 16

# Texts of datasets and their benchmarks, in characters.
DATASET_FAMILY_LENGTH: Final = 61  # The name of a dataset without its version
STORED_FAMILY_LENGTH: Final = 80  # The column of a dataset's name without its version
DATASET_VERSION_DIGITS: Final = 4
DATASET_NAME_LENGTH: Final = 100  # A dataset's name with its version
DATASET_TITLE_LENGTH: Final = 200
DATASET_DESCRIPTION_LENGTH: Final = 2_000
LICENCE_LENGTH: Final = 100
KIND_LENGTH: Final = 12
BENCHMARK_NAME_LENGTH: Final = 150
BENCHMARK_TITLE_LENGTH: Final = 200
DOMAIN_LENGTH: Final = 60
LANGUAGE_LENGTH: Final = 40
SPLIT_LENGTH: Final = 20
WORKLOAD_NAME_LENGTH: Final = 80
MEDIA_TYPE_LENGTH: Final = 100
STORAGE_KEY_LENGTH: Final = 200
MADE_NAME_LENGTH: Final = 80  # The name of a benchmark made from local sources
SEARCH_LENGTH: Final = 100  # The search text of a list of benchmarks

# Benchmark URIs, in characters.
# Of any benchmark: files and generated ones are named by longer URIs than hosted ones.
ANY_URI_LENGTH: Final = 2_000
URI_LENGTH: Final = 250  # Of a benchmark that a server hosts, and of one that a submission names
VERIFICATION_URI_LENGTH: Final = 300  # The column of a verification's benchmark
ITEM_URI_LENGTH: Final = 400  # The column of an item's benchmark

# Texts of submissions and replays, in characters.
AGENT_LENGTH: Final = 80
# The column of an owner and an agent's name, by which entries compete for one rank.
AGENT_GROUP_LENGTH: Final = 300
NAMED_BOARD_LENGTH: Final = 80  # The name by which a submission gives its board
DESCRIPTION_LENGTH: Final = 2_000
SUBMISSION_URL_LENGTH: Final = 400
IDEMPOTENCY_KEY_LENGTH: Final = 200
SHA256_LENGTH: Final = 64
VERDICT_LENGTH: Final = 16
ITEM_REASON_LENGTH: Final = 64
REASON_LENGTH: Final = 60  # The id of a reason, as the runner stores it
DETAIL_LENGTH: Final = 4_000  # The detail that the runner adds to a reason
HARDWARE_CLASS_LENGTH: Final = 60
VERIFICATION_STATE_LENGTH: Final = 12
DECISION_LENGTH: Final = 12  # What follows from an attempt of a verification
EVIDENCE_LENGTH: Final = 8_000  # The JSON text of what an attempt tells about how it ran
PHASE_LENGTH: Final = 12
PAYER_LENGTH: Final = 64  # For whom a replay is made, as the runner names it
WORKER_NAME_LENGTH: Final = 200
DATABASE_ROLE_LENGTH: Final = 63
ACTOR_LENGTH: Final = 200  # Who changed a verification's state
FILTER_LENGTH: Final = 200  # A filter of a list of submissions
PROBLEM_VALUE_LENGTH: Final = 120  # How much of a wrong value an answer repeats

# Texts of accounts, in characters.
USERNAME_LENGTH: Final = 39
GIVEN_USERNAME_LENGTH: Final = 150  # The user name that is read, even if it is then refused with a reason
PASSWORD_LENGTH: Final = 1_024
TOKEN_NAME_LENGTH: Final = 80
AFFILIATION_LENGTH: Final = 120
EMAIL_LENGTH: Final = 254

# Counts.
MAX_ACTIONS_PER_ITEM: Final = 10_000
MAX_ITEMS_PER_SUBMISSION: Final = 10_000
# Replays of one owner that wait or run at the same time.
MAX_QUEUED_ITEMS: Final = 2 * MAX_ITEMS_PER_SUBMISSION
MAX_PORTABLE_SEQUENCES: Final = 50  # Sequences of a portable entry, of which the best counts for each program
MAX_DRAWN_PROGRAMS: Final = 200  # Programs that a board of portable entries may draw
MAX_REPETITIONS: Final = 50  # So many times the same work is replayed once more, for whoever asks
MAX_PROBLEMS: Final = 200  # Problems of one document that are listed; the reading ends at the next one
MAX_COLUMNS: Final = 200  # Columns of a CSV document
MAX_CLAIMS: Final = 100  # Claims about one benchmark
# Keys of one submission, and its opening brackets: more than the largest one with every field has.
MAX_JSON_NAMES: Final = 300_000
MAX_WORKLOADS: Final = 32_767  # Workloads of one benchmark
MAX_WORKLOAD_FILES: Final = 1_000  # Files of one workload
MAX_EXIT_CODE: Final = 255
# So many times an owner may change what is said about one submission; each change is kept.
MAX_EDITS: Final = 50
MAX_TOKENS: Final = 50  # Tokens of one account
MAX_TOKEN_DAYS: Final = 366
MAX_LEADERS: Final = 10  # Entries of rank 1 that a board names; its standings list all of them
# Benchmarks without a verified result that the reason names why an entry has no rank.
MAX_MISSING_NAMED: Final = 3
PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 100  # Rows on one page of the REST API
MAX_PAGES: Final = 10_000  # Pages of one list that a client reads
MAX_JSON_DEPTH: Final = 32  # More levels of nesting than any valid document has
MAX_NUMBER: Final = 10**18  # The largest claim, reward or time that a document may have
PARAMETER_DIGITS: Final = 18  # Digits of the number in the URI of a computed benchmark

# Sizes.
MAX_SUBMISSION_BYTES: Final = 5_000_000
MAX_BENCHMARK_BYTES: Final = 8_000_000
MAX_MANIFEST_BYTES: Final = 64 * 1024**2
MAX_DEPRECATED_BYTES: Final = 64 * 1024
MAX_DATASET_BYTES: Final = 16 * 1024**3  # Bytes of all programs of one dataset
MAX_ANSWER_BYTES: Final = 32 * 1024**2  # Size of one answer of the REST API that a client reads
# Size of one message between an environment and its service; only a broken or hostile peer sends more.
MAX_MESSAGE_BYTES: Final = 512 * 1024**2
# Sessions of one service at a time, if it is not told another number and memory suffices: a session has
# 5.5 MB of its own for a program of 20 kB, 11 MB for one of 190 kB.
MAX_SESSIONS: Final = 2000
USUAL_SESSION_BYTES: Final = 6 * 1024**2

# Suites, from which datasets are built.
PACKAGE_NAME_LENGTH: Final = 100
PACKAGE_VERSION_LENGTH: Final = 100
ARCHIVE_NAME_LENGTH: Final = 200
ARGUMENT_BYTES: Final = 100_000
# Less than Linux gives a program: 131,072 bytes for one argument, and 2 MiB for all with the environment.
ARGUMENTS_BYTES: Final = 1_000_000
HEADER_PATH_BYTES: Final = 200
HEADER_PART_BYTES: Final = 100  # Bytes of a generated header's path, and of a folder or file in it

# Studies of verified items.
DIFFERENCE_LINES: Final = 2_000
DIFFERENCE_BYTES: Final = 200_000
# What is kept of the difference that a step makes: lines, bytes, and characters of one line.
DIFFERENCE_LINE_LENGTH: Final = 400
# So many pairs of lines are compared to match two texts; what is left is not matched.
ALIGNED_PAIRS: Final = 60_000_000
MINIMISED_TRIALS: Final = 5_000
# How many shorter sequences are tried, and how many actions are applied to that end.
MINIMISED_ACTIONS: Final = 200_000
# Wall time of the difference that a step makes, of one trial of a shorter sequence, and of a look ahead.
STUDY_SECONDS: Final = 120
# What people play: actions of a game, actions that are tried from a state, and what is kept of its text.
PLAYED_ACTIONS: Final = 500
TRIED_ACTIONS: Final = 600
FOUND_ACTIONS: Final = 24  # Of those that a text finds in an environment with too many to try all
PLAYED_TEXT_BYTES: Final = 200_000
SHOWN_TEXT_BYTES: Final = 190_000  # Of a program's text on a page, with its colours
PLAYED_TEXT_PARTS: Final = 2_000
SUMMARY_LENGTH: Final = 300  # Of what a state is beside its cost, in characters
STUDY_KIND_LENGTH: Final = 12
STUDY_STATE_LENGTH: Final = 8

# Replays.
ACTION_CPU_SECONDS: Final = 10  # CPU time of one action, in seconds

# Wall time of one call of a session, in seconds; generous, since machines are shared.
ACTION_WALL_SECONDS: Final = 60

MAX_PEEKED_ACTIONS: Final = 2_000  # How many actions one call looks at without taking them

# Tools of agents: characters of one answer, about a thousand tokens, and of one argument.
TOOL_ANSWER_CHARACTERS: Final = 4_000
TOOL_ARGUMENT_CHARACTERS: Final = 100_000

# CPU time of generating a program's machine code once, to measure its size or to run it, in seconds. It takes
# far longer than an action: ten seconds for the largest program of the boards, after some actions.
CODE_CPU_SECONDS: Final = 60

SESSION_MEMORY_BYTES: Final = 2 * 1024**3
# Memory of all processes of a replay together, where the machine can limit it. A session and a compiler or
# program run at the same time. This is what their own limits allow, and a part for the files that they keep
# in memory and for the kernel's tables.
REPLAY_MEMORY_BYTES: Final = 5 * 1024**3

# Less than this a replay cannot be given: no compiler could start.
LEAST_REPLAY_MEMORY_BYTES: Final = 256 * 1024**2

# Size of any file that a session's process writes, its standard error included.
SESSION_FILE_BYTES: Final = 64 * 1024**2

LINK_SECONDS: Final = 30  # Wall time of linking one program; less than a call of a session may take

# Wall time of making one benchmark from sources, unless the caller says otherwise.
COMPILE_SECONDS: Final = 300

TOOL_MEMORY_BYTES: Final = 8 * 1024**3  # Address space of a compiler or linker that is started

# Wall time of one run of a compiler inside a session: what its CPU time may take on a shared machine.
TOOL_WALL_SECONDS: Final = 300

# A value that takes long for large programs gets as many times the limits of an action as its program is
# larger than this, in bytes; memory no more than that of a tool.
USUAL_PROGRAM_BYTES: Final = 100_000

IR_GROWTH_FLOOR: Final = 1_000_000
IR_GROWTH_FACTOR: Final = 10

WORKLOAD_SECONDS: Final = 60
WORKLOAD_OUTPUT_BYTES: Final = 1_000_000
WORKLOAD_FILES_BYTES: Final = 4_000_000  # The files of one workload together

REPLAY_SECONDS: Final = 3600  # Wall time that the longest replay may take on a runner, in seconds

# Wall time that every replay may take on a runner. In between, its program and its actions decide.
SHORTEST_REPLAY_SECONDS: Final = 60

BLOCK_SECONDS: Final = 120  # Wall time of one block of a measurement, its process included, in seconds

MAX_TIME_FACTOR: Final = 10  # The largest factor by which a replay may extend the limits on time of its parts

# A failure for time is final only if it repeats with this many times every limit, alone on the machine.
CONFIRMATION_TIME_FACTOR: Final = 3

# With their growing pauses they take about twenty minutes: longer than an upgrade or a burst of load.
INFRASTRUCTURE_RETRIES: Final = 8


def wall_seconds(cpu_seconds: float) -> float:
    """Wall time of a unit of work with this much CPU time, in seconds: in proportion to that of an action."""
    return cpu_seconds * ACTION_WALL_SECONDS / ACTION_CPU_SECONDS


def growth(program_bytes: int) -> float:
    """By how much the limits of a costly value exceed those of an action, for a program of this size."""
    return max(1.0, program_bytes / USUAL_PROGRAM_BYTES)


# A context variable, since plug-ins' functions that run and measure programs have fixed parameters.
_factor: Final[ContextVar[float]] = ContextVar("optarena_time_factor", default=1.0)


@contextmanager
def extended_by(factor: float) -> Iterator[None]:
    """Within this block, :func:`seconds` multiplies limits by a factor."""
    token = _factor.set(factor)
    try:
        yield
    finally:
        _factor.reset(token)


def seconds(limit: float) -> float:
    """A limit on time as it is in force now, in seconds."""
    return limit * _factor.get()


def check_replay_limits(factor: float, memory: int) -> None:
    """Check the factor of a replay's times, and its memory in bytes.

    Raises:
        InvalidInput: One of them has another type, or is out of range.
    """
    is_number = isinstance(factor, (int, float)) and not isinstance(factor, bool)
    if not is_number or not 0 < factor <= MAX_TIME_FACTOR:
        remedy = f"Give a number above 0, at most {MAX_TIME_FACTOR}."
        message = f"time_factor is {factor!r:.100}."
        raise InvalidInput(message, field="time_factor", value=factor, remedy=remedy)
    if not isinstance(memory, int) or memory < LEAST_REPLAY_MEMORY_BYTES:
        remedy = f"Give an integer of at least {LEAST_REPLAY_MEMORY_BYTES}."
        message = f"memory_bytes is {memory!r:.100}."
        raise InvalidInput(message, field="memory_bytes", value=memory, remedy=remedy)


def max_instructions(initial: int) -> int:
    """The number of IR instructions a program that began with ``initial`` may grow to."""
    return max(IR_GROWTH_FLOOR, IR_GROWTH_FACTOR * initial)


def as_dict() -> dict[str, int]:
    """All limits by name, for the API and the CLI."""
    return {
        "actions_per_item": MAX_ACTIONS_PER_ITEM,
        "submission_bytes": MAX_SUBMISSION_BYTES,
        "items_per_submission": MAX_ITEMS_PER_SUBMISSION,
        "portable_sequences": MAX_PORTABLE_SEQUENCES,
        "queued_items_per_owner": MAX_QUEUED_ITEMS,
        "benchmark_bytes": MAX_BENCHMARK_BYTES,
        "action_cpu_seconds": ACTION_CPU_SECONDS,
        "action_wall_seconds": ACTION_WALL_SECONDS,
        "code_cpu_seconds": CODE_CPU_SECONDS,
        "code_wall_seconds": int(wall_seconds(CODE_CPU_SECONDS)),
        "session_memory_bytes": SESSION_MEMORY_BYTES,
        "ir_growth_floor_instructions": IR_GROWTH_FLOOR,
        "ir_growth_factor": IR_GROWTH_FACTOR,
        "workload_seconds": WORKLOAD_SECONDS,
        "workload_output_bytes": WORKLOAD_OUTPUT_BYTES,
        "workload_files": MAX_WORKLOAD_FILES,
        "workload_files_bytes": WORKLOAD_FILES_BYTES,
        "replay_seconds": REPLAY_SECONDS,
        "shortest_replay_seconds": SHORTEST_REPLAY_SECONDS,
        "block_seconds": BLOCK_SECONDS,
        "confirmation_time_factor": CONFIRMATION_TIME_FACTOR,
        "infrastructure_retries": INFRASTRUCTURE_RETRIES,
    }
