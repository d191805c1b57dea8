"""Tasks on an executor, whoever of its workers is lost, and a dask cluster as one."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")

_PATIENCE_S = 30


def done_by(
    executor: Executor | None, task: Callable[..., Result], given: Sequence[tuple[object, ...]]
) -> Iterator[Result]:
    """Yield the results of a task in order; one that a worker does not finish is done here.

    >>> list(done_by(None, max, [(1, 3), (4, 2)]))
    [3, 4]
    """
    futures: deque[Future[Result]] = deque()
    with suppress(RuntimeError):  # no worker lives that could take more
        futures += (executor.submit(task, *one) for one in given if executor is not None)
    for one in given:
        yield _outcome(futures.popleft(), task, one) if futures else task(*one)


def _outcome(
    future: Future[Result], task: Callable[..., Result], given: tuple[object, ...]
) -> Result:
    try:
        return future.result()
    except Exception:  # noqa: BLE001 - of a lost worker; what the task raises, it raises again
        return task(*given)


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
