"""Imports that a guided fuzzer can watch: instrumented where atheris is installed."""

from contextlib import AbstractContextManager, nullcontext

__all__ = ["instrumented"]


def instrumented(*packages: str) -> AbstractContextManager[object]:
    """Return a context in which imports of some packages count what they cover.

    What is imported before, or later inside of functions, is not watched.
    """
    try:
        import atheris
    except ImportError:
        return nullcontext()
    found: AbstractContextManager[object] = atheris.instrument_imports(include=list(packages))
    return found
