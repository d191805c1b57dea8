"""Drives, their facts and the sources of these; submodules are imported on first use."""

from typing import TYPE_CHECKING

from planner.quantity.lazy import lazily

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
    __getattr__ = lazily(__name__, _MODULES)
