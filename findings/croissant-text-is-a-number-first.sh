#!/usr/bin/env bash
# mlcroissant reads a column of text as numbers first, and "no" as true.
#
# Version: mlcroissant 1.1.1.
# Guess:   the dataType of a field decides how its column is read: sc:Text gives the text of the file, and a word that
#          is not a boolean is an error for sc:Boolean.
# Seen:    007 becomes 7, and the identifier 12e4 becomes 120000.0, unless another row has a letter; "no" is True.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet mlcroissant==1.1.1
cd "$here"

"$here/venv/bin/python" - 2>/dev/null <<'PYTHON'
import hashlib
import json
from pathlib import Path

import mlcroissant


def values(data_type, *cells):
    text = "\n".join(["cell", *cells, ""])
    Path("data.csv").write_text(text)
    metadata = {
        "@context": {
            "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
            "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo", "column": "cr:column",
            "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "extract": "cr:extract", "field": "cr:field",
            "fileObject": "cr:fileObject", "recordSet": "cr:recordSet", "source": "cr:source",
        },
        "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0", "name": "d", "description": "d",
        "license": "MIT", "url": "https://example.org", "datePublished": "2026-01-01", "version": "1.0.0",
        "distribution": [{
            "@type": "cr:FileObject", "@id": "data.csv", "name": "data.csv", "contentUrl": "data.csv",
            "encodingFormat": "text/csv", "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "rows", "name": "rows", "field": [{
            "@type": "cr:Field", "@id": "rows/cell", "name": "cell", "dataType": data_type,
            "source": {"fileObject": {"@id": "data.csv"}, "extract": {"column": "cell"}},
        }]}],
    }  # fmt: skip
    Path("metadata.json").write_text(json.dumps(metadata))
    rows = mlcroissant.Dataset(jsonld="metadata.json").records("rows")
    found = [row["rows/cell"] for row in rows]
    print(data_type, cells, "->", found)
    return found


seen = [
    values("sc:Text", "007", "010"), values("sc:Text", "007", "x"), values("sc:Text", "12e4", "30e1"),
    values("sc:Boolean", "yes", "no"),
]  # fmt: skip
raise SystemExit(seen != [[b"7", b"10"], [b"007", b"x"], [b"120000.0", b"300.0"], [True, True]])
PYTHON
