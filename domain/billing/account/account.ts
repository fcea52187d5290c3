// The account of an insured: what was billed, paid, refunded and written off, in order, with the balance after each.
// Pure. A positive amount is owed; a negative one is in the insured's favor.
import type { BusinessDate } from '../../dates.ts';
import { type Cents, sumCents } from '../../money.ts';
import { isReserved, KEPT_REFUND, type PaymentKind, type ReturnKind } from '../payment.ts';
import { returnedOn } from '../refund-approval.ts';
import { type AccountCheck, checkEntries, owedByCheck } from './checks.ts';
import type { AccountEntry, AccountPayment, EntryKind } from './entry.ts';

/** Why an invoice bills more or less than before. */
export type AdjustmentKind = 'change' | 'void' | 'restored' | 'write_off' | 'recovery' | 'returned';

/** What a statement needs of an invoice; `claimCents` is what it bills by now, paid or not. */
export interface AccountInvoice {
  id: string;
  invoiceNumber: string;
  transactionId: string;
  issueDate: BusinessDate;
  dueDate: BusinessDate;
  claimCents: Cents;
  createdAt: Date;
}

export interface AccountAdjustment {
  id: string;
  invoiceId: string;
  kind: AdjustmentKind;
  amountCents: Cents;
  transactionId: string | null;
  adjustedOn: BusinessDate;
  createdAt: Date;
}

export interface Account {
  invoices: readonly AccountInvoice[];
  adjustments: readonly AccountAdjustment[];
  payments: readonly AccountPayment[];
  /** What refunds owe by check, including return premium not owed yet. */
  checks: readonly AccountCheck[];
  /** Money moved to another policy, or from one (negative). */
  transfers: readonly AccountEntry[];
}

/** Lists everything that happened on an account, in order. */
export function accountEntries({ invoices, adjustments, payments, checks, transfers }: Account): AccountEntry[] {
  const numbers = new Map(invoices.map(({ id, invoiceNumber }) => [id, invoiceNumber]));
  const happened = payments.filter(({ kind, status }) => kind !== 'application' && status === 'succeeded');
  const given = happened.filter(isReturn).map((row) => ({ row, creditCents: creditOf(row) }));
  const credits = given.filter(({ creditCents }) => creditCents !== 0);
  const kept = withoutCredits(adjustments, credits);
  const entries = [
    ...invoices.map((invoice) => madeEntry(invoice, adjustments)),
    ...kept.map((adjustment) => adjustedEntry(adjustment, numbers)),
    ...credits.map(({ row, creditCents }) => creditEntry(row, creditCents, numbers)),
    ...payments.filter(isWaitingReturn).map((row) => creditEntry(row, row.appliedCents, numbers)),
    ...happened.filter(({ method, kind }) => method !== KEPT_REFUND || kind !== 'manual').map(moneyEntry(checks)),
    ...checkEntries(checks, payments),
    ...transfers,
  ];
  return entries.filter(({ amountCents }) => amountCents !== 0).sort(byTime);
}

/** A statement for a range of days, both ends included. */
export interface AccountStatement {
  openingCents: Cents;
  lines: (AccountEntry & { balanceCents: Cents })[];
  closingCents: Cents;
}

/** Returns an account's lines for the days of a statement, with the balance after each. */
export function accountStatement(
  entries: readonly AccountEntry[],
  { from, to }: { from: BusinessDate | null; to: BusinessDate },
): AccountStatement {
  const isBefore = ({ date }: AccountEntry) => from !== null && date < from;
  const openingCents = sumCents(entries.filter(isBefore).map(({ amountCents }) => amountCents));
  let balanceCents = openingCents;
  const lines = entries
    .filter((entry) => !isBefore(entry) && entry.date <= to)
    .map((entry) => {
      balanceCents += entry.amountCents;
      return { ...entry, balanceCents };
    });
  return { openingCents, lines, closingCents: balanceCents };
}

/** An invoice as originally issued: what it bills today less the changes since. */
function madeEntry(invoice: AccountInvoice, adjustments: readonly AccountAdjustment[]): AccountEntry {
  const { id, invoiceNumber: reference, transactionId, issueDate, dueDate, createdAt: at } = invoice;
  const since = adjustments.filter(({ invoiceId }) => invoiceId === id);
  const amountCents = invoice.claimCents - sumCents(since.map((each) => each.amountCents));
  return {
    id,
    at,
    date: issueDate,
    kind: 'invoice',
    reference,
    amountCents,
    ...OF_INVOICE(id),
    transactionId,
    dueDate,
  };
}

const OF_INVOICE = (invoiceId: string) => ({ invoiceId, paymentId: null });

