"""Types of expressions: resolves every name, proves every number to stay inside its interval."""

from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.infer.base import Reporter
from rulespec.language.model.infer.inference import Inference

__all__ = ["Inference", "Locals", "Reporter"]
