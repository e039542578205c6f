"""Learns a game by playing it with itself: proximal policy optimisation (Schulman and others, 2017), on many games.

    python examples/ppo.py leduc_poker
    python examples/ppo.py fortheking --rounds 90 --steps 512 --bots ismcts:100

Everything is in this file, in NumPy, so that it is easy to read and to change; for larger networks take a library. One
network plays all seats. It sees the numbers of the observation and chooses among the legal actions.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np

import rulespec
from rulespec import Game
from rulespec.play.bots import bot

HIDDEN, RATE, CLIP, ENTROPY, EPOCHS, BATCH = 128, 7e-4, 0.2, 0.003, 2, 1024
GAMES, FADE = 64, 0.998
"""Games at once, and how credit for what comes later fades (lambda of generalised advantage estimation)."""

Array = Any  # np.ndarray


class Network:
    """One hidden layer, and above it a preference for each action and the expected reward."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        first, second = rng.normal(0, inputs**-0.5, (inputs, HIDDEN)), rng.normal(0, 0.01, (HIDDEN, actions + 1))
        second[:, -1] = 0
        self.weights = [np.float32(w) for w in (first, np.zeros(HIDDEN), second, np.zeros(actions + 1))]
        self._moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self._steps, self._noted = 0, 0
        self._mean, self._square = np.zeros(inputs, np.float32), np.ones(inputs, np.float32)

    def note(self, seen: Array) -> None:
        """Follows the mean and the spread of what is observed."""
        self._noted += 1
        share = max(1 / self._noted, 0.001)
        self._mean += share * (seen.mean(0) - self._mean)
        self._square += share * ((seen**2).mean(0) - self._square)

    def scaled(self, seen: Array) -> Array:
        """Rows of observations as inputs: with mean 0 and spread 1."""
        return ((seen - self._mean) / np.sqrt(np.maximum(self._square - self._mean**2, 1e-4))).clip(-5, 5)

    def forward(self, inputs: Array, mask: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the probabilities of actions and the expected rewards, for rows of inputs."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(inputs @ first + first_bias, 0)
        out = hidden @ second + second_bias
        preferences = np.where(mask, out[:, :-1], -np.inf)
        odds = np.exp(preferences - preferences.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), out[:, -1]

    def backward(self, inputs: Array, hidden: Array, of_out: Array, rate: float) -> None:
        """Takes a step (Adam) down the gradient, given that of the outputs."""
        of_hidden = of_out @ self.weights[2].T * (hidden > 0)
        gradients = [inputs.T @ of_hidden, of_hidden.sum(0), hidden.T @ of_out, of_out.sum(0)]
        length = np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
        self._steps += 1
        for weights, gradient, (mean, square) in zip(self.weights, gradients, self._moments, strict=True):
            gradient *= min(1, 0.5 / (length + 1e-8))
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self._steps) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            weights -= np.float32(rate) * step

    def choose(self, seen: Any, mask: Any, rng: np.random.Generator) -> Array:
        """Actions for rows of observations, drawn with the probabilities of the network."""
        return drawn(self.forward(self.scaled(np.asarray(seen)), np.asarray(mask, bool))[1], rng)


def drawn(chances: Array, rng: np.random.Generator) -> Array:
    """An action for each row, with these probabilities."""
    sums = chances.cumsum(axis=1)
    return (sums > rng.random((len(sums), 1), np.float32) * sums[:, -1:]).argmax(axis=1)


@dataclass(frozen=True)
class Samples:
    """Decisions, one in each row: what was observed, the choice with its probability, the reward to expect after it,
    and how much more that is than was expected before."""

    inputs: Array
    mask: Array
    action: Array
    chance: Array
    target: Array
    gain: Array

    def rows(self, chosen: Array) -> Samples:
        """Some of the decisions."""
        return Samples(*(part[chosen] for part in vars(self).values()))


def experience(vector: Any, network: Network, steps: int, rng: np.random.Generator) -> Samples:
    """The decisions of a round, in which the network plays all seats: so many in each game."""
    every, taken = np.arange(vector.n), []
    for number in range(steps):
        seen, mask, player = np.asarray(vector.observation), np.array(vector.mask, bool), np.array(vector.player)
        if number % 8 == 0:
            network.note(seen)
        inputs = network.scaled(seen)
        _, chances, values = network.forward(inputs, mask)
        action = drawn(chances, rng)
        vector.step(action)
        came = worth(vector), np.array(vector.done, bool)
        taken.append((inputs, mask, action, chances[every, action], values, player, *came))
    *parts, values, player, rewards, done = (np.array(column) for column in zip(*taken, strict=True))
    gain, known = gains(values, player, rewards, done)
    return Samples(*(part[known] for part in (*parts, values + gain, gain)))


def worth(vector: Any) -> Array:
    """What the last step was worth to each player, from -1 to 1; 0 is an even share in games with a constant sum."""
    game = vector.game_of(0)
    even = (game.utility_sum() or 0) / game.players
    return (np.array(vector.rewards) - even) / max(abs(game.min_utility() - even), abs(game.max_utility() - even))


def gains(values: Array, player: Array, rewards: Array, done: Array) -> tuple[Array, Array]:
    """For each step and game how much better it went on for the player than expected (GAE), and whether that is known:
    whether the game ends or the player decides again."""
    every, (gain, known) = np.arange(values.shape[1]), (np.zeros_like(values), np.zeros_like(done))
    later, onward = np.zeros((2, *rewards[0].shape), values.dtype)
    seen = np.zeros(rewards[0].shape, bool)
    for step in reversed(range(len(values))):
        over, turn = done[step], (every, player[step])
        later[over], onward[over], seen[over] = 0, rewards[step][over], True
        gain[step], known[step] = onward[turn] - values[step] + FADE * later[turn], seen[turn]
        later[turn], onward[turn], seen[turn] = gain[step], values[step], True
    return gain, known


