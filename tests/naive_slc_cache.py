"""A write cache in single-level flash, stepped through time in small steps.

Independent of the shipped closed forms: the only state is the bytes in the cache and the
bytes of the burst still to come. In each step the host writes at the rate of the cache if
there was room, else at the slow rate; folding empties the cache at its rate.
"""


def burst(volume, cache, cached, folded, concurrent, steps=20_000):
    """Time to write `volume` bytes from an empty cache."""
    step = volume / folded / steps
    held = time = 0.0
    full = False
    while volume > 0:
        rate = folded if full else cached
        written = min(rate * step, volume)
        if not full:
            held = max(0.0, held + written - concurrent * step)
            full = held >= cache
        volume -= written
        time += step * written / (rate * step)
    return time


def cycles(count, volume, period, cache, cached, folded, fold, steps=4_000):
    """Duration of each of `count` bursts of `volume`, one every `period` if it can begin."""
    step = period / steps
    held, now, durations = 0.0, 0.0, []
    for index in range(count):
        begin = index * period
        while now < begin - step / 2:  # idle until the burst is due
            held = max(0.0, held - fold * step)
            now += step
        left, began = volume, now
        while left > 0:
            fast = held < cache
            rate = cached if fast else folded
            written = min(rate * step, left)
            if fast:
                held = min(cache, held + written)
            left -= written
            now += step * written / (rate * step)
        durations.append(now - began)
    return durations
