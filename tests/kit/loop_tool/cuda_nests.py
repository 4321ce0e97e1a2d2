"""Random nests: those that actions lead to, and others of any depth."""

from __future__ import annotations

import random

from optarena.loop_tool.nest import ACTIONS, Loop, Nest, Tuning

SIZES = (1, 2, 3, 4, 5, 7, 8, 12, 16)
_INNER = 4000
"""Elements beyond which loops of generic nests stay short."""


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 # nests are no secrets


def reachable(generator: random.Random, elements: int | None = None) -> Nest:
    """The nest after random actions, most of which make loops larger."""
    some = (1, 2, 31, 64, 100, 257, 1000, 1024, 1025, generator.randint(1, 3000))
    tuning = Tuning.initial(elements or generator.choice(some))
    for action in generator.choices(range(len(ACTIONS)), weights=(2, 6, 3, 2), k=generator.randint(0, 60)):
        tuning = tuning.after(action)
    return tuning.nest


def generic(generator: random.Random) -> Nest:
    """A nest of one to four loops with any tails and threads; the innermost has no tail."""
    loops: list[Loop] = []
    step = 1
    for _ in range(generator.randint(1, 4)):
        size = generator.choice(SIZES) if step < _INNER else generator.randint(1, 2)
        tail = generator.randrange(step) if loops and generator.random() < 0.5 else 0
        loops.append(Loop(size, tail, generator.random() < 0.5))
        step = step * size + tail
    return Nest(tuple(reversed(loops)))
