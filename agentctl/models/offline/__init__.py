"""`offline`: the model without a key, a network or a language model; it chooses by words alone."""

from agentctl.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
