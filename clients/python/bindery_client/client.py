"""Sends the calls: URLs, credential, retries."""

from __future__ import annotations

import json
import random
import time
import uuid
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import refusal
from .files import File
from .operations import Operations

_REPEATABLE_METHODS = {"GET", "PUT", "DELETE"}
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 60.0


class _NoRedirects(HTTPRedirectHandler):
    """Refuses redirects: a credential must not be sent to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class BinderyClient(Operations):
    """Calls the platform at `base_url` (without `/v1`) with an API key, or with a token or the machine secret.

    `timeout_s` bounds each network wait; the default is a minute, or longer for operations that may need it.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        token: str | None = None,
        organization_id: str | None = None,
        attempts: int = 4,
        timeout_s: float | None = None,
    ) -> None:
        self._root = base_url.rstrip("/")
        self._attempts = attempts
        self._timeout_s = timeout_s
        self._opener = build_opener(_NoRedirects)
        fixed = {"X-API-Key": api_key, "X-Org-Id": organization_id}
        self._headers = {name: value for name, value in fixed.items() if value is not None}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        has_key: bool = False,
        if_match: str | None = None,
        accept: str = "application/json, */*;q=0.5",
        timeout_s: float = 60.0,
    ) -> Any:
        headers = {"Accept": accept, **self._headers}
        if has_key:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["If-Match"] = if_match
        data, content_type = _sent_as(body)
        if content_type is not None:
            headers["Content-Type"] = content_type
        request = Request(self._address(path, query or {}), data=data, headers=headers, method=method)
        longest_s = timeout_s if self._timeout_s is None else self._timeout_s
        is_repeatable = has_key or method in _REPEATABLE_METHODS
        for attempt in range(1, self._attempts + 1):
            is_last = attempt == self._attempts
            try:
                with self._opener.open(request, timeout=longest_s) as answer:
                    return _body_of(answer.headers.get("Content-Type", ""), answer.read())
            except HTTPError as error:
                text = error.read()
                if is_last or not _is_worth_repeating(error.code, text, is_repeatable):
                    raise refusal(error.code, text) from None
                pause_s = _pause_s(attempt, error.headers.get("Retry-After"))
            except (OSError, HTTPException):
                if is_last or not is_repeatable:
                    raise
                pause_s = _pause_s(attempt, None)
            time.sleep(pause_s)
        raise ValueError("attempts must be at least 1")

    def _address(self, path: str, query: dict[str, Any]) -> str:
        given = {name: _text_of(value) for name, value in query.items() if value is not None}
        return f"{self._root}{path}{'?' + urlencode(given) if given else ''}"


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _sent_as(body: Any) -> tuple[bytes | None, str | None]:
    """A file is sent as it is, everything else as JSON."""
    if body is None:
        return None, None
    if isinstance(body, File):
        return body.content, body.content_type
    return json.dumps(body).encode(), "application/json"


def _body_of(content_type: str, text: bytes) -> Any:
    if content_type.startswith("text/csv"):
        return text.decode()
    if not text:
        return None
    return json.loads(text) if content_type.startswith("application/json") else text


def _is_worth_repeating(status: int, text: bytes, is_repeatable: bool) -> bool:
    """A rate-limited call did nothing; any other may have, so only a repeatable call is sent again."""
    if status == 429:
        return True
    return is_repeatable and (status == 503 or (status == 409 and b'"idempotency_in_progress"' in text))


def _pause_s(attempt: int, retry_after: str | None) -> float:
    """Doubles each time, with jitter so that many clients do not return together."""
    doubled = min(_FIRST_PAUSE_S * 2 ** (attempt - 1), _LONGEST_PAUSE_S)
    spread = doubled * (0.5 + random.random() / 2)
    least = float(retry_after) if retry_after is not None and retry_after.isdigit() else 0.0
    return min(max(spread, least), _LONGEST_PAUSE_S)
