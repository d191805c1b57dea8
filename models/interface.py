r"""Host interfaces: rates of SATA and PCIe links, in bytes and operations.

Base units: bytes, seconds, operations per second; one direction of a link. Line rates and
encodings are those of the standards; the overhead of framing, flow control and commands is an
argument, because it depends on both ends of the link.

References:
    .. [1] Intel, "Serial ATA Transfer Rates Associated with Transfer Modes", CS-009260: 80 % of the
       line rate by 8b/10b encoding, 150 and 300 MB/s.
    .. [2] Serial ATA Workgroup, "Serial ATA: High Speed Serialized AT Attachment" 1.0a, 2003: a
       Data frame carries at most 2,048 words of 4 bytes.
    .. [3] Intel, AN 855 "PCI Express High Performance Reference Design", "Protocol Overhead": 250
       and 500 MB/s per lane by 8b/10b; 6 or 7 words of 4 bytes around a payload.
    .. [4] Intel, AN 708 "PCI Express DMA Reference Design", "Understanding PCI Express Throughput":
       128b/130b from generation 3 on; 5 to 7 words of 4 bytes around a payload.
    .. [5] G. K. Lockwood, "PCIe Gen6", from PCI-SIG and Synopsys: 236 of the 256 bytes of a flit
       carry packets.
    .. [6] NVM Express Base Specification: submission entry of 64 bytes, completion entry of 16
       bytes.
    .. [7] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, specifications.
"""

import numpy as np
from numpy.typing import NDArray

from models import _check

_SATA_BITS_PER_S = np.array([1.5e9, 3e9, 6e9])
_PCIE_BITS_PER_S = np.array([2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9])
_PCIE_ENCODING = np.array([8 / 10, 8 / 10, 128 / 130, 128 / 130, 128 / 130, 236 / 256])


def sata_bytes_per_s(generation: float) -> float:
    r"""Bytes that a SATA link carries after its encoding.

    .. math:: B = \frac{8}{10} \, \frac{b_g}{8}, \quad b_g = 1.5, 3, 6 \;\mathrm{Gb/s}

    Args:
        generation: Generation of the interface, g: 1, 2 or 3. [1]

    Returns:
        Bytes per second, frames included. [bytes/s]

    Raises:
        DomainError: Unless generation is 1, 2 or 3.

    Notes:
        Valid as an upper limit. Frames alone take 16 of 8,208 bytes (four words: start, header,
        checksum, end, recalled); handshakes take more: the best drives print 560 MB/s at 6 Gb/s, as
        if each frame of 8 KiB [2]_ came with 585 bytes. Source: [1]_.

    Examples:
        >>> print(f"{sata_bytes_per_s(3) / 1e6:.0f} MB/s")
        600 MB/s
    """
    return _by_generation(generation, _SATA_BITS_PER_S * 8 / 10 / 8)


def pcie_bytes_per_s(generation: float, *, lanes: float) -> float:
    r"""Bytes that a PCIe link carries in one direction after its encoding.

    .. math:: B = L \, e_g \, b_g / 8

    Args:
        generation: Generation of the interface, g: 1 to 6, of 2.5, 5, 8, 16, 32 and 64 GT/s. [1]
        lanes: Lanes, L. [1]

    Returns:
        Bytes per second, packet headers included. [bytes/s]

    Raises:
        DomainError: Unless generation is a whole number from 1 to 6 and lanes a whole number >= 1.

    Notes:
        Valid as an upper limit; headers come off by `payload_bytes_per_s`. Encoding e: 8b/10b up to
        generation 2 [3]_, 128b/130b up to 5 [4]_, flits of 256 bytes with 236 for packets in 6
        [5]_. Source: line rates of the PCI Express Base Specification.

    Examples:
        >>> print(f"{pcie_bytes_per_s(3, lanes=4) / 1e6:.0f} MB/s")
        3938 MB/s
    """
    (lanes,) = _check.count(lanes=lanes)
    return _check.plain(_by_generation(generation, _PCIE_BITS_PER_S * _PCIE_ENCODING / 8) * lanes)


