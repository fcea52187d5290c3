// What a handler may return if a plain response body is not enough.
import type { Upgrade } from '../../http/upgrades.ts';

export interface ReplyParts {
  body?: unknown;
  /** One of the statuses the route declares; default: its first. */
  status?: number;
  /** The tag of the row's version, without quotes; the hash of the body is added to it. */
  etag?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A response with its own status, entity tag or headers. */
export class Reply {
  readonly body: unknown;
  readonly status: number | null;
  readonly etag: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ body, status, etag, headers }: ReplyParts) {
    this.body = body;
    this.status = status ?? null;
    this.etag = etag ?? null;
    this.headers = headers ?? {};
  }
}

/** A connection that stops speaking HTTP: `begin` gets it after every check has passed. */
export class TakeOver {
  readonly begin: (upgrade: Upgrade) => void;

  constructor(begin: (upgrade: Upgrade) => void) {
    this.begin = begin;
  }
}

/** Makes the response of a handler that needs more than a body. */
export function reply(parts: ReplyParts): Reply {
  return new Reply(parts);
}

/** Returns the tag of a row version, the prefix of all its entity tags. Contract 1 "ETag". */
export function entityTag(id: string, version: number): string {
  return `${id}.${version}`;
}
