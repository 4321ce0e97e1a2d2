"""Makes the table of the pinned GCC's options: ``python -m optarena.gcc.build_options [--check] [FILE]``.

It asks cc1 for its options and their defaults at each level, applies the rules below, and then compiles a
program with every single setting: what cc1 rejects, or does not compile in time, is left out. What follows is
review. ``--check`` writes nothing, and fails if the table is not what a build gives; it takes some minutes of
CPU time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from optarena.gcc import pinned
from optarena.gcc.options import LARGEST_NUMBER, GccOption, option_words
from optarena.gcc.toolchain import GccToolchain, RunnableGcc, find

Kind = Literal["level", "flag", "enum", "number", "text"]

# GCC 7 writes a sentence before one of its options.
_LINE: Final = re.compile(r"^  (?:[A-Z].*\. )?(?P<name>-\S+)\s*(?P<value>.*?)\s*$")
_OLD_PARAMETER: Final = re.compile(
    r"^  (?P<name>[a-z][A-Za-z0-9-]*)\s+default (?P<default>-?\d+)"
    r"(?: minimum (?P<low>-?\d+) maximum\s+(?P<high>-?\d+))?"
)
_RANGE: Final = re.compile(r"^(?P<stem>.*=)<(?P<low>-?\d+),(?P<high>-?\d+)>$")
_LISTED: Final = re.compile(r"^(?P<stem>.*=)\[(?P<values>[^\]]*)\]$")
_ELSEWHERE: Final = "[available in "
_SWITCHES: Final = ("[enabled]", "[disabled]")


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedOption:
    name: str  # up to its value: -fgcse, -fira-region=, --param=case-values-threshold=
    kind: Kind  # as of GccOption
    values: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    default: str = ""  # what GCC says about its present value; empty if it says nothing


def optimizers(text: str) -> tuple[DescribedOption, ...]:  # options of other languages are left out
    found = [one for name, value in _lines(text) if (one := _parse_optimizer(name, value)) is not None]
    levels = DescribedOption(name="-O", kind="level", values=tuple(_levels(text)))
    return (levels, *_unique(found))


def parameters(text: str) -> tuple[DescribedOption, ...]:
    old = [
        _parse_old_parameter(match) for line in _unwrap_lines(text) if (match := _OLD_PARAMETER.match(line))
    ]
    if old:
        return tuple(old)
    found = [
        _parse_valued(name, value)
        for name, value in _lines(text)
        if name.startswith("--param=") and not value.startswith(_ELSEWHERE)
    ]
    return _unique(found)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            yield match["name"], match["value"]


def _levels(text: str) -> Iterator[str]:
    for name, _ in _lines(text):
        if name == "-O<number>":
            yield from "0123"
        elif name.startswith("-O"):
            yield name[2:]


def _parse_optimizer(name: str, value: str) -> DescribedOption | None:
    if not name.startswith("-f") or value.startswith(_ELSEWHERE):
        return None
    if "=" in name:
        return _parse_valued(name, value)
    if name.startswith("-fno-"):
        name = f"-f{name.removeprefix('-fno-')}"
    return DescribedOption(name=name, kind="flag", default=value.strip("[]") if value in _SWITCHES else "")


def _parse_valued(name: str, value: str) -> DescribedOption:
    default = "" if value == "[default]" else value
    if match := _RANGE.match(name):
        low, high = int(match["low"]), int(match["high"])
        return DescribedOption(name=match["stem"], kind="number", low=low, high=high, default=default)
    if match := _LISTED.match(name):
        values = tuple(match["values"].split("|"))
        return DescribedOption(name=match["stem"], kind="enum", values=values, default=default)
    stem = name.partition("=")[0] + "=" if not name.startswith("--param=") else name
    is_decimal = value.removeprefix("-").isdecimal()
    is_number = name.endswith("<number>") or (name.startswith("--param=") and is_decimal)
    return DescribedOption(name=stem, kind="number" if is_number else "text", default=default)


def _unique(found: list[DescribedOption]) -> tuple[DescribedOption, ...]:
    # GCC lists some options twice; the one that says more counts.
    known: dict[str, DescribedOption] = {}
    for one in found:
        if one.name not in known or (one.values and not known[one.name].values):
            known[one.name] = one
    return tuple(known.values())


def _unwrap_lines(text: str) -> Iterator[str]:  # GCC 7 wraps lines
    joined = ""
    for line in text.splitlines():
        if joined.endswith("maximum") and line.strip().isdecimal():
            joined = f"{joined} {line.strip()}"  # the largest number of 32 bits does not fit the line
            continue
        if joined:
            yield joined
        joined = line
    yield joined


def _parse_old_parameter(match: re.Match[str]) -> DescribedOption:
    # A parameter of GCC 7: a maximum of 0, or not above the minimum, means that it has none.
    name, default = f"--param={match['name']}=", match["default"]
    low, high = (int(match[end] or 0) for end in ("low", "high"))
    if high <= low:
        return DescribedOption(name=name, kind="number", default=default)
    return DescribedOption(name=name, kind="number", default=default, low=low, high=high)


FLOATING_POINT: Final = "changes what floating-point arithmetic computes"
ABI: Final = "changes the binary interface"
ASSUMPTION: Final = "assumes something of the program that workloads may not show"
INSTRUMENTATION: Final = "adds code that checks or measures, writes files, or is not an optimisation"
NEEDS_MORE: Final = "needs another library or another step than compiling"
HOST: Final = "is about the compiler's own process, its messages or its debugging"
OTHER_NAME: Final = "is another name of an option"
MISCOMPILES: Final = "takes part in selective scheduling, with which a compiled program never ended"

_FLAGS: Final[dict[str, str]] = {
    FLOATING_POINT: """associative-math cx-fortran-rules cx-limited-range excess-precision fast-math
        finite-math-only float-store fp-contract fp-int-builtin-inexact math-errno reciprocal-math
        rounding-math signaling-nans signed-zeros single-precision-constant trapping-math
        unsafe-math-optimizations""",
    ABI: "pack-struct reg-struct-return short-enums short-wchar strict-volatile-bitfields",
    ASSUMPTION: """allow-store-data-races delete-dead-exceptions delete-null-pointer-checks exceptions
        finite-loops ipa-strict-aliasing isolate-erroneous-paths-attribute isolate-erroneous-paths-dereference
        lifetime-dse non-call-exceptions printf-return-value sched-spec-load-dangerous strict-aliasing trapv
        unconstrained-commons wrapv wrapv-pointer""",
    INSTRUMENTATION: """asynchronous-unwind-tables unwind-tables branch-probabilities harden-compares
        harden-conditional-branches inline-atomics keep-gc-roots-live live-patching opt-info
        patchable-function-entry plt profile-partial-training profile-reorder-functions profile-use
        profile-values save-optimization-record section-anchors semantic-interposition stack-check
        stack-clash-protection stack-protector stack-protector-all stack-protector-explicit
        stack-protector-strong trivial-auto-var-init var-tracking var-tracking-assignments
        var-tracking-assignments-toggle var-tracking-uninit vpt auto-profile""",
    NEEDS_MORE: "tree-parallelize-loops",
    OTHER_NAME: "handle-exceptions",
    MISCOMPILES: """selective-scheduling selective-scheduling2 sel-sched-pipelining
        sel-sched-pipelining-outer-loops sel-sched-reschedule-pipelined""",
}
# Of the names of parameters.
_PREFIXES: Final[dict[str, str]] = {
    INSTRUMENTATION: """analyzer- asan- hwasan- tsan- ssp- stack-clash profile- tm- openacc- uninit-
        use-after-scope""",
    ABI: "constructive- destructive- min-pagesize",
    NEEDS_MORE: "lto- parloops- lazy-modules",
    HOST: """ggc- hash-table cxx- gimple-fe max-debug max-vartrack min-nondebug graphite-allow-codegen-errors
        use-canonical-types ranger-debug threader-debug x86-""",
}
_REASONS: Final = {name: why for why, names in _FLAGS.items() for name in names.split()}
_PARAMETERS: Final = {name: why for why, names in _PREFIXES.items() for name in names.split()}
LEVELS_LEFT_OUT: Final = {"fast": FLOATING_POINT}

ALIGNMENTS: Final = ("1", "2", "4", "8", "16", "32")
_FEW: Final = ("0", "1", "2", "4", "8")
# Values that GCC's help does not list, from its manual and its sources.
KNOWN_VALUES: Final[dict[str, tuple[str, ...]]] = {
    "-falign-functions=": ALIGNMENTS,
    "-falign-jumps=": ALIGNMENTS,
    "-falign-labels=": ALIGNMENTS,
    "-falign-loops=": ALIGNMENTS,
    "-fsched-stalled-insns=": _FEW,
    "-fsched-stalled-insns-dep=": _FEW,
    "--param=evrp-mode=": ("legacy", "ranger"),
    "--param=vrp1-mode=": ("vrp", "ranger"),
    "--param=vrp2-mode=": ("vrp", "ranger"),
}
# Options that set others; they stand before these on a command line.
GROUPS: Final = ("-ftree-vectorize", "-fpeel-loops", "-funroll-loops", "-funroll-all-loops")
SMALL_RANGE: Final = 10
LARGEST_FACTOR: Final = 8
_LARGE: Final = 1000
_FOR_NO_DEFAULT: Final = (0, 1, 2, 4, 8, 16, 32)


def reason(described: DescribedOption) -> str:  # why an option stays off boards; empty if it does not
    if described.name.startswith("--param="):
        name = described.name.removeprefix("--param=")
        return next((why for start, why in _PARAMETERS.items() if name.startswith(start)), "")
    return _REASONS.get(described.name.removeprefix("-f").rstrip("="), "")


def value_texts(described: DescribedOption) -> tuple[str, ...]:
    if described.kind == "level":
        return tuple(one for one in described.values if one not in LEVELS_LEFT_OUT)
    if described.kind == "enum":
        return described.values
    if described.name in KNOWN_VALUES:
        return KNOWN_VALUES[described.name]
    return tuple(map(str, _numbers(described))) if described.kind == "number" else ()


def _numbers(described: DescribedOption) -> list[int]:
    # 0, and eighths to eightfold of the default, within the range.
    default = int(described.default or 0)
    near = {0, *(default * factor // LARGEST_FACTOR for factor in (1, 2, 4, 8, 16, 32, 64))}
    if default <= 0:
        near = set(_FOR_NO_DEFAULT)
    low, high = described.low, described.high
    if low is None or high is None:
        return sorted(one for one in near if one >= 0)
    if high - low <= SMALL_RANGE:
        return list(range(low, high + 1))
    ends = {low, high} if high <= max(_LARGE, LARGEST_FACTOR * default) else {low}
    return sorted(one for one in near | ends if low <= one <= high)


TABLE: Final = Path(__file__).with_name(f"options-{pinned.VERSION.rpartition('.')[0]}.json")
LEVELS: Final = ("O0", "O1", "O2", "O3", "Os", "Oz", "Og")
_SECONDS: Final = 20.0
_LEFT_OUT: Final = "cc1 rejects or does not finish every value"
PROGRAM: Final = """
typedef unsigned u; u state = 7; static u next(void) { return state = state * 1664525u + 1013904223u; }
static int compare(u a, u b) { return a < b ? -1 : a > b; }
static void sort(u *a, int n) {
  for (int i = 1; i < n; i++) { u v = a[i]; int j = i; while (j > 0 && compare(a[j - 1], v) > 0) { a[j] = a[j - 1]; j--; } a[j] = v; }
}
static double mean(const u *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s / n; }
static int kind(u c) { switch (c) { case 1: return 4; case 2: return 9; case 3: return 2; case 4: return 7; case 9: return 1; default: return c & 7; } }
int main(int argc, char **argv) {
  u a[64], b[64]; int k = 0; for (int i = 0; i < 64; i++) { a[i] = next() >> 8; b[i] = a[i] ^ (u)argc; }
  sort(a, 64); for (int i = 0; i < 64; i++) k += kind(a[i] & 15) * (b[i] > a[i]);
  if (argc > 3) for (char *p = argv[1]; *p; p++) k = k * 31 + *p;
  return (int)mean(a, 64) + k;
}
"""  # noqa: E501 # a program with loops, switches, calls and floating point, small for fast compilations


def ask_cc1(toolchain: RunnableGcc, level: str, what: str) -> str:
    # In an image, what is started here is Docker's client, which needs this process's variables.
    is_in_image = toolchain.access is None
    variables = {**os.environ, "LC_ALL": "C"} if is_in_image else {"LC_ALL": "C"}
    done = subprocess.run(  # noqa: S603 # a GCC that somebody chose
        [*toolchain.command("cc1"), "-Q", f"-{level}", f"--help={what}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_SECONDS,
        check=False,
        env=variables,
    )
    if not done.stdout:  # a GCC that says all may end with an error too
        done.check_returncode()
    return done.stdout


def describe_options(toolchain: RunnableGcc, levels: Sequence[str] = LEVELS) -> Iterator[GccOption]:
    # Groups come first, the rest in GCC's order. The first level is that without any option.
    at_level = {
        level: {
            one.name: one
            for one in (
                *optimizers(ask_cc1(toolchain, level, "optimizers")),
                *parameters(ask_cc1(toolchain, level, "params")),
            )
        }
        for level in levels
    }
    first = at_level[levels[0]]
    names = [name for name in GROUPS if name in first]
    level_name, *rest = first
    for name in (level_name, *names, *(one for one in rest if one not in names)):
        one = first[name]
        values = value_texts(one)
        why = reason(one)
        if not why and one.kind != "flag" and not values:
            why = "GCC does not say which values it has"
        defaults = {
            level: at_level[level][name].default
            for level in levels[1:]
            if at_level[level][name].default != one.default
        }
        whole: tuple[int, int] | None = None
        if one.kind == "number":
            high = LARGEST_NUMBER if one.high is None else one.high
            whole = 0 if one.low is None else one.low, high
        yield GccOption(
            name=name,
            kind=one.kind,
            choices=option_words(name, one.kind, values),
            default=one.default,
            defaults=defaults,
            reason=why,
            whole=whole,
        )


def compiles(toolchain: GccToolchain, folder: Path, word: str) -> bool:  # on top of -O2 and of -Os
    levels = [[]] if word.startswith("-O") else [["-O2"], ["-Os"]]
    return all(
        _succeeds(
            [*toolchain.command("cc1"), *pinned.FRONT_END, *level, word, "program.c", "-o", "-"], folder
        )
        for level in levels
    )


def _succeeds(command: Sequence[str], folder: Path) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 # the pinned compiler
            command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False, env={"LC_ALL": "C"}
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and not done.stderr


def drop_failing(toolchain: GccToolchain, options: Sequence[GccOption]) -> list[GccOption]:
    words = [word for option in options if not option.reason for word in option.choices]
    with (
        tempfile.TemporaryDirectory(prefix="optarena-") as place,
        ThreadPoolExecutor(os.cpu_count()) as threads,
    ):
        Path(place, "program.c").write_text(PROGRAM, encoding="utf-8")
        passed = dict(zip(words, threads.map(partial(compiles, toolchain, Path(place)), words), strict=True))
    return [option if option.reason else _drop_rejected(option, passed) for option in options]


def _drop_rejected(option: GccOption, passed: Mapping[str, bool]) -> GccOption:
    if option.kind == "flag":
        bad = [word for word in option.choices if not passed[word]]
        return replace(option, reason=f"cc1 rejects {' and '.join(bad)}" if bad else "")
    choices = tuple(word for word in option.choices if passed[word])
    return replace(option, choices=choices, reason="" if choices else _LEFT_OUT)


def document(options: Sequence[GccOption]) -> str:
    # An option a line, to be reviewed, in the order of command lines; those without a reason are on boards.
    # JSON: this package's import reads it, and would read TOML for 30 ms.
    lines = ",\n".join(json.dumps(_fields(option)) for option in options)
    return f'{{"options": [\n{lines}\n]}}\n'


def _fields(option: GccOption) -> dict[str, Any]:  # the words of a flag follow from its name
    values = [] if option.kind == "flag" else [one.removeprefix(option.name) for one in option.choices]
    fields = {"name": option.name, "kind": option.kind, "values": values, "default": option.default}
    others = {
        "range": option.whole,
        "defaults": option.defaults,
        "left_out": list(LEVELS_LEFT_OUT) if option.kind == "level" else None,
        "reason": option.reason,
    }
    return fields | {key: value for key, value in others.items() if value}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=TABLE, help="the table")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the table differs")
    options = parser.parse_args()
    toolchain = find()
    made = document(drop_failing(toolchain, list(describe_options(toolchain))))
    if not options.check:
        options.file.write_text(made, encoding="utf-8")
    elif options.file.read_text(encoding="utf-8") != made:
        raise SystemExit(f"{options.file} differs from a build.")


if __name__ == "__main__":
    main()
