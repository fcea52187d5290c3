// One request to a receiver, and its outcome. It handles undici's callbacks directly: a stream and a signal for each
// answer would cost as much processor time as sending the request.
import type { Agent, Dispatcher } from 'undici';

const ANSWER_KEPT_BYTES = 2_048;

/** Why a receiver did not accept a delivery. */
export type DeliveryFault =
  | 'http_status'
  | 'redirect'
  | 'timeout'
  | 'address_not_allowed'
  | 'name_not_found'
  | 'connection_refused'
  | 'connection_closed'
  | 'tls_failed'
  | 'connection_failed';

/** How a request ended. It was accepted if answered with a 2xx status. */
export interface AttemptOutcome {
  isAccepted: boolean;
  statusCode: number | null;
  /** The first 2 KiB of the answer as text; null if there was none. */
  response: string | null;
  fault: DeliveryFault | null;
}

/** Sends a request and waits for the status and the beginning of the answer, no longer than `withinMs` in all. */
export function attempt(agent: Agent, request: Dispatcher.DispatchOptions, withinMs: number): Promise<AttemptOutcome> {
  const ending = new Ending(withinMs);
  agent.dispatch(request, ending);
  return ending.outcome;
}

/** An outcome without an answer. */
export function failure(fault: DeliveryFault): AttemptOutcome {
  return { isAccepted: false, statusCode: null, response: null, fault };
}

/** Ends one request: settles once, and aborts whatever is still running. */
class Ending implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<AttemptOutcome>;
  readonly #settle: (outcome: AttemptOutcome) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode: number | null = null;
  #bytes = 0;
  #isOver = false;

  constructor(withinMs: number) {
    const { promise, resolve } = Promise.withResolvers<AttemptOutcome>();
    this.outcome = promise;
    this.#settle = resolve;
    this.#timer = setTimeout(() => this.#breakOff('timeout'), withinMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Time ran out before there was a connection: nothing is sent.
    if (this.#isOver) controller.abort(new Error('The time was over.'));
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode >= 200) this.#statusCode = statusCode;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, ANSWER_KEPT_BYTES - this.#bytes));
    this.#bytes += chunk.length;
    if (this.#bytes >= ANSWER_KEPT_BYTES) this.#breakOff('connection_closed');
  }

  onResponseEnd(): void {
    this.#end('connection_closed');
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#end(faultOf(error));
  }

  #breakOff(fault: DeliveryFault): void {
    this.#end(fault);
    this.#controller?.abort(new Error('What follows is not read.'));
  }

  /** The status decides: of an answer that breaks off or never ends, the part received is kept. */
  #end(fault: DeliveryFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const statusCode = this.#statusCode;
    this.#settle(statusCode === null ? failure(fault) : answered(statusCode, this.#chunks));
  }
}

function answered(statusCode: number, chunks: readonly Buffer[]): AttemptOutcome {
  const isAccepted = statusCode < 300;
  const isRedirect = statusCode >= 300 && statusCode < 400;
  // Text in the database cannot contain a zero byte.
  const response = new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '\uFFFD');
  return { isAccepted, statusCode, response, fault: isAccepted ? null : isRedirect ? 'redirect' : 'http_status' };
}

const FAULT_BY_CODE: Readonly<Record<string, DeliveryFault>> = {
  ERR_FORBIDDEN_ADDRESS: 'address_not_allowed',
  ENOTFOUND: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

function faultOf(error: unknown): DeliveryFault {
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return faultOf(errors[0]);
  if (typeof code === 'string') {
    if (Object.hasOwn(FAULT_BY_CODE, code)) return FAULT_BY_CODE[code] ?? 'connection_failed';
    if (TLS_CODE.test(code)) return 'tls_failed';
  }
  return cause === undefined ? 'connection_failed' : faultOf(cause);
}
