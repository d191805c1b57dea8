"""Two-temperature greedy cleaning, found slowly: every block slot as a chain of its own.

Independent of the shipped arrays: plain Python, one state at a time. A block starts with h hot
pages of b; pages die one by one, hot ones at the rate r/f, cold ones at (1-r)/(1-f). At j + 1
valid pages it waits for at most w and is cleaned; if a page dies meanwhile, it is cleaned with
j. Survivors start the next block, host pages fill it up. Level j and wait w follow from

    E[t] = alpha (1 - E[x] / b),   WA = b / (b - E[x]).
"""

from math import comb, exp


def write_amplification(op_ratio: float, writes: float, pages: float, size: int) -> float:
    """Write amplification of one log with hot and cold pages."""
    alpha = 1 + op_ratio
    rates = (writes / pages, (1 - writes) / (1 - pages))

    def surplus(level: int, wait: float) -> tuple[float, float]:
        time, survivors = _cycle(size, level, wait, rates, writes)
        return time - alpha * (1 - survivors / size), survivors

    for level in range(size - 2, -1, -1):
        longest = 60 / (min(rates) * (level + 1))
        if surplus(level, longest)[0] > 0:
            break
    else:
        return 1.0
    low, high = 0.0, longest
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (low, middle) if surplus(level, middle)[0] > 0 else (middle, high)
    return size / (size - surplus(level, low)[1])


def interleaved_static(op_ratio: float, dynamic: float, size: int) -> float:
    """Write amplification when static pages were strewn among the rest by a random fill.

    No copy ever parts the static pages of a block: slots keep the number that they got, none
    in the spare blocks. Each slot is then cleaned at its own pace down to a common level.
    """
    alpha = 1 + op_ratio
    odds = [
        comb(size, k) * (1 - dynamic) ** k * dynamic ** (size - k) / alpha for k in range(size + 1)
    ]
    odds[0] += 1 - 1 / alpha
    rate = 1 / dynamic

    def pace(level: int, wait: float) -> tuple[float, float]:
        cleanings = freed = 0.0
        for static in range(level + 1):
            time = sum(1 / (rate * (valid - static)) for valid in range(level + 2, size + 1))
            stay = exp(-rate * (level + 1 - static) * wait)
            time += (1 - stay) / (rate * (level + 1 - static))
            cleanings += odds[static] / time
            freed += odds[static] * (size - level - stay) / time
        return freed, cleanings

    level = size - 2
    while pace(level, 1e9)[0] > size / alpha:
        level -= 1
    low, high = 0.0, 1e3
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if pace(level, middle)[0] > size / alpha else (low, middle)
    freed, cleanings = pace(level, low)
    return size * cleanings / freed


def _cycle(
    size: int, level: int, wait: float, rates: tuple[float, float], writes: float
) -> tuple[float, float]:
    """Mean length of a cycle and mean survivors, over the states that blocks start in."""
    matrix, times, survivors = [], [], []
    for hot in range(size + 1):
        row, time, left = _from(hot, size, level, wait, rates, writes)
        matrix.append(row)
        times.append(time)
        survivors.append(left)
    start = _stationary(matrix)
    weigh = zip(start, times, survivors, strict=True)
    pairs = [(s * t, s * x) for s, t, x in weigh]
    return sum(t for t, _ in pairs), sum(x for _, x in pairs)


def _from(
    hot: int, size: int, level: int, wait: float, rates: tuple[float, float], writes: float
) -> tuple[list[float], float, float]:
    """Follow one block from `hot` hot pages; give the odds of the next start, time, survivors."""
    odds, time = {hot: 1.0}, 0.0
    for valid in range(size, level + 1, -1):
        time += sum(p / _rate(h, valid, rates) for h, p in odds.items())
        odds = _death(odds, valid, rates)
    valid = level + 1
    stays = {h: p * exp(-_rate(h, valid, rates) * wait) for h, p in odds.items()}
    leaves = {h: p - stays[h] for h, p in odds.items()}
    time += sum(p / _rate(h, valid, rates) for h, p in leaves.items())
    row = [0.0] * (size + 1)
    for left, survivors in ((stays, valid), (_death(leaves, valid, rates), level)):
        for h, p in left.items():
            fresh = size - survivors
            for drawn in range(fresh + 1):
                odd = comb(fresh, drawn) * writes**drawn * (1 - writes) ** (fresh - drawn)
                row[h + drawn] += p * odd
    return row, time, level + sum(stays.values())


def _rate(hot: int, valid: int, rates: tuple[float, float]) -> float:
    return rates[0] * hot + rates[1] * (valid - hot)


def _death(odds: dict[int, float], valid: int, rates: tuple[float, float]) -> dict[int, float]:
    after: dict[int, float] = {}
    for hot, p in odds.items():
        dies_hot = rates[0] * hot / _rate(hot, valid, rates)
        if hot:
            after[hot - 1] = after.get(hot - 1, 0.0) + p * dies_hot
        if valid > hot:
            after[hot] = after.get(hot, 0.0) + p * (1 - dies_hot)
    return after


def _stationary(matrix: list[list[float]]) -> list[float]:
    """Eliminate the states one after the other, without subtractions."""
    count = len(matrix)
    rows = [list(row) for row in matrix]
    for last in range(count - 1, 0, -1):
        out = sum(rows[last][:last])
        for i in range(last):
            rows[i][last] /= out
            for j in range(last):
                rows[i][j] += rows[i][last] * rows[last][j]
    odds = [1.0]
    for last in range(1, count):
        odds.append(sum(odds[i] * rows[i][last] for i in range(last)))
    total = sum(odds)
    return [p / total for p in odds]
