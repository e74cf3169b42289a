"""YAML into located nodes, variables put into them, and JSON back into YAML; knows nothing of teams."""

from agentctl.document.nodes import Array, Document, Entry, Node, Object, Scalar, locate, plain
from agentctl.document.read import read_document

__all__ = [
    "Array",
    "Document",
    "Entry",
    "Node",
    "Object",
    "Scalar",
    "locate",
    "plain",
    "read_document",
]
