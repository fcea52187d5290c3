// A caller who does what the contract says: one Idempotency-Key per command, resent with that key, to either API,
// until there is an answer. It remembers the answers for a check at the end.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';

/** Longer than an API takes to say that it does not know. */
const ATTEMPT_MS = 20_000;
const PAUSE_MS = 200;
/** Long enough for several accidents in a row. */
const COMMAND_MS = 3 * PATIENCE_MS;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
  isReplay: boolean;
}

/** A command that was answered. */
export interface Answered {
  path: string;
  body: unknown;
  headers: Record<string, string>;
  answer: Answer;
  attempts: number;
  tookMs: number;
}

/** An answer that no caller should get. */
class WrongAnswer extends Error {}

export interface PatientClient {
  /** Sends a command until it is answered, and returns the body. @throws WrongAnswer for another status */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  command(path: string, body: unknown, status?: number): Promise<any>;
  /** Sends a command until it is answered, with any status. */
  send(path: string, body: unknown): Promise<Answer>;
  /** Sends a DELETE until it is answered, with any status. */
  remove(path: string): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  read(path: string): Promise<any>;
  /** The same caller in an organization. */
  within(credential: () => Promise<string>): PatientClient;
}

export function patientClient(
  urls: readonly string[],
  credential: () => Promise<string>,
  remember: (answered: Answered) => void,
): PatientClient {
  const send = async (path: string, body: unknown) => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${await credential()}`, 'idempotency-key': randomUUID() };
    const { answer, attempts } = await untilAnswered(urls, 'POST', path, { headers, body });
    remember({ path, body, headers, answer, attempts, tookMs: performance.now() - startedAt });
    return answer;
  };
  return {
    send,
    command: async (path, body, status = 201) => bodyOf(`POST ${path}`, await send(path, body), status),
    remove: async (path) => {
      const headers = { authorization: `Bearer ${await credential()}` };
      return (await untilAnswered(urls, 'DELETE', path, { headers })).answer;
    },
    read: async (path) => {
      const headers = { authorization: `Bearer ${await credential()}` };
      const { answer } = await untilAnswered(urls, 'GET', path, { headers });
      return bodyOf(`GET ${path}`, answer, 200);
    },
    within: (other) => patientClient(urls, other, remember),
  };
}

/** Resends a command that was answered. */
export async function repeat(urls: readonly string[], { path, headers, body }: Answered): Promise<Answer> {
  return (await untilAnswered(urls, 'POST', path, { headers, body })).answer;
}

interface Sent {
  headers: Record<string, string>;
  body?: unknown;
}

async function untilAnswered(
  urls: readonly string[],
  method: string,
  path: string,
  sent: Sent,
): Promise<{ answer: Answer; attempts: number }> {
  const giveUpAt = performance.now() + COMMAND_MS;
  let last = 'no answer';
  for (let attempts = 1; performance.now() < giveUpAt; attempts += 1) {
    const answer = await attempt(`${urls[attempts % urls.length]}${path}`, method, sent);
    if (answer !== null && !mayBeSentAgain(answer)) return { answer, attempts };
    last = answer === null ? 'a line that was cut' : `${answer.status} ${JSON.stringify(answer.body)}`;
    await delay(PAUSE_MS);
  }
  throw new WrongAnswer(`${method} ${path}: nothing but ${last} for ${COMMAND_MS / 1_000} s`);
}

/** Null when the line was cut or nothing came. */
async function attempt(url: string, method: string, { headers, body }: Sent): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await response.text();
    const isReplay = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, body: text === '' ? null : JSON.parse(text), isReplay };
  } catch {
    return null;
  }
}

function mayBeSentAgain({ status, body }: Answer): boolean {
  return status === 503 || status === 429 || (status === 409 && body?.error === 'idempotency_in_progress');
}

function bodyOf(what: string, { status, body }: Answer, expected: number) {
  if (status === expected) return body;
  throw new WrongAnswer(`${what}: ${status} in place of ${expected}: ${JSON.stringify(body)}`);
}
