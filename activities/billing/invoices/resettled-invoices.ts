/**
 * Shares out an invoice again: a reversed payment takes it out of the shares; money that comes back, or a credit, puts
 * it back in. Both ledgers and commission move by the same parts, so no step that another saga has yet to take is
 * taken twice. Contract 3.2 "Parts tie out", 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { commissionRecordsOf } from '../../../db/queries/billing/commission-basis.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { returnsOfInvoice } from '../../../db/queries/billing/refunds.ts';
import { keepTrustWhole } from '../../../db/queries/billing/remittances/shortfalls.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { composedReturn } from '../../../domain/billing/ledger/composed-return.ts';
import { earningsSharing, sharingEntry } from '../../../domain/billing/ledger/entries.ts';
import {
  type InvoiceSplit,
  isTakenFrom,
  splitDifference,
  splitTotal,
} from '../../../domain/billing/ledger/invoice-split.ts';
import {
  NO_SPLIT,
  NOTHING_RETURNED,
  nextReturn,
  type ReturnedShares,
  withReturn,
} from '../../../domain/billing/ledger/returned-part.ts';
import { waitingCents } from '../../../domain/billing/paid-again.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { sumCents } from '../../../domain/money.ts';
import { type SharesAsOf, sharesOf } from '../../../plans/billing/invoice-shares.ts';
import { persistMoved } from './commission-records.ts';
import { postFirstEarnings } from './first-earnings.ts';
import { type InvoiceLedger, invoiceLedger, linesIn, sharesIn } from './invoice-ledger.ts';

/** Why an invoice is shared out again; unique in the organization. */
export interface Resettlement {
  cause: string;
  on: BusinessDate;
  asOf?: SharesAsOf;
}

/**
 * Brings a locked invoice's shares in line with its amounts and lines: no one has a share of one that is not fully
 * paid. Does nothing if they agree, or if it was never shared out. Changed rows must be flushed first.
 * @throws DomainError not_ready without a commission schedule
 */
export async function resettle(em: EntityManager, invoice: Invoice, { cause, on, asOf }: Resettlement): Promise<void> {
  const ledger = await invoiceLedger(em, invoice);
  const { split, returned } = ledger;
  if (split === null) return;
  const isShared = invoice.voidedAt === null && isFullyPaid(invoiceAmounts(invoice));
  const target = isShared ? await sharesNow(em, invoice, { ledger, asOf }) : NO_SPLIT;
  const moved = splitDifference(target, splitDifference(split, returned));
  const { id: invoiceId, policyId, invoiceNumber } = invoice;
  const source = { sourceType: 'settlement', sourceId: cause, date: on, policyId, invoiceId } as const;
  postEntry(em, sharingEntry(moved), { ...source, description: `Split of ${invoiceNumber}, settled again` });
  const description = `Commission and fees of ${invoiceNumber}, settled again`;
  if (ledger.entries.some(({ entryType }) => entryType === 'earnings')) {
    postEntry(em, earningsSharing(moved), { ...source, description });
  } else postFirstEarnings(em, invoice, { before: split, after: target, on, description });
  const { carrierCents, agentCents, mgaCents } = moved;
  const parties = { carrierCents, agentCents, mgaCents };
  persistMoved(em, await commissionRecordsOf(em, invoiceId), { moved: parties, source: { ...source, on } });
  if (isTakenFrom(moved)) await keepTrustWhole(em, invoice, on);
}

/**
 * The shares of the money an invoice holds: its lines, less refunds since it was fully paid, less a proportional part
 * of what a bank holds for now. A return not in the ledger yet will take its own part.
 */
async function sharesNow(
  em: EntityManager,
  invoice: Invoice,
  { ledger: { entries, lines }, asOf }: { ledger: InvoiceLedger; asOf?: SharesAsOf | undefined },
): Promise<InvoiceSplit> {
  const { split } = await sharesOf(em, invoice, asOf);
  const returns = await sharedReturns(em, invoice);
  let gone = NOTHING_RETURNED;
  for (const row of returns.filter(({ kind }) => kind === 'refund')) {
    const entry = postingOf(entries, row);
    if (entry === undefined) continue;
    const taken = sharesIn(linesIn(lines, [entry]), 'debitCents');
    gone = withReturn(gone, partOf({ row, taken, split, gone }), row.composition !== null);
  }
  const unposted = returns.filter((row) => postingOf(entries, row) === undefined);
  const heldCents = (await ownedCents(em, invoice)) + sumCents(unposted.map(sharedCents));
  const missingCents = Math.max(splitTotal(split) - splitTotal(gone.returned) - heldCents, 0);
  const rest = splitDifference(split, gone.returned);
  return splitDifference(rest, nextReturn(split, gone, missingCents));
}

/** What a paid invoice holds for its owners, without what a reserved return will take beyond its total. */
export async function ownedCents(em: EntityManager, invoice: Invoice): Promise<number> {
  const waiting = waitingCents(invoiceAmounts(invoice), await returnsOfInvoice(em, invoice.id));
  return invoice.paidCents - invoice.refundedCents - waiting;
}

/** What an invoice's returns, except one, have yet to take in the ledger. */
export async function awaitedCents(
  em: EntityManager,
  invoice: Invoice,
  { ledger: { entries }, except }: { ledger: InvoiceLedger; except: Payment },
): Promise<number> {
  const awaited = (await sharedReturns(em, invoice)).filter(
    (row) => row.id !== except.id && postingOf(entries, row) === undefined,
  );
  return sumCents(awaited.map(sharedCents));
}

/** Lists the returns that took money after the invoice was fully paid. */
async function sharedReturns(em: EntityManager, { id }: Invoice): Promise<Payment[]> {
  return (await returnsOfInvoice(em, id)).filter((row) => row.status === 'succeeded' && sharedCents(row) > 0);
}

/** Finds a return's ledger entry; undefined if not posted yet. */
function postingOf(entries: InvoiceLedger['entries'], { id }: Payment) {
  return entries.find(({ sourceId, entryType }) => sourceId === id && POSTED.has(entryType));
}

/** A `payout` without a `return`: operating money covered all of it, so it took nothing from anyone. */
const POSTED = new Set(['return', 'payout']);

/** What a return took after the invoice was fully paid. */
export function sharedCents({ appliedCents, beforePaidCents }: Payment): number {
  return -appliedCents - beforePaidCents;
}

interface PostedRefund {
  row: Payment;
  /** According to its entry. */
  taken: InvoiceSplit;
  split: InvoiceSplit;
  gone: ReturnedShares;
}

/**
 * A refund posted while no one had a share is divided as it would have been; so is one that took a cent more from a
 * party than today's lines give them.
 */
function partOf({ row, taken, split, gone }: PostedRefund): InvoiceSplit {
  const cents = sharedCents(row);
  if (splitTotal(taken) === cents && isWithin(splitDifference(split, gone.returned), taken)) return taken;
  const { composition } = row;
  return composition === null ? nextReturn(split, gone, cents) : composedReturn(split, gone, { composition, cents });
}

function isWithin(whole: InvoiceSplit, part: InvoiceSplit): boolean {
  return Object.values(splitDifference(whole, part)).every((cents) => cents >= 0);
}
