// One call of a provider's HTTP API: bounded, without redirects, and its failures as refusals of ours. What a provider
// says in an error may quote people, so it is not passed on.
import { DomainError } from '../domain/errors.ts';

const TIMEOUT_MS = 20_000;
/** Our key is not accepted, the call comes too often, or the provider has a fault: a later call may be taken. */
const PASSING = [401, 403, 408, 409, 425, 429];

export interface ProviderCall {
  /** As the message names it: `The e-signature provider`. */
  provider: string;
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object;
  /** Answers that count as success although they are none. */
  also?: readonly number[];
}

/**
 * Makes a call and gives its answer.
 * @throws DomainError service_unavailable when the provider cannot be reached, validation_failed when it refuses
 */
export async function callProvider({ provider, url, body, also = [], ...call }: ProviderCall): Promise<Response> {
  const headers = { ...call.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, {
    ...{ method: call.method, headers, ...sent, redirect: 'error' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw unavailable(provider);
  });
  const { status } = response;
  if (response.ok || also.includes(status)) return response;
  if (status >= 500 || PASSING.includes(status)) throw unavailable(provider);
  throw new DomainError('validation_failed', `${provider} has refused the request.`, { field: 'body', rule: 'format' });
}

/** Reads the JSON of an answer. @throws DomainError service_unavailable for anything else, such as a proxy's page */
export async function jsonOf(provider: string, response: Response): Promise<unknown> {
  const value: unknown = await response.json().catch(() => null);
  if (typeof value !== 'object' || value === null) throw unavailable(provider);
  return value;
}

/** The refusal of what needs a provider that is away, or not set up. */
export function unavailable(provider: string): DomainError {
  return new DomainError('service_unavailable', `${provider} is not available.`, { retryAfterSeconds: 30 });
}
