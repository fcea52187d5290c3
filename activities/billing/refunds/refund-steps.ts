/**
 * The steps after a return: fiduciary ledger, general ledger, commission. Operators see each one. The first step
 * decides what the other two post. All run under the invoice's lock; a step already done does nothing. Contract 3.4.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { MoneyStep } from '../../../contracts/machinery/saga.ts';
import type { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { LedgerEntry } from '../../../db/entities/billing/ledger-entry.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { commissionRecordsOf } from '../../../db/queries/billing/commission-basis.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import {
  type EntrySource,
  entriesOf,
  postEntry,
  sharingEntries,
  uncoveringEntries,
} from '../../../db/queries/billing/ledger.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { ledgerLinesOf, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { keepTrustWhole } from '../../../db/queries/billing/remittances/shortfalls.ts';
import { isSkipped } from '../../../db/queries/billing/step-skips.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { composedReturn } from '../../../domain/billing/ledger/composed-return.ts';
import {
  coveredLossEntry,
  earningsReturnEntry,
  payoutEntry,
  returnEntry,
} from '../../../domain/billing/ledger/entries.ts';
import { splitTotal } from '../../../domain/billing/ledger/invoice-split.ts';
import { reversalOf } from '../../../domain/billing/ledger/posting.ts';
import { NO_SPLIT, nextReturn } from '../../../domain/billing/ledger/returned-part.ts';
import { isReserved } from '../../../domain/billing/payment.ts';
import { returnedOn } from '../../../domain/billing/refund-approval.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumCents } from '../../../domain/money.ts';
import { type Deps, transaction } from '../../context.ts';
import { lockPayment } from '../../money-locks.ts';
import { persistMoved, persistTakenBack } from '../invoices/commission-records.ts';
import { invoiceLedger, returnedShares, sharesIn } from '../invoices/invoice-ledger.ts';
import { awaitedCents, ownedCents, sharedCents } from '../invoices/resettled-invoices.ts';

/** What the first step passes to the others. */
export interface PostedReturn {
  /** The part taken back from the shares; the rest had not been shared out. */
  splitCents: number;
}

/** Posts to the fiduciary ledger whose money is taken, and what the card processor has paid of it. */
export const postRefund = (deps: Deps) =>
  refundStep<PostedReturn>(deps, 'postRefund', async (em, { refund, invoice }) => {
    const posted = await postedReturn(em, refund);
    if (posted !== null) return { splitCents: splitTotal(sharesIn(await ledgerLinesOf(em, [posted]), 'debitCents')) };
    if (refund.status === 'failed') return { splitCents: 0 };
    await ensureAnswered(em, refund);
    const part = invoice === null ? NO_SPLIT : await partOf(em, refund, invoice);
    const splitCents = splitTotal(part);
    const source = sourceOf(refund, invoice);
    const { coveredCents } = refund;
    postEntry(em, returnEntry(part, -refund.amountCents - coveredCents - splitCents), source);
    postEntry(em, payoutEntry(paidAtOnce(refund), coveredCents), source);
    postEntry(em, coveredLossEntry(coveredCents), source);
    if (invoice !== null && splitCents > 0) await keepTrustWhole(em, invoice, source.date);
    return { splitCents };
  });

/** Reverses the commission and fees earned on the returned money in the general ledger. */
export const postRefundEarnings = (deps: Deps) =>
  refundStep<void>(deps, 'postRefundEarnings', async (em, { refund, invoice }) => {
    const posted = await entriesOf(em, sourceKey(refund));
    if (refund.status === 'failed' || posted.some(({ entryType }) => entryType === 'earnings_return')) return;
    const part = await takenShares(em, refund);
    const entry = earningsReturnEntry(part);
    if (entry === null || invoice === null) return;
    const ofInvoice = await sharingEntries(em, invoice.id);
    if (!ofInvoice.some(({ entryType }) => entryType === 'earnings')) {
      throw await notPosted(em, 'earnings', { invoiceId: invoice.id, step: 'general ledger' });
    }
    postEntry(em, entry, sourceOf(refund, invoice));
  });

