"""What LLVM 23's O2 over functions marked minsize leaves beside LLVM 22's default<Oz>, on whole datasets.

LLVM 23 has no default<Oz>. The third column tells what the pipeline alone changes from what the release does.
"""

from __future__ import annotations

import argparse
import math
from typing import Final

from optarena import limits
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.llvm.module import Module
from optarena.llvm.releases import RELEASES

_DATASETS: Final = ("kernels-v0", "programs-v0")
_HEAD: Final = ("program", "as given", "22: Oz", "22: O2 minsize", "23: O2 minsize", "22 Oz / 23")


def _marked(benchmark: Benchmark) -> int:
    with Module.parse(benchmark.program()) as module:
        module.mark_minsize()
        module.run("default<O2>")
        return module.instruction_count()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--release", choices=RELEASES, default="23.1.4")
    release = RELEASES[parser.parse_args().release]
    print(f"IR instructions; LLVM 22.1.8 and {release.version}\n")
    with CompilerEnv(f"llvm-{release.major}-v0") as env:
        for name in _DATASETS:
            print(f"{name:<14}" + "".join(f"{text:>16}" for text in _HEAD[1:]))
            ratios, pipelines = [], []
            for benchmark in datasets()[name]:
                env.reset(options={"benchmark": benchmark})
                given = env.observation["IrInstructionCountO0"]
                now = env.observe(
                    f"IrInstructionCount{release.reference}", cpu_seconds=limits.CODE_CPU_SECONDS
                )
                before, marked = int(benchmark.baselines["ir_instructions"]["Oz"]), _marked(benchmark)
                ratios.append(math.log(before / now))
                pipelines.append(math.log(before / marked))
                row = (given, before, marked, now)
                shown = "".join(f"{value:>16,}" for value in row) + f"{before / now:>16.4f}"
                print(f"{benchmark.uri.rpartition('/')[2]:<14}{shown}", flush=True)
            mean, pipeline = (math.exp(math.fsum(values) / len(values)) for values in (ratios, pipelines))
            print(f"geometric mean of 22 Oz / 23: {mean:.4f}; of 22 Oz / 22 O2 minsize: {pipeline:.4f}\n")


if __name__ == "__main__":
    main()
