"""What reading and checking a submission costs, for the worst bodies of 5 MB of every shape.

    python benchmarks/parsing.py [--board-size N] [--only WORD]

Each body is checked as ``POST /api/v1/submissions/validate/`` checks it, against a real board of 10,000
programs in an own PostgreSQL. Printed are the seconds of this process's processor time, beside those of
``json.loads`` (of a CSV: ``csv.reader``) on the same body, and how the check ended.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import platform
import time
from typing import TYPE_CHECKING, Final

from measuring import aim, show
from scratch import make_board, scratch_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZE: Final = 4_990_000
AIM_SECONDS: Final = 1.0
_HEAD: Final = '{"board": "many", "agent": "a", '


def shapes() -> Iterator[tuple[str, str, str]]:
    """Name, format and text of every body."""
    yield from (("json", *one) for one in _objects())
    yield from (("json", *one) for one in _items())
    yield from (("csv", *one) for one in _tables())


def _filled(head: str, part: Callable[[int], str], tail: str, between: str = ",") -> str:
    """As many parts as fit."""
    parts, size, number = [], len(head) + len(tail), 0
    while size < SIZE:
        parts.append(part(number))
        size += len(parts[-1].encode()) + len(between)
        number += 1
    return f"{head}{between.join(parts[:-1])}{tail}"


def _objects() -> Iterator[tuple[str, str]]:
    yield "unknown keys", _filled("{", lambda n: f'"{n:x}":1', "}")
    yield "unknown keys, many to an object", _filled("{", lambda n: f'"x{n}":{{"a":1,"b":2}}', "}")
    yield "one key twice, at the end", _filled("{", lambda n: f'"{n:x}":1', ',"0":2}')
    yield "deep lists", "[" * SIZE
    yield "deep objects", '{"a":' * (SIZE // 5)
    yield "lists of 31 levels", _filled("[", lambda _: "[" * 31 + "]" * 31, "]")
    yield "empty lists", _filled(_HEAD + '"items": [', lambda _: "[]", "]}")
    yield "empty objects", _filled(_HEAD + '"items": [', lambda _: "{}", "]}")
    yield "one long number", _HEAD + '"items": ' + "9" * SIZE + "}"
    yield "long numbers", _filled(_HEAD + '"items": [', lambda _: "9" * 4_200, "]}")
    yield "long fractions", _filled(_HEAD + '"items": [', lambda _: "0." + "9" * 4_200, "]}")
    yield "brackets in a text", _HEAD + '"description": "' + "[{" * (SIZE // 2) + '"}'
    yield "escapes in a text", _HEAD + '"description": "' + "\\u00e9" * (SIZE // 6) + '"}'
    yield "surrogate pairs", _HEAD + '"description": "' + "\\ud83d\\ude00" * (SIZE // 12) + '"}'
    yield "half a surrogate pair, at the end", '{"x": "' + "é" * (SIZE // 2 - 50) + '\\ud83d"}'
    yield "every character once", _HEAD + '"description": "' + _every_character() + '"}'
    yield "invisible characters", _HEAD + '"description": "' + "\u200d" * (SIZE // 3 - 50) + '"}'


def _every_character() -> str:
    plain = (chr(one) for one in range(0x10000, 0x110000) if chr(one).isprintable() is False)
    return "".join(plain)[: SIZE // 4 - 50]


def _items() -> Iterator[tuple[str, str]]:
    head = _HEAD + '"items": ['
    item = '{"benchmark": "benchmark://many-v0/%d", %s}'
    wrong = '{"benchmark": "benchmark://many-v0/%d%d", "actions": [1]}'
    yield "10,000 items with every action text", _filled(head, lambda n: item % (n, _actions(n)), "]}")
    yield "unknown benchmarks", _filled(head, lambda n: wrong % (n, n + 77_777), "]}")
    yield "unknown fields in items", _filled(head, lambda n: item % (n, _many_fields(n)), "]}")
    yield "claims", _filled(head, lambda n: item % (n, '"actions": [1], ' + _claims(90)), "]}")
    yield "too many claims", _filled(head, lambda n: item % (n, '"actions": [1], ' + _claims(5_000)), "]}")
    yield "wrong numbers", _filled(head, lambda n: item % (n, '"actions": [1], "reward": "x"'), "]}")
    yield "long lists of actions", _filled(head, lambda n: item % (n, _long(9_999)), "]}")
    yield "one list of actions", head + item % (1, _long(SIZE // 2 - 100)) + "]}"
    many, some = (_commandline(number) for number in (200_000, 30))
    yield "one command line", head + item % (1, f'"commandline": "{many[: SIZE - 200]}"') + "]}"
    yield "command lines", _filled(head, lambda n: item % (n, f'"commandline": "{some}"'), "]}")
    unknown = "opt -passes='loop-%d' input.bc -o output.bc" + " " * 400
    yield "unknown passes", _filled(head, lambda n: item % (n, f'"commandline": "{unknown % n}"'), "]}")
    wide = '{"benchmark": "benchmark://many-v0/%d", "actions": [1], "description": "' + " " * 400 + '"}'
    yield "items with unknown fields", _filled(head, lambda n: wide % n, "]}")
    near = '{"benchmark": "benchmark://many-v0/%dx%s", "actions": [1]}'
    yield "long unknown benchmarks", _filled(head, lambda n: near % (n, "y" * 220 + " " * 300), "]}")
    text = " \u200d-x" * (SIZE // 7)
    yield "an unprintable command line", head + item % (1, f'"commandline": "{text}"') + "]}"
    yield "a text in place of a list", _HEAD + f'"items": "{"x" * (SIZE - 100)}"}}'


def _commandline(passes: int) -> str:
    from optarena.specs import environment_spec  # noqa: PLC0415 - imported once

    return environment_spec("llvm-ic-v0").commandline([number % 50 for number in range(passes)])


def _actions(number: int) -> str:
    return f'"actions": [{", ".join(str(number * place % 100) for place in range(1, 110))}]'


def _many_fields(number: int) -> str:
    return ", ".join(f'"f{number}_{place}": 1' for place in range(40))


def _claims(number: int) -> str:
    return '"claims": {' + ", ".join(f'"c{one}": 1' for one in range(number)) + "}"


def _long(number: int) -> str:
    return f'"actions": [{",".join("1" * number)}]'


def _tables() -> Iterator[tuple[str, str]]:
    for name, end in (("CR", "\r"), ("LF", "\n"), ("CRLF", "\r\n")):
        yield f"rows ended by {name}", _filled("", lambda _: "a,b", "", end)
        yield f"blank rows ended by {name}", end * (SIZE // len(end))
    yield "line ends in quotes", _filled("", lambda n: f'b{n},"\n\n\n\n"', "", "\n")
    yield "commas", "," * SIZE
    yield "rows of commas", _filled("", lambda _: "," * 600, "", "\n")
    yield "a header of many columns", _filled("benchmark,commandline,", lambda n: f"c{n}", "\nx")
    header = ",".join(["benchmark", "commandline", *(f"c{n}" for n in range(190))])
    yield "claims of unknown metrics", _filled(f"{header}\n", lambda n: f"b{n},x" + ",1" * 190, "", "\n")
    yield "rows of another length", _filled(f"{header}\n", lambda n: f"b{n},x,1", "", "\n")
    yield "a quote that never ends", '"' + "x" * SIZE
    yield "one value", "x" * SIZE


def check(format_: str, text: str) -> str:
    """Check a body like the API; how it ended, in words."""
    from leaderboard.services.intake import Incoming, check  # noqa: PLC0415 - needs Django
    from optarena.errors import InvalidDocument, InvalidInput  # noqa: PLC0415 - as above

    about = {"board": "many", "agent": "a"} if format_ == "csv" else {}
    try:
        draft = check(incoming=Incoming(body=text.encode(), format=format_, about=about))  # type: ignore[arg-type] # one of two
    except InvalidDocument as error:
        return f"{len(error.problems)} problems: {error.problems[0].message[:50]}"
    except InvalidInput as error:
        return error.message[:70]
    return f"{len(draft.items):,} items"


def bare(format_: str, text: str) -> float:
    """The processor seconds of the standard library's reader."""
    start = time.process_time()
    try:
        if format_ == "json":
            json.loads(text)
        else:
            list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (ValueError, RecursionError, csv.Error):
        pass
    return time.process_time() - start


def main() -> None:
    """Check every body and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--board-size", type=int, default=10_000)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    csv.field_size_limit(2**31 - 1)
    print(f"parsing, {os.cpu_count()} processors, Python {platform.python_version()}, bodies of 5 MB")
    with scratch_database():
        make_board("many", given.board_size)
        check("json", "{}")  # imports what is imported once
        for format_, name, text in shapes():
            if given.only not in name:
                continue
            start = time.process_time()
            ended = check(format_, text)
            seconds = time.process_time() - start
            remarks = f"{aim(seconds, AIM_SECONDS)}; the bare reader {bare(format_, text):.3f} s; {ended}"
            show(f"{format_}: {name}", seconds, remarks, unit="s ")


if __name__ == "__main__":
    main()
