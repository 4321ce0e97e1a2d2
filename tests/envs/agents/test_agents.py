"""The agents: what each finds is true, better than its start, and the same for the same seed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from optarena.agents import Budget, Evaluator, SearchOutcome, minimise
from optarena.agents.catalogue import AGENTS, agent_named, sources_of
from optarena.datasets import datasets
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import environment_spec
from optarena.state import EnvState
from optarena.validation import validate_state

if TYPE_CHECKING:
    from optarena.agents.catalogue import AgentSpec

SPEC = environment_spec("llvm-ic-v0")
PROGRAM = datasets().benchmark("benchmark://kernels-v0/quicksort")


def searched(
    agent: AgentSpec, *, seed: int = 0, evaluations: int = 30, **arguments: Any
) -> list[SearchOutcome]:
    sources = sources_of(agent.known(SPEC.action_table))
    budget = Budget(evaluations)
    with Evaluator(SPEC, PROGRAM, budget, **arguments) as evaluator:
        search = agent.make(sources, agent.settings({}))
        found = list(search(evaluator, budget, np.random.default_rng(seed)))
    assert budget.spent <= evaluations
    return found


@cache
def found_by(name: str) -> list[SearchOutcome]:
    return searched(agent_named(name))


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_each_outcome_is_better_than_those_before_and_true(agent: AgentSpec) -> None:
    found = found_by(agent.name)
    losses = [one.loss for one in found]
    assert losses == sorted(set(losses), reverse=True)
    assert losses
    line = SPEC.commandline(found[-1].prefix)
    state = EnvState(benchmark=PROGRAM.uri, commandline=line, claims={"ir_instructions": losses[-1]})
    result = validate_state(state, environment=SPEC, repeats=1)
    assert result.ok, str(result)


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(agent, marks=pytest.mark.soak if agent.name in {"random", "nevergrad"} else ())
        for agent in AGENTS
    ],
    ids=lambda agent: agent.name,
)
def test_a_seed_repeats_a_search_with_any_number_of_processes(agent: AgentSpec) -> None:
    assert searched(agent, nproc=3) == found_by(agent.name)
    if agent.name == "random":
        assert searched(agent, seed=4) != found_by(agent.name)


def test_a_time_bounds_a_search() -> None:
    for agent in AGENTS:
        budget = Budget(seconds=0.4)
        with Evaluator(SPEC, PROGRAM, budget) as evaluator:
            search = agent.make(sources_of(agent.known(SPEC.action_table)), agent.settings({}))
            list(search(evaluator, budget, np.random.default_rng(0)))
        assert budget.left == 0 or agent.name in {"oz-list", "portfolio", "greedy"}


def test_the_list_comes_close_to_the_compilers_own_level() -> None:
    baseline = PROGRAM.baseline("ir_instructions", "Oz")
    assert baseline
    assert 0.95 < baseline / searched(agent_named("oz-list"))[-1].loss < 1.05


def test_local_search_and_greedy_are_better_than_the_list_that_they_begin_with() -> None:
    listed = searched(agent_named("oz-list"))[-1].loss
    for name in ("greedy", "local"):
        assert searched(agent_named(name), evaluations=150)[-1].loss < listed


def test_a_wider_beam_is_at_least_as_good_after_as_many_steps() -> None:
    agent, size = agent_named("greedy"), len(SPEC.action_table.names)
    found = []
    for width, evaluations in ((1, 2 * size), (3, 4 * size)):
        search, budget = agent.make(sources_of({}), agent.settings({"width": width})), Budget(evaluations)
        with Evaluator(SPEC, PROGRAM, budget) as evaluator:
            found.append(list(search(evaluator, budget, np.random.default_rng(0)))[-1])
    assert [len(one.prefix) for one in found] == [2, 2]
    assert found[1].loss <= found[0].loss


def test_a_beam_pays_for_no_sequence_twice() -> None:
    agent, size = agent_named("greedy"), len(SPEC.action_table.names)
    search, budget = agent.make(sources_of({}), agent.settings({"width": 3})), Budget(8 * size)
    with Evaluator(SPEC, PROGRAM, budget) as evaluator:
        evaluate, asked = evaluator.evaluate, list[tuple[int, ...]]()

        def counted(sequences: Any) -> list[SearchOutcome]:
            outcomes = evaluate(sequences)
            asked.extend(one.actions for one in outcomes)
            return outcomes

        evaluator.evaluate = counted  # type: ignore[method-assign] # it counts
        list(search(evaluator, budget, np.random.default_rng(0)))
    assert len(asked) == budget.spent
    assert len(set(asked)) == len(asked)


def test_a_minimised_sequence_has_no_action_to_leave_out() -> None:
    [*_, best] = searched(agent_named("oz-list"))
    with Evaluator(SPEC, PROGRAM, Budget(500)) as evaluator:
        kept = minimise(evaluator, best)
        assert kept.loss <= best.loss
        assert len(kept.prefix) < len(best.effective)
        assert all(kept.effects[: kept.length])
        actions = kept.prefix
        shorter = [actions[:place] + actions[place + 1 :] for place in range(len(actions))]
        # One action is tried at a time, so that a later one may have become useless: few do.
        useless = [one for one in evaluator.evaluate(shorter) if one.loss <= kept.loss]
        assert len(useless) <= 1


def test_a_sequence_that_fails_is_not_minimised_to_one_that_works() -> None:
    unsafe = environment_spec("llvm-unsafe-v0")
    failing = (0, list(unsafe.action_table.names).index("trigger-crash-module"))
    with Evaluator(unsafe, PROGRAM, Budget(20)) as evaluator:
        [failed] = evaluator.evaluate([failing])
        assert minimise(evaluator, failed) is failed


def test_minimising_stops_where_the_budget_ends() -> None:
    [*_, best] = searched(agent_named("oz-list"))
    budget = Budget(4)
    with Evaluator(SPEC, PROGRAM, budget) as evaluator:
        kept = minimise(evaluator, best)
    assert budget.spent == 4
    assert kept.loss <= best.loss


def test_unknown_agents_and_parameters_are_named_with_near_ones() -> None:
    with pytest.raises(UnknownName, match="'greedy'"):
        agent_named("greedi")
    with pytest.raises(UnknownName, match="'width'"):
        agent_named("greedy").settings({"with": 3})
    with pytest.raises(InvalidInput, match="from 1 to 50"):
        agent_named("greedy").settings({"width": 0})


def test_an_agent_says_that_its_sequences_are_of_other_actions() -> None:
    table = environment_spec("llvm-unsafe-v0").action_table
    with pytest.raises(InvalidInput, match="no list of sequences for the actions of llvm-unsafe-v0"):
        agent_named("oz-list").known(table)
    assert agent_named("local").known(table) == {}
