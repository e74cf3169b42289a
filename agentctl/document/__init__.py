"""YAML into located nodes, variables put into them, and JSON back into YAML; knows nothing of teams."""

from agentctl.document.dump import dump
from agentctl.document.envfile import load_env_file
from agentctl.document.nodes import Array, Document, Entry, Node, Object, Scalar, find, locate, plain
from agentctl.document.read import read_document
from agentctl.document.substitute import substitute
from agentctl.document.variables import Filled, VariableFault, escape_variables, expand

__all__ = [
    "Array",
    "Document",
    "Entry",
    "Filled",
    "Node",
    "Object",
    "Scalar",
    "VariableFault",
    "dump",
    "escape_variables",
    "expand",
    "find",
    "load_env_file",
    "locate",
    "plain",
    "read_document",
    "substitute",
]
