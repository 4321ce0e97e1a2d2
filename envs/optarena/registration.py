"""Registers every environment with gymnasium; run by ``import optarena``."""

from __future__ import annotations

import gymnasium

from optarena.specs import environment_specs


def register_environments() -> None:
    """Make each environment known to ``gymnasium.make`` under its id.

    No wrapper is asked for: what ``make()`` returns is the environment itself, which keeps the order of
    calls on its own and has no step limit.
    """
    for spec in environment_specs():
        if spec.id not in gymnasium.registry:
            gymnasium.register(
                id=spec.id,
                entry_point=spec.entry_point,
                kwargs={"environment": spec.id},
                disable_env_checker=True,
                order_enforce=False,
            )
