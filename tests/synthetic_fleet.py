"""A fleet whose truth is known: models, wear rates, and writes of every kind, made up here.

Each drive writes with a weekly and a yearly cycle, days that resemble each other, bursts, and a
level that changes once in a while; wear follows the writes. `daily` gives what a monitor would have
read once a day, `ends_s` when the drives are worn out. Nothing here is of a real drive.
"""

from dataclasses import dataclass

import numpy as np

from models.units import DAY_S, GB, TB

START_S = 1_735_689_600.0  # 2025-01-01
_CHANGE_DAYS, _CHANGE_SD = 600.0, 0.4  # how long a level of writes holds, and how far it moves
_ALIKE, _DAY_SD = 0.8, 0.4  # correlation of days, and their standard deviation
_SEASON = 0.15
_BURST = 1 / 45, 4.0  # chance per day, and writes of such a day


@dataclass(frozen=True)
class Model:
    """A model: capacity, host bytes per point of wear, write amplification, and its firmware."""

    name: str
    user_bytes: float
    dwpd: float
    drive_writes: float  # of the whole life
    wa: float
    step_bytes: float = 1.0  # in which the firmware counts host writes
    keeps_hours: bool = True  # whether it states power-on hours


MODELS = (
    Model("SYN-R 1920", 1920 * GB, 0.5, 1800.0, 1.6, step_bytes=32 << 20),
    Model("SYN-R 3840", 3840 * GB, 0.4, 1700.0, 1.8, step_bytes=32 << 20),
    Model("SYN-M 3200", 3200 * GB, 2.0, 5500.0, 1.3, step_bytes=512_000),
    Model("SYN-Q 7680", 7680 * GB, 0.15, 600.0, 3.4, keeps_hours=False),
)
SITES = ("north", "south", "west")


@dataclass(frozen=True)
class Fleet:
    """Drives and what each wrote on each day of the history, and from then on its truth."""

    model: np.ndarray  # indices of MODELS
    site: np.ndarray
    limit_bytes: np.ndarray  # of the whole life
    before_bytes: np.ndarray
    daily_bytes: np.ndarray  # drives x days of the history
    ends_s: np.ndarray | None  # from the last reading; None where no truth was drawn

    @property
    def names(self):
        return np.char.add("SYN", np.char.zfill(np.arange(len(self.model)).astype(str), 7))

    def of_model(self, attribute):
        return np.array([getattr(model, attribute) for model in MODELS])[self.model]


def made(drives, days, *, seed, truth=True):
    """Draw a fleet; with truth, write on until every drive is worn out."""
    rng = np.random.default_rng(seed)
    model = rng.choice(len(MODELS), drives, p=[0.4, 0.3, 0.2, 0.1])
    user, dwpd, life = (
        np.array([getattr(one, name) for one in MODELS])[model]
        for name in ("user_bytes", "dwpd", "drive_writes")
    )
    rate = user * dwpd * np.exp(0.5 * rng.standard_normal(drives))
    limit = user * life * np.exp(0.05 * rng.standard_normal(drives))
    used = rng.uniform(0.02, 0.7, drives)
    whole = days
    if truth:
        whole = days + int(np.max((1 - used) * limit / rate) * 3)
        whole = min(whole, 12_000)
    written = rate[:, None] * _course(rng, drives, whole)
    before = used * limit
    ends = None
    if truth:
        total = before[:, None] + np.cumsum(written[:, days:], axis=1)
        total += written[:, :days].sum(axis=1, keepdims=True)
        gone = total >= limit[:, None]
        after = np.where(gone.any(axis=1), np.argmax(gone, axis=1) + 1.0, np.nan)
        worn = before + written[:, :days].sum(axis=1) >= limit
        ends = np.where(worn, np.nan, after * DAY_S)
    site = rng.integers(len(SITES), size=drives)
    return Fleet(model, site, limit, before, written[:, :days], ends)


def _course(rng, drives, days):
    """Draw daily writes of mean about 1: weeks, seasons, days that resemble each other, bursts."""
    from scipy.signal import lfilter

    day = np.arange(days)
    weekly = np.where((day + rng.integers(7, size=(drives, 1))) % 7 < 5, 1.15, 0.625)
    season = 1 + _SEASON * np.sin(2 * np.pi * (day / 365.25 + rng.random((drives, 1))))
    news = rng.standard_normal((drives, days), dtype=np.float32) * np.sqrt(1 - _ALIKE**2)
    alike = np.exp(_DAY_SD * lfilter([1.0], [1.0, -_ALIKE], news, axis=1) - _DAY_SD**2 / 2)
    changed = np.cumsum(rng.random((drives, days), dtype=np.float32) < 1 / _CHANGE_DAYS, axis=1)
    levels = np.exp(_CHANGE_SD * rng.standard_normal((drives, changed[:, -1].max() + 1)))
    level = np.take_along_axis(levels, changed, axis=1)
    burst = 1 + (_BURST[1] - 1) * (rng.random((drives, days), dtype=np.float32) < _BURST[0])
    return weekly * season * alike * level * burst


def columns(fleet):
    """Return the readings as columns of a tidy table, drive by drive, a row for each day."""
    drives, days = fleet.daily_bytes.shape
    written = fleet.before_bytes[:, None] + np.cumsum(fleet.daily_bytes, axis=1)
    step = fleet.of_model("step_bytes")[:, None]
    host = np.floor(written / step) * step
    flash = np.floor(written * fleet.of_model("wa")[:, None] / (32 << 20)) * (32 << 20)
    points = np.minimum(np.floor(100 * written / fleet.limit_bytes[:, None]), 255)
    hours = 5000 + 24.0 * np.arange(days) + np.zeros((drives, 1))
    hours[~fleet.of_model("keeps_hours").astype(bool)] = np.nan

    def each(values):
        return np.repeat(values, days)

    return {
        "date": np.tile(START_S + DAY_S * np.arange(days), drives),
        "serial": each(fleet.names),
        "model": each(np.array([one.name for one in MODELS])[fleet.model]),
        "site": each(np.array(SITES)[fleet.site]),
        "capacity_bytes": each(fleet.of_model("user_bytes")),
        "host_bytes": host.ravel(),
        "flash_bytes": flash.ravel(),
        "percent_used": points.ravel(),
        "power_on_hours": hours.ravel(),
    }


def one_drive(days=120, *, per_day=100 * GB, point=2 * TB, start=10 * TB, hours=True):
    """Columns of one steady drive, for tests of what goes wrong."""
    day = np.arange(days)
    host = start + per_day * day.astype(float)
    known = {
        "date": START_S + DAY_S * day,
        "serial": np.array(["ONE00001"] * days),
        "model": np.array(["SYN-1"] * days),
        "host_bytes": host,
        "percent_used": np.floor(host / point),
    }
    return known | ({"power_on_hours": 1000 + 24.0 * day} if hours else {})
