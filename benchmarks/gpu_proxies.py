"""Compares predictors without a GPU with measured times: ``python benchmarks/gpu_proxies.py``; three minutes.

The times are those of ``results/gpu_check.txt``: each kernel as given and after 20 random sequences of
passes, on an H200, which had been assembled by nvJitLink. The same sequences are compiled again, by ptxas,
and what a CPU can know of each code is ranked beside its time. The table has Spearman's correlation within
each kernel: 1 if the predictor orders all codes as the device does. A board needs a median of 0.8, and at
least 0.4 in each kernel on which the predictor was not fitted.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import re
import struct
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import numpy as np
from gpu_check import GIVEN, MOST_PASSES, SEED
from scipy.stats import rankdata, spearmanr
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV

from optarena.datasets import datasets
from optarena.gpu_kernels import emulation, engine, features, programs, ptxas
from optarena.gpu_kernels.actions import PIPELINES, REFERENCE_LEVEL
from optarena.gpu_kernels.programs import Argument, KernelProgram

DATASET = "gpu-kernels-v0"  # that of the times, with the IR of gpu-kernels-v1
Array: TypeAlias = "np.ndarray[Any, Any]"
Code: TypeAlias = dict[str, float]
TIMES = Path(__file__).parent / "results" / "gpu_check.txt"
SEQUENCES = 20
MEDIAN_BAR, WORST_BAR = 0.8, 0.4
CASE = "even"  # the launch that is emulated
LOOP_WEIGHT = 8.0  # of a machine instruction, for each loop around it
# Cycles until a result can be used, about: of global, local and shared memory, and of other slow operations.
GLOBAL, LOCAL, SHARED, SPECIAL = 500.0, 40.0, 30.0, 25.0
PARTITION_WARPS = features.MAX_WARPS / features.PARTITIONS


def measured() -> dict[
    str, dict[str, tuple[float, float]]
]:  # microseconds, cold and warm, by kernel and form
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for line in TIMES.read_text().splitlines():
        if head := re.match(r"(\w+): form, then cold", line):
            times = found.setdefault(head[1].replace("_", "-"), {})
        elif found and (row := re.match(r"  (.{14}) *([\d.]+) us .* ([\d.]+) us .* right$", line)):
            times[row[1].strip()] = float(row[2]), float(row[3])
    return found


def codes(name: str, program: KernelProgram) -> Iterator[tuple[str, str, str]]:  # form, IR, PTX
    drawn = random.Random(f"{SEED} benchmark://{DATASET}/{name}")  # noqa: S311 # as in the GPU check
    for number in range(-1, SEQUENCES):
        module = engine.KernelModule(program.ir)
        for _ in range(drawn.randint(3, MOST_PASSES) if number >= 0 else 0):
            module.run(PIPELINES[drawn.randrange(len(PIPELINES))])
        yield GIVEN if number < 0 else f"random {number}", module.text(), module.ptx()
        module.close()


# Issue slots of a warp for an instruction of LLVM, about; most address arithmetic is part of an access.
_SLOTS = {
    **dict.fromkeys(("load", "store", "atomicrmw"), 2.0),
    **dict.fromkeys(("fdiv", "call", "sdiv", "udiv", "srem", "urem"), 8.0),
    **dict.fromkeys(("phi", "getelementptr", "bitcast", "addrspacecast"), 0.25),
}
_LABEL = re.compile(r'(?:[\w.$-]+|"[^"]*"):')
_OPERATION = re.compile(r"  (?:%\S+ = )?(?:tail |musttail |notail )?([a-z]+)")
_ACCESSES = ("load", "store", "atomicrmw")
# An address is a name or a constant expression. Of a store of a pointer, the second pointer is the address.
_ADDRESS = re.compile(
    r"\b(ptr(?: addrspace\(\d\))? (?:[%@][\w.$-]+|(?:addrspacecast|getelementptr)[a-z ]*\(.*\))), (?!ptr )"
)
_MOST_TRACED = 1 << 24  # accesses; the longest case has some ten million
_WORDS = 4  # of the record of an access: its number, thread and block, address, the end of the thread's stack
_COUNTERS = """
@proxy_trace = internal global [{words} x i64] zeroinitializer
@proxy_length = internal global i64 0
@proxy_blocks = internal global [{blocks} x i64] zeroinitializer
define internal void @proxy_access(i64 %access, ptr %address) {{
  %n = load i64, ptr @proxy_length
  %next = add i64 %n, 4
  store i64 %next, ptr @proxy_length
  %thread = load i64, ptr @optarena_thread
  %block = load i64, ptr @optarena_block
  %high = shl i64 %block, 10
  %both = or i64 %high, %thread
  %end = alloca i8
  %fits = icmp ult i64 %n, {words}
  br i1 %fits, label %record, label %done
record:
  %first = getelementptr i64, ptr @proxy_trace, i64 %n
  %second = getelementptr i64, ptr %first, i64 1
  %third = getelementptr i64, ptr %first, i64 2
  %fourth = getelementptr i64, ptr %first, i64 3
  store i64 %access, ptr %first
  store i64 %both, ptr %second
  store ptr %address, ptr %third
  store ptr %end, ptr %fourth
  br label %done
done:
  ret void
}}
define internal void @proxy_block(ptr %counter) {{
  %n = load i64, ptr %counter
  %next = add i64 %n, 1
  store i64 %next, ptr %counter
  ret void
}}
"""


def instrumented(ir: str) -> tuple[str, list[list[float]], list[int]]:
    # The IR; the slots of the instructions of each block; and of each access its block.
    lines: list[str] = []
    blocks: list[list[float]] = []
    homes: list[int] = []
    begins = False
    for line in ir.splitlines():
        if line.startswith("define") or (blocks and _LABEL.match(line)):
            blocks.append([])
            begins = True
        operation = _OPERATION.match(line) if blocks else None
        if operation:
            if begins and operation[1] != "phi":
                counter = f"ptr getelementptr (i64, ptr @proxy_blocks, i64 {len(blocks) - 1})"
                lines.append(f"  call void @proxy_block({counter})")
                begins = False
            blocks[-1].append(_SLOTS.get(operation[1], 1.0))
            if operation[1] in _ACCESSES:
                address = _ADDRESS.search(line)
                if address is None:
                    raise ValueError(f"Cannot find the address of the access {line.strip()}")
                lines.append(f"  call void @proxy_access(i64 {len(homes)}, {address[1]})")
                homes.append(len(blocks) - 1)
        lines.append(line)
    return (
        "\n".join([*lines, _COUNTERS.format(words=_WORDS * _MOST_TRACED, blocks=len(blocks))]),
        blocks,
        homes,
    )


def emulated(program: KernelProgram, ir: str) -> Code:  # what its threads do on the CPU
    case = program.case(CASE)
    text, blocks, homes = instrumented(ir)
    code = emulation.Emulated(text, program.kernel)
    arrays = [_array(one) for one in case.arguments]
    words = [
        one.value & 0xFFFFFFFF if one.kind == "int" else array.ctypes.data
        for one, array in zip(case.arguments, arrays, strict=True)
    ]
    code.launch(case.grid, case.block, words, list(range(case.threads)))
    runs = _variable(code, "proxy_blocks", len(blocks)) / features.WARP_THREADS
    length = int(_variable(code, "proxy_length", 1)[0])
    if length > _WORDS * _MOST_TRACED:
        raise ValueError(f"{program.kernel} makes {length // _WORDS:,} accesses, more than {_MOST_TRACED:,}.")
    trace = _variable(code, "proxy_trace", length)
    code.close()
    access, key, address, end = trace.reshape(-1, _WORDS).T
    # The end of a stack is at the lowest address in use.
    is_local = (end <= address) & (address < end + emulation.STACK_BYTES)
    is_global = np.zeros(len(access), bool)
    for array in arrays:
        is_global |= (array.ctypes.data <= address) & (address < array.ctypes.data + array.size)
    is_shared = ~is_global & ~is_local
    x, y = key & 0xFFFFFFFF, key >> 32
    thread = (x & 1023) + (y & 1023) * case.block[0]
    key = ((access << 20) + (x >> 10) + (y >> 10) * case.grid[0] << 10) + thread
    # Loads of one block are under way together, so each execution of a block waits once.
    homes_of = np.array(homes)
    waits = [runs[np.unique(homes_of[access[kept]])].sum() for kept in (is_global, is_shared, is_local)]
    slots = float(runs @ [sum(block) for block in blocks])
    return {
        "executed": float(runs @ [len(block) for block in blocks]),
        "slots": slots,
        "sectors": float(len(np.unique(_requests(key[is_global], address[is_global] >> 5), axis=0))),
        "bank turns": _bank_turns(_requests(key[is_shared], address[is_shared] >> 2)),
        "local accesses": float(is_local.sum()),
        "latency": slots + float(np.dot(waits, (GLOBAL, SHARED, LOCAL))),
    }


def _array(argument: Argument) -> Array:
    size = argument.size_bytes
    room = np.zeros(size + 256, np.uint8)
    array = room[-room.ctypes.data % 256 :][:size]
    if argument.kind not in {"int", "output"}:
        array[:] = np.frombuffer(programs.drawn(argument).tobytes(), np.uint8)
    return array


def _variable(code: emulation.Emulated, name: str, length: int) -> Array:
    address = code._engine.get_global_value_address(name)  # noqa: SLF001 # the check itself reads no variables
    return np.ctypeslib.as_array((ctypes.c_int64 * length).from_address(address)).copy()


def _requests(key: Array, place: Array) -> Array:
    # The warp's request and the sector or word of each access. A request is what all threads of a warp do at
    # one instruction when they come to it for the same time.
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    times = np.empty(len(key), np.int64)
    times[order] = np.arange(len(key)) - np.repeat(starts, np.diff(starts, append=len(key)))
    return np.stack([key // features.WARP_THREADS, times, place], axis=1)


def _bank_turns(words: Array) -> float:  # a bank of shared memory gives one word of a request in each turn
    words = np.unique(words, axis=0)
    words[:, 2] %= 32
    banks, turns = np.unique(words, axis=0, return_counts=True)
    starts = np.flatnonzero(np.any(np.diff(banks[:, :2], axis=0, prepend=-1), axis=1))
    return float(np.maximum.reduceat(turns, starts).sum()) if len(banks) else 0.0


_LATENCY = {"global_load": GLOBAL, "atomic": GLOBAL, "local_load": LOCAL, "shared_load": SHARED}
_BRANCH = 0x147


def machine_code(assembled: ptxas.Assembled, threads: int) -> Code:
    # Cycles of one warp alone: an instruction stalls for as long as ptxas wrote into it, and waits for the
    # results that its mask names. All are weighted by the loops around them.
    cycles = slots = spilled = 0.0
    for code in features._functions(assembled.cubin):  # noqa: SLF001 # as the features count them
        words = [low | high << 64 for low, high in struct.iter_unpack("<QQ", code[: len(code) & ~15])]
        weights = np.ones(len(words))
        for place, word in enumerate(words):
            jump = (word >> 34 & (1 << 48) - 1 ^ 1 << 47) - (1 << 47) << 8 | word >> 16 & 0xFF
            target = place + 1 + jump // 4
            if word & 0x1FF == _BRANCH and 0 <= target < place:
                weights[target : place + 1] *= LOOP_WEIGHT
        now, ready = 0.0, [0.0] * 8
        for word, weight in zip(words, map(float, weights), strict=True):
            kind = features._CLASS_OF.get(word & 0x1FF, features.OTHER)  # noqa: SLF001 # as above
            begins = max(now, *(ready[i] for i in range(6) if word >> 116 >> i & 1), now)
            ready[word >> 110 & 7] = begins + _LATENCY.get(kind, SPECIAL)
            ends = begins + (word >> 105 & 15)
            cycles, slots, now = cycles + weight * (ends - now), slots + weight, ends
            spilled += weight * kind.startswith("local")
    occupancy = features.occupancy(threads, assembled.registers, assembled.shared_bytes)
    return {
        "thread_bytes": features.thread_bytes(assembled),
        "registers": assembled.registers,
        "unoccupied": 1 - occupancy,
        "instructions": sum(features.classes(assembled.cubin).values()),
        "loop-weighted": slots,
        "loop-weighted local": spilled,
        "warp's cycles": cycles,
        "cycles and occupancy": max(cycles / (PARTITION_WARPS * occupancy), slots),
    }


def correlation(one: Array, other: Array) -> float:
    return float(spearmanr(one, other).statistic) if len(set(one)) > 1 and len(set(other)) > 1 else 0.0


def fitted(kernels: dict[str, Array], times: dict[str, Array], model: Callable[[], Any]) -> list[float]:
    # The predictions of each kernel by a fit on all others, of ranks within a kernel.
    ranked = {name: _ranks(rows) for name, rows in kernels.items()}
    found = []
    for name in kernels:
        others = [other for other in kernels if other != name]
        wanted = np.concatenate([_ranks(times[other][:, None])[:, 0] for other in others])
        fit = model().fit(np.concatenate([ranked[other] for other in others]), wanted)
        found.append(correlation(fit.predict(ranked[name]), times[name]))
    return found


def _ranks(rows: Array) -> Array:
    ranks: Array = rankdata(rows, axis=0)
    return (ranks - 1) / max(1, len(rows) - 1) - 0.5


def row(title: str, found: list[float]) -> str:
    passes = median(found) >= MEDIAN_BAR and min(found) >= WORST_BAR
    cells = "".join(f"{one:7.2f}" for one in found)
    return f"  {title:24}{cells}{median(found):9.2f}{min(found):7.2f}  {'yes' if passes else 'no'}"


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    found: dict[str, list[Code]] = {}
    times: dict[str, Array] = {}
    known = measured()
    for benchmark in datasets().find(DATASET):
        name, program = benchmark.name, programs.parse(benchmark.program())
        kept = []
        for form, ir, ptx in codes(name, program):
            if form in known[name]:
                assembled = ptxas.assemble(ptx, program.kernel, REFERENCE_LEVEL)
                static = machine_code(assembled, program.main.threads)
                executed = {f"emulated {key}": value for key, value in emulated(program, ir).items()}
                found.setdefault(name, []).append(static | executed)
                kept.append(known[name][form])
        times[name] = np.array(kept)
    report(found, times)


def report(found: dict[str, list[Code]], both: dict[str, Array]) -> None:
    times = {name: one[:, 0] for name, one in both.items()}
    columns = {name: np.array([list(code.values()) for code in rows]) for name, rows in found.items()}
    print(f"{'':26}{''.join(f'{name[:6]:>7}' for name in found)}   median  worst  enough")
    print(row("time with warm caches", [correlation(*one.T) for one in both.values()]))
    for place, title in enumerate(next(iter(found.values()))[0]):
        print(row(title, [correlation(columns[name][:, place], times[name]) for name in found]))
    print("fits of all of these, each kernel by what was fitted on the twelve others")
    print(row("linear", fitted(columns, times, RidgeCV)))
    forest = partial(RandomForestRegressor, 300, min_samples_leaf=3, random_state=0)
    print(row("random forest", fitted(columns, times, forest)))
    spread = "".join(f"{one.max() / one.min():7.2f}" for one in times.values())
    print(f"  {'slowest / fastest':24}{spread}")


if __name__ == "__main__":
    main()