/** Reverses the producer's earned commission on the returned money. */
export const reverseCommission = (deps: Deps) =>
  refundStep<void>(deps, 'reverseCommission', async (em, { refund, invoice }) => {
    const records = invoice === null ? [] : await commissionRecordsOf(em, invoice.id);
    if (records.length === 0 || refund.status === 'failed' || reversalsFor(records, refund).length > 0) return;
    const { carrierCents, agentCents, mgaCents } = await takenShares(em, refund);
    const moved = { carrierCents: 0 - carrierCents, agentCents: 0 - agentCents, mgaCents: 0 - mgaCents };
    persistMoved(em, records, { moved, source: { ...sourceKey(refund), on: returnedOn(refund) } });
  });

/**
 * Undoes every posting of a return in the caller's transaction, under the invoice's lock: each entry by a reversal
 * that names it, commission by a matching record. Anything not yet posted never will be, since the return has failed.
 */
export async function reversePostings(em: EntityManager, refund: Payment, date: BusinessDate): Promise<void> {
  const entries = [...(await entriesOf(em, sourceKey(refund))), ...(await uncoveringEntries(em, refund))];
  const lines = await ledgerLinesOf(em, entries);
  for (const { id, ledger, policyId, invoiceId, description } of entries) {
    postEntry(em, reversalOf({ ledger, lines: lines.filter(({ entryId }) => entryId === id) }), {
      ...{ sourceType: 'entry', sourceId: id, reversesEntryId: id, date, policyId, invoiceId },
      description: `Reversal: ${description}`,
    });
  }
  const records = refund.invoiceId === null ? [] : await commissionRecordsOf(em, refund.invoiceId);
  const source = { sourceType: 'chargeback_won', sourceId: refund.id, on: date };
  persistTakenBack(em, reversalsFor(records, refund), source);
}

interface Returning {
  refund: Payment;
  /** Null for money that matches no invoice. */
  invoice: Invoice | null;
}

/** Builds the activity for a step on a settled return; its invoice and row are locked. */
function refundStep<R>(deps: Deps, kind: string, work: (em: EntityManager, returning: Returning) => Promise<R>) {
  return ({ orgId, entityId }: MoneyStep): Promise<R> =>
    transaction(deps, { kind, orgId }, async (em) => {
      const found = await lockPayment(em, entityId);
      if (found === null) throw new DomainError('not_found', 'There is no such refund.');
      const { payment: refund, locked } = found;
      if (isReserved(refund.status)) throw notYet('refund');
      return work(em, { refund, invoice: locked?.invoice ?? null });
    });
}

/** Another saga must do its part first; it may be waiting for an operator. */
function notYet(missing: string): ApplicationFailure {
  return ApplicationFailure.retryable(`The ${missing} of the invoice does not exist yet.`, 'not_ready');
}

/** Like `notYet`, for a step's posting; if that step was skipped it never comes, and an operator must know now. */
async function notPosted(
  em: EntityManager,
  missing: string,
  by: Parameters<typeof isSkipped>[1],
): Promise<ApplicationFailure> {
  if (!(await isSkipped(em, by))) return notYet(missing);
  const message = `The ${missing} of the invoice is missing because an operator skipped the step "${by.step}".`;
  return ApplicationFailure.nonRetryable(message, 'not_ready');
}

/**
 * Whose money a return takes. Money returned before the invoice was fully paid had no owner yet; the rest comes from
 * the shares. The row records which, so several sagas may arrive in any order. A policy change composes its own
 * return; any other return is proportional.
 */
