"""Drives, their facts and the sources of these."""

from planner.catalogue.reader import Catalogue, LookupFailed, data_folder, find, load, search

__all__ = ["Catalogue", "LookupFailed", "data_folder", "find", "load", "search"]
