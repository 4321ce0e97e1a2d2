#!/usr/bin/env bash
# The libclang of PyPI takes size_t for int, leaves fields of that type out, and returns as if it had read the file.
#
# Version: libclang 18.1.1.
# Guess:   what `pip install libclang` brings can read C that includes <stddef.h>, or else Index.parse raises
#          TranslationUnitLoadError.
# Seen:    the package lacks clang's own headers. That one is missing is a fatal error, which only
#          TranslationUnit.diagnostics tells. A result of the unknown type is an int, a field of it is gone, and a structure of
#          16 bytes has 1: features and a data set made from the tree are of another program. With -I and those headers it is
#          right.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet libclang==18.1.1
mkdir "$here/headers"
echo 'typedef __SIZE_TYPE__ size_t;' > "$here/headers/stddef.h"
echo 'typedef struct inner *handle;' > "$here/other.h"
cat > "$here/program.c" <<'C'
#include <stddef.h>
#include "other.h"
struct span { size_t start, length; };
size_t end(struct span s, handle h) { return h ? s.start + s.length : 0; }
C
cd "$here"

"$here/venv/bin/python" - <<'PYTHON'
from clang.cindex import Diagnostic, Index

seen = []
for arguments in ([], ["-Iheaders"]):
    unit = Index.create().parse("program.c", ["--target=x86_64-linux-gnu", *arguments])
    found = {c.spelling: c for c in unit.cursor.get_children() if c.location.file and c.location.file.name == "program.c"}
    worst = max((d.severity for d in unit.diagnostics), default=0)
    fields = [field.spelling for field in found["span"].type.get_fields()]
    types = [found["end"].result_type, *(a.type for a in found["end"].get_arguments())]
    seen.append(([t.get_canonical().spelling for t in types], fields, found["span"].type.get_size(), worst))
    print(arguments, *seen[-1], [d.spelling for d in unit.diagnostics])
raise SystemExit(seen != [
    (["int", "struct span", "struct inner *"], [], 1, Diagnostic.Fatal),
    (["unsigned long", "struct span", "struct inner *"], ["start", "length"], 16, 0),
])
PYTHON