function adjustedEntry(adjustment: AccountAdjustment, numbers: ReadonlyMap<string, string>): AccountEntry {
  const { id, invoiceId, amountCents, transactionId, adjustedOn: date, createdAt: at } = adjustment;
  const reference = numbers.get(invoiceId) ?? '';
  const kind = adjustedKind(adjustment);
  return { id, at, date, kind, reference, amountCents, ...OF_INVOICE(invoiceId), transactionId, dueDate: null };
}

/** A reduction without a policy transaction is a write-off. */
function adjustedKind({ kind, amountCents, transactionId }: AccountAdjustment): EntryKind {
  if (kind === 'returned') return 'credit';
  if (kind !== 'change') return kind;
  if (transactionId === null && amountCents < 0) return 'write_off';
  return amountCents < 0 ? 'return_premium' : 'additional_premium';
}

/** Whether return premium has not been refunded yet: it reduces no invoice, and is owed to the insured. */
export function isWaitingReturn({
  kind,
  status,
  policyTransactionId,
}: Pick<AccountPayment, 'kind' | 'status' | 'policyTransactionId'>): boolean {
  return kind === 'refund' && isReserved(status) && policyTransactionId !== null;
}

function isReturn({ kind }: AccountPayment): boolean {
  return kind === 'refund' || kind === 'chargeback' || kind === 'reversal';
}

/** How much a return reduces what its invoice bills: all that need not be paid again. */
function creditOf({ appliedCents, beforePaidCents }: AccountPayment): Cents {
  return appliedCents + beforePaidCents;
}

/** Returning money reduces what the invoice bills, on the day in the ledger. */
function creditEntry(row: AccountPayment, amountCents: Cents, numbers: ReadonlyMap<string, string>): AccountEntry {
  const { id, invoiceId, policyTransactionId: transactionId, receivedOn: date, createdAt: at } = row;
  const kind: EntryKind = transactionId === null ? 'credit' : 'return_premium';
  const reference = numbers.get(invoiceId ?? '') ?? row.reference;
  return { id, at, date, kind, reference, amountCents, invoiceId, paymentId: id, transactionId, dueDate: null };
}

/**
 * Leaves out the adjustments already shown as credits. Those left on an invoice are returns that have since failed or
 * must be paid again after all; they too are left out where they net to zero.
 */
function withoutCredits(
  adjustments: readonly AccountAdjustment[],
  credits: readonly { row: AccountPayment; creditCents: Cents }[],
): AccountAdjustment[] {
  const [returned, others] = [adjustments.filter(isReturned), adjustments.filter((each) => !isReturned(each))];
  const standIns = credits.map(({ row, creditCents }) => asReturned(row, -creditCents));
  const byInvoice = Map.groupBy([...standIns, ...returned], ({ invoiceId }) => invoiceId);
  const rest = [...byInvoice.values()].flatMap((each) => {
    const amountCents = sumCents(each.map((one) => one.amountCents));
    const last = each.at(-1);
    return last === undefined || amountCents === 0 ? [] : [{ ...last, amountCents }];
  });
  return [...others, ...rest];
}

function isReturned({ kind }: AccountAdjustment): boolean {
  return kind === 'returned';
}

function asReturned(row: AccountPayment, amountCents: Cents): AccountAdjustment {
  const { id, invoiceId, policyTransactionId: transactionId, receivedOn: adjustedOn, createdAt } = row;
  return { id, invoiceId: invoiceId ?? '', kind: 'returned', amountCents, transactionId, adjustedOn, createdAt };
}

const MONEY: Readonly<Record<Exclude<PaymentKind, 'application'>, EntryKind>> = {
  card: 'payment',
  manual: 'payment',
  refund: 'refund',
  chargeback: 'chargeback',
  reversal: 'reversal',
} satisfies Record<'card' | 'manual' | ReturnKind, EntryKind>;

/**
 * Operating cash has covered what a bank took when the money was already gone: the insured does not owe that. A refund
 * by check is on the account on the day of the check.
 */
const moneyEntry =
  (checks: readonly AccountCheck[]) =>
  (row: AccountPayment): AccountEntry => {
    const { id, invoiceId, kind, method, reference, policyTransactionId: transactionId } = row;
    const amountCents = 0 - row.amountCents - row.coveredCents - owedByCheck(checks, id);
    const what = kind === 'application' ? 'payment' : MONEY[kind];
    return {
      ...{ id, at: row.createdAt, date: returnedOn(row), reference, amountCents, invoiceId },
      kind: method === KEPT_REFUND ? 'refund_withdrawn' : what,
      ...{ paymentId: id, transactionId, dueDate: null },
    };
  };

function byTime(one: AccountEntry, other: AccountEntry): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  return one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id));
}
