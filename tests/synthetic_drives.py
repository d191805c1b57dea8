"""Synthetic files of drives in the layouts of the tools: made up here, taken from no drive."""

import json

from planner.telemetry.prometheus import samples

SATA_TEXT = """smartctl 7.3 2022-02-28 r5338 [synthetic] (local build)

=== START OF INFORMATION SECTION ===
Model Family:     {family}
Device Model:     {model}
Serial Number:    {serial}
User Capacity:    {capacity:,} bytes [synthetic]
Sector Size:      512 bytes logical/physical
Rotation Rate:    Solid State Device
Local Time is:    {moment}

=== START OF READ SMART DATA SECTION ===
ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
{table}

Device Statistics (GP Log 0x04)
Page  Offset Size        Value Flags Description
{statistics}
"""

NVME_TEXT = """smartctl 7.3 2022-02-28 r5338 [synthetic] (local build)

=== START OF INFORMATION SECTION ===
Model Number:                       {model}
Serial Number:                      {serial}
Total NVM Capacity:                 {capacity:,} [synthetic]
Local Time is:                      {moment}

=== START OF SMART DATA SECTION ===
SMART/Health Information (NVMe Log 0x02)
Available Spare:                    {spare}%
Percentage Used:                    {used}%
Data Units Written:                 {units:,} [synthetic]
Power On Hours:                     {hours:,}
Media and Data Integrity Errors:    {errors}
"""

ISDCT_TEXT = """- Synthetic SSD {serial} -

ModelNumber : {model}
SerialNumber : {serial}
PhysicalSize : {capacity}
PercentageUsed : {used}
PowerOnHours : {hours}

- SMART Attributes {serial} -

- F4 -
Action : Pass
Description : NAND Bytes Written
ID : F4
Normalized : 100
Raw : {nand}

- F5 -
Action : Pass
Description : Host Bytes Written
ID : F5
Normalized : 100
Raw : {host}
"""

MOMENT = "Thu Nov  7 15:28:44 2024 CET"


def sata_json(model="Any SSD", *, family=None, attributes=(), statistics=(), **other):
    """Attributes are (id, name, value, raw); statistics (name, value)."""
    document = {
        "smartctl": {"version": [7, 3]}, "device": {"protocol": "ATA"}, "model_name": model,
        "serial_number": "SYNTHETIC-1", "user_capacity": {"bytes": 960_197_124_096},
        "logical_block_size": 512, "local_time": {"time_t": 1_700_000_000},
        "ata_smart_attributes": {"table": [
            {"id": number, "name": name, "value": value,
             "raw": {"value": raw if isinstance(raw, int) else 0, "string": str(raw)}}
            for number, name, value, raw in attributes
        ]},
        "ata_device_statistics": {"pages": [
            {"number": 1, "table": [{"name": name, "value": value} for name, value in statistics]}
        ]},
    }  # fmt: skip
    if family is not None:
        document["model_family"] = family
    return document | other


def sata_text(
    model="Any SSD", *, family="", attributes=(), statistics=(), capacity=960_197_124_096,
    serial="SYNTHETIC-1", moment=MOMENT,
):  # fmt: skip
    table = "\n".join(
        f"{number:>3} {name:<23} -O--CK   {value:03}   {value:03}   000    -    {raw}"
        for number, name, value, raw in attributes
    )
    lines = "\n".join(f"0x01  0x018  6  {value:>14}  ---  {name}" for name, value in statistics)
    return SATA_TEXT.format(
        model=model, family=family, table=table, statistics=lines, capacity=capacity,
        serial=serial, moment=moment,
    )  # fmt: skip


def nvme_log(units=1_000_000, used=3, hours=8_000, spare=100, errors=0):
    return {
        "available_spare": spare, "percentage_used": used, "data_units_written": units,
        "data_units_read": 9 * units, "power_on_hours": hours, "media_errors": errors,
    }  # fmt: skip


def nvme_json(model="INTEL SSDPEDMD400G4", capacity=400_088_457_216, *, log=None, **other):
    return {
        "smartctl": {"version": [7, 3]}, "device": {"protocol": "NVMe"}, "model_name": model,
        "serial_number": "SYNTHETIC-2", "user_capacity": {"bytes": capacity},
        "local_time": {"time_t": 1_700_000_000},
        "nvme_smart_health_information_log": nvme_log() if log is None else log,
    } | other  # fmt: skip


