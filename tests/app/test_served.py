"""The app as its server serves it: uploads, strangers, two at once, nothing to write to."""

import http.client
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from planner.telemetry.limits import MOST_UPLOADED_BYTES
from tests.app.conftest import APP

FORM = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.json"\r\n\r\n{}\r\n--x--\r\n'


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(port):
    return [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]


@contextmanager
def serving(**environment):
    """Start the app as `make run` does, and give its port once it answers."""
    port = free_port()
    with subprocess.Popen(
        command(port), cwd=APP.parent, env=os.environ | environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            yield port, process
        finally:
            process.terminate()


def answer(port, method, path, **given):
    """Return the answer to one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, **given)
    got = connection.getresponse()
    got.read()
    connection.close()
    return got


def wait_for(port, process):
    for _ in range(300):
        assert process.poll() is None, "the server has ended"
        try:
            return answer(port, "GET", "/_stcore/health")
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.fixture(scope="module")
def ports():
    """Two apps at once: as anybody runs it, and where neither home nor cache can be written."""
    nothing = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), "/sys")  # for root, too
    nothing |= {"NUMBA_CACHE_DIR": "", "PYTHONDONTWRITEBYTECODE": "1"}
    with ExitStack() as servers:
        started = [servers.enter_context(serving(**given)) for given in ({}, nothing)]
        for port, process in started:
            wait_for(port, process)
        yield [port for port, _ in started]


@contextmanager
def visit(port, **given):
    """Open the app as its page does: the messages of the first run, and the session's name."""
    with connect(
        f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"], max_size=None, **given
    ) as socket_:
        socket_.send(BackMsg(rerun_script=ClientState()).SerializeToString())
        messages = []
        while not messages or messages[-1].WhichOneof("type") != "script_finished":
            messages.append(ForwardMsg.FromString(socket_.recv(timeout=60)))
        (first,) = [one for one in messages if one.WhichOneof("type") == "new_session"][:1]
        yield messages, first.new_session.initialize.session_id


def kinds(messages):
    """Return what a run put on the screen, by its kinds."""
    return [
        one.delta.new_element.WhichOneof("type")
        for one in messages
        if one.WhichOneof("type") == "delta"
    ]


def test_two_apps_run_at_once_and_one_of_them_can_write_nowhere(ports):
    with visit(ports[0]) as (usual, _), visit(ports[1]) as (unwritable, _):
        assert kinds(usual).count("metric") == kinds(unwritable).count("metric") > 3
        assert "exception" not in kinds(usual) + kinds(unwritable)


def test_a_second_app_on_the_same_port_says_so(ports):
    second = subprocess.run(
        command(ports[0]), cwd=APP.parent, capture_output=True, text=True, timeout=60, check=False
    )
    assert second.returncode != 0
    assert f"Port {ports[0]} is" in second.stdout + second.stderr
    assert "Traceback" not in second.stderr


@pytest.fixture
def session(ports):
    """An open session, and the cookie of its page."""
    cookie = answer(ports[0], "GET", "/_stcore/health").getheader("Set-Cookie")
    with visit(ports[0]) as (_, session_id):
        yield ports[0], session_id, cookie.partition(";")[0]


def upload(session, *, token="", size=None):
    port, session_id, cookie = session
    headers = {
        "Content-Type": "multipart/form-data; boundary=x", "Content-Length": str(size or len(FORM)),
        "Cookie": cookie, "X-Xsrftoken": token,
    }  # fmt: skip
    path = f"/_stcore/upload_file/{session_id}/one"
    return answer(port, "PUT", path, body=FORM, headers=headers).status


def test_only_the_page_itself_can_upload(session):
    """Another site makes a browser send the cookie, but cannot read it."""
    port, session_id, cookie = session
    token = cookie.partition("=")[2]
    assert upload(session, token=token) == 204
    assert upload(session) == 403
    assert upload(session, token=token.replace(token.split("|")[2], 32 * "0")) == 403
    assert upload((port, session_id, ""), token=token) == 403
    assert upload((port, "another", cookie), token=token) == 400


def test_an_upload_beyond_the_limit_is_refused_before_it_is_read(session):
    token = session[2].partition("=")[2]
    assert upload(session, token=token, size=MOST_UPLOADED_BYTES + 1) == 413


def test_the_page_of_another_site_gets_no_session(ports):
    with pytest.raises(InvalidStatus), visit(ports[0], origin="http://elsewhere.example"):
        pass
    with visit(ports[0], origin=f"http://127.0.0.1:{ports[0]}") as (messages, _):
        assert messages


def test_nothing_is_served_beyond_this_machine(ports):
    """The address of the machine on its network has no server behind it."""
    addresses = {"127.0.0.2"}
    with suppress(OSError):  # a machine whose name has no address
        addresses.add(socket.gethostbyname(socket.gethostname()))
    for address in addresses - {"127.0.0.1"}:
        with (
            pytest.raises(OSError, match="refused"),
            socket.create_connection((address, ports[0]), timeout=5),
        ):
            pass
