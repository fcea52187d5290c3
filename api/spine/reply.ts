// What a handler may return when the plain body of the answer is not enough.
import type { Upgrade } from '../../http/upgrades.ts';

export interface ReplyParts {
  body?: unknown;
  /** One of the statuses that the route declares; left out: its first. */
  status?: number;
  /** The tag of the row's version, without quotes; the hash of the body is added to it. */
  etag?: string;
  headers?: Readonly<Record<string, string>>;
}

/** An answer with a status, an entity tag or headers of its own. */
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

/** A connection that stops speaking HTTP: `begin` is given it after every check has passed. */
export class TakeOver {
  readonly begin: (upgrade: Upgrade) => void;

  constructor(begin: (upgrade: Upgrade) => void) {
    this.begin = begin;
  }
}

/** Makes the answer of a handler that needs more than a body. */
export function reply(parts: ReplyParts): Reply {
  return new Reply(parts);
}

/** Gives the tag of a version of a row, with which every entity tag of it begins. Contract 1 "ETag". */
export function entityTag(id: string, version: number): string {
  return `${id}.${version}`;
}
