/**
 * What a step on a claim records besides the claim itself: a history entry, an audit row, an event. None of them
 * quotes what anyone said or wrote.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { ClaimEntry, type ClaimEntryAction } from '../../db/entities/claim/claim-entry.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { changedFields, type FieldChanges } from '../../domain/audit.ts';
import { openFlags } from '../../domain/claim/coverage.ts';
import { type ClaimAmounts, outstanding, sumOfAmounts } from '../../domain/claim/figures.ts';
import type { Settlement } from '../../domain/claim/settlement.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { ClaimData, ClaimReservesData } from '../../domain/events.ts';
import { toDollars } from '../../domain/money.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { figuresOf } from '../../plans/claim/claim-figures.ts';
import { auditOf } from '../audit.ts';

/** Who acts on a claim, in which request, and on which business date. */
export interface Act {
  actor: ActorRef;
  requestId: string | null;
  on: BusinessDate;
}

/** Claim fields whose before and after values the history and audit show. */
const SHOWN = [
  ...['status', 'adjusterId', 'coverage'],
  ...['reserveIndemnityCents', 'reserveExpenseCents', 'paidIndemnityCents', 'paidExpenseCents', 'recoveredCents'],
] as const;

/** The claim values shown in the history. */
export function shownFacts(claim: Readonly<Claim>): Record<string, unknown> {
  const fields = Object.fromEntries(SHOWN.map((name) => [name, claim[name as keyof Claim]]));
  const shown = { ...fields, coverageFlags: openFlags(claim.coverageFlags) };
  const { settlement } = claim;
  return settlement
    ? { ...shown, settlementCents: settlement.amountCents, payableCents: settlement.payableCents }
    : shown;
}

/**
 * Adds the entry and the audit row of a step. `before` is what `shownFacts` returned before it; null for a new claim.
 */
export function record(
  em: EntityManager,
  claim: Claim,
  { act, action, before, noteId = null, also = {} }: RecordedStep,
): void {
  const changes: FieldChanges = { ...changedFields(before, shownFacts(claim)), ...also };
  claim.entries += 1;
  addRow(em, ClaimEntry, {
    ...{ id: newId('claimEntry'), claimId: claim.id, sequence: claim.entries },
    ...{ action, actor: act.actor, happenedOn: act.on, changes, noteId },
  });
  const { actor, requestId } = act;
  writeAudit(em, auditOf({ actor, requestId, entityId: claim.id }, `claim:${action}`, 'claim', changes));
}

interface RecordedStep {
  act: Act;
  action: ClaimEntryAction;
  before: Record<string, unknown> | null;
  noteId?: string | null;
  /** Changes besides the shown fields. */
  also?: FieldChanges;
}

/** Publishes a change to a claim. */
export function publish(
  em: EntityManager,
  claim: Readonly<Claim>,
  type: 'claim.filed' | 'claim.closed',
  at: Date,
): void {
  writeEvent(em, type, claimData(claim), at);
}

/** Publishes new reserves. */
export function publishReserves(em: EntityManager, claim: Readonly<Claim>, at: Date): void {
  const reserves = amountsData(outstanding(figuresOf(claim)));
  writeEvent(em, 'claim.reserved', { ...claimData(claim), reserves }, at);
}

/** Publishes an approved settlement. */
export function publishSettlement(em: EntityManager, claim: Readonly<Claim>, settlement: Settlement, at: Date): void {
  writeEvent(em, 'claim.settled', { ...claimData(claim), amount: toDollars(settlement.amountCents) }, at);
}

function claimData({ id: claimId, claimNumber, policyId, status }: Readonly<Claim>): ClaimData {
  return { claimId, claimNumber, policyId, status };
}

function amountsData(amounts: ClaimAmounts): ClaimReservesData['reserves'] {
  const { indemnityCents, expenseCents } = amounts;
  const total = toDollars(sumOfAmounts(amounts));
  return { indemnity: toDollars(indemnityCents), expense: toDollars(expenseCents), total };
}
