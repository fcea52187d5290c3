/**
 * Reserves money that is to go back: it waits for approval where it needs one, else for the card processor's answer.
 * Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment, RefundApproval } from '../../../db/entities/billing/payment.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { isFlagOn } from '../../../db/queries/platform/flags.ts';
import { requiresApproval } from '../../../domain/billing/refund.ts';
import { toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { SYSTEM } from '../../audit.ts';
import { behind } from '../../authority/requesters.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { persistReturn, type ReturnFacts } from './refund-rows.ts';

/** Persists a reserved refund: it waits for approval if it needs one. */
export async function persistReservation(
  em: EntityManager,
  deps: Deps,
  locked: LockedInvoice | null,
  facts: Omit<ReturnFacts, 'kind' | 'status' | 'reference'>,
): Promise<Payment> {
  // Without a policy the receipt identifies the money: another request for it is not another chance.
  const subject = locked?.policy.id ?? facts.allocations[0]?.paymentId;
  const awaits = requiresApproval(facts.amountCents) && (await isFlagOn(em, 'refund_approval', subject));
  const status = awaits ? 'pending_approval' : 'pending';
  const row = persistReturn(em, deps, locked, { ...facts, kind: 'refund', status, reference: facts.id });
  if (!awaits) return row;
  row.approval = await requestOf(em, facts.requestedBy ?? [facts.actor]);
  writeEvent(em, 'refund.approval_requested', eventDataOf(row), new Date(deps.now()));
  return row;
}

/** Who stands behind it. */
async function requestOf(em: EntityManager, actors: readonly ActorRef[]): Promise<RefundApproval> {
  const [first = SYSTEM, ...rest] = actors;
  const others: string[] = [];
  for (const other of rest) others.push(...(await behind(em, other)));
  const [, onBehalfOf = null] = await behind(em, first);
  const undecided = { decision: null, decidedBy: null, decidedAt: null, reason: null };
  return { requestedBy: first.id, onBehalfOf, ...(others.length > 0 ? { others } : {}), ...undecided };
}

/** The content of the events about a refund's approval. */
export function eventDataOf({ id: refundId, invoiceId, policyId, amountCents, status }: Payment) {
  return { refundId, invoiceId, policyId, amount: toDollars(-amountCents), status };
}
