/**
 * Reserves money to be refunded: it waits for approval if it needs one, else for the card processor's answer. Nothing
 * is refunded by itself to an insured whose name is held for sanctions. Contract 3.4, Domain facts 6.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment, RefundApproval } from '../../../db/entities/billing/payment.ts';
import { refundedUnapproved } from '../../../db/queries/billing/refunds.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { isFlagOn } from '../../../db/queries/platform/flags.ts';
import { countedSince, requiresApproval } from '../../../domain/billing/refund.ts';
import { toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { requesterIds } from '../../../plans/authority/requesters.ts';
import { SYSTEM } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { screenInsured } from '../../submission/screened-insured.ts';
import { persistReturn, type ReturnFacts } from './refund-rows.ts';

/** Persists a reserved refund: it waits for approval if it needs one. */
export async function persistReservation(
  em: EntityManager,
  deps: Deps,
  locked: LockedInvoice | null,
  facts: Omit<ReturnFacts, 'kind' | 'status' | 'reference'>,
): Promise<Payment> {
  // Without a policy, the receipt identifies the money: a repeated request for it gets no second chance at the flag.
  const receiptId = facts.allocations[0]?.paymentId ?? '';
  const subject = locked?.policy.id ?? receiptId;
  const isHeld = (await screenInsured(em, deps, locked?.policy.insuredName)).length > 0;
  const awaits =
    isHeld ||
    ((await isFlagOn(em, 'refund_approval', subject)) &&
      requiresApproval(facts.amountCents, await countedWith(em, facts, locked, receiptId)));
  const status = awaits ? 'pending_approval' : 'pending';
  const row = persistReturn(em, deps, locked, { ...facts, kind: 'refund', status, reference: facts.id });
  if (!awaits) return row;
  row.approval = await requestOf(em, facts.requestedBy ?? [facts.actor]);
  writeEvent(em, 'refund.approval_requested', eventDataOf(row), new Date(deps.now()));
  return row;
}

/** Earlier manual refunds that count together with a manual refund, in cents; decision 0287. */
async function countedWith(
  em: EntityManager,
  { on, policyTransactionId }: Pick<ReturnFacts, 'on' | 'policyTransactionId'>,
  locked: LockedInvoice | null,
  receiptId: string,
): Promise<number> {
  if (policyTransactionId !== undefined) return 0;
  const of = locked === null ? { paymentId: receiptId } : { policyId: locked.policy.id };
  return refundedUnapproved(em, of, countedSince(on));
}

/** Who requested it. */
async function requestOf(em: EntityManager, actors: readonly ActorRef[]): Promise<RefundApproval> {
  const [first = SYSTEM, ...rest] = actors;
  const others: string[] = [];
  for (const other of rest) others.push(...(await requesterIds(em, other)));
  const [, onBehalfOf = null] = await requesterIds(em, first);
  const undecided = { decision: null, decidedBy: null, decidedAt: null, reason: null };
  return { requestedBy: first.id, onBehalfOf, ...(others.length > 0 ? { others } : {}), ...undecided };
}

/** The content of the events about a refund's approval. */
export function eventDataOf({ id: refundId, invoiceId, policyId, amountCents, status }: Payment) {
  return { refundId, invoiceId, policyId, amount: toDollars(-amountCents), status };
}
