"""A program and its compiler as methods that an agent calls, each with a short answer in words."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from optarena import limits
from optarena.actions import Action, ActionTable, action_description, is_structured
from optarena.agents.reports import replace_file
from optarena.client import ApiProblem, Client, automatic_key
from optarena.datasets import datasets, environment_of
from optarena.documents.loading import json_document
from optarena.documents.texts import printable
from optarena.env.selection import start_of
from optarena.errors import InvalidAction, InvalidInput, ServiceError
from optarena.specs import EnvironmentSpec, Metric, environment_spec, unknown_name
from optarena.specs.benchmark import FILE_SCHEME, BenchmarkUri
from optarena.specs.board import ratio
from optarena.specs.environment import load
from optarena.specs.rewards import level_text
from optarena.state import EFFORT, EnvState, beside_items, read_states
from optarena.studies import text_difference
from optarena.study_states import texts_around
from optarena.validation import validate_state

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.env.compiler_env import Step

__all__ = ["ALL", "TOOLS", "TRAINING_TOOLS", "CompilerTools", "ToolEffort", "level_values", "read_actions"]

TOOLS: Final = (
    "describe_program", "list_actions", "apply", "undo", "steps", "peek", "remarks", "ir", "difference",
    "score", "best_known", "check", "save", "submit",
)  # fmt: skip
"""The methods that are tools, in the order in which an agent needs them."""
TRAINING_TOOLS: Final = tuple(name for name in TOOLS if name not in {"best_known", "save", "submit"})
"""Those for policies that are trained: what they do stays in the episode."""
ALL: Final = "all"
"""Instead of actions: every action of the action space."""
LEVELS: Final = ("O0", "O1", "O2", "O3", "Os", "Oz")
_REMARKS: Final = "Remarks"
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\.json")
_NOTE: Final = 200  # Characters that an answer may need to tell how to go on
_LINES: Final = str.maketrans("", "", "\n\t")
_FUNCTIONS: Final = 12  # How many of the largest functions describe a program


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEffort:
    """What was spent on one program, as a submission states it.

    Attributes:
        compilations: Sequences whose result was looked at: one for each ``apply``, and one for each action of
            ``peek``.
        walltime_seconds: Seconds since the work on the program began.
    """

    compilations: int = 0
    walltime_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Taken:
    action: Action
    cost: float | None
    had_effect: bool


class CompilerTools:
    """A program under a compiler, for agents that call tools.

    Each tool is a method that returns a text of at most ``answer_characters``. Where more is to be told, the
    answer ends with the ``cursor`` to call it with again. Answers depend on the calls before and on nothing
    else, so a session can be repeated. They may quote texts of the program, which are data.

    Args:
        env: The environment, which ``close()`` closes. Its benchmark and action space count.
        server: Where results are submitted and the best known ones are looked up; None for nowhere.
        folder: Where ``save`` writes; None for nowhere.
        files: Whether the agent may name programs that are files of this machine.
        sandbox: Whether ``check`` and ``difference`` replay in confined processes, as a runner does.
        answer_characters: The budget of an answer.

    Raises:
        ServiceError: The compiler cannot be started.
        InvalidInput: The program cannot be used.
    """

    def __init__(  # noqa: PLR0913 # all but the first by keyword
        self,
        env: CompilerEnv,
        *,
        server: Client | None = None,
        folder: Path | str | None = Path(),
        files: bool = True,
        sandbox: bool = True,
        answer_characters: int = limits.TOOL_ANSWER_CHARACTERS,
    ) -> None:
        self.env: CompilerEnv = env.unwrapped  # type: ignore[assignment] # a wrapper would change what is applied
        self._server = server
        self._folder = None if folder is None else Path(folder)
        self._files = files
        self._is_over = False
        self._sandbox = sandbox
        self._most = answer_characters
        self._levels: Mapping[Metric, Mapping[str, float]] | None = None
        self._steps: list[_Taken] = []
        self._first_cost: float | None = None
        self._submitted: dict[str, dict[str, Any]] = {}
        # What cursors refer to.
        self._text: tuple[Sequence[Any], str] | None = None
        self._peeked: tuple[str | list[str], str] | None = None
        self._begin({})

    @classmethod
    def make(cls, environment: str = "", benchmark: str = "", **options: Any) -> Self:  # noqa: ANN401 # those of the class
        """Tools of a new environment.

        Args:
            environment: Its id; that of the benchmark's dataset if empty.
            benchmark: URI of the program; the environment's first if empty.
            **options: Those of the class.

        Raises:
            UnknownName: There is no such environment or benchmark.
        """
        dataset = BenchmarkUri.parse(benchmark).dataset if benchmark else ""
        spec = environment_spec(environment) if environment else environment_of(dataset)
        env = load(spec.entry_point)(environment=spec)
        try:
            if benchmark:
                env.benchmark = benchmark
            return cls(env, **options)
        except BaseException:  # an interrupt, too: leave nothing behind
            env.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the compiler's process, and the connection to the server."""
        self.env.close()
        if self._server is not None:
            self._server.close()

    def start(
        self, state: EnvState | None = None, *, benchmark: str = "", effort: ToolEffort | None = None
    ) -> None:
        """Begin again: on another benchmark, or where a state ended, with the effort that led there.

        Raises:
            InvalidCommandline: This environment cannot read the state's command line; nothing has changed.
            InvalidInput: The benchmark cannot be used; nothing has changed.
        """
        uri = benchmark if state is None else state.benchmark
        if uri not in ("", self.env.benchmark.uri):
            datasets().benchmark(uri, files=self._files)
        options, actions = ({"benchmark": benchmark}, ()) if state is None else start_of(state, self.env)
        self._begin(options if options.get("benchmark") else {}, actions, effort)

    def resume(self, path: Path | str) -> None:
        """Go on where ``save`` wrote a file, with its effort.

        Raises:
            InvalidDocument: It is not a document of one state.
            InvalidInput: It is not a text that can be read.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            remedy = "Name a file that `save` wrote."
            message = f"{path} cannot be read: {error}."
            raise InvalidInput(message, field="resume", value=str(path), remedy=remedy) from error
        spec = self.env.environment
        state = read_states(text, format="json", metrics=spec.claimable_names, environment=spec)[0]
        stated = beside_items(json_document(text, field="document")).get("effort", {})
        spent = EFFORT.require(stated, path="effort")
        numbers = {name: spent.get(name) or 0 for name in ("compilations", "walltime_seconds")}
        self.start(state, effort=ToolEffort(**numbers))

    @property
    def state(self) -> EnvState:
        """The benchmark and the actions applied to it, with the value of the exact metric as a claim."""
        self._ensure_episode()
        state, metric, cost = self.env.state, self._metric, self._cost
        claimable = metric is not None and metric.name in self.env.environment.claimable_names
        claims = {metric.name: cost} if metric is not None and claimable and cost is not None else {}
        return EnvState(
            benchmark=state.benchmark, commandline=state.commandline, reward=state.reward, claims=claims
        )

    @property
    def reward(self) -> float:
        """The reward of all actions that are applied, in the environment's reward space; 0 without one."""
        self._ensure_episode()
        return float(self.env.state.reward or 0.0)

    @property
    def effort(self) -> ToolEffort:
        """What was spent on this program."""
        seconds = self._before.walltime_seconds + time.monotonic() - self._started
        return ToolEffort(compilations=self._compilations, walltime_seconds=seconds)

    # ---------------------------------------------------------------- tools

    def describe_program(self) -> str:
        """Describe the program: its size at the compiler's own levels, its largest functions, its workloads.

        Call this first.
        """
        self._ensure_episode()
        benchmark, spec = self.env.benchmark, self.env.environment
        lines = [f"program: {benchmark.uri}"]
        lines += [f"description: {benchmark.description}"] if benchmark.description else []
        lines += [
            f"environment: {spec.slug}, {spec.compiler}".removesuffix(", "),
            f"actions: {self._offer()}",
        ]
        for metric, values in self._at_levels().items():
            told = ", ".join(f"-{level} {_number(value)}" for level, value in values.items())
            better = "less" if metric.lower_is_better else "more"
            lines.append(f"{metric.title} at the compiler's own levels: {told}; {better} is better")
        lines.append(f"goal: {self._goal()}")
        lines += self._functions()
        names = ", ".join(one.name for one in benchmark.workloads)
        lines.append(f"workloads whose output must not change: {names or 'none'}")
        return self._page("\n".join(lines), None)

    def list_actions(self, query: str = "", cursor: int = 0) -> str:
        """List the actions and what each does.

        Args:
            query: Only those with this word in their name or description, such as "loop"; all if empty.
            cursor: Where to go on, as an earlier answer says.
        """
        table = self.env.action_table
        word = _checked_text("query", query).lower().strip()
        lines = []
        for index, name in enumerate(table.names):
            action: Action = (index,) if is_structured(table) else index
            line = f"{name}: {action_description(table, action)}".removesuffix(": ")
            if word in line.lower():
                lines.append(line)
        if not lines:
            raise unknown_name("action", query, list(table.names))
        return self._page("\n".join(lines), cursor)

    def apply(self, actions: str | list[str]) -> str:
        """Apply actions to the program, one after the other, and tell what each changes.

        Args:
            actions: Names separated by spaces, such as "sroa instcombine", a list of names, or a command line
                of the compiler as `score` gives it.
        """
        chosen = self._read(actions)
        if len(self._steps) + len(chosen) > limits.MAX_ACTIONS_PER_ITEM:
            message = f"There would be {len(self._steps) + len(chosen):,} actions."
            remedy = f"A result may have {limits.MAX_ACTIONS_PER_ITEM:,}: leave out those without an effect."
            raise InvalidAction(message, field="actions", value=len(chosen), remedy=remedy)
        self._ensure_episode()
        before, cost = len(self._steps), self._cost
        self._compilations += 1
        error = self._take(chosen)
        lines = self._told(before)
        if error is not None:
            self._ensure_episode()
            failed = self._word(chosen[len(self._steps) - before])
            lines.append(f"{failed} was not applied, since the compiler failed: {error}")
        elif left := chosen[len(self._steps) - before :]:
            lines.append(f"The episode is over; not applied: {' '.join(map(self._word, left))}")
        lines.append(self._summary(cost))
        return self._page("\n".join(lines), 0, "steps")

    def undo(self, n: int = 1) -> str:
        """Take back the last actions.

        Args:
            n: How many.
        """
        most = len(self._steps)
        if not _is_whole(n) or not 1 <= n <= most:
            remedy = f"Give a number from 1 to {most}." if most else "Apply actions first."
            raise InvalidInput(f"n is {n!r:.100}.", field="n", value=n, remedy=remedy)
        cost = self._cost
        del self._steps[most - n :]
        self._replay()
        return self._summary(cost)

    def steps(self, cursor: int = 0) -> str:
        """List the actions that are applied, with their numbers and what each changed.

        Args:
            cursor: Where to go on, as an earlier answer says.
        """
        return self._page("\n".join(self._told(0)) or "No action is applied.", cursor)

    def peek(self, actions: str | list[str] = ALL, cursor: int = 0) -> str:
        """Tell what each of some actions would change if it were next, the best first; none is applied.

        Args:
            actions: Names separated by spaces, a list of names, or "all".
            cursor: Where to go on, as an earlier answer says.
        """
        if self._peeked is None or self._peeked[0] != actions or not cursor:
            self._peeked = actions, self._look_ahead(actions)
        return self._page(self._peeked[1], cursor)

    def remarks(self, function: str = "", cursor: int = 0) -> str:
        """Show what the compiler remarks about its own optimisations of the program: done, missed, analysed.

        Args:
            function: Only those of this function; all if empty.
            cursor: Where to go on, as an earlier answer says.
        """
        name = _checked_text("function", function)
        self._ensure_episode()
        if _REMARKS not in self.env.observation:
            message = f"{self.env.environment.slug} has no remarks of its compiler."
            remedy = "Look at the program with ir and difference instead."
            raise InvalidInput(message, field="remarks", remedy=remedy)
        text = self._text_of(_REMARKS)
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
        functions = sorted({one["function"] for one in found})
        if name and name not in functions:
            raise unknown_name("function with remarks", name, functions)
        lines = [
            f"{one['kind']} {one['pass']}:{one['name']} in {one['function']}: {one['message']}"
            for one in found
            if not name or one["function"] == name
        ]
        return self._page("\n".join(lines) or "The compiler has no remarks.", cursor)

    def ir(self, function: str = "", cursor: int = 0) -> str:
        """Show the program in its present state as text.

        Args:
            function: Only this function; the whole program if empty.
            cursor: Where to go on, as an earlier answer says.
        """
        name = _checked_text("function", function)
        spec = self.env.environment
        if not spec.state_text:
            message = f"{spec.slug} has no text of its programs."
            raise InvalidInput(message, field="ir", remedy="Use describe_program and score instead.")
        self._ensure_episode()
        text = self._text_of(spec.state_text)
        if name:
            pick: Any = getattr(self.env, "text_of_function", None)
            if pick is None:
                message = f"The programs of {spec.slug} are not divided into functions."
                raise InvalidInput(message, field="function", value=name, remedy="Leave it out.")
            text = pick(name, text)
        return self._page(text, cursor)

    def difference(self, step: int = 0, cursor: int = 0) -> str:
        """Show what one action changed in the text of the program.

        Args:
            step: The number of the action, from 1, as `steps` lists them; 0 for the last one.
            cursor: Where to go on, as an earlier answer says.
        """
        most = len(self._steps)
        if not _is_whole(step) or not 0 <= step <= most or not most:
            remedy = f"Give a number from 1 to {most}, or 0 for the last." if most else "Apply actions first."
            raise InvalidInput(f"step is {step!r:.100}.", field="step", value=step, remedy=remedy)
        number = step or most
        key = ("difference", *self._actions[:number])
        if self._text is None or self._text[0] != key:
            self._text = key, self._differ(number)
        return self._page(self._text[1], cursor)

    def score(self, cursor: int = 0) -> str:
        """Tell how good the program is now, beside the compiler's own levels, and what was spent on it.

        Args:
            cursor: Where to go on, as an earlier answer says.
        """
        self._ensure_episode()
        lines = [self._summary(None), f"goal: {self._goal()}"]
        for metric, values in self._at_levels().items():
            value = float(self.env.observation[metric.observation])
            told = "; ".join(
                f"{_compared(metric, reference, value)} times as good as -{level} ({_number(reference)})"
                for level, reference in values.items()
                if reference and value
            )
            lines.append(f"{metric.title}: {_number(value)}; {told}")
        if self.env.reward_space_name:
            lines.append(f"reward ({self.env.reward_space_name}): {self.reward:.6g}")
        lines.append(f"effort: {self._compilations} compilations")
        lines.append(f"command line: {self.env.commandline()}")
        return self._page("\n".join(lines), cursor)

    def best_known(self) -> str:
        """Tell the best verified results for this program that the server knows, by board."""
        if self._server is None:
            message = "Nothing is known here beyond the compiler's own levels, which score lists."
            raise InvalidInput(message, field="server", remedy="The operator can name a server with --url.")
        boards = self._server.results(self.env.benchmark.uri)["boards"]
        lines = [
            f"{one['board']}: {one['metric']} {_number(one['best']['value'])}, "
            f"ratio {one['best']['ratio']:.4f}, {_counted(one['verified'], 'verified result')}"
            for one in boards
        ]
        return self._page("\n".join(lines) or "The server has no verified result for this program.", None)

    def check(self) -> str:
        """Replay the actions in a fresh process, and check that the program's output is unchanged."""
        state = self.state
        result = validate_state(
            state,
            environment=self.env.environment,
            reward_space=self.env.reward_space_name,
            benchmark=self.env.benchmark,
            sandbox=self._sandbox,
            reward_sandbox=self.env.is_sandboxed,
        )
        if not result.ok:
            lines = [f"invalid: {problem.message} [{problem.reason}]" for problem in result.problems]
            return self._page("\n".join([*lines, "Undo the action that causes it."]), None)
        runs = len(result.replay.workloads) if result.replay else 0
        told = f"The output is unchanged on all {runs} workloads." if runs else "It has no workloads to run."
        return f"valid: the replay gives what this session has. {told}"

    def save(self, name: str = "result.json") -> str:
        """Write the present state and the effort to a file, which can be submitted, validated and resumed.

        Args:
            name: Its name, ending in .json, without a folder.
        """
        if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
            message = f"{name!r:.100} cannot be the name of a file here."
            remedy = "Give letters, digits, -, _ and dots, ending in .json, without a folder."
            raise InvalidInput(message, field="name", value=name, remedy=remedy)
        if self._folder is None:
            message, remedy = "There is no folder to save in.", "The operator names one with --folder."
            raise InvalidInput(message, field="folder", remedy=remedy)
        document = self._document()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / name, json.dumps(document, indent=2, allow_nan=False) + "\n")
        except OSError as error:
            message = f"{self._folder} cannot be written to: {error.strerror}."
            remedy = "The operator names another with --folder."
            raise InvalidInput(message, field="folder", value=str(self._folder), remedy=remedy) from error
        spent = _told_effort(document["effort"])
        return f"{name} has {self._count()} of {self.env.benchmark.uri}; {spent}."

    def submit(self, board: str, agent: str, description: str = "") -> str:
        """Submit the present state to a board of the server, whose workers replay and measure it.

        Args:
            board: The board's short name.
            agent: The agent's name on the board.
            description: What the agent does, for people.
        """
        if self._server is None or not self._server.token:
            message = "Submitting needs a server and a token."
            remedy = "The operator gives them with --url and $OPTARENA_TOKEN; save writes a file instead."
            raise InvalidInput(message, field="server", remedy=remedy)
        about = {"board": board, "agent": agent, "description": description}
        named = {name: _checked_text(name, text) for name, text in about.items()}
        document = named | self._document()
        # The same result is one submission, however much effort the agent spends before it submits again.
        result = json.dumps({name: value for name, value in document.items() if name != "effort"})
        document = self._submitted.setdefault(result, document)
        key = automatic_key(document)
        try:
            while (answer := self._server.submit(document, key=key))["state"] == "withdrawn":
                key = automatic_key(document, after=answer["id"])
        except ApiProblem as problem:
            self._submitted.pop(result)
            if not problem.errors:
                raise
            told = "\n".join(map(str, problem.errors))
            raise InvalidInput(self._page(told, 0, "the server"), field=problem.errors[0].field) from problem
        return f"submitted: {answer['url']} is {answer['state']}; {_told_effort(document['effort'])}."

    # ---------------------------------------------------------------- episodes

    def _begin(
        self, options: dict[str, Any], actions: Sequence[Action] = (), effort: ToolEffort | None = None
    ) -> None:
        self.env.reset(options={**options, "observation_space": None})
        self._before = effort or ToolEffort()
        self._compilations, self._started = self._before.compilations, time.monotonic()
        self._steps, self._levels, self._is_over = [], None, False
        self._forget_texts()
        self._first_cost = self._observed_cost()
        if error := self._take(actions):
            self._steps.clear()
            message = f"The state cannot be reached: {error}"
            raise InvalidInput(message, field="commandline", remedy="Leave out the action that fails.")

    def _ensure_episode(self) -> None:
        # The compiler's process may have crashed at an action that was tried, or been killed.
        if self.env.error is not None or len(self.env.actions) != len(self._steps):
            self._replay()

    def _replay(self) -> None:
        self._forget_texts()
        self.env.reset()
        self._is_over = self.env.multistep(self._actions)[2]
        if (error := self.env.error) is not None:
            raise error

    def _take(self, actions: Sequence[Action]) -> ServiceError | None:
        # Applies as many as the compiler can, until the episode is over.
        self._check_going()
        self._forget_texts()
        each = self.env.environment.traces_costs and self._metric is not None
        spaces = [self._metric.observation] if each and self._metric else []
        if len(actions) == 1:  # the usual call, which is answered sooner
            taken = [self.env.step(actions[0], observation_spaces=spaces)]
        else:
            taken = self.env.steps(actions, observation_spaces=spaces)
        for action, step in zip(actions, taken, strict=False):
            observed, _, self._is_over, _, info = step
            if "error_type" in info:
                return self.env.error or ServiceError(str(info["error_details"]))
            cost = float(observed[0]) if each else None
            self._steps.append(_Taken(action, cost, not info.get("action_had_no_effect")))
        if not each and self._steps and self._metric is not None:
            last = self._steps[-1]
            self._steps[-1] = _Taken(last.action, self._observed_cost(), last.had_effect)
        return None

    def _check_going(self) -> None:
        if self._is_over:
            remedy = "Undo the last action, or start again."
            raise InvalidAction("The episode is over.", field="actions", remedy=remedy)

    @property
    def _metric(self) -> Metric | None:
        spec = self.env.environment
        return spec.cost_metric or next((one for one in spec.metrics if one.exact), None)

    @property
    def _actions(self) -> list[Action]:
        return [one.action for one in self._steps]

    @property
    def _cost(self) -> float | None:
        return self._steps[-1].cost if self._steps else self._first_cost

    def _observed_cost(self) -> float | None:
        return float(self.env.observation[self._metric.observation]) if self._metric else None

    def _read(self, actions: object) -> tuple[Action, ...]:
        words = actions
        if isinstance(actions, (list, tuple)) and all(isinstance(one, str) for one in actions):
            words = " ".join(actions)
        text = _checked_text("actions", words)
        table, chosen = read_actions(self.env.environment, text, self.env.action_table)
        if table is not self.env.action_table:
            message = (
                f"The command line is of the action space {table.name}, not {self.env.action_table.name}."
            )
            remedy = "Write the names that list_actions gives."
            raise InvalidAction(message, field="actions", value=text[:100], remedy=remedy)
        if not chosen:
            remedy = "Name at least one that list_actions gives."
            raise InvalidAction("There are no actions.", field="actions", value=text, remedy=remedy)
        return chosen

    # ---------------------------------------------------------------- answers

    def _look_ahead(self, actions: str | list[str]) -> str:
        table = self.env.action_table
        if actions == ALL and is_structured(table):
            message = f"The action space {table.name} has too many actions to look at all."
            remedy = "Name some in the form of a command line."
            raise InvalidAction(message, field="actions", value=ALL, remedy=remedy)
        chosen = tuple(range(len(table.names))) if actions == ALL else self._read(actions)
        self._ensure_episode()
        self._check_going()
        spaces = [self._metric.observation] if self._metric else []
        answers = self.env.peek(chosen, observation_spaces=spaces)
        self._compilations += len(chosen)
        return "\n".join(self._ordered(chosen, answers))

    def _ordered(self, actions: Sequence[Action], answers: Sequence[Step]) -> list[str]:
        found: list[tuple[float, str]] = []
        failed: list[str] = []
        idle = 0
        sign = -1 if self._metric and not self._metric.lower_is_better else 1
        for action, (observed, _, _, _, info) in zip(actions, answers, strict=True):
            name = self._word(action)
            if "error_type" in info:
                failed.append(f"{name}: the compiler fails ({info['error_type']})")
            elif info.get("action_had_no_effect"):
                idle += 1
            elif self._metric is None or self._cost is None:
                found.append((0.0, f"{name}: changes the program"))
            else:
                cost = float(observed[0])
                found.append((sign * cost, f"{name}: {_number(cost)} ({_signed(cost - self._cost)})"))
        lines = [line for _, line in sorted(found, key=lambda one: one[0])] + failed
        return [*lines, f"{_counted(idle, 'action')} of {len(actions)} would change nothing."]

    def _told(self, first: int) -> list[str]:
        lines = []
        for number, one in enumerate(self._steps[first:], first + 1):
            before = self._steps[number - 2].cost if number > 1 else self._first_cost
            told = "changed the program"
            if not one.had_effect:
                told = "no effect"
            elif one.cost is not None and before is not None:
                told = f"{_number(one.cost)} ({_signed(one.cost - before)})"
            lines.append(f"{number}. {self._word(one.action)}: {told}")
        return lines

    def _summary(self, before: float | None) -> str:
        told = f"{self._count()} applied"
        metric, cost = self._metric, self._cost
        if metric is None or cost is None:
            return f"{told}."
        change = f" ({_signed(cost - before)})" if before is not None else ""
        level = self.env.environment.reference_level
        reference = level_value(self.env, metric, level)
        is_known = bool(reference and cost)
        against = (
            f", {_compared(metric, reference or 0, cost)} times as good as {level_text(level)}"
            if is_known
            else ""
        )
        return f"{told}: {metric.title} {_number(cost)}{change}{against}."

    def _at_levels(self) -> Mapping[Metric, Mapping[str, float]]:
        if self._levels is None:
            exact = any(metric.exact for metric in self.env.environment.metrics)
            found = level_values(self.env) if exact else {}
            level = self.env.environment.reference_level
            if not any(level in values for values in found.values()):
                given = self._first_cost  # a compiler without levels: the program as it was given
                found = {} if self._metric is None or given is None else {self._metric: {LEVELS[0]: given}}
            self._levels = found
        return self._levels

    def _goal(self) -> str:
        metric = self._metric
        if metric is None:
            return "a program that the environment's reward prefers; see score"
        word = "Lower" if metric.lower_is_better else "Raise"
        level = self.env.environment.reference_level
        is_compared = level_value(self.env, metric, level) is not None
        beyond = f" beyond what {level_text(level)} reaches" if is_compared else ""
        return f"{word} {metric.title}{beyond}, and keep the program's output"

    def _offer(self) -> str:
        table = self.env.action_table
        form = "; write them as a command line" if is_structured(table) else ""
        return f"{len(table.names)} of {table.name}, see list_actions{form}"

    def _functions(self) -> list[str]:
        counts: Any = getattr(self.env, "instruction_counts", None)
        if counts is None:
            return []
        sizes: dict[str, int] = counts()["function"]
        largest = sorted(sizes, key=lambda name: (-sizes[name], name))[:_FUNCTIONS]
        told = ", ".join(f"{name} {sizes[name]}" for name in largest)
        return [f"largest of {_counted(len(sizes), 'function')} now, in instructions: {told}"]

    def _differ(self, number: int) -> str:
        spec, table = self.env.environment, self.env.action_table
        actions = self._actions[:number]
        space = "" if table is spec.action_table else table.name
        before, after = texts_around(
            spec, self.env.benchmark, actions, action_space=space, sandbox=self._sandbox
        )
        found = text_difference(before, after, numbers=spec.state_numbers, parts=spec.state_parts)
        lines = f"{_counted(found.removed, 'line')} removed, {found.added} added"
        head = f"{number}. {self._word(actions[-1])}: {lines}"
        cut = "\nThe rest is not shown." if found.shown < found.lines else ""
        return f"{head}\n{found.text}{cut}".rstrip("\n")

    def _text_of(self, name: str) -> str:
        key = (name, *self._actions)
        if self._text is None or self._text[0] != key:
            self._text = key, str(self.env.observe(name))
        return self._text[1]

    def _forget_texts(self) -> None:
        self._text = self._peeked = None

    def _document(self) -> dict[str, Any]:
        state, effort = self.state, self.effort
        if BenchmarkUri.parse(state.benchmark).scheme != FILE_SCHEME and not self._steps:
            message = "No action is applied."
            raise InvalidInput(message, field="actions", remedy="Apply actions first.")
        item = {name: value for name, value in state.as_dict().items() if value not in (None, {})}
        spent = {
            "compilations": effort.compilations,
            "walltime_seconds": round(effort.walltime_seconds, 3),
            "trained_on_test_set": False,
        }
        return {"effort": spent, "items": [item]}

    def _count(self) -> str:
        return _counted(len(self._steps), "action")

    def _word(self, action: Action) -> str:
        return action_word(self.env.action_table, action)

    def _page(self, text: str, cursor: int | None, more: str = "") -> str:
        # From `cursor`, whole lines where possible; None where the rest is not told. `more` is the tool that
        # tells it, if not the same.
        is_all, cursor = cursor is None, cursor or 0
        size = len(text)
        if not _is_whole(cursor) or not 0 <= cursor < max(1, size):
            remedy = (
                f"The answer has {size:,} characters: give a cursor that an answer named, or leave it out."
            )
            raise InvalidInput(f"cursor is {cursor!r:.100}.", field="cursor", value=cursor, remedy=remedy)
        end = min(size, cursor + max(1, self._most - _NOTE))
        if end < size:
            end = text.rfind("\n", cursor + 1, end) + 1 or end
        shown = text[cursor:end].removesuffix("\n")
        if not shown.translate(_LINES).isprintable():  # seldom, and slow
            shown = printable(shown, keep="\n\t")
        if end >= size:
            return shown
        last = text[end:].rstrip("\n").rpartition("\n")[2] if more else ""
        rest = f"{more} lists all" if more else f"call again with cursor={end}"
        if is_all:
            rest = "they are not shown"
        return f"{shown}\n… {size - end:,} more characters: {rest}.\n{last}".rstrip("\n")


