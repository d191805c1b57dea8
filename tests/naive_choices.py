"""Cleaning the emptiest of d random blocks, found slowly: two nested halvings.

S_i is the share of blocks with at least i valid pages; from the fullest down it solves
S_i + S_i^d / (c i) = S_{i+1} + 1 / (c i), and c makes the mean fill b / alpha. WA = alpha / c.
"""


def write_amplification(op_ratio: float, choices: int, size: int) -> float:
    """Write amplification of d choices, to about 1e-12."""
    alpha = 1 + op_ratio

    def fill(c: float) -> float:
        above, total = 0.0, 0.0
        for count in range(size, 0, -1):
            target = above + 1 / (c * count)
            low, high = 0.0, 1.0
            for _ in range(60):
                middle = (low + high) / 2
                if middle + middle**choices / (c * count) < target:
                    low = middle
                else:
                    high = middle
            above = low
            total += low
        return total

    low, high = 1e-9, alpha
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if fill(middle) > size / alpha else (low, middle)
    return alpha / low
