// What the middleware and the pipeline learn about a request, for its log line, its metrics and its headers.
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';

export interface RequestState {
  requestId: string;
  /** The client for rate limits: its address as clientOf names it. */
  client: string;
  /** Pattern of the operation, e.g. `/v1/policies/:id`; null while none was found. */
  pattern: string | null;
  orgId: string | null;
  /** The id of its trace; null if there is none. */
  traceId: string | null;
  actor: { kind: string; id: string } | null;
  /** Whether the request has been counted and carries its rate headers. */
  rated: boolean;
}

export type RequestContext = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;
