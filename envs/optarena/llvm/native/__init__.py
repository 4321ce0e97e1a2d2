"""Loops over instructions that Python would be too slow for, in C over LLVM's C interface.

Each ``.c`` file lies here with the textual LLVM IR that the pinned clang makes of it (see
``tests/kit/native.py``); the IR is what is shipped and compiled by the engine itself, so that users need no
compiler.
"""

from __future__ import annotations

from typing import Final

# Each source, and one of the functions that it defines: to look it up compiles the whole of it.
SOURCES: Final = {
    "features": "optarena_autophase",
    "instcount": "optarena_instcount",
    "ir2vec": "optarena_ir2vec",
    "fingerprint": "optarena_fingerprint",
    "layout": "optarena_layout",
    "apply": "optarena_apply",
    "trials": "optarena_trials",
    "steps": "optarena_steps",
    "dialogue": "optarena_dialogue_go_on",
}

# Those that few sessions need. The other sources call none of them.
RARE: Final = {
    "properties": "optarena_properties",
    "graph": "optarena_graph",
    "loops": "optarena_loops",
    "call_sites": "optarena_call_sites",
}
