"""Many games of a spec by random players, and their figures.

figures = simulate(game, games=10_000, seed=1, workers=2).figures
"""

from typing import TYPE_CHECKING

from rulespec.lazy import importer

if TYPE_CHECKING:
    from rulespec.engine.playout import playout, playouts
    from rulespec.simulate.cluster import Cluster
    from rulespec.simulate.executors import Executor, Processes, here, processors
    from rulespec.simulate.failure import SimulationError
    from rulespec.simulate.figures import Figures, Moments, proportion
    from rulespec.simulate.run import Result, simulate

__all__ = [
    "Cluster",
    "Executor",
    "Figures",
    "Moments",
    "Processes",
    "Result",
    "SimulationError",
    "here",
    "playout",
    "playouts",
    "processors",
    "proportion",
    "simulate",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.engine.playout": "playout playouts",
        "rulespec.simulate.cluster": "Cluster",
        "rulespec.simulate.executors": "Executor Processes here processors",
        "rulespec.simulate.failure": "SimulationError",
        "rulespec.simulate.figures": "Figures Moments proportion",
        "rulespec.simulate.run": "Result simulate",
    },
)
