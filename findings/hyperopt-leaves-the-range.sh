#!/usr/bin/env bash
# hyperopt proposes values below and above the range, and draws the ends of a uniform range half as often.
#
# Version: hyperopt 0.3.0, numpy 2.4.6.
# Guess:   quniform("unroll", 3, 30, 8) is one of 8, 16, 24, and uniformint("width", 1, 4) is each of 1 to 4 in a quarter of
#          the draws.
# Seen:    values are drawn from 3 to 30 and rounded to the next multiple of 8: 0 and 32 are among them, and fmin returns 0 or
#          32 as the best. uniformint rounds as well, so that 1 and 4 have a sixth each and 2 and 3 a third.
#          randint("width", 1, 5) draws all four alike.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet hyperopt==0.3.0 numpy==2.4.6 'setuptools<81'

"$here/venv/bin/python" - 2>/dev/null <<'PYTHON'
import numpy as np
from hyperopt import fmin, hp, tpe
from hyperopt.pyll.stochastic import sample


def drawn(space):
    generator = np.random.default_rng(0)
    values, counts = np.unique([int(sample(space, rng=generator)) for _ in range(6000)], return_counts=True)
    return dict(zip(values.tolist(), counts.tolist()))


def best(sign):
    generator = np.random.default_rng(0)
    space = hp.quniform("unroll", 3, 30, 8)
    found = fmin(lambda value: sign * value, space, tpe.suggest, 40, rstate=generator, show_progressbar=False)
    return int(found["unroll"])


unroll = drawn(hp.quniform("unroll", 3, 30, 8))
rounded, counted = drawn(hp.uniformint("width", 1, 4)), drawn(hp.randint("width", 1, 5))
print("quniform of 3 to 30 by 8:", unroll, "| best, by fmin:", best(1), best(-1))
print("uniformint of 1 to 4:", rounded, "| randint:", counted)
ends, middle = rounded[1] + rounded[4], rounded[2] + rounded[3]
raise SystemExit(
    list(unroll) != [0, 8, 16, 24, 32]
    or (best(1), best(-1)) != (0, 32)
    or not 1.8 < middle / ends < 2.2
    or max(counted.values()) > 1.2 * min(counted.values())
)
PYTHON
