"""Drives, their facts and the sources of these."""

from planner.catalogue.names import LookupFailed, find, search
from planner.catalogue.reader import Catalogue, data_folder, load

__all__ = ["Catalogue", "LookupFailed", "data_folder", "find", "load", "search"]