async function partOf(em: EntityManager, refund: Payment, invoice: Invoice) {
  const takenCents = sharedCents(refund);
  if (takenCents === 0) return NO_SPLIT;
  const ledger = await invoiceLedger(em, invoice);
  // A reversed payment has taken the invoice out of the shares: the money has no owner again.
  if (!isFullyPaid(invoiceAmounts(invoice))) return NO_SPLIT;
  const { split } = ledger;
  if (split === null) throw await notPosted(em, 'split', { invoiceId: invoice.id, step: 'fiduciary ledger' });
  const before = await returnedShares(em, invoice, ledger);
  // A credit may since have settled the invoice again for less: then it takes less, or nothing, from the shares.
  const staysCents = (await ownedCents(em, invoice)) + (await awaitedCents(em, invoice, { ledger, except: refund }));
  const cents = Math.min(takenCents, Math.max(splitTotal(split) - splitTotal(before.returned) - staysCents, 0));
  const { composition } = refund;
  if (composition !== null) return composedReturn(split, before, { composition, cents });
  return nextReturn(split, before, cents);
}

/**
 * What operating money covers is known once the card processor has answered every refund of the same money: a declined
 * refund returns nothing, so the bank has taken money that is here. A refund awaiting approval may wait for weeks. It
 * is refused meanwhile, and its reservation is corrected when it ends (`reapportion`).
 */
async function ensureAnswered(em: EntityManager, { coveredCents, allocations }: Payment): Promise<void> {
  for (const { paymentId } of coveredCents === 0 ? [] : allocations) {
    const receipt = await findPayment(em, paymentId);
    const returns = receipt === null ? [] : await returnsOfReceipt(em, receipt);
    if (returns.some(({ status }) => status === 'pending')) throw notYet("card processor's answer to a refund");
  }
}

async function postedReturn(em: EntityManager, refund: Payment): Promise<LedgerEntry | null> {
  const entries = await entriesOf(em, sourceKey(refund));
  const ofType = (type: string) => entries.find(({ entryType }) => entryType === type) ?? null;
  // If operating money covers all of it, nothing is taken from anyone.
  return ofType('return') ?? ofType('payout');
}

async function takenShares(em: EntityManager, refund: Payment) {
  const posted = await postedReturn(em, refund);
  if (posted === null) {
    const by = { paymentId: refund.id, step: 'fiduciary ledger' };
    throw await notPosted(em, 'return in the fiduciary ledger', by);
  }
  return sharesIn(await ledgerLinesOf(em, [posted]), 'debitCents');
}

/**
 * What has already left: the card processor pays from its own balance, and a bank takes back money that was never
 * good. A refund owed by check leaves when its disbursement is issued.
 */
function paidAtOnce({ kind, allocations }: Payment) {
  const given = allocations.filter(({ failedAt }) => failedAt === undefined);
  const sumOf = (parts: Payment['allocations']) => sumCents(parts.map(({ amountCents }) => amountCents));
  const byCard = given.filter(({ method }) => method === 'card');
  return [
    { method: 'card', cents: sumOf(byCard) },
    { method: 'check', cents: kind === 'refund' ? 0 : sumOf(given) - sumOf(byCard) },
  ];
}

const NAMES: Readonly<Record<string, string>> = { refund: 'Refund', chargeback: 'Chargeback', reversal: 'Reversal' };

const sourceKey = ({ id }: Payment) => ({ sourceType: 'refund', sourceId: id }) as const;

function sourceOf(refund: Payment, invoice: Invoice | null): EntrySource {
  const { kind, reference, policyId, invoiceId } = refund;
  const description = `${NAMES[kind] ?? kind} ${reference}${invoice ? ` of ${invoice.invoiceNumber}` : ''}`;
  return { ...sourceKey(refund), date: returnedOn(refund), description, policyId, invoiceId };
}

/** The commission that a return took: one record per set of terms. */
function reversalsFor(records: readonly CommissionRecord[], { id }: Payment): CommissionRecord[] {
  return records.filter(({ sourceType, sourceId }) => sourceType === 'refund' && sourceId.split('/')[0] === id);
}
