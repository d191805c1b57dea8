"""Life and writes under steps and phase-in as spreadsheet cells, with helper cells on the way.

The clock counts seconds of writing at today's full rate. The effect of each step is removed from
it, the earliest first. A life that ends after the phase-in is then a logarithm of the clock; one
that ends within the phase-in is solved by Newton's method on logarithms, as in `models.growth`.
What is written by a time is the rate times the clock. Its helper cells are named by the time, not
by what is written, so that the drives of a sheet share them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from models import growth
from models.units import YEAR_S

_NEWTON_STEPS = 7
ENDLESS_S = "1E+99"  # seconds of writing on the clock if nothing is written
_PLAIN = {"limit_bytes", "time_s", "host_bytes_per_s", "growth_per_year"}
CLOCK = "years of writing at today's whole rate"
SMOOTH = f"{CLOCK}, without steps"

Refs = Mapping[str, str]


def has_course(formula: Callable[..., Any], inputs: Collection[str]) -> bool:
    """Whether a call computes a life, or what is written, under steps or phase-in."""
    with_course = (growth.growing_lifetime_s, growth.written_bytes)
    return formula in with_course and not _PLAIN.issuperset(inputs)


def helper_names(key: str, inputs: Collection[str]) -> list[str]:
    """Name the helper cells of a life: the clock without each step, then the phase-in.

    Those of what is written are the clocks at each step and at the time, of which `key` is the
    name.
    """
    if "time_s" in inputs:
        at_steps = [f"step_{step}_s: {SMOOTH}" for step in _steps(inputs)]
        return [*at_steps, *([f"{key}: {SMOOTH}"] if at_steps else []), f"{key}: {CLOCK}"]
    names = [f"{key}: clock without step {step} [s]" for step in _steps(inputs)]
    if "phase_in_s" in inputs:
        names.append(f"{key}: clock after the phase-in [s]")
        names += [f"{key}: within the phase-in, step {n} [s]" for n in range(_NEWTON_STEPS + 1)]
    return names


def helpers(refs: Refs, cells: Sequence[str]) -> list[str]:
    """Return the formulas of the helper cells."""
    if "time_s" in refs:
        return _clocks(refs, cells)
    clock, formulas, steps = _clock(refs), [], _steps(refs)
    for step, cell in zip(steps, cells, strict=False):
        at, factor = _clock_without_steps(refs, refs[f"step_{step}_s"]), refs[f"step_{step}_factor"]
        formulas.append(f"MIN({clock},{at})+MAX({clock}-{at},0)/{factor}")
        clock = cell
    if "phase_in_s" in refs:
        formulas += _phase_in(refs, clock, cells[len(steps) :])
    return formulas


def life(refs: Refs, cells: Sequence[str]) -> tuple[str, str]:
    """Return the condition for an endless life, and the formula of a life that ends."""
    steps, exponent = len(_steps(refs)), _exponent(refs)
    after = cells[steps] if "phase_in_s" in refs else cells[steps - 1]
    spent = f"{exponent}*{after}"
    grown = (
        f"IF(ABS({spent})<0.0001,{after}*(1-{spent}/2+({spent})^2/3),LN(1+{spent})/({exponent}))"
    )
    if "phase_in_s" in refs:
        grown = f"IF({after}<0,{cells[-1]},{refs['phase_in_s']}+{grown})"
    return f"IF({refs['host_bytes_per_s']}>0,IF(1+{spent}>0,1,0),0)=0", grown


def written(refs: Refs, cells: Sequence[str]) -> str:
    """Return the formula of what is written by a time."""
    return f"{refs['host_bytes_per_s']}*({cells[-1]}*31536000)"


def clock(refs: Refs, time: str) -> str:
    """Return the formula of the clock at `time`, without steps."""
    return _clock_without_steps(refs, time)


def cached_values(values: Mapping[str, Any], result: Any) -> list[Any]:
    """Return the values of the helper cells at export, from the arguments and the result."""
    course = {name: values[name] for name in values.keys() & {"growth_per_year", "phase_in_s"}}
    if "time_s" in values:
        times = [values[f"step_{step}_s"] for step in _steps(values)]
        times += [values["time_s"]] if times else []
        clocks = [growth.written_bytes(time, host_bytes_per_s=1, **course) for time in times]
        factors = [values[f"step_{step}_factor"] for step in _steps(values)]
        stepped: dict[str, Any] = {"step_times_s": times[:-1], "step_factors": factors}
        clocks.append(
            growth.written_bytes(values["time_s"], host_bytes_per_s=1, **course, **stepped)
        )
        return [number / YEAR_S for number in clocks]
    host, cells = values["host_bytes_per_s"], []
    clock = values["limit_bytes"] / host if host else float(ENDLESS_S)
    for step in _steps(values):
        at = growth.written_bytes(values[f"step_{step}_s"], host_bytes_per_s=1, **course)
        clock = min(clock, at) + max(clock - at, 0) / values[f"step_{step}_factor"]
        cells.append(clock)
    if "phase_in_s" in values:
        phase_in_s = values["phase_in_s"]
        risen = growth.written_bytes(phase_in_s, host_bytes_per_s=1, **course)
        grown = (1 + values["growth_per_year"]) ** (phase_in_s / YEAR_S)
        cells += [(clock - risen) / grown, *[min(result, phase_in_s)] * (_NEWTON_STEPS + 1)]
    return cells


def _steps(inputs: Iterable[str]) -> range:
    return range(1, sum(name.endswith("_factor") for name in inputs) + 1)


def _clocks(refs: Refs, cells: Sequence[str]) -> list[str]:
    """Return the clocks at each step and at the time, then that with the steps, in years."""
    steps = _steps(refs)
    times = [*(f"step_{step}_s" for step in steps), "time_s"]
    clocks = [f"{_clock_without_steps(refs, refs[time])}/31536000" for time in times]
    return [*clocks, _bent(refs, cells)] if steps else clocks


def _bent(refs: Refs, cells: Sequence[str]) -> str:
    """Return a clock with steps: after each of them it runs by its factor."""
    steps = _steps(refs)
    smooth, after = cells[len(steps)], ""
    for step in reversed(steps):
        since = f"MAX(0,{smooth}-{cells[step - 1]})"
        within = f"({since}-{after})" if after else since
        after = f"({since}-{refs[f'step_{step}_factor']}*{within})"
    return f"{smooth}-{after}"


def _exponent(refs: Refs) -> str:
    return f"LN(1+{refs['growth_per_year']})/31536000"


def _phase_in(refs: Refs, clock: str, cells: Sequence[str]) -> list[str]:
    """Return the clock after the phase-in (negative within it) and the Newton steps within it."""
    exponent, phase_in = _exponent(refs), refs["phase_in_s"]
    risen = f"{phase_in}*{_ramp(refs, phase_in)}"
    wanted = f"({clock}*{phase_in})"
    steep = f"MAX(2,LN(1+({exponent})^2*{wanted}))/MAX({exponent},1E-30)"
    first = f"MIN((2*{wanted})^0.5,{steep})"
    formulas = [f"({clock}-{risen})*EXP(-{exponent}*{phase_in})"]
    formulas.append(f"IF({cells[0]}<0,{first},{phase_in})")
    for time in cells[1:-1]:
        ramp = _ramp(refs, time)
        moved = f"{time}*EXP(-LN({time}^2/{wanted}*{ramp})*{ramp}*EXP(-{exponent}*{time}))"
        formulas.append(f"IF({cells[0]}<0,{moved},{phase_in})")
    return formulas


def _clock(refs: Refs) -> str:
    host = refs["host_bytes_per_s"]
    return f"IF({host}>0,{refs['limit_bytes']}/{host},{ENDLESS_S})"


def _clock_without_steps(refs: Refs, time: str) -> str:
    """Return the clock at a time under growth and phase-in, without steps."""
    if "phase_in_s" not in refs:
        return _grown(refs, time)
    phase_in = refs["phase_in_s"]
    rising = f"{time}^2/{phase_in}*{_ramp(refs, time)}"
    whole = f"EXP({_exponent(refs)}*{phase_in})*{_grown(refs, f'({time}-{phase_in})')}"
    return f"IF({time}<{phase_in},{rising},{phase_in}*{_ramp(refs, phase_in)}+{whole})"


def _grown(refs: Refs, time: str) -> str:
    """Integrate growth from 0 to a time."""
    exponent = _exponent(refs)
    u = f"{exponent}*{time}"
    return f"IF(ABS({u})<0.0001,{time}*(1+{u}/2+({u})^2/6),(EXP({u})-1)/({exponent}))"


def _ramp(refs: Refs, time: str) -> str:
    """Integrate x e^(u x) over x from 0 to 1, where u is the exponent of growth at a time."""
    u = f"({_exponent(refs)}*{time})"
    series = f"1/2+{u}/3+{u}^2/8+{u}^3/30+{u}^4/144"
    return f"IF(ABS({u})<0.01,{series},(({u}-1)*EXP({u})+1)/{u}^2)"
