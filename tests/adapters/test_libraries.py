"""The libraries' own suites over our adapters, where they are installed."""

from __future__ import annotations

import warnings
from importlib import import_module
from random import Random
from typing import Any

import pytest

from tests.shared.tables import sample
from tkid.adapters.match import Match, make_vocabulary
from tkid.rulebook.rulesets import ruleset, rulesets

TABLES = [
    ("second-edition", 2),
    ("second-edition", 3),
    ("second-edition", 4),
    ("second-edition-advanced", 2),
    ("claim", 2),
]


def adapter(library: str, name: str) -> Any:
    """One of our adapters; the test is skipped, and says why, where its library has no wheel for this machine."""
    pytest.importorskip(library, reason=f"{library} is not installed: it has no wheel for this machine")
    return import_module(f"tkid.adapters.{name}")


@pytest.mark.parametrize(("code", "players"), sample(TABLES, 2))
def test_pettingzoo_finds_nothing_wrong(code: str, players: int) -> None:
    env = adapter("pettingzoo", "pettingzoo").env
    suite = import_module("pettingzoo.test")
    with warnings.catch_warnings():  # it would rather have no masks, which its own card games have too
        warnings.filterwarnings("ignore", "Observation( space for each agent probably should be| is not a NumPy array)")
        suite.api_test(env(code, players), num_cycles=200)
    suite.seed_test(lambda: env(code, players), num_cycles=60)


def test_pettingzoo_tells_the_game_and_pays_the_winners() -> None:
    game = adapter("pettingzoo", "pettingzoo").env("second-edition", 3)
    game.reset(seed=7)
    paid = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, over, cut, _ = game.last()
        paid[agent] += reward
        game.step(None if over or cut else int(seen["action_mask"].nonzero()[0][-1]))
    assert sorted(paid.values()) == [-1.0, -1.0, 2.0]
    assert "summon" in game.render()


@pytest.mark.parametrize(("code", "players"), sample(TABLES, 6))
def test_openspiel_simulates_and_serializes(code: str, players: int) -> None:
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    game = pyspiel.load_game("python_tkid", {"ruleset": code, "players": players})
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_openspiel_deals_as_the_engine_does_and_keeps_hands_secret() -> None:
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    game = pyspiel.load_game("python_tkid(ruleset=second-edition-advanced,players=2)")
    state, entropy = game.new_initial_state(), bytes(range(32))
    for value in entropy:
        assert state.is_chance_node()
        state.apply_action(value)
    assert state.match.position == Match.deal_game(make_vocabulary("second-edition-advanced", 2), entropy).position
    mine, theirs = state.match.position.hands
    assert set(theirs) - set(mine)
    for card in set(theirs) - set(mine):
        assert card not in state.observation_string(0)
        assert card in state.observation_string(1)
    before = state.information_state_string(0)
    state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(0).startswith(before.strip())


@pytest.mark.parametrize("code", ["second-edition-advanced", "claim"])
def test_openspiel_draws_what_a_player_does_not_know(code: str) -> None:
    """In each drawn state the player sees the same, also in the middle of a decision; others hold other cards; each can be played to its end."""
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    game = pyspiel.load_game("python_tkid", {"ruleset": code, "players": 2, "seed": 7})
    state, lot, hands = game.new_initial_state(), Random(5), set()
    for _ in range(30):
        player = state.current_player()
        drawn = state.resample_from_infostate(player, lot.random)
        assert drawn.information_state_string(player) == state.information_state_string(player)
        assert list(drawn.observation_tensor(player)) == list(state.observation_tensor(player))
        assert drawn.legal_actions() == state.legal_actions()
        hands.add(drawn.information_state_string(1 - player) == state.information_state_string(1 - player))
        copy = drawn.clone()
        while not copy.is_terminal():
            copy.apply_action(lot.choice(copy.legal_actions()))
        assert not drawn.is_terminal()
        state.apply_action(lot.choice(state.legal_actions()))
    assert False in hands


