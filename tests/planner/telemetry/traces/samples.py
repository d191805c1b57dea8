"""Small synthetic traces, one for each layout: made for these tests, not measured."""

import numpy as np

__all__ = ["SAMPLES", "csv_of"]

_MSR = "".join(
    f"{128166372003061629 + 10_000_000 * i},usr,0,{'Write' if i % 3 else 'Read'},"
    f"{4096 * (i * 7 % 50)},{4096 * (1 + i % 2)},{1000 + i}\n"
    for i in range(120)
)
SAMPLES: dict[str, bytes] = {
    "MSR Cambridge": _MSR.encode(),
    "Alibaba": b"".join(
        b"%d,%c,%d,4096,%d\n" % (i % 3, b"WR"[i % 2], 4096 * (i % 11), 1577808144360767 + 9 * i)
        for i in range(60)
    ),
    "SPC": b"".join(
        b"%d,%d,4096,%c,%d.%d\n" % (i % 2, 8 * (i % 9), b"wR"[i % 2], i, i) for i in range(60)
    ),
    "Tencent CBS": b"".join(
        b"%d,%d,8,%d,1576\n" % (1538323199 + i, 8 * (i % 13), i % 2) for i in range(60)
    ),
    "MQSim ASCII": b"".join(
        b"%d %d %d 16 %d\n" % (938513000 + 1000 * i, i % 4, 16 * (i % 17), i % 2) for i in range(60)
    ),
    "fio iolog v3": b"fio version 3 iolog\n22 t.dat add\n138 t.dat open\n"
    + b"".join(b"%d t.dat write %d 4096\n" % (140 + i, 4096 * (i % 8)) for i in range(40))
    + b"300 t.dat read 0 4096\n301 t.dat trim 0 8192\n400 t.dat close\n",
    "fio iolog v2": b"fio version 2 iolog\n/dev/sda add\n/dev/sda open\n/dev/sda write 4096 4096\n"
    b"/dev/sda wait 100\n/dev/sda read 0 4096\n/dev/sda trim 4096 4096\n/dev/sda close\n",
    "blkparse text": b"""\
  8,0    3        1     0.000000000   697  G   W 223488 + 8 [kjournald]
  8,0    3        2     0.000001829   697  Q   W 223488 + 8 [kjournald]
  8,0    3        3     0.000002197   697  Q  WS 223496 + 16 [kworker/0:1 H]
  8,0    3        4     0.000005000   697  C  RA 223488 + 8 [0]
  8,0    3        5     0.000005100   697  Q  RA 223488 + 8 [0]
  8,0    3        6     0.000005200   697  Q   D 223488 + 8 [0]
  8,0    3        7     0.000006000   697  Q FWS [0]
  8,0    3        0     0.000007000     0  m   N cfq697S / a message
CPU0 (sda):
 Reads Queued:           0,        0KiB  Writes Queued:           7,      128KiB
""",
    "CSV with named columns": b"time_us,device,op,offset_bytes,size_sectors\n"
    b"10,a,read,4096,8\n20,b,W,8192,8\n30.5,a,discard,4096,80\n",
}


def csv_of(pages: np.ndarray, *, page_bytes: int = 4096) -> bytes:
    """Write page writes as a plain CSV trace, one write in a millisecond."""
    lines = [f"{i},W,{page * page_bytes},{page_bytes}" for i, page in enumerate(pages.tolist())]
    return ("time_ms,op,offset,size\n" + "\n".join(lines) + "\n").encode()
