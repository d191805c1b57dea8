"""Synthetic output of fio in the layouts of its versions: made up here, measured on nothing."""

import json

NS, US = 1e-9, 1e-6


def direction(iops=0.0, *, mean_s=0.0, bs=4096, runtime_s=10.0, max_s=None, quantiles=None,
              bins=None, lat="lat_ns", clat="clat_ns"):  # fmt: skip
    """One direction as fio 3 writes it; latencies in seconds, `quantiles` by percent."""
    ios = round(iops * runtime_s)
    max_s = 2 * mean_s if max_s is None else max_s
    done = {"min": 0, "max": round(max_s / NS), "mean": mean_s / NS, "stddev": 0.0, "N": ios}
    clats = dict(done)
    if quantiles:
        clats["percentile"] = {f"{p:.6f}": round(s / NS) for p, s in quantiles.items()}
    if bins:
        clats["bins"] = {str(ns): count for ns, count in bins.items()}
    return {
        "io_bytes": ios * bs, "io_kbytes": ios * bs // 1024, "bw_bytes": round(iops * bs),
        "bw": round(iops * bs / 1024), "iops": iops, "runtime": round(1000 * runtime_s),
        "total_ios": ios, "slat_ns": {"mean": 0.0}, clat: clats, lat: done,
        "iops_min": 0, "iops_max": 0, "iops_mean": iops, "iops_stddev": 0.0, "iops_samples": 1,
    }  # fmt: skip


def job(name="job", *, read=None, write=None, group=0, **options):
    """A job of fio 3: `read` and `write` as `direction` gives them."""
    return {
        "jobname": name, "groupid": group, "error": 0,
        "job options": {"ioengine": "libaio"} | {key: str(value) for key, value in options.items()},
        "read": read or direction(), "write": write or direction(), "trim": direction(),
        "iodepth_level": {"1": 0.1, "32": 99.9, ">=64": 0.0},
    }  # fmt: skip


def reads(depth, iops, *, group=0, name=None, **more):
    """Random reads of 4 KiB at a depth, in accord with Little's law."""
    options = {key: more.pop(key) for key in list(more) if key in ("rate_iops", "numjobs", "bs")}
    return job(
        name or f"reads-{depth}", group=group, rw="randread", iodepth=depth,
        read=direction(iops, mean_s=depth / iops, **more), **options,
    )  # fmt: skip


def run(*jobs, version="fio-3.33", **options):
    """A run: `options` are the global ones."""
    return {
        "fio version": version, "timestamp": 1,
        "global options": {key: str(value) for key, value in options.items()}, "jobs": list(jobs),
    }  # fmt: skip


def run_of_fio_2(iops, mean_s, *, runtime_s=10.0, bs=4096, **options):
    """A run of random writes as fio 2 wrote it: microseconds, and `io_bytes` in KiB."""
    nothing = {"io_bytes": 0, "bw": 0, "iops": 0, "runtime": 0, "lat": {"mean": 0.0}}
    told = {
        "io_bytes": round(iops * bs * runtime_s) >> 10, "bw": int(iops * bs / 1024),
        "iops": iops, "runtime": round(1000 * runtime_s), "total_ios": round(iops * runtime_s),
        "lat": {"min": 1, "max": round(2 * mean_s / US), "mean": mean_s / US, "stddev": 0.0},
        "clat": {"mean": mean_s / US, "percentile": {"99.000000": 5000, "0.00": 0}},
    }  # fmt: skip
    return {
        "fio version": "fio-2.2.10",
        "jobs": [{
            "jobname": "old", "groupid": 0, "job options": {"rw": "randwrite"} | options,
            "read": nothing, "write": told, "trim": nothing,
        }],
    }  # fmt: skip


def encoded(*runs):
    """Runs one after the other, as fio prints them."""
    return "".join(json.dumps(one, indent=2) + "\n" for one in runs).encode()


def log(values, *, kind=1, period_ms=1000, tail=", 0, 0", start_ms=1000):
    """A log of mean values."""
    times = range(start_ms, start_ms + period_ms * len(values), period_ms)
    lines = (f"{ms}, {round(v)}, {kind}{tail}\n" for ms, v in zip(times, values, strict=True))
    return "".join(lines).encode()
