"""All comparisons of speed, by topic, and the bound of the mean error of each group."""

from collections.abc import Iterator, Sequence

from validation.processes import side_by_side
from validation.speed.case import Finding, Task
from validation.speed.course import course_tasks
from validation.speed.memory import memory_tasks
from validation.speed.parallelism import parallelism_tasks
from validation.speed.read_tail import read_tail_tasks
from validation.speed.slc import slc_tasks
from validation.speed.stalls import stall_tasks
from validation.speed.trim import trim_tasks

TOPICS = {
    "parallelism": parallelism_tasks,
    "course": course_tasks,
    "reads": read_tail_tasks,
    "stalls": stall_tasks,
    "slc": slc_tasks,
    "memory": memory_tasks,
    "trim": trim_tasks,
}
# Bound of the mean error of a group, where it is less than the bound of each error.
MEANS = {
    "reads over 4 dies": 0.05,
    "reads over dies": 0.02,
    "reads over channels and link, 4 dies": 0.05,
    "reads over channels and link": 0.02,
    "reads that free their die after the sense, 4 dies": 0.05,
    "reads that free their die after the sense": 0.02,
}


def speed_tasks(topics: Sequence[str] = (), *, quick: bool = False) -> list[Task]:
    """Return the tasks of some topics, by default of all; `quick` is a small part."""
    chosen = topics or tuple(TOPICS)
    return [task for topic in TOPICS if topic in chosen for task in TOPICS[topic](quick)]


def compare_speed(
    tasks: Sequence[Task], *, processes: int = 1
) -> Iterator[tuple[float, Finding, int]]:
    """Yield share of the work, finding and index of each finished task; long ones start first."""
    total = sum(task.work_s for task in tasks)
    ordered = sorted(enumerate(tasks), key=lambda each: -each[1].work_s)
    for place, finding in side_by_side(_measure, ordered, processes):
        yield tasks[place].work_s / total, finding, place


def _measure(numbered: tuple[int, Task]) -> tuple[int, Finding]:
    place, task = numbered
    return place, task.measure()
