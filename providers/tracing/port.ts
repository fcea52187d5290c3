// Traces: which step of which request took how long, from the api over workflows and activities to the statement. What
// a span may say is written here, span by span: names, ids, durations; never a query, a body, a header or a message.

export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanFacts {
  /** Few different ones: `GET /v1/policies/:id`, never an id. */
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
}

/** A span that runs. */
export interface OpenSpan {
  /** Says what is known only later. */
  name: (name: string) => void;
  set: (attributes: Attributes) => void;
  /** Marks a failure that throws nothing; `type` is a code. */
  fail: (type: string) => void;
}

/** A span that was measured elsewhere. Times in milliseconds since 1970. */
export interface EndedSpan {
  /** In the form of the header `traceparent`. */
  parent: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  name: string;
  startedMs: number;
  endedMs: number;
  isFailed: boolean;
  attributes: Attributes;
}

/** A statement that the database has carried out; its text has no values in it. */
export interface EndedStatement {
  text: string;
  tookMs: number;
  isFailed: boolean;
}

export interface Tracing {
  /** Runs work in a span below `parent` (a `traceparent`), or below the one it is called in, or as a new trace. */
  span: <T>(facts: SpanFacts, work: (span: OpenSpan) => Promise<T>, parent?: string | null) => Promise<T>;
  /** Adds a span that has ended. */
  add: (span: EndedSpan) => void;
  /** Adds a statement below the span it was run in; outside of one it is left out. */
  statement: (statement: EndedStatement) => void;
  /** The span that the caller is in, as `traceparent`. */
  current: () => string | null;
  /** Sends what is left. */
  close: () => Promise<void>;
}
