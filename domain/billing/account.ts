// The account of an insured: what was claimed, paid, given back and given up, in the order in which it happened, with
// the balance after each. Pure. A positive amount is owed, a negative one is in favor of the insured.
import type { BusinessDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import type { PaymentKind, PaymentStatus, ReturnKind } from './payment.ts';

/** Why an invoice claims more or less than before. */
export type AdjustmentKind = 'change' | 'void' | 'restored' | 'write_off' | 'recovery' | 'returned';

export const ENTRY_KINDS = [
  'invoice',
  'additional_premium',
  'return_premium',
  'void',
  'restored',
  'write_off',
  'recovery',
  'credit',
  'payment',
  'refund',
  'chargeback',
  'reversal',
  'transfer',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What a line says to somebody who does not know these names. */
export const ENTRY_WORDS: Readonly<Record<EntryKind, string>> = {
  invoice: 'Invoice',
  additional_premium: 'Additional premium',
  return_premium: 'Return premium',
  void: 'Invoice withdrawn',
  restored: 'Amount owed again',
  write_off: 'Written off',
  recovery: 'Write-off reversed',
  credit: 'No longer owed after money went back',
  payment: 'Payment received',
  refund: 'Refund',
  chargeback: 'Payment taken back by the bank of the card',
  reversal: 'Payment returned',
  transfer: 'Transfer between policies',
};

/** One line of an account. */
export interface AccountEntry {
  /** Of the row that it stands for; entries of a day are in the order of `at` and then of their ids. */
  id: string;
  at: Date;
  date: BusinessDate;
  kind: EntryKind;
  /** The number of the invoice, or what names the payment. */
  reference: string;
  amountCents: Cents;
  invoiceId: string | null;
  paymentId: string | null;
  transactionId: string | null;
  /** Of an invoice. */
  dueDate: BusinessDate | null;
}

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

/** A payment or return; amounts of returns are negative. */
export interface AccountPayment {
  id: string;
  invoiceId: string | null;
  kind: PaymentKind;
  status: PaymentStatus;
  reference: string;
  amountCents: Cents;
  appliedCents: Cents;
  beforePaidCents: Cents;
  coveredCents: Cents;
  policyTransactionId: string | null;
  receivedOn: BusinessDate;
  createdAt: Date;
}

export interface Account {
  invoices: readonly AccountInvoice[];
  adjustments: readonly AccountAdjustment[];
  payments: readonly AccountPayment[];
  /** Money that went to another policy, or came from one: negative where it came. */
  transfers: readonly AccountEntry[];
}

/** Lists everything that happened on an account, in order. */
export function accountEntries({ invoices, adjustments, payments, transfers }: Account): AccountEntry[] {
  const numbers = new Map(invoices.map(({ id, invoiceNumber }) => [id, invoiceNumber]));
  const happened = payments.filter(({ kind, status }) => kind !== 'application' && status === 'succeeded');
  const given = happened.filter(isReturn).map((row) => ({ row, creditCents: creditOf(row) }));
  const credits = given.filter(({ creditCents }) => creditCents !== 0);
  const kept = withoutCredits(adjustments, credits);
  const entries = [
    ...invoices.map((invoice) => madeEntry(invoice, adjustments)),
    ...kept.map((adjustment) => adjustedEntry(adjustment, numbers)),
    ...credits.map(({ row, creditCents }) => creditEntry(row, creditCents, numbers)),
    ...happened.map(moneyEntry),
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

/** Operating money has paid what a bank took and nobody held any more: the insured does not owe that. */
function moneyEntry(row: AccountPayment): AccountEntry {
  const { id, invoiceId, kind, reference, policyTransactionId: transactionId, receivedOn: date } = row;
  const amountCents = 0 - row.amountCents - row.coveredCents;
  const what = kind === 'application' ? 'payment' : MONEY[kind];
  return {
    ...{ id, at: row.createdAt, date, kind: what, reference, amountCents, invoiceId },
    ...{ paymentId: id, transactionId, dueDate: null },
  };
}

function byTime(one: AccountEntry, other: AccountEntry): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  return one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id));
}
