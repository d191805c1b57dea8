"""Visitors of the app without a browser: they speak to its server as its page does."""

import http.client
import time
import uuid
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN
_FORM = (
    b"--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"%b\"\r\n"
    b"Content-Type: application/octet-stream\r\n\r\n%b\r\n--x--\r\n"
)  # fmt: skip


class Visitor:
    """A tab of the app: its session, and what its last run drew."""

    def __init__(self, port, socket):
        self._port, self._socket = port, socket
        self._page = {}
        self.widgets = {}  # by key, the number of each widget
        self.shown = []  # texts of what is drawn, in order
        self.runs = 0  # that have begun
        cookie = self._request("GET", "/_stcore/health").getheader("Set-Cookie").partition(";")[0]
        token = cookie.partition("=")[2]
        self._headers = {"Cookie": cookie, "X-Xsrftoken": token,
                         "Content-Type": "multipart/form-data; boundary=x"}  # fmt: skip
        self._session = ""

    def open(self, page="", query=""):
        """Go to a page and wait until it is drawn."""
        self._page = {"page_name": page, "query_string": query}
        self._run([])
        self.wait()

    def put(self, key, text):
        """Change a text, without waiting for the answer."""
        state = ClientState(**self._page)
        widget = state.widget_states.widgets.add(id=self.widgets[key])
        widget.string_value = text
        self._send(state)

    def give(self, key, name, data):
        """Put a file into a box, without waiting for what is said of it."""
        file, address = str(uuid.uuid4()), f"/_stcore/upload_file/{self._session}/"
        body = _FORM % (name.encode(), data)
        answer = self._request("PUT", address + file, body=body, headers=self._headers)
        assert answer.status == 204, answer.status
        state = ClientState(**self._page)
        widget = state.widget_states.widgets.add(id=self.widgets[key])
        info = widget.file_uploader_state_value.uploaded_file_info.add(
            file_id=file, name=name, size=len(data)
        )
        info.file_urls.file_id = file
        info.file_urls.upload_url = info.file_urls.delete_url = address + file
        self._send(state)

    def wait(self, timeout_s=60):
        """Wait until a run is finished; return how long that took."""
        began = time.monotonic()
        while not self.receive(began + timeout_s - time.monotonic()):
            assert time.monotonic() < began + timeout_s
        return time.monotonic() - began

    def receive(self, timeout_s):
        """Take one message, if there is one in time; return whether a run has ended by it.

        A run that another change ended early has not.
        """
        try:
            message = ForwardMsg.FromString(self._socket.recv(timeout=max(0.001, timeout_s)))
        except TimeoutError:
            return False
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id or self._session
            self.runs += 1
            self.shown.clear()
        elif kind == "page_info_changed":
            self._page["query_string"] = message.page_info_changed.query_string
        elif kind == "delta":
            element = message.delta.new_element
            drawn = getattr(element, element.WhichOneof("type") or "", None)
            number = getattr(drawn, "id", "")
            if number:
                self.widgets[number.rpartition("-")[2]] = number
            self.shown.append(str(element))
        return kind == "script_finished" and message.script_finished != EARLY

    def _run(self, widgets):
        self._send(ClientState(**self._page, **({"widget_states": widgets} if widgets else {})))

    def _send(self, state):
        self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    def _request(self, method, path, **given):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        connection.request(method, path, **given)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer


@contextmanager
def visitor(port):
    """Open a tab of the app, and close it in the end."""
    with connect(
        f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"], max_size=None
    ) as socket:
        yield Visitor(port, socket)
