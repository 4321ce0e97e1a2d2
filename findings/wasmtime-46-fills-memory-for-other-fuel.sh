#!/usr/bin/env bash
# The same WebAssembly takes 5 units of wasmtime's fuel, or two million.
#
# Version: wasmtime 45.0.0, 46.0.1 and 50.0.1 (Python packages).
# Guess:   fuel counts instructions, as its default of one unit for each suggests, so a program takes the same in each release.
# Seen:    a loop of stores takes 11 a round in all three, but memory.fill of two million bytes 5 up to 45.0.0 and 2,000,005
#          from 46.0.1 on; memory.grow by a hundred pages takes 3, 3 and 103. nop and block take
#          nothing. To make a loop a memory.fill divides the cost by millions in one release, and by eleven in the next.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

cat > "$here/fuel.py" <<'PYTHON'
from wasmtime import Config, Engine, Instance, Module, Store

BODIES = {
    "five nops in a block": "(block nop nop nop nop nop)",
    "a loop of 1,000 stores": """
        (loop (i32.store8 (local.get $i) (i32.const 7))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br_if 0 (i32.lt_u (local.get $i) (i32.const 1000))))""",
    "memory.fill of 2,000,000 bytes": "(memory.fill (i32.const 0) (i32.const 7) (i32.const 2000000))",
    "memory.grow by 100 pages": "(drop (memory.grow (i32.const 100)))",
}


def fuel(body: str) -> int:
    config = Config()
    config.consume_fuel = True
    store = Store(Engine(config))
    store.set_fuel(10**9)
    text = f'(module (memory 40) (func (export "run") (local $i i32) {body}))'
    made = Instance(store, Module(store.engine, text), [])
    made.exports(store)["run"](store)
    return 10**9 - store.get_fuel()


print(*(fuel(body) for body in BODIES.values()))
PYTHON
seen=
for version in 45.0.0 46.0.1 50.0.1; do
  python3 -m venv "$here/venv"
  "$here/venv/bin/pip" install --quiet "wasmtime==$version"
  taken=$("$here/venv/bin/python" "$here/fuel.py")
  echo "wasmtime $version: five nops, a thousand stores in a loop, a fill of two million bytes, and a hundred pages take $taken"
  seen="$seen$taken;"
  rm -rf "$here/venv"
done
[ "$seen" = '1 11001 5 3;1 11001 2000005 3;1 11001 2000005 103;' ]