def read_actions(
    spec: EnvironmentSpec, text: str, table: ActionTable | None = None
) -> tuple[ActionTable, tuple[Action, ...]]:
    """The actions that a command line, or names separated by spaces, stand for, and their table.

    Args:
        spec: The environment.
        text: What was written.
        table: The table of the names; the environment's first one if None.

    Raises:
        UnknownName: A word is not an action; the message names similar ones.
        InvalidCommandline: The text is a command line that the environment cannot read.
    """
    table, words = table or spec.action_table, text.split()
    indices = {} if is_structured(table) else {name: index for index, name in enumerate(table.names)}
    if words and all(word in indices for word in words):
        return table, tuple(indices[word] for word in words)
    begins = {one.commandline(()).split()[0] for one in (table, spec.action_table, *spec.further_tables)}
    if not words or words[0] in begins or is_structured(table):
        return spec.parse(text)
    raise unknown_name("action", next(word for word in words if word not in indices), list(indices))


def action_word(table: ActionTable, action: Action) -> str:
    """An action in a word or two, as people read it in a list."""
    if isinstance(action, tuple):
        return table.commandline([action]).split(maxsplit=1)[-1]
    return table.names[action]


def level_values(env: CompilerEnv) -> dict[Metric, dict[str, float]]:
    """The values of an environment's exact metrics at each level of the compiler, of the episode's program.

    Where the compiler has no levels it is the program in its present state alone, as ``O0``.

    Raises:
        InvalidInput: The environment measures nothing exactly.
    """
    exact = [metric for metric in env.environment.metrics if metric.exact]
    if not exact:
        message = f"{env.environment.slug} measures nothing exactly."
        raise InvalidInput(message, field="env", remedy="Choose an environment with an exact metric.")
    reference = env.environment.reference_level
    names = dict.fromkeys((*LEVELS, reference))
    levels = {
        metric: {level: value for level in names if (value := level_value(env, metric, level)) is not None}
        for metric in exact
    }
    with_levels = {metric: values for metric, values in levels.items() if reference in values}
    return with_levels or {
        metric: {LEVELS[0]: float(env.observation[metric.observation])} for metric in exact
    }


