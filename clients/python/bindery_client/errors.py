"""The errors of calls and deliveries."""

from __future__ import annotations

import json
from typing import Any, cast


class BinderyError(Exception):
    """An unsuccessful answer. Its message is for people, its code for programs."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(body["message"])
        self.status = status
        self.code: str = body["error"]
        #: Facts about the error; they depend on the code.
        self.details: dict[str, Any] = body["details"]
        #: Quote it when you ask for help.
        self.request_id: str = body["requestId"]


class WebhookError(Exception):
    """Raised for a delivery that is not from the platform, or is too old."""


def refusal(status: int, text: bytes) -> BinderyError:
    """Reads the refusal from an answer. A proxy in front of the platform may answer with a different body."""
    try:
        body = json.loads(text)
        if isinstance(body, dict) and "error" in body and "requestId" in body:
            return BinderyError(status, cast("dict[str, Any]", body))
    except ValueError:
        pass
    code = "service_unavailable" if status == 503 else "internal_error"
    message = f"The answer is {status} and not from the platform."
    return BinderyError(status, {"error": code, "message": message, "details": {}, "requestId": ""})
