// The state of a request while it is answered, and the input and output of a handler.
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';

export interface RequestState {
  requestId: string;
  /** The client for rate limits: its address as clientOf names it. */
  client: string;
  /** Pattern of the operation for the log; null while none was found. */
  pattern: string | null;
}

export type RequestContext = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;

/** A request as handlers see it. */
export interface AuthRequest {
  requestId: string;
  body: unknown;
  query: URLSearchParams;
  /** The cookies as sent; empty if there are none. */
  cookieHeader: string;
  userAgent: string;
  acceptEncoding: string | undefined;
  /** Where the request comes from, for the session's row. */
  clientAddress: string;
  /** The client for rate limits. */
  client: string;
}

/** A handler's response. It is never cached unless its headers say otherwise. */
export interface AuthReply {
  status: number;
  /** JSON, or bytes of the type that a header names; omitted for a response without a body. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Set-Cookie values, ready to send. */
  cookies?: readonly string[];
  /** Redirect address; the status is then 302. */
  location?: string;
}

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  handler: (request: AuthRequest) => Promise<AuthReply>;
}
