"""Types of expressions: resolves every name, proves every number to stay inside its interval."""

from rulespec.model.infer.base import Locals, Reporter
from rulespec.model.infer.inference import Inference

__all__ = ["Inference", "Locals", "Reporter"]
