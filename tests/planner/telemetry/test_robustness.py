"""Whatever a file holds, it is read or refused with one sentence: never a traceback.

The examples that once broke a reader are kept at the end.
"""

import json
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from planner.telemetry import read
from tests import synthetic_drives as made
from tests.fuzz.telemetry import SEEDS, mutated, sound

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
    "OCP v1": made.encoded(made.ocp_v1(10**15)),
    "OCP v2": made.encoded(made.ocp_v2(10**15)),
    "isdct JSON": made.encoded(made.isdct_json()),
    "isdct text": made.isdct_text().encode(),
}
EACH = pytest.mark.parametrize("name", FILES)
NUMBERS = [
    "-1", "-5e300", "1e400", "9" * 70, "1" + "0" * 5_000, "NaN", "Infinity", "-Infinity", "0",
    "1.5", "null", "true", '"x"', '"-7"', '"1,2"', "[]", "{}", '{"hi":-1,"lo":3}', '"\\ud800"',
]  # fmt: skip


@EACH
@given(data=st.data())
@settings(max_examples=12)
def test_a_truncated_file(name, data):
    whole = FILES[name]
    end = data.draw(st.integers(0, len(whole) - 1))
    reading = sound(whole[:end])
    if whole[:1] == b"{":
        assert reading.refused is not None


@EACH
@given(data=st.data())
@settings(max_examples=20)
def test_bytes_are_changed(name, data):
    broken = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(broken) - 1))
        broken[place] = data.draw(st.integers(0, 255))
    sound(bytes(broken))


@EACH
@given(data=st.data())
@settings(max_examples=20)
def test_a_number_becomes_something_else(name, data):
    """Any number of the file: negative, huge, NaN, a text, a list."""
    text = FILES[name].decode()
    spans = [
        (start, end)
        for start in range(len(text))
        if text[start].isdigit() and not text[start - 1].isdigit()
        for end in [next((i for i in range(start, len(text)) if not text[i].isdigit()), len(text))]
    ]
    start, end = data.draw(st.sampled_from(spans))
    number = data.draw(st.sampled_from(NUMBERS))
    sound((text[:start] + number + text[end:]).encode("utf-8", "surrogatepass"))


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
    plain, changed = sound(FILES[name]), sound(encode(FILES[name]))
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
    assert sound(data(FILES[name])).refused is not None


@given(st.binary(max_size=2_000))
@example(b"")
@example(b"{")
@example(b"\x1f\x8b")
@example(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
def test_random_bytes(data):
    assert sound(data).refused is not None


@given(st.sampled_from([*FILES]), st.sampled_from([*FILES]), st.binary(max_size=3))
@settings(max_examples=25)
def test_two_files_in_a_row(one, other, between):
    sound(FILES[one] + between + FILES[other])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda part: (
        st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=8), part, max_size=4)
    ),
    max_leaves=8,
)
KEYS = {
    "smartctl": (
        "ata_smart_attributes", "nvme_smart_health_information_log", "user_capacity", "device",
        "model_name", "ata_device_statistics", "nvme_namespaces", "power_on_time", "local_time",
        "rotation_rate", "scsi_error_counter_log", "logical_block_size", "smartctl",
    ),
    "nvme-cli": ("data_units_written", "percent_used", "avail_spare", "power_on_hours"),
    "OCP": ("Physical media units written", "physical_media_units_written"),
    "isdct": ("smart_nand_bytes_written_raw", "smart_host_bytes_written_raw", "model_number",
              "physical_size", "average_nand_erase_cycles", "timestamp", "percentage_used"),
}  # fmt: skip


@pytest.mark.parametrize("tool", KEYS)
@given(data=st.data())
@settings(max_examples=25)
def test_known_keys_with_values_of_any_kind(tool, data):
    document = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS[tool], JSON)))
    document.setdefault(KEYS[tool][0], data.draw(JSON))
    if tool == "isdct":
        document = {"SERIAL": document}
    sound(json.dumps(document).encode())


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
    sound(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12 * len(data) + (8 << 20)


CORPUS = [
    (path, kind)
    for path in sorted((Path(__file__).parents[2] / "fuzz" / "corpus").iterdir())
    for kind in SEEDS
    if path.name.startswith(kind.replace(" ", "-"))
]


@pytest.mark.parametrize(("path", "kind"), CORPUS, ids=lambda part: getattr(part, "name", ""))
def test_files_that_once_broke_a_reader(path, kind):
    sound(path.read_bytes(), kind)
    sound(path.read_bytes())


@pytest.mark.parametrize("kind", SEEDS)
def test_mutated_files_of_each_format(kind):
    rng = random.Random(kind)  # noqa: S311 - repeatable, not secret
    for _ in range(100):
        sound(mutated(rng.choice(SEEDS[kind]), rng), kind)


@pytest.mark.parametrize("kind", SEEDS)
def test_the_files_that_are_mutated_are_read_to_begin_with(kind):
    for data in SEEDS[kind]:
        assert sound(data, kind).refused is None
        assert read("a file", data).kind == kind