def nvme_text(model="INTEL SSDPEDMD400G4", *, capacity=400_088_457_216, **log):
    known = {"units": 1_000_000, "used": 3, "hours": 8_000, "spare": 100, "errors": 0} | log
    return NVME_TEXT.format(
        model=model, serial="SYNTHETIC-2", capacity=capacity, moment=MOMENT, **known
    )


def smart_log(units=1_000_000, used=3, hours=8_000):
    """The flat keys of nvme-cli; temperature in kelvin."""
    return {
        "critical_warning": 0, "temperature": 309, "avail_spare": 100, "spare_thresh": 10,
        "percent_used": used, "data_units_read": 5, "data_units_written": units,
        "host_read_commands": 1, "host_write_commands": 2, "controller_busy_time": 7,
        "power_cycles": 9, "power_on_hours": hours, "unsafe_shutdowns": 1, "media_errors": 0,
        "num_err_log_entries": 0,
    }  # fmt: skip


def smart_log_text(units=1_000_000, used=3, hours=8_000, *, mark=","):
    """The same, as nvme-cli prints it for people; `mark` groups thousands."""
    lines = {
        "critical_warning": "0", "temperature": "36 °C (309 K)", "available_spare": "100%",
        "available_spare_threshold": "10%", "percentage_used": f"{used}%",
        "Data Units Read": "5 (2.56 MB)",
        "Data Units Written": f"{units:,} ({units * 512_000 / 1e12:.2f} TB)".replace(",", mark),
        "host_read_commands": "1", "host_write_commands": "2", "controller_busy_time": "7",
        "power_cycles": "9", "power_on_hours": f"{hours:,}".replace(",", mark),
        "unsafe_shutdowns": "1", "media_errors": "0", "num_err_log_entries": "0",
    }  # fmt: skip
    head = "Smart Log for NVME device:nvme0n1 namespace-id:ffffffff"
    return "\n".join([head, *(f"{name:<36}: {value}" for name, value in lines.items()), ""])


def ocp_v1(media_bytes):
    return {
        "Physical media units written": {"hi": media_bytes >> 64, "lo": media_bytes % (1 << 64)},
        "Physical media units read": {"hi": 0, "lo": 5}, "Percent free blocks": 40,
        "Log page version": 3,
    }  # fmt: skip


def ocp_v2(media_bytes):
    return {
        "physical_media_units_written": {"hi": media_bytes >> 64, "lo": media_bytes % (1 << 64)},
        "physical_media_units_read": {"hi": 0, "lo": 5}, "percent_free_blocks": 40,
        "log_page_version": 3,
    }  # fmt: skip


def isdct_json(nand=3_989_648, host=1_815_198, **other):
    return {
        "SYNTHETIC-3": {
            "model_number": "INTEL SSDPECME016T4", "physical_size": 1_600_319_143_936,
            "percentage_used": 1, "power_on_hours": 17_289, "average_nand_erase_cycles": 59,
            "smart_nand_bytes_written_raw": nand, "smart_host_bytes_written_raw": host,
            "data_units_written": 118_960_846, "timestamp": 1_506_096_001, "media_errors": 0,
        } | other
    }  # fmt: skip


def isdct_text(nand=3_989_648, host=1_815_198):
    return ISDCT_TEXT.format(
        serial="SYNTHETIC-3", model="INTEL SSDPECME016T4", capacity=1_600_319_143_936, used=1,
        hours=17_289, nand=nand, host=host,
    )  # fmt: skip


def encoded(document):
    return json.dumps(document).encode()


def node_text(*devices, now=1.75e9, start=1.74e9):
    """Page of node_exporter with devices as (name, bytes written, read, writes, reads, labels)."""
    names = (
        "node_disk_written_bytes_total", "node_disk_read_bytes_total",
        "node_disk_writes_completed_total", "node_disk_reads_completed_total",
    )  # fmt: skip
    lines = ["# HELP go_goroutines Number of goroutines that currently exist.", "go_goroutines 8",
             f"node_boot_time_seconds {start:.9g}", "# TYPE node_disk_info gauge"]  # fmt: skip
    for device, *_, labels in devices:
        known = {"device": device, "major": "259", "minor": "0", **labels}
        written = ",".join(f'{key}="{text}"' for key, text in known.items())
        lines.append(f"node_disk_info{{{written}}} 1")
    for at, name in enumerate(names, 1):
        lines.append(f"# TYPE {name} counter")
        lines += [f'{name}{{device="{one[0]}"}} {one[at]:.9e} 1750000000000' for one in devices]
    return "\n".join([*lines, f"node_time_seconds {now:.10e}", ""])


