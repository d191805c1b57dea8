"""Middleware of the app: the permissions of the browser, in the head of every answer."""

import base64
import hashlib
import re
from importlib.resources import files

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from planner.ui.upload_store import UploadsToDisk


def _own_scripts() -> str:
    """Return the digests by which a browser knows the scripts in the text of Streamlit's page."""
    page = (files("streamlit") / "static" / "index.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


# Nothing from elsewhere, and no script but Streamlit's own.
POLICY = "; ".join([
    "default-src 'none'",
    f"script-src 'self' {_own_scripts()}",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
])  # fmt: skip
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Guard:
    """Adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back with the headers."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        await self.app(scope, receive, guarded)


GUARDS = [Middleware(Guard), Middleware(UploadsToDisk)]
