"""The passes of LLVM's -Oz pipeline, flattened into a plain list and run once: no search at all.

The result is within a few percent of the real -Oz, which repeats some of these passes while it walks the call
graph. It is a good starting point for a search, and a baseline that a search should beat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import Budget, run

if TYPE_CHECKING:
    import numpy as np

    from optarena.env import CompilerEnv

# From `opt -passes='default<Oz>' -print-pipeline-passes`, in order, by the names of the curated actions.
PIPELINE = (
    "inferattrs lower-expect simplifycfg sroa early-cse ipsccp called-value-propagation globalopt mem2reg",
    "instcombine simplifycfg always-inline inline function-attrs sroa early-cse<memssa> jump-threading",
    "correlated-propagation simplifycfg instcombine aggressive-instcombine tailcallelim simplifycfg",
    "reassociate constraint-elimination loop-instsimplify loop-simplifycfg licm<no-allowspeculation>",
    "loop-rotate<no-header-duplication> licm simple-loop-unswitch simplifycfg instcombine loop-idiom indvars",
    "loop-deletion loop-unroll-full sroa vector-combine mldst-motion gvn sccp bdce instcombine",
    "jump-threading correlated-propagation adce memcpyopt dse move-auto-init licm simplifycfg<hoist-sink>",
    "instcombine function-attrs deadargelim globalopt globaldce elim-avail-extern rpo-function-attrs",
    "drop-unnecessary-assumes float2int lower-constant-intrinsics loop-rotate<no-header-duplication>",
    "loop-deletion loop-distribute infer-alignment loop-load-elim instcombine simplifycfg<late>",
    "vector-combine instcombine loop-unroll sroa<preserve-cfg> infer-alignment instcombine licm",
    "alignment-from-assumptions loop-sink instsimplify div-rem-pairs tailcallelim simplifycfg globaldce",
    "constmerge",
)
OZ_SEQUENCE = [name for line in PIPELINE for name in line.split()]


def oz_sequence(env: CompilerEnv, budget: Budget, rng: np.random.Generator) -> list[int]:
    """The flattened -Oz pipeline, cut at the budget."""
    del rng
    names = list(env.environment.action_table.names)
    actions = [names.index(name) for name in OZ_SEQUENCE][: budget.left]
    budget.spend(len(actions))
    return actions


if __name__ == "__main__":
    run(oz_sequence, name="oz-sequence", budget=len(OZ_SEQUENCE))