def diskstats(*devices, columns=20):
    """Lines of /proc/diskstats: (name, reads, sectors read, writes, sectors written)."""
    return "".join(
        f" 259 {minor:7} {name} {reads} 5 {read} 9 {writes} 6 {written}{' 7' * (columns - 10)}\n"
        for minor, (name, reads, read, writes, written) in enumerate(devices)
    )


def iostat_json(*reports, **keys):
    """What `iostat -o JSON` prints: reports of {device: {key: rate}}."""
    statistics = [
        {"disk": [{"disk_device": name, **rates} for name, rates in report.items()], **keys}
        for report in reports
    ]
    host = {"nodename": "made", "sysname": "Linux", "statistics": statistics}
    return {"sysstat": {"hosts": [host]}}


def exporter_text(*documents, data_unit=512_000):
    """Samples of smartctl_exporter for documents of smartctl, 0 for what one does not contain."""
    return "# TYPE smartctl_device gauge\n" + "".join(
        line for number, document in enumerate(documents)
        for line in _samples(f"disk{number}", document, data_unit)
    )  # fmt: skip


def _samples(device, document, data_unit):
    log = document.get("nvme_smart_health_information_log", {})
    hours = log.get("power_on_hours", document.get("power_on_time", {}).get("hours", 0))

    def sample(name, value, **labels):
        written = ",".join(f'{key}="{text}"' for key, text in {"device": device, **labels}.items())
        return f"smartctl_device{name}{{{written}}} {float(value):.17g}\n"

    yield sample(
        "", 1, model_name=document["model_name"], model_family=document.get("model_family", ""),
        protocol=document["device"]["protocol"], serial_number=document["serial_number"],
    )  # fmt: skip
    yield sample("_block_size", document.get("logical_block_size", 512), blocks_type="logical")
    yield sample("_capacity_bytes", document["user_capacity"]["bytes"])
    yield sample("_power_on_seconds", 3600 * hours)
    yield sample("_bytes_written", data_unit * log.get("data_units_written", 0))
    for key in ("percentage_used", "available_spare", "media_errors"):
        yield sample(f"_{key}", log.get(key, 0))
    for line in document.get("ata_smart_attributes", {}).get("table", ()):
        named = {"attribute_id": line["id"], "attribute_name": line["name"]}
        yield sample("_attribute", line["value"], attribute_value_type="value", **named)
        yield sample("_attribute", line["raw"]["value"], attribute_value_type="raw", **named)
    for page in document.get("ata_device_statistics", {}).get("pages", ()):
        for line in page["table"]:
            yield sample("_statistics", line["value"], statistic_name=line["name"])


def scrutiny(document, *, days=(0,), **result):
    """Details of a drive by Scrutiny, whose models name the fields of a log of smartctl."""
    log = document.get("nvme_smart_health_information_log")
    table = document.get("ata_smart_attributes", {}).get("table", ())
    attributes = {name: {"attribute_id": name, "value": n} for name, n in (log or {}).items()} or {
        str(one["id"]): {
            "attribute_id": one["id"], "value": one["value"], "raw_value": one["raw"]["value"],
            "raw_string": one["raw"]["string"],
        }
        for one in table
    }  # fmt: skip
    protocol = document["device"]["protocol"]
    device = {
        "wwn": "0x5000", "model_name": document["model_name"], "rotational_speed": 0,
        "serial_number": document["serial_number"], "device_protocol": protocol,
        "capacity": document["user_capacity"]["bytes"],
    }  # fmt: skip
    results = [
        {"date": f"2026-01-{1 + day:02}T06:00:00Z", "device_wwn": "0x5000", "attrs": attributes,
         "device_protocol": protocol, "power_on_hours": 43_614, "Status": 0, **result}
        for day in days
    ]  # fmt: skip
    data = {"device": device, "smart_results": results}
    return encoded({"data": data, "metadata": {}, "success": True})


def prometheus_answer(*pages, kind="vector"):
    """Answer of Prometheus with the samples of pages: (moment, host, text of an exporter)."""
    series = {}
    for moment, host, text in pages:
        for sample in samples(text, ""):
            key = json.dumps([sample.name, {**sample.labels, "instance": host, "job": "ssd"}])
            series.setdefault(key, []).append([moment, f"{sample.value:.17g}"])
    result = []
    for key, values in series.items():
        name, labels = json.loads(key)
        held = {"value": values[0]} if kind == "vector" else {"values": values}
        result.append({"metric": {"__name__": name, **labels}, **held})
    return encoded({"status": "success", "data": {"resultType": kind, "result": result}})
