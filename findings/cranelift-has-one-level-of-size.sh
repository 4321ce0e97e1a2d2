#!/usr/bin/env bash
# Cranelift's level for speed and size makes the same machine code as its level for speed.
#
# Version: wasmtime 50.0.1, on SQLite as WebAssembly (sql.js 1.13.0, npm).
# Guess:   speed_and_size is to speed what -Os is to -O2: a smaller program, and a point of its own for a search.
# Seen:    the machine code of 660 kB of WebAssembly is the same, byte for byte. Only the level's name, which the file of
#          machine code records, differs. The level none makes other code, so the option is read.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet wasmtime==50.0.1 pyelftools==0.33
cd "$here"
npm install --silent --no-fund --no-audit sql.js@1.13.0 >/dev/null

venv/bin/python - <<'PYTHON'
import hashlib, io
from pathlib import Path

from elftools.elf.elffile import ELFFile
from wasmtime import Config, Engine, Module

program = Path("node_modules/sql.js/dist/sql-wasm.wasm").read_bytes()
codes, files = {}, {}
for level in ("none", "speed", "speed_and_size"):
    config = Config()
    config.cranelift_opt_level = level
    files[level] = Module(Engine(config), program).serialize()
    codes[level] = ELFFile(io.BytesIO(files[level])).get_section_by_name(".text").data()
    print(f"{level}: {len(codes[level])} bytes of code, {hashlib.md5(codes[level]).hexdigest()[:8]}")
assert codes["speed"] == codes["speed_and_size"] != codes["none"]
assert files["speed"] != files["speed_and_size"] and len(codes["speed"]) > 1_000_000
PYTHON
