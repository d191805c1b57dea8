"""Whatever a file holds, it is read or refused with one sentence: what can be written down.

What is drawn at random is in `tests/test_fuzz.py`.
"""

import tracemalloc

import pytest

from tests import synthetic_drives as made
from tests.fuzz.promises import reading_of

SATA = {
    "attributes": [
        (9, "Power_On_Hours", 91, 43_614), (177, "Wear_Leveling_Count", 52, 3_541),
        (241, "Total_LBAs_Written", 98, 4_053_921_700_578),
        (251, "NAND_Writes", 100, 7_570_591_235_072),
    ],
    "statistics": [("Percentage Used Endurance Indicator", 48)],
}  # fmt: skip
FILES = {
    "smartctl SATA JSON": made.encoded(made.sata_json("SAMSUNG MZ7LM960HCHP-0E003", **SATA)),
    "smartctl NVMe JSON": made.encoded(made.nvme_json()),
    "smartctl SATA text": made.sata_text("SAMSUNG MZ7LM960HCHP-0E003", **SATA).encode(),
    "smartctl NVMe text": made.nvme_text().encode(),
    "nvme-cli": made.encoded(made.smart_log()),
    "nvme-cli text": made.smart_log_text().encode(),
    "OCP v1": made.encoded(made.ocp_v1(10**15)),
    "OCP v2": made.encoded(made.ocp_v2(10**15)),
    "isdct JSON": made.encoded(made.isdct_json()),
    "isdct text": made.isdct_text().encode(),
}
EACH = pytest.mark.parametrize("name", FILES)


@EACH
def test_a_truncated_file(name):
    whole = FILES[name]
    for end in range(0, len(whole), 17):
        reading = reading_of("a file", whole[:end])
        if whole[:1] == b"{":
            assert reading.refused is not None


@EACH
@pytest.mark.parametrize(
    "encode",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"),
        lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
        lambda data: b"\r\n" + data + b"\r\n\r\n",
    ],
    ids=["mark", "CRLF", "UTF-16 little", "UTF-16 big", "blank lines"],
)
def test_marks_and_line_ends_change_nothing(name, encode):
    plain, changed = reading_of("a file", FILES[name]), reading_of("a file", encode(FILES[name]))
    assert changed.refused is None
    assert changed.drives == plain.drives


@EACH
@pytest.mark.parametrize(
    "data",
    [
        lambda data: data.decode().encode("utf-16-le"),
        lambda data: data[: len(data) // 2] + b"\xff\xfa" + data[len(data) // 2 :],
        lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le")[:-1],
    ],
    ids=["UTF-16 without its mark", "bytes of no encoding", "half a character"],
)
def test_a_wrong_encoding_is_refused_with_its_place(name, data):
    assert reading_of("a file", data(FILES[name])).refused is not None


@pytest.mark.parametrize(
    "data",
    [
        b'{"smartctl": ' + b"[" * 100_000,
        b'{"smartctl": ' + b'{"a":' * 50_000,
        b'{"smartctl": "' + b"\\" * 200_000,
        b'{"smartctl": ' + b"9" * 2_000_000 + b"}",
        b"smartctl 7.3\n=== START OF INFORMATION SECTION ===\n" + b" " * 2_000_000,
        b"smartctl 7.3\n=== START OF INFORMATION SECTION ===\n" + b"1 a 0x0000 " * 200_000,
        b"- a -\nPercentage Used" + b" :" * 1_000_000,
        b'{"smartctl": "' + b"a" * (17 << 20) + b'"}',
    ],
    ids=["lists", "objects", "escapes", "digits", "blanks", "columns", "colons", "17 MiB"],
)
def test_a_hostile_file_takes_neither_time_nor_memory(data):
    tracemalloc.start()
    reading_of("a file", data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12 * len(data) + (8 << 20)


def test_a_number_of_thousands_of_digits_is_a_counter_that_is_not_used():
    text = made.smart_log_text().replace("\n", f"\ndata_units_written : {'1' * 5001}\n", 1)
    reading = reading_of("a file", text.encode())
    assert reading.refused is None
    (drive,) = reading.drives
    assert [(one.field, one.reason) for one in drive.unused] == [
        ("data_units_written", "is not a whole number")
    ]


def test_names_of_many_words_end():
    """157 bytes that took an expression longer than the age of the universe."""
    text = "Smart Log for NVME device:nvme0 namespace-id:ffffffff\n" + "_".join(["a"] * 52)
    assert reading_of("a file", text.encode()).refused is None
