// The account of an insured: what was claimed, paid, given back and given up, in the order in which it happened, with
// the balance after each. Pure. A positive amount is owed, a negative one is in favor of the insured.
import type { BusinessDate } from '../../dates.ts';
import { type Cents, sumCents } from '../../money.ts';
import { isReserved, KEPT_REFUND, type PaymentKind, type ReturnKind } from '../payment.ts';
import { returnedOn } from '../refund-approval.ts';
import { type AccountCheck, checkEntries, owedByCheck } from './checks.ts';
import type { AccountEntry, AccountPayment, EntryKind } from './entry.ts';

/** Why an invoice claims more or less than before. */
export type AdjustmentKind = 'change' | 'void' | 'restored' | 'write_off' | 'recovery' | 'returned';

/** What a statement knows of an invoice; `claimCents` is what it claims by now, paid or not. */
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
  /** What refunds owe by check, and what return premium waits to be owed. */
  checks: readonly AccountCheck[];
  /** Money that went to another policy, or came from one: negative where it came. */
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

/** A statement for days, both included. */
export interface AccountStatement {
  openingCents: Cents;
  lines: (AccountEntry & { balanceCents: Cents })[];
  closingCents: Cents;
}

/** Cuts the days of a statement out of an account, with the balance after each line. */
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

/** An invoice as it was made: what it claims today less what has changed since. */
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

/** What no policy transaction took off a bill in parts was written off. */
function adjustedKind({ kind, amountCents, transactionId }: AccountAdjustment): EntryKind {
  if (kind === 'returned') return 'credit';
  if (kind !== 'change') return kind;
  if (transactionId === null && amountCents < 0) return 'write_off';
  return amountCents < 0 ? 'return_premium' : 'additional_premium';
}

/** Whether return premium has not gone back yet: it lowers the claim of no invoice, and is owed to the insured. */
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

/** What a return takes off the claim of its invoice: all that need not be paid again. */
function creditOf({ appliedCents, beforePaidCents }: AccountPayment): Cents {
  return appliedCents + beforePaidCents;
}

/** Of money that goes back the claim falls with it, on the day that the ledger names. */
function creditEntry(row: AccountPayment, amountCents: Cents, numbers: ReadonlyMap<string, string>): AccountEntry {
  const { id, invoiceId, policyTransactionId: transactionId, receivedOn: date, createdAt: at } = row;
  const kind: EntryKind = transactionId === null ? 'credit' : 'return_premium';
  const reference = numbers.get(invoiceId ?? '') ?? row.reference;
  return { id, at, date, kind, reference, amountCents, invoiceId, paymentId: id, transactionId, dueDate: null };
}

/**
 * Leaves out the adjustments that credits stand for. What is left of an invoice after that are returns which have
 * failed since, or must be paid again after all: they are left out too where nothing remains of them.
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
 * Operating money has paid what a bank took and nobody held any more: the insured does not owe that. What goes back by
 * check is on the account on the day of the check.
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
