"""What stored actions were: a number means what it meant in its version of the environment, not today."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from optarena.specs import canonical_json, environment_spec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optarena.specs import EnvironmentSpec
    from runner.models import EnvironmentVersion


_FIRST: Final = ("actions", "table", "decisions")
"""Where a version's description says what the actions of its first space are; compilers differ in that."""
_FURTHER: Final = "further_tables"


def have_same_actions(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether actions of the first space mean the same in two versions, as far as their descriptions say."""
    return _are_equal(one, other, _FIRST)


def _are_equal(one: Mapping[str, Any], other: Mapping[str, Any], parts: Sequence[str]) -> bool:
    described = [{part: version[part] for part in parts if part in version} for version in (one, other)]
    first, second = map(canonical_json, described)
    return bool(described[0]) and first == second


def stored_commandline(
    version: EnvironmentVersion, actions: Sequence[Any], action_space: str = ""
) -> str | None:
    """The command line of actions that were taken in a version of an environment.

    None where the environment has other actions today: a command line of today would be another sequence.
    """
    spec = environment_spec(version.env_id)
    return spec.commandline(actions, action_space) if _is_known(spec, version, action_space) else None


def stored_names(version: EnvironmentVersion, action_space: str = "") -> Sequence[str]:
    """The names of the actions of a version's action space, by number; none if nobody knows them any more."""
    spec = environment_spec(version.env_id)
    if _is_known(spec, version, action_space):
        return spec.ranked_table(action_space).names
    described = None if action_space else version.spec.get("actions")
    listed = described if isinstance(described, list) else []
    names = [one[0] if one and isinstance(one, list) else one for one in listed]
    return names if all(isinstance(one, str) for one in names) else ()


def action_text(names: Sequence[str], action: Any) -> str:  # noqa: ANN401 - as stored
    """An action by its name if that is known, with its numbers if it has any."""
    first, *rest = [action] if isinstance(action, int) else action
    name = names[first] if first < len(names) else f"action {first}"
    return " ".join([name, *map(str, rest)])


def _is_known(spec: EnvironmentSpec, version: EnvironmentVersion, action_space: str) -> bool:
    """Whether the actions of a version are those of the environment that is installed."""
    if spec.digest == version.digest:
        return True
    return _are_equal(version.spec, spec.version_spec(), (_FURTHER,) if action_space else _FIRST)
