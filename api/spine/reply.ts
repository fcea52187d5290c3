// What a handler may return when the plain body of the answer is not enough.
export interface ReplyParts {
  body?: unknown;
  /** One of the statuses that the route declares; left out: its first. */
  status?: number;
  /** Strong entity tag, without quotes. */
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

/** Makes the answer of a handler that needs more than a body. */
export function reply(parts: ReplyParts): Reply {
  return new Reply(parts);
}

/** Gives the entity tag of a version of a row, without the quotes of the header. Contract 1 "ETag". */
export function entityTag(id: string, version: number): string {
  return `${id}.${version}`;
}
