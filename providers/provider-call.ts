// One call of a provider's HTTP API: bounded, without redirects, with failures mapped to our refusals. A provider error
// may quote personal data, so it is not passed on.
import { DomainError } from '../domain/errors.ts';

const TIMEOUT_MS = 20_000;
/** A signed file comes with its certificate. */
const ANSWER_MAX_BYTES = 64 * 1_048_576;
/** Our key was rejected, calls are too frequent, or the provider has a fault: a later call may succeed. */
const PASSING = [401, 403, 408, 409, 425, 429];

export interface PlainCall {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object;
  /** Other statuses that count as success. */
  also?: readonly number[];
  /** From the first byte of the call to the last of its response. */
  timeoutMs?: number;
  /** The largest response accepted. */
  maxBytes?: number;
}

export interface ProviderCall extends PlainCall {
  /** As named in messages: `The e-signature provider`. */
  provider: string;
}

/** A call without a response. */
export class CallFault extends Error {
  readonly reason: 'away' | 'too_slow' | 'too_large';

  constructor(reason: CallFault['reason']) {
    super(reason);
    this.name = 'CallFault';
    this.reason = reason;
  }
}

/**
 * Makes a call and returns its response.
 * @throws DomainError service_unavailable if the provider cannot be reached, validation_failed if it refuses
 */
export async function callProvider({ provider, ...call }: ProviderCall): Promise<Response> {
  const response = await sendCall(call).catch((error: unknown) => {
    throw error instanceof CallFault ? providerUnavailable(provider) : error;
  });
  const { status } = response;
  if (isWanted(response, call)) return response;
  if (status >= 500 || PASSING.includes(status)) throw providerUnavailable(provider);
  throw new DomainError('validation_failed', `${provider} has refused the request.`, { field: 'body', rule: 'format' });
}

/** Makes a call and returns the complete response as received; an unsuccessful one has no body. @throws CallFault */
export async function sendCall(call: PlainCall): Promise<Response> {
  const { url, method, body, timeoutMs = TIMEOUT_MS, maxBytes = ANSWER_MAX_BYTES } = call;
  const headers = { ...call.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method, headers, ...sent, redirect: 'error', signal });
    if (isWanted(response, call)) return await received(response, maxBytes);
    // The connection is only free for the next call once the response has been read to the end.
    await response.body?.cancel();
    return new Response(null, { status: response.status, headers: response.headers });
  } catch (error) {
    if (error instanceof CallFault) throw error;
    throw new CallFault(signal.aborted ? 'too_slow' : 'away');
  }
}

const isWanted = ({ ok, status }: Response, { also = [] }: PlainCall): boolean => ok || also.includes(status);

/** Reads a response to its end. */
async function received(response: Response, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new CallFault('too_large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/** Reads the JSON of an answer. @throws DomainError service_unavailable for anything else, such as a proxy's page */
export async function jsonOf(provider: string, response: Response): Promise<unknown> {
  const value: unknown = await response.json().catch(() => null);
  if (typeof value !== 'object' || value === null) throw providerUnavailable(provider);
  return value;
}

/** The refusal for a provider that cannot be reached now. */
export function providerUnavailable(provider: string): DomainError {
  return new DomainError('service_unavailable', `${provider} is not available.`, { retryAfterSeconds: 30 });
}
