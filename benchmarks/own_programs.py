"""A user's large C++ file: ``make_benchmark`` beside clang, and its sizes beside one code generation.

    python benchmarks/own_programs.py [--classes N]

The file is made up: maps, vectors, strings, shared pointers and functions of N classes; 6 give about 48,000
instructions. Every file differs in a number, so that nothing is known from before. Times are of the wall, in
turns; the last column is the ratio.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from kit import aim, milliseconds, show

import optarena  # noqa: F401 - registers the environments
from optarena.env import CompilerEnv
from optarena.llvm.making import make_benchmark
from optarena.llvm.toolchain import find_clang

TURNS: Final = 3
MOST_MAKING, MOST_SIZE = 1.5, 1.2
HEAD: Final = """#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>
"""
CLASS: Final = """
struct Key@ {
  int place;
  std::string name;
  bool operator<(const Key@ &other) const {
    return std::tie(place, name) < std::tie(other.place, other.name);
  }
};
static std::map<Key@, std::vector<std::shared_ptr<Key@>>> table@;
int work@(const std::string &text, int most) {
  std::vector<Key@> keys;
  for (int i = 0; i < most; i++) keys.push_back(Key@{i * 7 % 17, text + std::to_string(i + SALT)});
  std::sort(keys.begin(), keys.end());
  int sum = 0;
  for (auto &key : keys) table@[key].push_back(std::make_shared<Key@>(key));
  for (auto &pair : table@) sum += pair.second.size() + pair.first.place;
  std::function<int(int)> fall = [&](int left) { return left < 2 ? left : fall(left - 1) + @; };
  return sum + fall(most % 5);
}
"""


def source(classes: int, salt: int) -> str:
    parts = [CLASS.replace("@", str(number)).replace("SALT", str(salt)) for number in range(classes)]
    calls = "".join(f"  sum += work{number}(words[0], count);\n" for number in range(classes))
    main = f"int main(int count, char **words) {{\n  int sum = 0;\n{calls}  return sum & 1;\n}}\n"
    return HEAD + "".join(parts) + main


def turn(folder: Path, classes: int, salt: int) -> dict[str, float]:
    file, bitcode, clang = folder / f"made{salt}.cc", folder / "made.bc", str(find_clang(None))
    file.write_text(source(classes, salt))
    compile_ = [clang, "-Oz", "-c", "-o", str(folder / "made.o")]
    times = {
        "clang -Oz": milliseconds(lambda: subprocess.run([*compile_, str(file)], check=True)),  # noqa: S603 - ours
        "make_benchmark": milliseconds(lambda: make_benchmark(str(file))),
    }
    with CompilerEnv("llvm-ic-v0", benchmark=make_benchmark(str(file))) as env:
        env.reset(options={"observation_space": None, "reward_space": None})
        bitcode.write_bytes(env.observation["Bitcode"])
        times["ObjectTextSizeBytes"] = milliseconds(lambda: env.observation["ObjectTextSizeBytes"])
        count = env.observation["IrInstructionCount"]
    generate = [*compile_, "-w", "-Xclang", "-disable-llvm-passes", "-x", "ir", str(bitcode)]
    times["one code generation"] = milliseconds(lambda: subprocess.run(generate, check=True))  # noqa: S603 - ours
    times["instructions"] = count
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--classes", type=int, default=6)
    classes = parser.parse_args().classes
    with tempfile.TemporaryDirectory() as folder:
        turns = [turn(Path(folder), classes, salt) for salt in range(TURNS + 1)][1:]
    middle = {name: statistics.median(one[name] for one in turns) for name in turns[0]}
    print(f"a C++ file of {middle.pop('instructions'):,.0f} instructions; the median of {TURNS} turns")
    pairs = (
        ("make_benchmark", "clang -Oz", MOST_MAKING),
        ("ObjectTextSizeBytes", "one code generation", MOST_SIZE),
    )
    for name, reference, most in pairs:
        ratio = middle[name] / middle[reference]
        show(reference, middle[reference])
        show(name, middle[name], f"x {ratio:.2f}; {aim(ratio, most)}")


if __name__ == "__main__":
    main()
