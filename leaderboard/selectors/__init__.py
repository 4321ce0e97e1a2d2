"""Everything that reads: boards with their rows, submissions with their progress, traces, the queue.

Rooms: ``boards``, ``export``, ``submissions``, ``traces``, ``measurements``, ``queue``, ``runners``. Import
their names from here.
"""

from leaderboard.selectors.boards import (
    BoardRow,
    ReferenceRow,
    action_rows,
    board_benchmarks,
    board_levels,
    board_metric,
    board_reference,
    board_references,
    board_rows,
    level_text,
    list_boards,
    reference_rows,
    standings,
    with_rank,
)
from leaderboard.selectors.export import EXPORT_COLUMNS, export_rows
from leaderboard.selectors.measurements import Block, Measured, measurement, measurement_data
from leaderboard.selectors.queue import queue_overview, recent_verifications
from leaderboard.selectors.runners import (
    BoardNotice,
    board_hardware,
    board_notice,
    hardware_class,
    queue_notice,
)
from leaderboard.selectors.submissions import (
    Tally,
    first_with_same_content,
    get_submission,
    item,
    items,
    list_submissions,
    progress,
    tally,
    timeline,
)
from leaderboard.selectors.traces import Step, Trace, baselines, claims, trace, trace_metric

__all__ = (
    "EXPORT_COLUMNS",
    "Block",
    "BoardNotice",
    "BoardRow",
    "Measured",
    "ReferenceRow",
    "Step",
    "Tally",
    "Trace",
    "action_rows",
    "baselines",
    "board_benchmarks",
    "board_hardware",
    "board_levels",
    "board_metric",
    "board_notice",
    "board_reference",
    "board_references",
    "board_rows",
    "claims",
    "export_rows",
    "first_with_same_content",
    "get_submission",
    "hardware_class",
    "item",
    "items",
    "level_text",
    "list_boards",
    "list_submissions",
    "measurement",
    "measurement_data",
    "progress",
    "queue_notice",
    "queue_overview",
    "recent_verifications",
    "reference_rows",
    "standings",
    "tally",
    "timeline",
    "trace",
    "trace_metric",
    "with_rank",
)
