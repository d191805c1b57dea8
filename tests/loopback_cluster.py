"""A dask scheduler and workers as processes of their own, on loopback; one can be killed."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import distributed

ROOT = Path(__file__).parents[1]
GIVES_UP = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}


def tls_settings(folder):
    """Make a key and a certificate that vouches for itself; return dask's settings of TLS."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    names = ["CA_FILE", *(f"{who}__{what}" for who in ("SCHEDULER", "WORKER", "CLIENT")
                          for what in ("CERT", "KEY"))]  # fmt: skip
    files = {name: str(key if name.endswith("KEY") else certificate) for name in names}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{name}": file for name, file in files.items()}


def tls_client(folder):
    """Return dask's settings of the client to the same files."""
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    files = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
    return {f"distributed.comm.tls.{name}": file for name, file in files.items()}


@contextmanager
def running(folder, settings=None, workers=2, protocol="tcp"):
    """Start a scheduler and its workers, and return its address."""
    address = f"{protocol}://127.0.0.1:{_free_port()}"
    options = ["--no-dashboard", "--host", "127.0.0.1", "--protocol", protocol]
    worker = [address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder), *options]
    processes = []
    try:
        processes.append(
            _started("scheduler", *options, "--port", address.rpartition(":")[2], **settings or {})
        )
        processes += [_started("worker", *worker, **settings or {}) for _ in range(workers)]
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers, timeout=60)
        yield address
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


class Killing:
    """Submit to an executor tasks of which the first to run kills its worker, and only that."""

    def __init__(self, executor, folder):
        self.executor, self.marker, self.futures = executor, folder / "killed", []

    def submit(self, task, *arguments):
        self.futures.append(self.executor.submit(killed_once, self.marker, task, *arguments))
        return self.futures[-1]

    @property
    def killed(self):
        return self.marker.exists()

    @property
    def lost(self):
        return sum(future.exception() is not None for future in self.futures)


def killed_once(marker, task, *arguments):
    with suppress(FileExistsError):
        marker.touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)
    return task(*arguments)


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _started(command, *arguments, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + command, *arguments],
        cwd=ROOT, env=os.environ | settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
