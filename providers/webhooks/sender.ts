// Sends one delivery to a receiver: one attempt, ten seconds in all, no redirect, no proxy, nothing kept of the answer
// but its beginning. Spec 6.2, Contract 3.6.
import { Agent, request } from 'undici';
import { type AddressPolicy, checkedLookup, urlFault } from './addresses.ts';
import { type ResolveAll, resolveAll } from './resolver.ts';

const ATTEMPT_MS = 10_000;
const CONNECT_MS = 5_000;
/** Shorter than what servers keep: a connection is not used at the moment at which its server closes it. */
const KEEP_ALIVE_MS = 1_000;
const ANSWER_KEPT_BYTES = 2_048;
const HEADERS_MAX_BYTES = 16_384;

/** Why a receiver has not accepted a delivery. */
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

/** How an attempt ended. Accepted is what was answered with a 2xx status. */
export interface Attempt {
  isAccepted: boolean;
  statusCode: number | null;
  /** From the first look-up to the end. */
  latencyMs: number;
  /** The first 2 KiB of the answer as text; null when there was no answer. */
  response: string | null;
  fault: DeliveryFault | null;
}

/** Where a delivery goes, what it says and how it is signed. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface WebhookSender {
  /** Never throws: whatever happens is the outcome of the attempt. */
  send(outgoing: Outgoing): Promise<Attempt>;
  close(): Promise<void>;
}

export interface SenderOptions extends AddressPolicy {
  /** For tests; by default ten seconds. */
  attemptMs?: number;
  /** For tests; by default the resolver of this machine. */
  resolve?: ResolveAll;
}

/** Opens the way to receivers; connections are made when something is sent. */
export function createWebhookSender({
  attemptMs = ATTEMPT_MS,
  resolve = resolveAll,
  ...policy
}: SenderOptions): WebhookSender {
  const agent = new Agent({
    connect: { lookup: checkedLookup(policy, resolve), timeout: CONNECT_MS },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: attemptMs,
    bodyTimeout: attemptMs,
    maxHeaderSize: HEADERS_MAX_BYTES,
  });
  return {
    send: async (outgoing) => {
      const startedAt = performance.now();
      const outcome = urlFault(outgoing.url, policy)
        ? failure('address_not_allowed')
        : await attempt(agent, outgoing, AbortSignal.timeout(attemptMs));
      return { ...outcome, latencyMs: Math.round(performance.now() - startedAt) };
    },
    close: () => agent.destroy(),
  };
}

type Outcome = Omit<Attempt, 'latencyMs'>;

async function attempt(dispatcher: Agent, { url, headers, body }: Outgoing, signal: AbortSignal): Promise<Outcome> {
  try {
    const sent = { 'Content-Type': 'application/json', 'User-Agent': 'Bindery-Webhooks/1', ...headers };
    const answer = await request(url, { dispatcher, method: 'POST', headers: sent, body, signal });
    const { statusCode } = answer;
    const isAccepted = statusCode >= 200 && statusCode < 300;
    const isRedirect = statusCode >= 300 && statusCode < 400;
    const fault = isAccepted ? null : isRedirect ? 'redirect' : 'http_status';
    return { isAccepted, statusCode, response: await beginningOf(answer.body), fault };
  } catch (error) {
    return failure(signal.aborted ? 'timeout' : faultOf(error));
  }
}

/** The status has decided: an answer that breaks off or does not end is kept as far as it came. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy: () => void }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, ANSWER_KEPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= ANSWER_KEPT_BYTES) break;
    }
  } catch {
    body.destroy();
  }
  // A text of the database has no zero byte.
  return new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '\uFFFD');
}

function failure(fault: DeliveryFault): Outcome {
  return { isAccepted: false, statusCode: null, response: null, fault };
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
