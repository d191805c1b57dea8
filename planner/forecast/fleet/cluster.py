"""The workers of a dask cluster as an executor, by the address of its scheduler."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import NamedTuple

_PATIENCE_S = 30


class Cluster(NamedTuple):
    """The workers of a cluster as an executor, and how many tasks they run at once."""

    executor: Executor
    workers: int


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler; its workers must see the files under the same paths.

    Tasks are pickles: the network of a tcp:// scheduler must be trusted, and tls:// takes the
    certificates of dask's settings.

    Raises:
        ValueError: If dask.distributed is not installed, no scheduler answers, or it has no
            workers.
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
        threads = sum(client.nthreads().values())
        if not threads:
            raise ValueError(f"--scheduler {address!r} has no workers")
        yield Cluster(client.get_executor(pure=False), threads)
