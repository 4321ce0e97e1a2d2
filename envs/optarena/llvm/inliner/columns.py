"""The features of a call and the decisions on it. Pure data."""

from __future__ import annotations

from typing import Any, Final

from optarena.actions import Decisions
from optarena.llvm import pinned

CALL_FEATURES: Final = (
    *("sroa_savings", "sroa_losses", "load_elimination", "call_penalty", "call_argument_setup"),
    *("load_relative_intrinsic", "lowered_call_arg_setup", "indirect_call_penalty", "jump_table_penalty"),
    *("case_cluster_penalty", "switch_default_dest_penalty", "switch_penalty"),
    *("unsimplified_common_instructions", "num_loops", "dead_blocks", "simplified_instructions"),
    *("constant_args", "constant_offset_ptr_args", "callsite_cost", "cold_cc_penalty"),
    *("last_call_to_static_bonus", "is_multiple_blocks", "nested_inlines", "nested_inline_cost_estimate"),
    *("threshold", "callee_basic_block_count", "callsite_height", "node_count", "nr_ctant_params"),
    *("cost_estimate", "edge_count", "caller_users", "caller_conditionally_executed_blocks"),
    *("caller_basic_block_count", "callee_conditionally_executed_blocks", "callee_users"),
    *("is_callee_avail_external", "is_caller_avail_external"),
)
"""LLVM's own names of what its inliner tells of a call, in its order.

Those up to ``threshold`` are parts of its estimate of the cost; the others are sizes and numbers of uses.
LLVM describes them in ``InlineModelFeatureMaps.h``.
"""

NO, YES, DEFAULT, DEFAULTS = range(4)  # the first two are the numbers of LLVM's advice, too
# One action may decide on so many calls: lists of actions are limited, as is the time of an action, and a
# large program has more than 10,000 calls.
MANY: Final = 1000
_DECISIONS: Final = {
    "noinline": "Does not inline the call.",
    "inline": "Inlines the call.",
    "default": "Decides on the call as LLVM does by itself.",
    f"default-{MANY}": f"Decides on the next {MANY} calls as LLVM does by itself.",
}
# Beyond so many times its first size, by LLVM's estimate, a program gets no more inlining. LLVM's default, 2,
# could stop its own decisions.
GROWTH: Final = 10
# Raise this when the effect of a decision changes but its name does not.
SEMANTICS: Final = 1


def _table(name: str) -> Decisions:
    return Decisions(
        name,
        tuple(_DECISIONS),
        name.removesuffix("-v0"),
        descriptions=tuple(_DECISIONS.values()),
        default=DEFAULT,
        defaults=DEFAULTS,
        margin="InlinerMargin",
        topic="InlinerCallee",
    )


# By the level whose pipeline asks.
INLINER: Final = {"Oz": _table("llvm-inliner-v0"), "O2": _table("llvm-inliner-o2-v0")}


def version_spec(level: str) -> dict[str, Any]:
    table = INLINER[level]
    decisions = {"table": table.name, "names": list(table.names), "level": level, "semantics": SEMANTICS}
    return {"decisions": {**decisions, "growth": GROWTH}, **pinned.version_spec()}
