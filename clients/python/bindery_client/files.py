"""A file or a text that is the whole body of a call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """Sent as it is, under its own type, such as `text/csv` or `application/pdf`."""

    content: bytes
    content_type: str
