r"""Blocks that hold no data: the reserve of free blocks, and the empty part of open blocks.

Dimensionless. The other formulas of this package count spare area over all blocks. A drive keeps
some blocks free, and its open blocks are partly empty; both reduce the spare area. The fewer and
larger the blocks, the larger the effect: 330 superblocks at 12.7 % over-provisioning with 4 in
reserve give 5.17 instead of 4.62.

References:
    .. [1] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
       9(3), 1961: blocks = rate of collection x age at collection.
"""

import numpy as np

from models import _check


def unfilled_blocks(wa: float, *, frontiers: float = 1) -> float:
    r"""Mean empty space in the open blocks, in blocks.

    .. math:: c = \frac{1}{2A} + \begin{cases} 0 & \text{one frontier} \\
              1/2 & \text{frontiers for host and GC writes} \end{cases}

    Args:
        wa: Write amplification, A >= 1. [1]
        frontiers: Blocks that are filled at a time: 1 if copies and host writes share one, 2 if
            each has its own. [1]

    Returns:
        Blocks' worth of empty pages. [1]

    Raises:
        DomainError: Unless wa >= 1 and frontiers is 1 or 2.

    Notes:
        Valid when garbage collection runs as a block is opened; 0.06 % in write amplification from
        500 blocks up, 0.3 % at 100. Source: the survivors of a victim fill the share 1 - 1/A of the
        new block at once, the host fills the rest at a steady rate, so that 1/(2A) of it is empty
        on average; a frontier of copies alone is half empty on average.

    Examples:
        >>> unfilled_blocks(4.0, frontiers=2)
        0.625
    """
    (wa,) = _check.positive(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)
    (frontiers,) = _check.count(frontiers=frontiers)
    _check.require(np.asarray(frontiers) <= 2, "frontiers", "1 or 2", frontiers)
    return 0.5 / wa + 0.5 * (frontiers - 1)


def effective_blocks(blocks: float, *, reserve: float, wa: float, frontiers: float = 1) -> float:
    r"""Blocks that hold data: all blocks less the reserve and the unfilled space.

    .. math:: N_e = N - r - c

    Args:
        blocks: Blocks (superblocks) of the drive, N. [1]
        reserve: Free blocks when garbage collection stops, r. [1]
        wa: Write amplification, A >= 1. [1]
        frontiers: Blocks that are filled at a time: 1 if copies and host writes share one, 2 if
            each has its own. [1]

    Returns:
        Blocks, not a whole number. [1]

    Raises:
        DomainError: Unless blocks is finite and more than reserve and unfilled space, reserve >= 0,
            wa >= 1 and frontiers is 1 or 2.

    Notes:
        Valid where `unfilled_blocks` is; with it drives of 100 to 4,000 blocks with 1 to 64 in
        reserve follow the formulas for many blocks. Source: bookkeeping.

    Examples:
        >>> effective_blocks(330, reserve=4, wa=5.0, frontiers=2)
        325.4
    """
    (blocks,) = _check.finite(blocks=blocks)
    (reserve,) = _check.non_negative(reserve=reserve)
    left = blocks - reserve - unfilled_blocks(wa, frontiers=frontiers)
    _check.require(left > 0, "blocks", "more than reserve and unfilled space", blocks)
    return left


def reserved_op_ratio(
    op_ratio: float, *, blocks: float, reserve: float, unfilled_blocks: float
) -> float:
    r"""Spare area for garbage collection, after the reserve and the unfilled space.

    .. math:: p_e = (1 + p) \frac{N - r - c}{N} - 1

    Args:
        op_ratio: Spare bytes per valid user byte over all N blocks, p. [1]
        blocks: Blocks (superblocks) of the drive, N. [1]
        reserve: Free blocks when garbage collection stops, r. [1]
        unfilled_blocks: Empty space in the blocks that are being filled, in blocks, c. [1]

    Returns:
        Spare bytes per valid user byte, for any formula of this package. [1]

    Raises:
        DomainError: Unless op_ratio > 0, blocks > 0 and finite, reserve >= 0, unfilled_blocks >= 0,
            and the blocks that are left hold the data with some spare.

    Notes:
        Valid where `unfilled_blocks` is, which depends on the write amplification that follows from
        the result: two rounds, starting from A = 1, leave 3e-5 at 330 blocks. Source: bookkeeping.

    Examples:
        330 superblocks, 4 of them in reserve, separate frontiers; 4.6174 without:

        >>> from models.write_amplification import fifo
        >>> p = reserved_op_ratio(0.127, blocks=330, reserve=4, unfilled_blocks=0.6)
        >>> print(f"{p:.4f} {fifo(p):.3f}")
        0.1113 5.171
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    (blocks,) = _check.finite(blocks=blocks)
    reserve, unfilled_blocks = _check.non_negative(reserve=reserve, unfilled_blocks=unfilled_blocks)
    lost = (reserve + unfilled_blocks) / blocks
    left = op_ratio - (1 + op_ratio) * lost
    _check.require(left > 0, "op_ratio", "more than reserve and unfilled space take", op_ratio)
    return left
