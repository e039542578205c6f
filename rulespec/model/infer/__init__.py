"""Types of expressions: resolves every name, proves every number to stay inside its interval."""

from rulespec.model.infer.advice import Locals
from rulespec.model.infer.base import Reporter
from rulespec.model.infer.inference import Inference

__all__ = ["Inference", "Locals", "Reporter"]
