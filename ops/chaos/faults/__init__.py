"""The catalogue of faults, by what they strike."""

from ops.chaos.fault import FAULTS
from ops.chaos.faults import engines, links, people, processes, stores  # noqa: F401  # each enters its own

__all__ = ["FAULTS"]
