"""A file or text that is the entire body of a call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """Sent as it is, with its own content type, such as `text/csv` or `application/pdf`."""

    content: bytes
    content_type: str
