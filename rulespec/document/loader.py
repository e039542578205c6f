"""The YAML loader: that of the C library where PyYAML was built with it, which is about ten times as fast."""

from __future__ import annotations

from typing import Any

import yaml

LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
