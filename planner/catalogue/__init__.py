"""Drives, their facts and the sources of these; submodules are imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.catalogue.names import LookupFailed, find, search
    from planner.catalogue.reader import load
    from planner.catalogue.rows import data_folder
    from planner.catalogue.stored import Catalogue

__all__ = ["Catalogue", "LookupFailed", "data_folder", "find", "load", "search"]

_MODULES = {
    "Catalogue": "stored", "LookupFailed": "names", "data_folder": "rows", "find": "names",
    "load": "reader", "search": "names",
}  # fmt: skip

if not TYPE_CHECKING:  # a type checker knows the names, and refuses others

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        return value
