"""Power and energy of the drives of an array, year by year."""

from dataclasses import dataclass

import numpy as np

from models import energy, queueing
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.ownership.horizon import Years
from planner.ownership.purchase import Purchase
from planner.ownership.terms import Terms

READ_AS_WRITE = (
    "The catalogue has no power of this drive while reading; it is assumed to be that while "
    "writing, which is the maximum."
)
BUSY = (
    "In some year the load exceeds what the drives can serve; their power in that year is that of "
    "fully busy drives."
)
NO_ENERGY = (
    "Energy is not counted: the catalogue has no idle and write power of this drive, or not the "
    "rates that belong to them."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyUse:
    """Energy per operation and byte, and power and energy of the array by year."""

    idle_power_w: Answer
    read_j: Answer
    write_j: Answer
    write_j_per_byte: Answer
    member_power_w: Answer
    array_power_w: Answer
    yearly_j: Answer
    notes: tuple[str, ...]

    @property
    def operations(self) -> tuple[Answer, ...]:
        """Idle power of a drive, and what a read, a write and a written byte take above it."""
        return self.idle_power_w, self.read_j, self.write_j, self.write_j_per_byte


def energy_use(bought: Purchase, terms: Terms, years: Years) -> EnergyUse:
    """Return the power of the drives under the plan's load.

    The energy per read and per write follows from the specification, at the transfer size and the
    sequential share of the workload, and at the queue depth at which the rates are printed.
    """
    idle, writing = bought.idle_power_w, bought.write_power_w
    reading = first_known(bought.read_power_w, _as_when_writing(writing))
    operations = {
        key: figure(key, energy.operation_j, active_power_w=active, idle_power_w=idle, iops=iops)
        for key, active, iops in (
            ("read_j", reading, bought.rated_read_iops),
            ("write_j", writing, bought.rated_write_iops),
        )
    }
    demanded = figure(
        "asked_power_w", energy.power_w, idle_power_w=idle, **operations, **_rates(bought, years)
    )
    power = figure(
        "yearly_power_w",
        energy.limited_power_w,
        power_w=demanded,
        read_power_w=reading,
        write_power_w=writing,
    )
    together = figure(
        "array_power_w",
        energy.array_power_w,
        power_w=power,
        working_members=bought.working_members,
        idle_power_w=idle,
        hot_spares=bought.hot_spares,
    )
    written = figure(
        "drive_throughput_bytes_per_s",
        queueing.throughput_bytes_per_s,
        iops=bought.rated_write_iops,
        transfer_bytes=given("transfer_bytes", bought.workload.transfer_bytes, source="workload"),
    )
    return EnergyUse(
        idle_power_w=idle,
        **operations,
        write_j_per_byte=figure(
            "write_j_per_byte",
            energy.transfer_j_per_byte,
            active_power_w=writing,
            idle_power_w=idle,
            throughput_bytes_per_s=written,
        ),
        member_power_w=power,
        array_power_w=together,
        yearly_j=figure(
            "yearly_energy_j",
            energy.energy_j,
            power_w=together,
            time_s=years.length_s,
            pue=terms.known("pue"),
        ),
        notes=_notes(reading, demanded, power),
    )


def _rates(bought: Purchase, years: Years) -> dict[str, Answer]:
    """Return the operations of one drive by year."""
    writes = figure(
        "yearly_write_iops",
        energy.mean_iops,
        written_bytes=years.year_bytes,
        time_s=years.length_s,
        transfer_bytes=given("transfer_bytes", bought.workload.transfer_bytes, source="workload"),
    )
    return {"read_iops": _reads(bought, writes), "write_iops": writes}


def _as_when_writing(writing: Answer) -> Answer:
    """Return the power while writing as a labelled assumption for reading."""
    if not writing.is_known:
        return unknown(key="read_power_w", lacking=("read_power_w",))
    return given("read_power_w", writing.value, source="assumption", note=READ_AS_WRITE)


def _reads(bought: Purchase, writes: Answer) -> Answer:
    """Return the reads of one drive by year: those of the host, and those for parity updates."""
    budget = bought.budget_iops
    if budget.is_known:
        return figure(
            "yearly_read_iops",
            energy.member_read_iops,
            write_iops=writes,
            read_fraction=given("read_fraction", bought.workload.read_fraction, source="workload"),
            reads_per_write=bought.reads_per_write,
            writes_per_write=bought.writes_per_write,
        )
    return unknown(key="yearly_read_iops", lacking=budget.lacking)


def _notes(reading: Answer, demanded: Answer, power: Answer) -> tuple[str, ...]:
    if not power.is_known or not demanded.is_known:
        return (NO_ENERGY,)
    assumed = reading.is_given and reading.source == "assumption"
    busy = np.any(np.asarray(demanded.value) > np.asarray(power.value))
    notes = {READ_AS_WRITE: assumed, BUSY: busy}
    return tuple(note for note, applies in notes.items() if applies)