def payload_bytes_per_s(
    link_bytes_per_s: float, *, payload_bytes: float, overhead_bytes: float
) -> float:
    r"""Rate of the data in the packets or frames of a link.

    .. math:: B' = B \, \frac{p}{p + h}

    Args:
        link_bytes_per_s: Bytes per second of the link, B. [bytes/s]
        payload_bytes: Data in a full packet, p: 8,192 in SATA, mostly 128 to 512 in PCIe. [bytes]
        overhead_bytes: Bytes around it, h: 20 to 28 in PCIe before generation 6 [3]_ [4]_. [bytes]

    Returns:
        Data per second. [bytes/s]

    Raises:
        DomainError: Unless the first two are > 0 and finite and overhead_bytes >= 0 and finite.

    Notes:
        Valid for data that comes in full packets; acknowledgements and flow control not counted.
        Source: share of the payload.

    Examples:
        Packets of 256 bytes on four lanes of generation 3:

        >>> link = pcie_bytes_per_s(3, lanes=4)
        >>> data = payload_bytes_per_s(link, payload_bytes=256, overhead_bytes=24)
        >>> print(f"{data / 1e6:.0f} MB/s")
        3601 MB/s
    """
    link_bytes_per_s, payload_bytes = _check.finite(
        link_bytes_per_s=link_bytes_per_s, payload_bytes=payload_bytes
    )
    (overhead_bytes,) = _bounded(overhead_bytes=overhead_bytes)
    return link_bytes_per_s * (payload_bytes / (payload_bytes + overhead_bytes))


def link_iops(
    transfer_bytes: float,
    *,
    link_bytes_per_s: float,
    command_s: float = 0.0,
    command_bytes: float = 0.0,
) -> float:
    r"""Operations per second that a link carries, one after the other.

    .. math:: X = \frac{1}{t_c + (s + c)/B}

    Args:
        transfer_bytes: Size of one operation, s. [bytes]
        link_bytes_per_s: Data that the link carries per second, B. [bytes/s]
        command_s: Time of one command on the link, t_c; `calibration.command_s` infers it. [s]
        command_bytes: Bytes of one command in the direction of the data, c. [bytes]

    Returns:
        Operations per second. [1/s]

    Raises:
        DomainError: Unless the first two are > 0 and finite and the others >= 0 and finite.

    Notes:
        Valid for a link that serves one operation at a time. NVMe moves, beside the data, an entry
        of 64 and one of 16 bytes [6]_, doorbells and an interrupt, each in its packet: about 90
        bytes in the direction of reads, 140 in that of writes (counted with 24 bytes around each).
        SATA drives spend 2.6 to 3.8 us per command instead. Source: fixed cost per command plus
        transfer time.

    Examples:
        4 KiB reads over four lanes of generation 3, in packets of 256 bytes:

        >>> round(link_iops(4096, link_bytes_per_s=3.601e9, command_bytes=92))
        859838

        8 KiB reads of a SATA drive of 560 MB/s that spends 2.69 us per command:

        >>> round(link_iops(8192, link_bytes_per_s=560e6, command_s=2.69e-6))
        57741
    """
    transfer_bytes, link_bytes_per_s = _check.finite(
        transfer_bytes=transfer_bytes, link_bytes_per_s=link_bytes_per_s
    )
    command_s, command_bytes = _bounded(command_s=command_s, command_bytes=command_bytes)
    return 1 / (command_s + (transfer_bytes + command_bytes) / link_bytes_per_s)


def uplink_iops(
    link_iops: float, *, members: float, uplink_bytes_per_s: float, transfer_bytes: float
) -> float:
    r"""Operations per second of several links behind a shared one.

    .. math:: X = \min(N X_1, B_u / s)

    Args:
        link_iops: Operations per second of one drive and its link, X_1. [1/s]
        members: Drives behind the adapter or expander, N. [1]
        uplink_bytes_per_s: Data that the shared link carries per second, B_u. [bytes/s]
        transfer_bytes: Size of one operation, s. [bytes]

    Returns:
        Operations per second of all drives. [1/s]

    Raises:
        DomainError: Unless members is a whole number and the others are > 0 and finite.

    Notes:
        Valid for load spread evenly over the drives. Source: operational bound, the smaller
        capacity.

    Examples:
        24 SATA drives of 92K reads [7]_ behind eight lanes of PCIe generation 3:

        >>> round(uplink_iops(92e3, members=24, uplink_bytes_per_s=7.2e9, transfer_bytes=4096))
        1757812
    """
    link_iops, uplink_bytes_per_s, transfer_bytes = _check.finite(
        link_iops=link_iops, uplink_bytes_per_s=uplink_bytes_per_s, transfer_bytes=transfer_bytes
    )
    (members,) = _check.count(members=members)
    return _check.plain(np.minimum(members * link_iops, uplink_bytes_per_s / transfer_bytes))


def _by_generation(generation: float, rates: NDArray[np.float64]) -> float:
    (generation,) = _check.count(generation=generation)
    known = np.asarray(generation) <= rates.size
    _check.require(known, "generation", f"a whole number from 1 to {rates.size}", generation)
    return _check.plain(rates[np.asarray(generation, int) - 1])


def _bounded(**named: float) -> tuple[float, ...]:
    """Return the values if every one is >= 0 and finite."""
    values = _check.non_negative(**named)
    for name, value in zip(named, values, strict=True):
        _check.require(np.asarray(value) < np.inf, name, ">= 0 and finite", value)
    return values
