"""Random nests of any depth, for the tests of what is made of them."""

from __future__ import annotations

from hypothesis import strategies as st

from optarena.loop_tool.nest import Loop, Nest


@st.composite
def nests(draw: st.DrawFn, *, most: int = 5_000, depth: int = 4) -> Nest:
    """Nests of at most ``most`` elements, with tails and threads anywhere."""
    inner, loops = 1, []
    for _ in range(draw(st.integers(1, depth))):
        size = draw(
            st.one_of(st.integers(1, max(1, min(9, most // inner))), st.integers(1, max(1, most // inner)))
        )
        tail = draw(st.integers(0, max(0, min(inner - 1, most - size * inner))))
        loops.append(Loop(size, tail, draw(st.booleans())))
        inner = size * inner + tail
    return Nest(tuple(reversed(loops)))
