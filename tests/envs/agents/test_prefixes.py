"""Prefixes take no more memory than what the number of them that is remembered allows for."""

from __future__ import annotations

import random
import tracemalloc

from optarena.agents.trials import PrefixNode

PREFIXES = 20_000
MOST_BYTES = 400


def test_a_prefix_takes_at_most_400_bytes() -> None:
    drawn = random.Random(0)  # noqa: S311 # not a secret
    tracemalloc.start()
    try:
        nodes = [PrefixNode(1e6)]
        before, _ = tracemalloc.get_traced_memory()
        while len(nodes) < PREFIXES:
            node = drawn.choice(nodes)
            for action in drawn.choices(range(104), k=12):
                made = PrefixNode(float(drawn.randrange(10**6)), seconds=drawn.random())
                node = node.follow(action, made)
                nodes += [node] * (node is made)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 100 < (after - before) / PREFIXES < MOST_BYTES
