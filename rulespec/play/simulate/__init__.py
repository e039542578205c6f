"""Many games of a spec by random players, and their figures.

figures = simulate(game, games=10_000, seed=1, workers=2).figures
"""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.base.executors import Executor, Processes, here, processors
    from rulespec.base.failure import SimulationError
    from rulespec.engine.states.playout import playout, playouts
    from rulespec.play.simulate.cluster import Cluster
    from rulespec.play.simulate.figures import Figures, Moments, proportion
    from rulespec.play.simulate.run import Result, simulate

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
        "rulespec.engine.states.playout": "playout playouts",
        "rulespec.play.simulate.cluster": "Cluster",
        "rulespec.base.executors": "Executor Processes here processors",
        "rulespec.base.failure": "SimulationError",
        "rulespec.play.simulate.figures": "Figures Moments proportion",
        "rulespec.play.simulate.run": "Result simulate",
    },
)
