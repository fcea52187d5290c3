// Sends one delivery to a receiver: one attempt, ten seconds in all, no redirect, no proxy, only the beginning of the
// response kept. Spec 6.2, Contract 3.6.
import { Agent } from 'undici';
import { ADDRESS_MS } from '../connections/patience.ts';
import { type AddressPolicy, checkedLookup, urlFault } from './addresses.ts';
import { attempt, failure, type Outcome } from './attempt.ts';
import { type ResolveAll, resolveAll } from './resolver.ts';

const ATTEMPT_MS = 10_000;
/** Shorter than what servers keep: a connection is not used at the moment at which its server closes it. */
const KEEP_ALIVE_MS = 1_000;
const HEADERS_MAX_BYTES = 16_384;
/** Of a few hundred bytes each. */
const MAX_TARGETS = 1_000;

/** How an attempt ended. */
export interface Attempt extends Outcome {
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
    connect: {
      lookup: checkedLookup(policy, resolve),
      timeout: attemptMs,
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // An attempt bounds itself as a whole.
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

/** Takes URLs apart once for many deliveries; null for one that may not be called, however its name would resolve. */
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
