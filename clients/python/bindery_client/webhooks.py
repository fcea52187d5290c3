"""Verifies that a delivery comes from the platform, and reads its event."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import cast

from .errors import WebhookError
from .shapes import WebhookEvent

OLDEST_SECONDS = 300


def webhook_event(
    raw_body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    now: float | None = None,
    oldest_seconds: float = OLDEST_SECONDS,
) -> WebhookEvent:
    """Verifies a delivery against its raw bytes, and returns its event. Raises WebhookError.

    Pass both the new and the old secret while the subscription's secret is being rotated.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, sent_at, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        age_seconds = abs((time.time() if now is None else now) - int(sent_at))
    except (KeyError, ValueError):
        raise WebhookError("The delivery has no signature.") from None
    if age_seconds > oldest_seconds:
        raise WebhookError("The delivery was signed too long ago.")
    signed = f"{event_id}.{sent_at}.".encode() + raw_body
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        proof = base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest())
        for signature in signatures.split(" "):
            if hmac.compare_digest(b"v1," + proof, signature.encode()):
                return cast(WebhookEvent, json.loads(raw_body))
    raise WebhookError("The signature of the delivery is not valid.")