@pytest.mark.parametrize(
    ("code", "players"), [(entry.code, players) for entry in rulesets() for players in entry.game().parties]
)
def test_openspiel_searches_whole_games(code: str, players: int) -> None:
    """ISMCTS plays every ruleset to the end, dealt by chance or from a seed; without secret cards, a seed gives perfect information."""
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    numpy, ismcts = map(import_module, ("numpy", "open_spiel.python.algorithms.ismcts"))

    class Even:
        """Values all states alike: a game takes a tenth of the time that it takes with random ends."""

        def evaluate(self, _: Any) -> Any:
            return numpy.zeros(players)

        def prior(self, state: Any) -> list[tuple[int, float]]:
            return [(action, 1 / len(state.legal_actions())) for action in state.legal_actions()]

    for seed in (-1, 7):
        game = pyspiel.load_game("python_tkid", {"ruleset": code, "players": players, "seed": seed})
        if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            assert (seed, ruleset(code).game().secret) == (7, False)
            continue
        lot = numpy.random.RandomState(players)
        bot, state = ismcts.ISMCTSBot(game, Even(), 2.0, 3, random_state=lot), game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(lot.randint(256) if state.is_chance_node() else bot.step(state)))
        assert sum(state.returns()) == 0


LAST_CARDS = (
    "second-edition; MOR =S, STR =W, LAN =S, NOR =W, GWY =E, WAR =W, ESS =E, DEV SSEEE; supply 5S 1E; "
    "track MOR ESS LAN GWY NOR STR WAR DEV; 1 court SWWWEEE; 1 hand English Support; "
    "1 played Outmanoeuvre, Manoeuvre, Welsh Support, Assemble, Assemble, Scottish Support, Negotiate; 1 acted 14; "
    "2 court SSWWEEEE; 2 hand Scottish Support; "
    "2 played Manoeuvre, Negotiate, Assemble, Outmanoeuvre, Assemble, English Support, Welsh Support; 2 acted 17; to play 1"
)


def test_openspiel_begins_in_a_position_and_measures_how_far_a_policy_can_be_exploited() -> None:
    """The equilibrium that CFR finds can't be exploited, and its value is that of a search to the end."""
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    algorithms = "open_spiel.python.algorithms"
    exploitability, cfr, minimax = (
        import_module(f"{algorithms}.{name}") for name in ("exploitability", "cfr", "minimax")
    )
    game = pyspiel.load_game("python_tkid", {"position": LAST_CARDS})
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    everywhere = import_module("open_spiel.python.policy").UniformRandomPolicy(game)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.01
    assert exploitability.exploitability(game, everywhere) > 0.5
    assert minimax.alpha_beta_search(game)[0] == 1.0
    state, search = game.new_initial_state(), import_module(f"{algorithms}.mcts")
    assert search.MCTSBot(game, 2.0, 20, search.RandomRolloutEvaluator()).step(state) in state.legal_actions()


def test_openspiel_refuses_parameters_that_contradict_a_position() -> None:
    """Those that repeat it are fine: the text of a game has them all."""
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    for name, value in (("ruleset", "claim"), ("players", 3), ("seed", 7), ("seed", 0)):
        with pytest.raises(ValueError, match=f"{name}={value} contradicts the position"):
            pyspiel.load_game("python_tkid", {"position": LAST_CARDS, name: value})
    game = pyspiel.load_game("python_tkid", {"position": LAST_CARDS, "ruleset": "second-edition", "players": 2})
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert game.get_parameters()["ruleset"] == "second-edition"


def test_openspiel_refuses_a_position_that_leaves_cards_unknown() -> None:
    pyspiel = adapter("pyspiel", "openspiel").pyspiel
    with pytest.raises(ValueError, match="name every card in hand"):
        pyspiel.load_game("python_tkid", {"position": LAST_CARDS.replace("2 hand Scottish Support", "2 hand ?")})
