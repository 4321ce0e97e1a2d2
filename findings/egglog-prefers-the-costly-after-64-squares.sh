#!/usr/bin/env bash
# egglog extracts the costly one of two equal terms if values are shared often enough.
#
# Version: egglog 13.2.0 (PyPI).
# Guess:   of two terms that differ in one operation, whose cost is 100 and 1, extract() takes the one of cost 1, whatever they
#          are made of; and the cost that it returns is that of the program.
# Seen:    a value that is used twice costs twice, and the number ends at 2^64 - 1. After 62 squares, 62 products, the cheap
#          term is found; after 64 both cost the same, and the one of cost 100 is returned, without a word. Given its own
#          default by name, cost_model=default_cost_model, extract() counts on, and finds the cheap one.
#          greedy_dag_cost_model() counts a shared value once, as a program computes it.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet egglog==13.2.0
cd "$here"

cat > squares.py <<'PYTHON'
from __future__ import annotations

from egglog import EGraph, Expr, StringLike, default_cost_model, function, greedy_dag_cost_model, rewrite


class Number(Expr):
    def __init__(self, name: StringLike) -> None: ...
    def __mul__(self, other: Number) -> Number: ...


@function(cost=100)
def costly(x: Number) -> Number: ...


@function(cost=1)
def cheap(x: Number) -> Number: ...


def extracted(squares: int, *, both: bool = True, **model: object) -> tuple[str, object]:
    """Return the term that is extracted from costly and cheap, or from cheap alone, and its cost."""
    graph = EGraph()
    value = graph.let("x", Number("x"))
    for i in range(squares):
        value = graph.let(f"square{i}", value * value)
    result = graph.let("result", (costly if both else cheap)(value))

    @graph.register
    def _(x: Number):
        yield rewrite(costly(x)).to(cheap(x))

    graph.run(3)
    term, cost = graph.extract(result, include_cost=True, **model)
    name = str(term).splitlines()[-1].split("(")[0]
    print(f"{squares} squares{', with a cost model' if model else ''}{'' if both else ', only cheap()'}: {name}, of cost {cost}")
    return name, cost


end = 2**64 - 1
assert [extracted(n) for n in (1, 10, 62)] == [("cheap", 3 * 2**n) for n in (1, 10, 62)]
assert [extracted(n) for n in (64, 100)] == [("costly", end)] * 2
assert extracted(64, both=False) == ("cheap", end)
assert extracted(64, cost_model=default_cost_model) == ("cheap", 3 * 2**64)
name, cost = extracted(64, cost_model=greedy_dag_cost_model())
assert (name, cost.total) == ("cheap", 67)  # 64 products, cheap(), Number() and its text
PYTHON
venv/bin/python squares.py
