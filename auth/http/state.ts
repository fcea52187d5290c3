// What is known of a request while it is answered, and what a handler is given and gives back.
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';

export interface RequestState {
  requestId: string;
  /** Whom the request is counted with: the client's address as clientOf names it. */
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
  /** The cookies, as they were sent; empty without any. */
  cookieHeader: string;
  userAgent: string;
  /** Where the request comes from, for the session's row. */
  clientAddress: string;
  /** Whom it is counted with. */
  client: string;
}

/** What a handler answers. Nothing here is ever cached. */
export interface AuthReply {
  status: number;
  /** JSON; left out for an answer without a body. */
  body?: unknown;
  /** Values of Set-Cookie, ready to be sent. */
  cookies?: readonly string[];
  /** Address to go to; the status is then 302. */
  location?: string;
}

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  handler: (request: AuthRequest) => Promise<AuthReply>;
}
