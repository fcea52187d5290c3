"""Typed calls to Bindery, the open backend for insurance MGAs. Needs Python 3.11 and nothing else."""

from .client import BinderyClient
from .errors import BinderyError, WebhookError
from .files import File
from .webhooks import webhook_event

__all__ = ["BinderyClient", "BinderyError", "File", "WebhookError", "webhook_event"]
