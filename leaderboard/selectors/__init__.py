"""Everything that reads: boards with their rows, submissions with their progress, traces, the queue.

Rooms: ``alignments``, ``attempts``, ``boards``, ``choices``, ``coarser``, ``comparisons``, ``edits``,
``filters``, ``finds``, ``standings``, ``export``, ``submissions``, ``traces``, ``measurements``,
``counts``, ``missing``, ``people``, ``programs``, ``queue``, ``reports``, ``rises``, ``runners``,
``known_runners``, ``unranked``, ``virtual_best``, ``waits``.
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
from leaderboard.selectors.choices import CHOICES, SORTABLE, BoardChoice, choice_of
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
from leaderboard.selectors.counts import site_counts
from leaderboard.selectors.edits import edit_rows, list_edits
from leaderboard.selectors.export import EXPORT_COLUMNS, export_rows
from leaderboard.selectors.filters import unknown_filters
from leaderboard.selectors.finds import add_finds, first_find, may_read_actions
from leaderboard.selectors.known_runners import known_runner, known_runners
from leaderboard.selectors.measurements import Block, Measured, measurement
from leaderboard.selectors.missing import first_missing
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
from leaderboard.selectors.programs import ENTRIES, BoardCell, BoardProgram, BoardPrograms, programs
from leaderboard.selectors.queue import QueueOrder, QueueRow, item_runner, queue_order, queue_overview
from leaderboard.selectors.records import BenchmarkResults, benchmark_results, list_records
from leaderboard.selectors.repetitions import ItemEvidence, Round, evidence, together
from leaderboard.selectors.rises import Rise, best_over_time, efforts
from leaderboard.selectors.runners import (
    BoardNotice,
    at_work,
    board_hardware,
    board_notice,
    hardware_class,
    queue_notice,
)
from leaderboard.selectors.standings import (
    RankedRows,
    get_board,
    list_boards,
    pending_entries,
    set_ranks,
    standings,
)
from leaderboard.selectors.submissions import (
    Tally,
    add_figures,
    first_with_same_content,
    get_submission,
    item,
    items,
    largest_ratio,
    list_submissions,
    progress,
    tally,
    timeline,
)
from leaderboard.selectors.traces import Step, Trace, baselines, claims, trace, trace_metric
from leaderboard.selectors.unranked import why_unranked, why_without_rank
from leaderboard.selectors.virtual_best import VirtualBest, virtual_best
from leaderboard.selectors.waits import NewWait, Wait, wait_of, wait_of_new

__all__ = (
    "CHOICES",
    "ENTRIES",
    "EXPORT_COLUMNS",
    "FEWEST",
    "LEVEL_PREFIX",
    "MOST",
    "SORTABLE",
    "VIRTUAL_BEST",
    "AgentRow",
    "Agents",
    "AlignedSequences",
    "AttemptRow",
    "Attempts",
    "BenchmarkResults",
    "Block",
    "BoardCell",
    "BoardChoice",
    "BoardNotice",
    "BoardProgram",
    "BoardPrograms",
    "BoardRow",
    "Comparison",
    "Development",
    "ItemEvidence",
    "Measured",
    "NewWait",
    "ProgramRow",
    "QueueOrder",
    "QueueRow",
    "RankedRows",
    "ReferenceRow",
    "Rise",
    "Round",
    "Step",
    "Tally",
    "Trace",
    "VirtualBest",
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
    "best_over_time",
    "board_benchmarks",
    "board_hardware",
    "board_metric",
    "board_notice",
    "board_reference",
    "board_rows",
    "board_scale",
    "boards_of_agent",
    "choice_of",
    "claims",
    "compare",
    "development",
    "edit_rows",
    "efforts",
    "entries_of_agent",
    "evidence",
    "export_rows",
    "figures_of",
    "find_person",
    "first_find",
    "first_missing",
    "first_with_same_content",
    "get_board",
    "get_submission",
    "hardware_class",
    "item",
    "item_runner",
    "items",
    "known_runner",
    "known_runners",
    "largest_ratio",
    "level_text",
    "list_boards",
    "list_edits",
    "list_records",
    "list_submissions",
    "may_read_actions",
    "measurement",
    "open_boards",
    "pending_entries",
    "programs",
    "progress",
    "queue_notice",
    "queue_order",
    "queue_overview",
    "reference_names",
    "reference_rows",
    "references",
    "set_ranks",
    "shown_entries",
    "site_counts",
    "standings",
    "submissions_named",
    "tally",
    "timeline",
    "together",
    "trace",
    "trace_metric",
    "unknown_filters",
    "virtual_best",
    "wait_of",
    "wait_of_new",
    "why_unranked",
    "why_without_rank",
)
