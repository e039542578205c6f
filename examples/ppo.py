"""Learns a game by playing it with itself: proximal policy optimisation (Schulman and others, 2017) on PettingZoo.

    python examples/ppo.py leduc_poker

Everything is in this file, in NumPy, so that it is easy to read and to change; for larger games take a library. One
network plays all seats. It sees the numbers of the observation and chooses among the legal actions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import rulespec
from rulespec.play.interop.pettingzoo import env

HIDDEN, RATE, CLIP, ENTROPY, EPOCHS, BATCH = 64, 3e-3, 0.2, 0.01, 4, 256

Array = np.ndarray[Any, np.dtype[np.float64]]
Player = Callable[[Array, Array], int]
"""Chooses an action from what it observes and from the mask of legal actions."""


class Network:
    """One hidden layer, and above it a preference for each action and the expected reward."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        self.weights = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0, 0.01, (HIDDEN, actions + 1)),
            np.zeros(actions + 1),
        ]
        self._moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self._steps = 0

    def forward(self, seen: Array, mask: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the probabilities of actions and the expected rewards, for rows of observations."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.tanh(seen @ first + first_bias)
        out = hidden @ second + second_bias
        preferences = np.where(mask, out[:, :-1], -np.inf)
        odds = np.exp(preferences - preferences.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), out[:, -1]

    def backward(self, seen: Array, hidden: Array, of_out: Array) -> None:
        """Takes a step (Adam) down the gradient, given that of the outputs."""
        of_hidden = of_out @ self.weights[2].T * (1 - hidden**2)
        gradients = [seen.T @ of_hidden, of_hidden.sum(0), hidden.T @ of_out, of_out.sum(0)]
        self._steps += 1
        for at, gradient in enumerate(gradients):
            mean, square = self._moments[at]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self._steps) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            self.weights[at] = self.weights[at] - RATE * step


@dataclass(frozen=True)
class Samples:
    """Decisions, one in each row: what was observed, the choice with its probability, and what came of it."""

    seen: Array
    mask: Array
    action: Any
    chance: Array
    reward: Array

    def rows(self, chosen: Any) -> Samples:
        """Some of the decisions."""
        return Samples(*(part[chosen] for part in vars(self).values()))


def play(table: Any, players: Iterable[Player]) -> tuple[list[tuple[str, Array, Array, int]], dict[str, float]]:
    """Plays a game. Returns its decisions, each with its player, and the rewards."""
    table.reset()
    by_name = dict(zip(table.possible_agents, players, strict=True))
    decisions, rewards = [], dict.fromkeys(table.possible_agents, 0.0)
    for name in table.agent_iter():
        observed, reward, terminated, truncated, _ = table.last()
        if terminated or truncated:
            rewards[name] = reward
            table.step(None)
            continue
        seen, mask = observed["observation"].astype(float), observed["action_mask"].astype(bool)
        action = by_name[name](seen, mask)
        decisions.append((name, seen, mask, action))
        table.step(action)
    return decisions, rewards


def sampling(network: Network, rng: np.random.Generator) -> Player:
    """Plays by the probabilities of the network."""

    def choose(seen: Array, mask: Array) -> int:
        _, chances, _ = network.forward(seen[None], mask[None])
        return int(rng.choice(mask.size, p=chances[0]))

    return choose


def even(rng: np.random.Generator) -> Player:
    """Plays random legal actions."""
    return lambda seen, mask: int(rng.choice(np.flatnonzero(mask)))


def experience(table: Any, network: Network, games: int, rng: np.random.Generator, scale: float) -> Samples:
    """The decisions of games that the network plays with itself."""
    player, rows = sampling(network, rng), []
    for _ in range(games):
        decisions, rewards = play(table, [player] * len(table.possible_agents))
        rows += [(seen, mask, action, rewards[name] / scale) for name, seen, mask, action in decisions]
    seen, mask, action, reward = (np.array(column) for column in zip(*rows, strict=True))
    _, chances, _ = network.forward(seen, mask)
    return Samples(seen, mask, action, chances[np.arange(len(rows)), action], reward)


def learn(network: Network, samples: Samples, rng: np.random.Generator) -> None:
    """Makes better choices more probable, as long as they stay near those that were sampled."""
    for _ in range(EPOCHS):
        order = rng.permutation(len(samples.reward))
        for start in range(0, len(order), BATCH):
            _step(network, samples.rows(order[start : start + BATCH]))


def _step(network: Network, batch: Samples) -> None:
    count, rows = len(batch.reward), np.arange(len(batch.reward))
    hidden, chances, values = network.forward(batch.seen, batch.mask)
    advantage = batch.reward - values
    spread = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    ratio = chances[rows, batch.action] / batch.chance
    # Beyond the clip a better ratio gains nothing, so there is no gradient.
    free = np.where(spread > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    of_choice = (ratio * spread * free)[:, None] * (np.eye(chances.shape[1])[batch.action] - chances)
    logs = np.log(np.maximum(chances, 1e-12))
    of_entropy = -chances * (logs - (chances * logs).sum(1, keepdims=True))
    of_preferences = -(of_choice + ENTROPY * of_entropy) / count
    network.backward(batch.seen, hidden, np.column_stack([of_preferences, -advantage / count]))


def against_random(table: Any, network: Network, games: int, rng: np.random.Generator) -> tuple[float, float]:
    """The mean reward of the network, at every seat in turn, beside random players; and its standard error."""
    trained, other, rewards = sampling(network, rng), even(rng), []
    for game in range(games):
        name = table.possible_agents[game % len(table.possible_agents)]
        players = [trained if agent == name else other for agent in table.possible_agents]
        rewards.append(play(table, players)[1][name])
    return float(np.mean(rewards)), float(np.std(rewards) / games**0.5)


def train(id_: str, rounds: int = 60, games: int = 200, seed: int = 1, tests: int = 2000) -> tuple[float, float]:
    """Trains a network, prints how it does on the way, and returns its mean reward against random players at the end,
    with the standard error."""
    rng, game = np.random.default_rng(seed), rulespec.load(id_).game()
    table = env(game)
    table.reset(seed=seed)
    inputs = table.observation_space(table.possible_agents[0])["observation"].shape[0]
    network = Network(inputs, game.num_distinct_actions(), rng)
    scale = max(abs(game.min_utility()), abs(game.max_utility()))
    for number in range(rounds):
        if number % 10 == 0:
            _print(number * games, *against_random(table, network, tests // 4, rng))
        learn(network, experience(table, network, games, rng, scale), rng)
    mean, error = against_random(table, network, tests, rng)
    _print(rounds * games, mean, error)
    return mean, error


def _print(games: int, mean: float, error: float) -> None:
    print(f"after {games:5d} games: {mean:+.3f} ± {error:.3f} beside random players")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Learns a game by playing it with itself.")
    arguments.add_argument("game", nargs="?", default="leduc_poker")
    arguments.add_argument("--rounds", type=int, default=60)
    arguments.add_argument("--games", type=int, default=200, help="games in each round")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    train(options.game, options.rounds, options.games, options.seed)
