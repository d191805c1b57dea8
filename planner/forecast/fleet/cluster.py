"""An executor of a dask cluster, by the address of its scheduler."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module

__all__ = ["executor_of"]

_PATIENCE_S = 30


@contextmanager
def executor_of(address: str) -> Iterator[Executor]:
    """Connect to a scheduler; its workers must see the files under the same paths.

    Raises
    ------
    ValueError
        If dask.distributed is not installed, or no scheduler answers.
    """
    try:
        distributed = import_module("distributed")  # an extra
    except ModuleNotFoundError:
        extra = "pip install 'ssd-planner[cluster]'"
        raise ValueError(f"--scheduler needs dask.distributed: {extra}") from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE_S, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise ValueError(f"--scheduler {address!r} does not answer: {reason}") from None
    with client:
        yield client.get_executor()
