"""Makes the table of the pinned GCC's options: ``python -m optarena.gcc.build_options [--check] [FILE]``.

It asks cc1 for its options and their defaults at each level, applies the rules of ``option_rules``, and then
compiles a program with every single setting: what cc1 rejects, or does not compile in time, is left out. What
follows is review. ``--check`` writes nothing, and fails if the table is not what a build gives; it takes some
minutes of CPU time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.gcc import option_rules, pinned
from optarena.gcc.help_texts import DescribedOption, optimizers, parameters
from optarena.gcc.options import LARGEST_NUMBER
from optarena.gcc.toolchain import GccToolchain, RunnableGcc, find

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HERE: Final = Path(__file__).parent
SHORT_VERSION: Final = pinned.VERSION.rpartition(".")[0]
TABLE: Final = HERE / f"options-{SHORT_VERSION}.toml"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRow:
    """A row of the table."""

    described: DescribedOption
    values: tuple[str, ...]
    reason: str
    defaults: Mapping[str, str]

    def words(self) -> list[str]:
        """The words that choose its values."""
        name = self.described.name
        if self.described.kind == "flag":
            return [name, f"-fno-{name.removeprefix('-f')}"]
        return [name + value for value in self.values]

    def whole(self) -> tuple[int, int] | None:
        """The first and the last of all numbers that it takes; None for other kinds."""
        one = self.described
        if one.kind != "number":
            return None
        return 0 if one.low is None else one.low, LARGEST_NUMBER if one.high is None else one.high


def asked(toolchain: RunnableGcc, level: str, what: str) -> str:
    """What cc1 says about its options at a level.

    Raises:
        OSError, subprocess.SubprocessError: It cannot be started, does not end, or fails without a word.
    """
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


def described(toolchain: RunnableGcc, levels: Sequence[str] = LEVELS) -> Iterator[OptionRow]:
    """All options with their rules applied, groups first, and otherwise in GCC's order.

    Args:
        toolchain: The GCC.
        levels: The levels at which it is asked for defaults; the first is that without any option.
    """
    at_level = {
        level: {
            one.name: one
            for one in (
                *optimizers(asked(toolchain, level, "optimizers")),
                *parameters(asked(toolchain, level, "params")),
            )
        }
        for level in levels
    }
    first = at_level[levels[0]]
    names = [name for name in option_rules.GROUPS if name in first]
    level_name, *rest = first
    for name in (level_name, *names, *(one for one in rest if one not in names)):
        one = first[name]
        values = option_rules.values(one)
        why = option_rules.reason(one)
        if not why and one.kind != "flag" and not values:
            why = "GCC does not say which values it has"
        defaults = {
            level: at_level[level][name].default
            for level in levels[1:]
            if at_level[level][name].default != one.default
        }
        yield OptionRow(described=one, values=values, reason=why, defaults=defaults)


def compiles(toolchain: GccToolchain, folder: Path, word: str) -> bool:
    """Whether the program compiles with one setting, on top of ``-O2`` and of ``-Os``."""
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


def tried(toolchain: GccToolchain, entries: Sequence[OptionRow]) -> list[OptionRow]:
    """The entries without the values that do not compile."""
    words = [word for entry in entries if not entry.reason for word in entry.words()]
    with (
        tempfile.TemporaryDirectory(prefix="optarena-") as place,
        ThreadPoolExecutor(os.cpu_count()) as threads,
    ):
        Path(place, "program.c").write_text(PROGRAM, encoding="utf-8")
        passed = dict(zip(words, threads.map(partial(compiles, toolchain, Path(place)), words), strict=True))
    return [entry if entry.reason else _kept(entry, passed) for entry in entries]


def _kept(entry: OptionRow, passed: Mapping[str, bool]) -> OptionRow:
    name = entry.described.name
    if entry.described.kind == "flag":
        bad = [word for word in entry.words() if not passed[word]]
        reason = f"cc1 rejects {' and '.join(bad)}" if bad else ""
        return OptionRow(described=entry.described, values=(), reason=reason, defaults=entry.defaults)
    values = tuple(value for value in entry.values if passed[name + value])
    return OptionRow(
        described=entry.described,
        values=values,
        reason="" if values else _LEFT_OUT,
        defaults=entry.defaults,
    )


def document(entries: Sequence[OptionRow]) -> str:
    """The table as TOML, one line for each option."""
    head = (
        f"# The options of {pinned.COMPILER}, made by `python -m optarena.gcc.build_options` and reviewed.\n"
        "# An option without a reason is on boards. The order is that of command lines.\n\noptions = [\n"
    )
    return head + "".join(f"  {{ {_fields(entry)} }},\n" for entry in entries) + "]\n"


def _fields(entry: OptionRow) -> str:
    one = entry.described
    fields = {"name": one.name, "kind": one.kind, "values": list(entry.values), "default": one.default}
    text = ", ".join(f"{key} = {json.dumps(value)}" for key, value in fields.items())
    if whole := entry.whole():
        text += f", range = {json.dumps(whole)}"
    if entry.defaults:
        text += f", defaults = {{ {', '.join(f'{k} = {json.dumps(v)}' for k, v in entry.defaults.items())} }}"
    if one.kind == "level":
        text += f", left_out = {json.dumps(list(option_rules.LEVELS_LEFT_OUT))}"
    return text + (f", reason = {json.dumps(entry.reason)}" if entry.reason else "")


def main() -> None:
    """Build or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=TABLE, help="the table")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the table differs")
    options = parser.parse_args()
    toolchain = find()
    made = document(tried(toolchain, list(described(toolchain))))
    if not options.check:
        options.file.write_text(made, encoding="utf-8")
    elif options.file.read_text(encoding="utf-8") != made:
        raise SystemExit(f"{options.file} differs from a build.")


if __name__ == "__main__":
    main()
