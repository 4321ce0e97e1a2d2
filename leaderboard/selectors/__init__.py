"""Everything that reads: boards with their rows, submissions with their progress, traces, the queue.

Rooms: ``alignments``, ``attempts``, ``boards``, ``coarser``, ``comparisons``, ``edits``, ``filters``,
``finds``, ``standings``, ``export``,
``submissions``, ``traces``, ``measurements``, ``people``, ``queue``, ``records``, ``runners``,
``known_runners``, ``unranked``, ``waits``.
Import their names from here.
"""

from leaderboard.selectors.alignments import AlignedSequences, aligned_sequences
from leaderboard.selectors.attempts import AttemptRow, Attempts, attempts
from leaderboard.selectors.boards import (
    BoardRow,
    ReferenceRow,
    action_rows,
    action_spaces,
    board_benchmarks,
    board_metric,
    board_reference,
    board_rows,
    board_scale,
    level_text,
    open_boards,
    reference_names,
    reference_rows,
)
from leaderboard.selectors.coarser import references
from leaderboard.selectors.comparisons import (
    FEWEST,
    LEVEL_PREFIX,
    MOST,
    VIRTUAL_BEST,
    Comparison,
    ProgramRow,
    compare,
    submissions_named,
)
from leaderboard.selectors.edits import edit_rows, list_edits
from leaderboard.selectors.export import EXPORT_COLUMNS, export_rows
from leaderboard.selectors.filters import unknown_filters
from leaderboard.selectors.finds import add_finds, first_find, may_read_actions
from leaderboard.selectors.known_runners import known_runner, known_runners
from leaderboard.selectors.measurements import Block, Measured, measurement
from leaderboard.selectors.people import (
    AgentRow,
    Agents,
    Development,
    agents_of,
    best_entries,
    boards_of_agent,
    development,
    entries_of_agent,
    figures_of,
    find_person,
    shown_entries,
)
from leaderboard.selectors.queue import item_runner, queue_overview, recent_verifications
from leaderboard.selectors.records import BenchmarkResults, benchmark_results, list_records
from leaderboard.selectors.repetitions import ItemEvidence, Round, evidence, together
from leaderboard.selectors.runners import (
    BoardNotice,
    at_work,
    board_hardware,
    board_notice,
    hardware_class,
    queue_notice,
)
from leaderboard.selectors.standings import RankedRows, get_board, list_boards, set_ranks, standings
from leaderboard.selectors.submissions import (
    Tally,
    add_figures,
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
from leaderboard.selectors.unranked import why_unranked, why_without_rank
from leaderboard.selectors.waits import Wait, wait_of

__all__ = (
    "EXPORT_COLUMNS",
    "FEWEST",
    "LEVEL_PREFIX",
    "MOST",
    "VIRTUAL_BEST",
    "AgentRow",
    "Agents",
    "AlignedSequences",
    "AttemptRow",
    "Attempts",
    "BenchmarkResults",
    "Block",
    "BoardNotice",
    "BoardRow",
    "Comparison",
    "Development",
    "ItemEvidence",
    "Measured",
    "ProgramRow",
    "RankedRows",
    "ReferenceRow",
    "Round",
    "Step",
    "Tally",
    "Trace",
    "Wait",
    "action_rows",
    "action_spaces",
    "add_figures",
    "add_finds",
    "agents_of",
    "aligned_sequences",
    "at_work",
    "attempts",
    "baselines",
    "benchmark_results",
    "best_entries",
    "board_benchmarks",
    "board_hardware",
    "board_metric",
    "board_notice",
    "board_reference",
    "board_rows",
    "board_scale",
    "boards_of_agent",
    "claims",
    "compare",
    "development",
    "edit_rows",
    "entries_of_agent",
    "evidence",
    "export_rows",
    "figures_of",
    "find_person",
    "first_find",
    "first_with_same_content",
    "get_board",
    "get_submission",
    "hardware_class",
    "item",
    "item_runner",
    "items",
    "known_runner",
    "known_runners",
    "level_text",
    "list_boards",
    "list_edits",
    "list_records",
    "list_submissions",
    "may_read_actions",
    "measurement",
    "open_boards",
    "progress",
    "queue_notice",
    "queue_overview",
    "recent_verifications",
    "reference_names",
    "reference_rows",
    "references",
    "set_ranks",
    "shown_entries",
    "standings",
    "submissions_named",
    "tally",
    "timeline",
    "together",
    "trace",
    "trace_metric",
    "unknown_filters",
    "wait_of",
    "why_unranked",
    "why_without_rank",
)
