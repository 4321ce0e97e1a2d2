"""The columns of the loop table and of the call table. Pure data."""

from __future__ import annotations

from typing import Final

MAX_LOOPS: Final = 64
MAX_CALL_SITES: Final = 64

LOOP_COLUMNS: Final = (
    *("exists", "function", "header", "depth", "parent", "inner_loops", "blocks", "instructions"),
    *("header_phis", "latches", "exiting_blocks", "exit_blocks", "has_preheader", "is_simplified"),
    *("is_rotated", "trip_count", "loads", "stores", "calls", "intrinsics", "addresses"),
    *("integer_operations", "float_operations", "comparisons", "branches", "selects", "phis", "vectors"),
    *("has_metadata", "unrolling_off", "vectorizing_off", "is_vectorized"),
)
"""The columns of the observation ``Loops``.

A row without a loop is all zeros. Functions and blocks are numbered from 0, in the order of the module and of
the function; only defined functions count.

- ``exists``: 1.
- ``function``, ``header``: numbers of the loop's function and of its header block in it.
- ``depth``: 1 for an outermost loop.
- ``parent``: row of the next outer loop plus 1, or 0.
- ``inner_loops``: loops directly in this one.
- ``blocks``, ``instructions``: sizes, with all inner loops.
- ``header_phis``: phi nodes of the header; ``phis``: those of the whole loop.
- ``latches``: blocks that jump back to the header.
- ``exiting_blocks``: blocks with an edge out of the loop; ``exit_blocks``: blocks that such edges lead to.
- ``has_preheader``, ``is_simplified``, ``is_rotated``: 1 for the forms that ``loop-simplify`` and
  ``loop-rotate`` make.
- ``trip_count``: how often the header runs each time the loop is entered, if a counter is compared with a
  constant and the number is at most 4096; otherwise 0.
- ``loads``, ``stores``, ``calls`` (not of intrinsics), ``intrinsics``, ``addresses`` (``getelementptr``),
  ``integer_operations``, ``float_operations``, ``comparisons``, ``branches`` (conditional ones and
  switches), ``selects``, ``vectors`` (instructions that give a vector): numbers of instructions.
- ``has_metadata``: 1 if the loop has ``llvm.loop`` metadata; ``unrolling_off``, ``vectorizing_off``,
  ``is_vectorized``: 1 if that is among its first 31 properties.
"""

CALL_SITE_COLUMNS: Final = (
    *("exists", "caller", "block", "position", "callee", "caller_instructions", "caller_blocks"),
    *("callee_instructions", "callee_blocks", "callee_calls", "callee_uses", "callee_is_internal"),
    *("callee_is_variadic", "callee_calls_itself", "is_recursive", "arguments", "constant_arguments"),
    *("loop_depth", "callee_noinline", "callee_alwaysinline", "noinline", "alwaysinline"),
)
"""The columns of the observation ``CallSites``: direct calls of functions that the module defines.

A row without a call is all zeros. Numbers of functions and blocks are those of ``LOOP_COLUMNS``.

- ``exists``: 1.
- ``caller``, ``block``, ``position``: numbers of the call's function, block and instruction.
- ``callee``: number of the called function.
- ``caller_instructions``, ``caller_blocks``, ``callee_instructions``, ``callee_blocks``: sizes.
- ``callee_calls``: direct calls of defined functions in the callee; ``callee_uses``: all uses of the callee.
- ``callee_is_internal``: 1 if no other module can call it, so that it is removed with its last call.
- ``callee_is_variadic``, ``callee_calls_itself``, ``is_recursive`` (caller and callee are the same): 1 or 0.
- ``arguments``, ``constant_arguments``: of this call.
- ``loop_depth``: number of loops around the call.
- ``callee_noinline``, ``callee_alwaysinline``: attributes of the callee; ``noinline``, ``alwaysinline``:
  attributes of this call.
"""
