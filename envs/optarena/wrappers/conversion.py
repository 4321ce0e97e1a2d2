"""Two names for what a wrapper converts: ``convert_reward()``, or ``reward()`` as in gymnasium.

``reward`` is also the view of all rewards by name. So a function of that name is kept as ``convert_reward``,
and replaced by a view that can be called, as by ``super().reward(…)``. The same holds for observations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.env.views import ObservationView, RewardView
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.wrappers.base import CompilerEnvWrapper


class _Converting:
    """A call converts one value as the wrapper does."""

    convert: Callable[[Any], Any]

    def __call__(self, value: Any) -> Any:  # noqa: ANN401 # of any space; the class says it
        return self.convert(value)


class ConvertingObservationView(_Converting, ObservationView):
    """The observations of the wrapped environment, by name; a call converts one."""


class ConvertingRewardView(_Converting, RewardView):
    """The rewards of the wrapped environment, by name; a call converts one."""


View = type[ConvertingObservationView] | type[ConvertingRewardView]


def take_either_name(kind: type[CompilerEnvWrapper], name: str, view: View) -> None:
    """Make both names lead to the nearest definition of either, in a subclass or its bases.

    Args:
        kind: The subclass.
        name: The view's name: ``reward`` or ``observation``; the other name has ``convert_`` before it.
        view: The value of the attribute of that name.

    Raises:
        InvalidInput: A class defines both.
    """
    names = (name, f"convert_{name}")
    home = next(one for one in kind.__mro__ if vars(one).keys() & names)
    given = [vars(home)[each] for each in names if callable(vars(home).get(each))]
    if not given:
        return
    if given[0] is not given[-1]:
        message = f"{home.__name__} defines both {names[0]}() and {names[1]}(), which mean the same."
        raise InvalidInput(message, field=name, value=home.__name__, remedy="Define one of them.")

    def converting(self: CompilerEnvWrapper) -> _Converting:
        made = view(self.unwrapped)
        made.convert = given[0].__get__(self) if hasattr(given[0], "__get__") else given[0]
        return made

    setattr(kind, names[0], property(converting))
    setattr(kind, names[1], given[0])
