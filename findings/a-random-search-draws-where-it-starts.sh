#!/usr/bin/env bash
# nevergrad's random search draws the starting value half of the time, and the ends of a range half as often as the rest.
#
# Versions: nevergrad 1.0.12, numpy 2.4.6.
# Guess:    RandomSearch draws each whole number between lower and upper equally often, wherever init is, as it does for the
#           options of Choice.
# Seen:     with init=2 in 0 to 5 it draws 2 in half of all tries, and 5 in 3 of a hundred: it draws from a normal distribution
#           about init. Without init it draws a real number evenly and rounds it, so 0 and 5 come half as often as 1 to 4. A
#           baseline by it is good where the default is good, and bad where the best is an end. Choice is even.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nevergrad==1.0.12 numpy==2.4.6

"$here/venv/bin/python" - <<'PYTHON'
import nevergrad

TRIES = 6000


def shares(parameter):
    search = nevergrad.optimizers.RandomSearch(parameter, budget=TRIES)
    search.parametrization.random_state.seed(1)
    drawn = [search.ask().value for _ in range(TRIES)]
    assert set(drawn) == set(range(6))
    return [drawn.count(value) / TRIES for value in range(6)]


def integers(**start):
    return nevergrad.p.Scalar(lower=0, upper=5, **start).set_integer_casting()


choice = shares(nevergrad.p.Choice(range(6)))
without_start = shares(integers())
with_start = shares(integers(init=2))
for name, found in (("Choice", choice), ("without init", without_start), ("with init=2", with_start)):
    print(f"{name}:", *(f"{share:.0%}" for share in found))
assert all(abs(share - 1 / 6) < 0.02 for share in choice)
assert all(abs(share - 0.1) < 0.02 for share in (without_start[0], without_start[5]))
assert all(abs(share - 0.2) < 0.02 for share in without_start[1:5])
assert abs(with_start[2] - 0.51) < 0.02
assert abs(with_start[5] - 0.03) < 0.01
PYTHON
