// Sends notifications through Firebase Cloud Messaging, HTTP v1, which reaches Android, Apple and web devices. Its
// error messages may quote the token, so only their codes are passed on. Decision 0122.
import { callProvider, jsonOf } from '../provider-call.ts';
import { createAccessTokens, type ServiceAccount } from './access-token.ts';
import type { PushMessage, PushOutcome, PushService } from './port.ts';

const PROVIDER = 'The push service';
/** Answers that give the outcome, or say when to retry. */
const ANSWERS = [400, 401, 404, 410, 429, 500, 503];

export interface PushSettings {
  /** Null if none is configured. */
  account: ServiceAccount | null;
  /** Origin, without a path. */
  baseUrl: string;
}

/** Builds the adapter, which connects only with the first message; null if no service is configured. */
export function createPushService({ account, baseUrl }: PushSettings, now: () => number): PushService | null {
  if (account === null) return null;
  const tokens = createAccessTokens(account, now);
  const url = new URL(`/v1/projects/${account.projectId}/messages:send`, baseUrl);
  const send = async (message: PushMessage): Promise<PushOutcome> => {
    const token = await tokens.get();
    const headers = { authorization: `Bearer ${token}` };
    const call = { provider: PROVIDER, url, method: 'POST', headers, body: { message: toWire(message) } } as const;
    const response = await callProvider({ ...call, also: ANSWERS });
    if (response.status === 401) tokens.forget(token);
    return outcomeOf(response);
  };
  return { send: (message) => send(message).catch(() => ({ kind: 'later', afterSeconds: null })) };
}

function toWire({ token, title, body, data, tag }: PushMessage): object {
  return {
    ...{ token, notification: { title, body }, data },
    android: { collapse_key: tag, notification: { tag } },
    apns: { headers: { 'apns-collapse-id': tag } },
    webpush: { notification: { tag } },
  };
}

async function outcomeOf(response: Response): Promise<PushOutcome> {
  const answer = (await jsonOf(PROVIDER, response)) as { error?: { details?: { errorCode?: unknown }[] } };
  if (response.ok) return { kind: 'sent' };
  const details = answer.error?.details;
  const codes = Array.isArray(details) ? details.map(({ errorCode }) => errorCode) : [];
  // A proxy's error page or a missing project says nothing about the device.
  if (codes.includes('UNREGISTERED')) return { kind: 'gone' };
  if (response.status === 400) return { kind: 'refused' };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'later', afterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null };
}
