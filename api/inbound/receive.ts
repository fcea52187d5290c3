// The one path for every provider's events: signature, freshness, claim, workflow, mark. Spec 6.3, Contract 3.4, 3.6.
// An event is kept from being processed twice by the 24-hour mark, then by the workflow's id, then by the rows' unique
// keys.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.ts';
import type { RuntimeDeps } from '../spine/deps.ts';
import { EventClaim } from './claims.ts';
import { ProcessingFailed } from './engine.ts';
import type { Delivery, InboundProvider, VerifiedEvent } from './provider.ts';

/** Time left for a copy that waited for another one to fail. */
const LEAST_WORK_MS = 500;
const LOOK_EVERY_MS = 50;
const RETRY_AFTER_SECONDS = 5;

export interface InboundAnswer {
  /** 202 for an ignored event. */
  status: 200 | 202;
  /** `deduplicated`: the event was already processed, or another delivery has processed it in the meantime. */
  body: { received: true } | { deduplicated: true } | { received: true; deduplicated: true };
}

const RECEIVED: InboundAnswer = { status: 200, body: { received: true } };
const IGNORED: InboundAnswer = { status: 202, body: { received: true } };

type InboundDeps = Pick<RuntimeDeps, 'config' | 'kv' | 'inbound' | 'logger' | 'refusals'>;

/**
 * Takes a delivery and responds once the event is recorded and everything that follows is durable.
 * @throws DomainError unauthenticated, validation_failed or malformed_json for a delivery that cannot be trusted;
 * replayed for a repeat of a one-time request; internal_error if it could not be processed, and service_unavailable if
 * not now: the provider retries, and nothing is marked
 */
export async function receive(
  provider: InboundProvider,
  delivery: Delivery,
  requestId: string,
  deps: InboundDeps,
): Promise<InboundAnswer> {
  const event = read(provider, delivery, requestId, deps);
  await refuseReplay(provider, event, deps);
  const answer = event.isIgnored ? IGNORED : await processOnce(provider, event, requestId, deps);
  await countOnce(provider, event, deps);
  return answer;
}

/**
 * Records that a request has arrived. This happens only now, since a failed delivery may be resent unchanged. Only one
 * of several simultaneous copies succeeds.
 * @throws DomainError replayed
 */
async function countOnce(provider: InboundProvider, { once }: VerifiedEvent, { kv }: InboundDeps): Promise<void> {
  if (once === undefined) return;
  const claim = await kv.claim(replayKey(provider, once.hash), { isDone: true }, once.forSeconds);
  if (!claim.claimed) throw replayed();
}

async function processOnce(
  provider: InboundProvider,
  event: VerifiedEvent,
  requestId: string,
  deps: InboundDeps,
): Promise<InboundAnswer> {
  const duplicate = duplicateOf(provider);
  const work = { provider: provider.name, eventId: event.id, requestId };
  const { webhookDeadlineMs } = deps.config;
  const claim = new EventClaim(deps.kv, work, { holder: randomUUID(), workMs: webhookDeadlineMs });
  const giveUpAt = performance.now() + webhookDeadlineMs;
  for (;;) {
    const state = await claim.take();
    const leftMs = giveUpAt - performance.now();
    if (state === 'done') return duplicate;
    if (state === 'taken') {
      const result = await carryOut(event, claim, { ...work, withinMs: Math.max(leftMs, LEAST_WORK_MS) }, deps);
      return result === 'processed_before' ? duplicate : RECEIVED;
    }
    if (leftMs <= 0) throw stillAtWork();
    await delay(LOOK_EVERY_MS);
  }
}

function duplicateOf({ duplicateAnswer }: InboundProvider): InboundAnswer {
  return { status: 200, body: duplicateAnswer ?? { received: true, deduplicated: true } };
}

/** @throws DomainError replayed */
async function refuseReplay(provider: InboundProvider, { once }: VerifiedEvent, { kv }: InboundDeps): Promise<void> {
  if (once === undefined || (await kv.read(replayKey(provider, once.hash))) === null) return;
  throw replayed();
}

function replayed(): DomainError {
  return new DomainError('replayed', 'This request has already been received.');
}

function replayKey({ name }: InboundProvider, hash: string): string {
  return `wh:${name}:signature:${hash}`;
}

/** Logs the refusal without any content of the delivery: its sender is unproven. */
function read(provider: InboundProvider, delivery: Delivery, requestId: string, deps: InboundDeps): VerifiedEvent {
  try {
    return provider.read(delivery, deps.config);
  } catch (error) {
    if (error instanceof DomainError) {
      deps.logger.warn({ requestId, provider: provider.name, reason: error.message }, 'an inbound event was refused');
      if (error.code === 'unauthenticated') countForged(provider, delivery, deps);
    }
    throw error;
  }
}

function countForged({ name }: InboundProvider, { client }: Delivery, { refusals }: InboundDeps): void {
  refusals.add({ orgId: null, client, reason: `signature: ${name}` });
}

async function carryOut(
  { workflow }: VerifiedEvent,
  claim: EventClaim,
  { withinMs, ...work }: { provider: string; eventId: string; requestId: string; withinMs: number },
  { inbound, logger }: InboundDeps,
): Promise<'processed' | 'processed_before'> {
  try {
    const result = workflow && (await inbound.process({ ...work, workflow }, withinMs));
    await claim.markDone();
    return result ?? 'processed';
  } catch (error) {
    // A claim that cannot be given back expires.
    await claim.giveBack().catch((fault: unknown) => logger.warn({ ...work, err: fault }, 'a claim stays for a while'));
    if (!(error instanceof ProcessingFailed)) throw error;
    logger.warn({ ...work, reason: error.message }, 'an inbound event could not be processed');
    throw new DomainError('internal_error', 'The event could not be processed. Send it again later.');
  }
}

function stillAtWork(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Another copy of this event is being processed. Send it again shortly.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
