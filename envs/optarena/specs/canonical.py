"""The canonical text of a value, from which identities and versions are hashed."""

from __future__ import annotations

import hashlib
import json
import operator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.actions import Action

ACTIONS_FORMAT_VERSION: Final = 1


def canonical_json(value: object) -> str:
    """``value`` as JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_actions(actions: Sequence[Action], action_space: str = "") -> str:
    """The canonical, versioned JSON of an action sequence; its hash is the sequence's identity.

    An action is a number, or a list of numbers where it has several components.

    Args:
        actions: The actions in their canonical form.
        action_space: The name of their action space; empty for the environment's first, which the text does
            not name: the same numbers mean something else in each space.
    """
    plain = [
        [operator.index(part) for part in action] if isinstance(action, tuple) else operator.index(action)
        for action in actions
    ]
    named = {"action_space": action_space} if action_space else {}
    return canonical_json({"actions": plain, "version": ACTIONS_FORMAT_VERSION, **named})


def actions_digest(actions: Sequence[Action], action_space: str = "") -> str:
    """SHA-256 (hex) of ``canonical_actions``."""
    return hashlib.sha256(canonical_actions(actions, action_space).encode()).hexdigest()
