"""Comparisons of array and data-loss formulas with simulators, as tasks for parallel runs."""

from functools import partial

from validation.arrays import ArrayCase, compare_arrays, speed_cases, stall_cases
from validation.failures import LossCase, SparesCase, compare_failures, failure_cases
from validation.speed import Finding, Row, Task

MOST_SPEED, MOST_STALLS = 0.12, 0.06
ARRAY_MEANS = {"IOPS of arrays, reporting half": 0.03, "IOPS under stalls, reporting half": 0.03}


def array_tasks(*, quick: bool) -> list[Task]:
    """Return all cases: IOPS of layouts, stalls of drives, data loss, replacements."""
    speeds, stalled = speed_cases(quick=quick), stall_cases(quick=quick)
    return [
        *(_speed(case, "IOPS of arrays", MOST_SPEED, 0.5) for case in speeds),
        *(_speed(case, "IOPS under stalls", MOST_STALLS, 10.0) for case in stalled),
        *(_loss(case) for case in failure_cases(quick)),
    ]


def _speed(case: ArrayCase, group: str, bound: float, work_s: float) -> Task:
    return Task(
        topic="arrays",
        name=f"{case.group}, {case.label}",
        measure=partial(_compare_speed, case, group, bound),
        work_s=work_s,
    )


def _compare_speed(case: ArrayCase, group: str, bound: float) -> Finding:
    """Compare one case; those of the fitting half were used to fit constants of the formulas."""
    (outcome,) = compare_arrays([case])
    half = "choosing" if case.chooses else "reporting"
    row = Row(
        group=f"{group}, {half} half",
        case=f"{case.group}, {case.label}",
        modelled=outcome.formula_iops,
        simulated=outcome.result.iops,
        noise=outcome.noise,
        bound=bound,
    )
    return Finding(rows=(row,))


def _loss(case: LossCase | SparesCase) -> Task:
    return Task(topic="failures", name=case.label, measure=partial(_compare_loss, case), work_s=3.0)


def _compare_loss(case: LossCase | SparesCase) -> Finding:
    """Compare one case; the bound is the simulator's own interval if that is wider."""
    return Finding(
        rows=tuple(
            Row(
                group=row.group,
                case=row.label,
                modelled=row.formula,
                simulated=row.simulated,
                noise=row.noise,
                bound=max(row.bound, row.noise),
            )
            for row in compare_failures(case)
        )
    )
