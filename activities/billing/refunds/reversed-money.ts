/**
 * What a reversal takes: its receipt's money wherever applied, and money owed back by check that was kept instead.
 * That never left the trust, so it reduces what operating money covers. Decisions 0092, 0290.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { lockDisbursement, neverGoodOf } from '../../../db/queries/billing/disbursements.ts';
import { keptFrom } from '../../../db/queries/billing/kept-refunds.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { movedFrom } from '../../../db/queries/billing/unapplied-cash.ts';
import { returnEntry, uncoveredEntries } from '../../../domain/billing/ledger/entries.ts';
import { NO_SPLIT } from '../../../domain/billing/ledger/returned-part.ts';
import { heldBy } from '../../../domain/billing/refund.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { giveUpUnissued, keepGivenUp } from '../disbursements/given-up.ts';
import { openAgain, publishReversed } from '../payments/reversed-payments.ts';
import { lockPoliciesOf, lockSpread, type SpreadReceipt, takeAll } from '../payments/taken-back.ts';
import { endWaiting } from './ended-returns.ts';
import { giveBack, persistReturn, touch } from './refund-rows.ts';
import { reversePostings } from './refund-steps.ts';

export interface SpreadKept extends SpreadReceipt {
  disbursement: Disbursement;
}

/** A receipt with the receipts that keep what was owed back from it; all locked, with their applications. */
export interface ReversedMoney {
  spread: SpreadReceipt;
  kept: SpreadKept[];
}

interface Reversing {
  origin: Omit<Origin, 'entityId'>;
  today: BusinessDate;
  /** The reason, on the row and in the event. */
  code: string;
}

/** `by` is the reversal or lost dispute of the payment that the kept money came from. */
interface ReversingKept extends Reversing {
  by: Payment;
}

/** Locks a receipt, those that keep what was owed back from it, and all their applications; policies first. */
export async function lockWithKept(em: EntityManager, receipt: Payment): Promise<ReversedMoney> {
  const known = (await keptFrom(em, receipt)).map((each) => each.receipt);
  await lockPoliciesOf(em, [receipt, ...known]);
  const spread = await lockSpread(em, receipt);
  const kept: SpreadKept[] = [];
  for (const each of await keptFrom(em, receipt)) {
    const disbursement = await lockDisbursement(em, each.disbursement.id);
    if (disbursement === null || known.every(({ id }) => id !== each.receipt.id)) {
      throw ApplicationFailure.retryable('A refund of the payment has just been kept.', 'not_ready');
    }
    kept.push({ ...(await lockSpread(em, each.receipt)), disbursement });
  }
  return { spread, kept };
}

/** Reverses an amount of a receipt: each invoice that has it is payable again. Returns the other policies to notify. */
export async function reverseMoney(
  em: EntityManager,
  deps: Deps,
  spread: SpreadReceipt,
  { id, as = id, amountCents, origin, today, code }: Reversing & { id: string; as?: string; amountCents: number },
): Promise<{ row: Payment; otherPolicyIds: string[] }> {
  const { receipt, locked } = spread;
  const { method, reference } = receipt;
  const at = new Date(deps.now());
  const taking = { amountCents, origin, today, code };
  const { appliedCents, coveredCents, otherPolicyIds } = await takeAll(em, deps, spread, taking);
  const row = persistReturn(em, deps, locked, {
    ...{ id, kind: 'reversal', status: 'succeeded', amountCents, appliedCents, coveredCents, method, reference: as },
    allocations: [{ paymentId: receipt.id, amountCents, method, processorRefundId: null }],
    ...{ at, on: today, reason: code, ...origin },
  });
  touch(receipt, at);
  if (locked === null) return { row, otherPolicyIds };
  await giveBack(em, locked.invoice, row);
  await openAgain(em, locked, { row, origin, today });
  publishReversed(em, locked, { reference, amountCents, code, at });
  return { row, otherPolicyIds };
}

/** The effects on others when kept money is reversed. */
export interface KeptReversed {
  policiesToNotify: string[];
  /** Returns that no longer wait for approval. */
  endedRefunds: string[];
}

/**
 * Reverses what receipts still have of kept money that was never good. First, returns of it that await approval are
 * ended, and unissued checks for it are given up.
 */
export async function reverseKept(
  em: EntityManager,
  deps: Deps,
  kept: readonly SpreadKept[],
  { by, ...reversing }: ReversingKept,
): Promise<KeptReversed> {
  const policiesToNotify: string[] = [];
  const ended: Payment[] = [];
  for (const { disbursement, ...found } of kept) {
    await writeNewRows(em);
    const neverGoodCents = await neverGoodOf(em, disbursement);
    const missingCents = neverGoodCents - (await stillHeld(em, found));
    ended.push(...endWaiting(em, deps, found, { missingCents, origin: reversing.origin }));
    const spread = { ...found, returns: found.returns.filter(({ status }) => status !== 'failed') };
    const amountCents = Math.min(await stillHeld(em, spread), neverGoodCents);
    if (amountCents <= 0) continue;
    const { row, otherPolicyIds } = await reverseMoney(em, deps, spread, {
      ...{ ...reversing, id: newId('refund'), as: `${prefixOf(by)}${spread.receipt.id}`, amountCents },
    });
    postTakenBack(em, row, reversing.today);
    // No saga: all of it is posted here.
    row.sagaEndedAt = new Date(deps.now());
    policiesToNotify.push(...otherPolicyIds, ...(row.policyId === null ? [] : [row.policyId]));
  }
  const receipts = kept.map(({ receipt }) => receipt);
  await giveUpUnissued(em, deps, receipts, reversing);
  return { policiesToNotify, endedRefunds: ended.map(({ id }) => id) };
}

/**
 * A lost dispute is won after all: money taken back or given up for it is unapplied again. Returns the receipts whose
 * sagas must start.
 */
export async function winKeptBack(
  em: EntityManager,
  deps: Deps,
  { receipt, kept }: { receipt: Payment; kept: readonly SpreadKept[] },
  { by, origin, today }: Pick<ReversingKept, 'by' | 'origin' | 'today'>,
): Promise<PaymentOutcome[]> {
  const taken = kept.flatMap(({ returns }) => returns).filter(({ reference }) => reference.startsWith(prefixOf(by)));
  for (const row of taken) {
    row.status = 'failed';
    await reversePostings(em, row, today);
  }
  return keepGivenUp(em, deps, [receipt, ...kept.map((each) => each.receipt)], { origin, today });
}

const prefixOf = (by: Payment) => `${by.id}/`;

/** What a receipt holds, and its later applications to invoices. */
async function stillHeld(em: EntityManager, { receipt, returns, applied }: SpreadReceipt): Promise<number> {
  const held = heldBy(receipt, returns, await movedFrom(em, receipt));
  let cents = held.appliedCents + held.unappliedCents;
  for (const { application } of applied) {
    cents += heldBy(application, await returnsOfReceipt(em, application)).appliedCents;
  }
  return cents;
}

/** The money stays in the trust, so nothing here waits for a bank. */
function postTakenBack(em: EntityManager, { id, policyId, invoiceId, amountCents }: Payment, date: BusinessDate): void {
  const source = { sourceType: 'refund', sourceId: id, date, policyId, invoiceId } as const;
  for (const entry of [returnEntry(NO_SPLIT, -amountCents), ...uncoveredEntries(-amountCents)]) {
    postEntry(em, entry, { ...source, description: 'A refund was kept of a payment that was never good' });
  }
}