def level_value(env: CompilerEnv, metric: Metric, level: str) -> float | None:
    """The value of a metric at a level of the compiler, of the episode's program; None without the level.

    It is computed only if the benchmark does not record it.
    """
    # Those of another release of the compiler are recorded by the same name.
    rewards = env.environment.rewards.values()
    of_own = next((one.metric for one in rewards if one.cost == metric.observation), metric.name)
    recorded = env.benchmark.baseline(of_own, level)
    if recorded is not None:
        return float(recorded)
    name = f"{metric.observation}{level}"
    return float(env.observation[name]) if name in env.observation else None


def _checked_text(name: str, text: object) -> str:
    if not isinstance(text, str):
        remedy = "Give a text."
        raise InvalidInput(f"{name} is {text!r:.100}.", field=name, value=text, remedy=remedy)
    if len(text) > limits.TOOL_ARGUMENT_CHARACTERS:
        message = f"{name} has {len(text):,} characters."
        remedy = f"Give at most {limits.TOOL_ARGUMENT_CHARACTERS:,}."
        raise InvalidInput(message, field=name, value=text[:100], remedy=remedy)
    return text


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _compared(metric: Metric, reference: float, value: float) -> str:
    return f"{ratio(baseline=reference, achieved=value, lower_is_better=metric.lower_is_better):.4f}"


def _number(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.6g}"


def _signed(change: float) -> str:
    return "the same" if not change else f"{change:+g}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _told_effort(effort: Mapping[str, Any]) -> str:
    return f"effort: {effort['compilations']} compilations, {effort['walltime_seconds']:.1f} s"