def learn(network: Network, samples: Samples, rng: np.random.Generator, rate: float) -> None:
    """Makes better choices more probable, as long as they stay near those that were sampled."""
    for _ in range(EPOCHS):
        order = rng.permutation(len(samples.gain))
        for start in range(0, len(order), BATCH):
            _step(network, samples.rows(order[start : start + BATCH]), samples.gain.std(), rate)


def _step(network: Network, batch: Samples, spread: float, rate: float) -> None:
    count, rows = len(batch.gain), np.arange(len(batch.gain))
    hidden, chances, values = network.forward(batch.inputs, batch.mask)
    gain = batch.gain / (spread + 0.02)
    ratio = chances[rows, batch.action] / batch.chance
    # Beyond the clip a better ratio gains nothing, so there is no gradient.
    free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    pull = (ratio * gain * free)[:, None]
    of_choice = -pull * chances
    of_choice[rows, batch.action] += pull[:, 0]
    logs = np.log(np.maximum(chances, 1e-12))
    of_entropy = -chances * (logs - (chances * logs).sum(1, keepdims=True))
    of_preferences = -(of_choice + ENTROPY * of_entropy) / count
    of_values = 0.5 * (values - batch.target) / count
    network.backward(batch.inputs, hidden, np.column_stack([of_preferences, of_values]).astype(np.float32), rate)


def against_random(game: Game, network: Network, games: int, rng: np.random.Generator) -> tuple[float, float]:
    """The mean reward of the network, in every seat in turn, beside random players; and its standard error."""
    rewards, seats = np.full(games, np.nan), np.arange(games) % game.players
    with game.vector(games, seed=int(rng.integers(2**48))) as vector:
        while np.isnan(rewards).any():
            mine, actions = np.equal(vector.player, seats), np.array(vector.random_actions())
            actions[mine] = network.choose(np.asarray(vector.observation)[mine], np.asarray(vector.mask)[mine], rng)
            vector.step(actions)
            ended = np.isnan(rewards) & np.array(vector.done, bool)
            rewards[ended] = np.asarray(vector.rewards)[ended, seats[ended]]
    return mean_of(rewards, game)


def against(name: str, game: Game, network: Network, games: int, rng: np.random.Generator) -> tuple[float, float]:
    """The same beside bots with this name."""
    rewards = [_game_against(name, game, network, number % game.players, rng) for number in range(games)]
    return mean_of(np.array(rewards), game)


def mean_of(rewards: Array, game: Game) -> tuple[float, float]:
    """The mean of rewards, and its standard error as if two more games had gone best and two worst: a row of wins is no
    certainty (Agresti and Coull, 1998)."""
    more = np.append(rewards, [game.min_utility(), game.max_utility()] * 2)
    return float(rewards.mean()), float(more.std()) / len(more) ** 0.5


def _game_against(name: str, game: Game, network: Network, mine: int, rng: np.random.Generator) -> float:
    state, seed = game.new_initial_state(int(rng.integers(2**48))), int(rng.integers(2**48))
    bots = [bot(name, seat, seed) for seat in range(game.players)]
    while not state.is_terminal():
        for seat in state.deciders():
            if seat == mine:
                seen, mask = state.observation_tensor(seat), state.legal_actions_mask(seat)
                state.apply_action(int(network.choose([seen], [mask], rng)[0]), seat)
            else:
                state.apply_action(bots[seat].step(state), seat)
    return state.player_return(mine)


def train(options: argparse.Namespace) -> tuple[float, float]:
    """Trains a network, prints how it does on the way, and returns its mean reward against random players at the end,
    with the standard error."""
    rng, game = np.random.default_rng(options.seed), rulespec.load(options.game).game(options.players)
    network = Network(game.observation_tensor_shape()[0], game.num_distinct_actions(), rng)
    with game.vector(GAMES, seed=options.seed) as vector:
        for number in range(options.rounds):
            if number % max(1, options.rounds // 6) == 0:
                _print(number, options.steps, "random", *against_random(game, network, options.tests // 4, rng))
            samples = experience(vector, network, options.steps, rng)
            learn(network, samples, rng, RATE * (1 - number / options.rounds))
    for name in options.bots.split(",") if options.bots else ():
        _print(options.rounds, options.steps, name, *against(name, game, network, options.tests // 10, rng))
    mean, error = against_random(game, network, options.tests, rng)
    _print(options.rounds, options.steps, "random", mean, error)
    return mean, error


def _print(rounds: int, steps: int, others: str, mean: float, error: float) -> None:
    after = f"after {rounds * steps * GAMES:10,d} decisions"
    print(f"{after}: {mean:+.3f} ± {1.96 * error:.3f} (95 %) beside {others}", flush=True)


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Learns a game by playing it with itself.")
    parser.add_argument("game", nargs="?", default="leduc_poker")
    parser.add_argument("--players", type=int)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--steps", type=int, default=64, help=f"decisions in each of the {GAMES} games of a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=2000, help="games against random players; a tenth against bots")
    parser.add_argument("--bots", default="", help="also measured against these, such as ismcts:20,ismcts:100")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    train(parsed())
