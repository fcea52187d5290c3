// Traces: which step of which request took how long, from the api through workflows and activities to the statement.
// What each span may contain is defined here: names, ids, durations; never a query, a body, a header or a message.

export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanFacts {
  /** Low cardinality: `GET /v1/policies/:id`, never an id. */
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
}

/** A running span. */
export interface OpenSpan {
  /** Adds what is only known later. */
  name: (name: string) => void;
  set: (attributes: Attributes) => void;
  /** Marks a failure that throws nothing; `type` is a code. */
  fail: (type: string) => void;
}

/** A span that was measured elsewhere. Times in milliseconds since 1970. */
export interface EndedSpan {
  /** In the format of the `traceparent` header. */
  parent: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  name: string;
  startedMs: number;
  endedMs: number;
  isFailed: boolean;
  attributes: Attributes;
}

/** A statement the database has run; its text contains no values. */
export interface EndedStatement {
  text: string;
  tookMs: number;
  isFailed: boolean;
}

export interface Tracing {
  /** Runs work in a span under `parent` (a `traceparent`), else under the current one, else as a new trace. */
  span: <T>(facts: SpanFacts, work: (span: OpenSpan) => Promise<T>, parent?: string | null) => Promise<T>;
  /** Adds a span that has ended. */
  add: (span: EndedSpan) => void;
  /** Adds a statement under the span it ran in; outside a span it is dropped. */
  statement: (statement: EndedStatement) => void;
  /** The caller's current span, as a `traceparent`. */
  current: () => string | null;
  /** Sends what is left. */
  close: () => Promise<void>;
}
