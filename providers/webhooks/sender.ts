// Sends one delivery to a receiver: one attempt, ten seconds in all, no redirects, no proxy, and only the beginning
// of the response is kept. Spec 6.2, Contract 3.6.
import { Agent } from 'undici';
import { ADDRESS_MS } from '../connections/patience.ts';
import { type AddressPolicy, checkedLookup, urlFault } from './addresses.ts';
import { type AttemptOutcome, attempt, failure } from './attempt.ts';
import { type ResolveAll, resolveAll } from './resolver.ts';

const ATTEMPT_MS = 10_000;
/** Shorter than servers' keep-alive, so that a connection is not used just as its server closes it. */
const KEEP_ALIVE_MS = 1_000;
const HEADERS_MAX_BYTES = 16_384;
/** A few hundred bytes each. */
const MAX_TARGETS = 1_000;

/** How an attempt ended. */
export interface Attempt extends AttemptOutcome {
  /** From the first look-up to the end. */
  latencyMs: number;
}

/** A delivery's target, content and signing keys. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface WebhookSender {
  /** Never throws: any failure is an outcome of the attempt. */
  send(outgoing: Outgoing): Promise<Attempt>;
  close(): Promise<void>;
}

export interface SenderOptions extends AddressPolicy {
  /** For tests; by default ten seconds. */
  attemptMs?: number;
  /** For tests; by default the resolver of this machine. */
  resolve?: ResolveAll;
}

/** Builds the sender; connections are made when something is sent. */
export function createWebhookSender({
  attemptMs = ATTEMPT_MS,
  resolve = resolveAll,
  ...policy
}: SenderOptions): WebhookSender {
  const agent = new Agent({
    connect: {
      lookup: checkedLookup(policy, resolve),
      timeout: attemptMs,
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Each attempt has its own overall limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADERS_MAX_BYTES,
  });
  const targetOf = rememberedTargets(policy);
  return {
    send: async ({ url, headers, body }) => {
      const startedAt = performance.now();
      const target = targetOf(url);
      const sent = { 'Content-Type': 'application/json', 'User-Agent': 'Bindery-Webhooks/1', ...headers };
      const outcome =
        target === null
          ? failure('address_not_allowed')
          : await attempt(agent, { ...target, method: 'POST', headers: sent, body }, attemptMs);
      return { ...outcome, latencyMs: Math.round(performance.now() - startedAt) };
    },
    close: () => agent.destroy(),
  };
}

interface Target {
  origin: string;
  path: string;
}

/** Parses each URL once for many deliveries; null for a URL that may not be called, whatever its name resolves to. */
function rememberedTargets(policy: AddressPolicy): (url: string) => Target | null {
  const known = new Map<string, Target | null>();
  return (url) => {
    const remembered = known.get(url);
    if (remembered !== undefined) return remembered;
    const target = urlFault(url, policy) === null ? partsOf(new URL(url)) : null;
    if (known.size >= MAX_TARGETS) known.clear();
    known.set(url, target);
    return target;
  };
}

function partsOf({ origin, pathname, search }: URL): Target {
  return { origin, path: `${pathname}${search}` };
}
