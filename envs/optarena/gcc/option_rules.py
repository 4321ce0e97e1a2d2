"""Which options stay off boards, and why; and the values of options of which GCC tells none.

Outputs do not reveal most of these: programs print the same with ``-ffast-math`` or ``-fpack-struct``, since
their workloads do not notice. So the table keeps them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.gcc.help_texts import DescribedOption

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
_PREFIXES: Final[dict[str, str]] = {
    INSTRUMENTATION: """analyzer- asan- hwasan- tsan- ssp- stack-clash profile- tm- openacc- uninit-
        use-after-scope""",
    ABI: "constructive- destructive- min-pagesize",
    NEEDS_MORE: "lto- parloops- lazy-modules",
    HOST: """ggc- hash-table cxx- gimple-fe max-debug max-vartrack min-nondebug graphite-allow-codegen-errors
        use-canonical-types ranger-debug threader-debug x86-""",
}
"""Of the names of parameters."""
_REASONS: Final = {name: why for why, names in _FLAGS.items() for name in names.split()}
_PARAMETERS: Final = {name: why for why, names in _PREFIXES.items() for name in names.split()}
LEVELS_LEFT_OUT: Final = {"fast": FLOATING_POINT}

ALIGNMENTS: Final = ("1", "2", "4", "8", "16", "32")
_FEW: Final = ("0", "1", "2", "4", "8")
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
"""Values that GCC's help does not list, from its manual and its sources."""
GROUPS: Final = ("-ftree-vectorize", "-fpeel-loops", "-funroll-loops", "-funroll-all-loops")
"""Options that set others; they stand before these on a command line."""
SMALL_RANGE: Final = 10
LARGEST_FACTOR: Final = 8
_LARGE: Final = 1000
_FOR_NO_DEFAULT: Final = (0, 1, 2, 4, 8, 16, 32)


def reason(described: DescribedOption) -> str:
    """Why an option stays off boards; empty if it does not."""
    if described.name.startswith("--param="):
        name = described.name.removeprefix("--param=")
        return next((why for start, why in _PARAMETERS.items() if name.startswith(start)), "")
    return _REASONS.get(described.name.removeprefix("-f").rstrip("="), "")


def values(described: DescribedOption) -> tuple[str, ...]:
    """The texts behind an option's name that choose its values; for a flag, that set it and negate it."""
    if described.kind == "level":
        return tuple(one for one in described.values if one not in LEVELS_LEFT_OUT)
    if described.kind == "enum":
        return described.values
    if described.name in KNOWN_VALUES:
        return KNOWN_VALUES[described.name]
    return tuple(map(str, _numbers(described))) if described.kind == "number" else ()


def _numbers(described: DescribedOption) -> list[int]:
    """The numbers of a parameter: 0 and eighths to eightfold of its default, within its range."""
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
