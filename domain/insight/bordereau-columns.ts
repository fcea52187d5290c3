// The columns of each kind of bordereau, in their order, and how a row is written. Domain facts 3.10.
import { type Cents, sumCents, toDollars } from '../money.ts';
import type { BordereauKind } from './bordereau.ts';

/** A column's type. `money` and `sum` are amounts in cents, written in dollars; a `sum` is totaled over the rows. */
export type ColumnType = 'text' | 'date' | 'number' | 'flag' | 'money' | 'sum';

export interface Column {
  name: string;
  type: ColumnType;
}

export type BordereauCell = string | number | boolean | null;

/** A row by the names of its columns, amounts in cents. */
export type BordereauRow = Record<string, BordereauCell>;

/** A row as written, amounts in dollars. */
export type WrittenRow = Record<string, BordereauCell>;

/** Sums by column, in cents. */
export type Totals = Record<string, Cents>;

const of = (type: ColumnType, ...names: string[]): Column[] => names.map((name) => ({ name, type }));

/** Rows are sorted by these two, which identify a row within a month. */
export const ROW_KEY = ['policyNumber', 'reference'] as const;

const REFERENCES = of('text', 'policyNumber', 'reference', 'reportingPeriod', 'contractReference');
const TERM = of('date', 'issueDate', 'inceptionDate', 'expirationDate');
const INSURED = of('text', 'insuredName', 'insuredAddress', 'insuredCity', 'insuredState', 'insuredPostalCode');
const RISK = of('text', 'state', 'lineOfBusiness', 'naicsCode', 'producer', 'surplusLinesBroker');
const TRANSACTION = [...of('text', 'transactionType'), ...of('date', 'transactionDate', 'effectiveDate')];
const CURRENCY = of('text', 'currency');

/** Written premium is on the rows of transactions, settled premium on those of ledger entries. */
const PREMIUM: Column[] = [
  ...REFERENCES,
  ...of('text', 'entry'),
  ...TRANSACTION,
  ...TERM,
  ...INSURED,
  ...RISK,
  ...CURRENCY,
  ...of('number', 'installment', 'commissionRate'),
  ...of('sum', 'grossPremium', 'agentCommission', 'mgaCommission', 'commission', 'netToCarrier'),
  ...of('sum', 'surplusLinesTax', 'stampingFee', 'fees'),
  ...of('sum', 'settledPremium', 'settledCommission', 'settledNetToCarrier'),
  ...of('sum', 'settledSurplusLinesTax', 'settledStampingFee', 'settledFees'),
];

const RISKS: Column[] = [
  ...REFERENCES,
  ...TRANSACTION,
  ...TERM,
  ...of('text', 'renewalOf'),
  ...INSURED,
  ...RISK,
  ...CURRENCY,
  ...of('money', 'limit', 'aggregateLimit', 'deductible', 'annualRevenue'),
  ...of('sum', 'grossPremium', 'surplusLinesTax', 'stampingFee', 'fees'),
  ...of('money', 'grossPremiumAfter'),
];

const CLAIMS: Column[] = [
  ...REFERENCES,
  ...of('text', 'insuredName', 'state', 'lineOfBusiness'),
  ...of('date', 'inceptionDate', 'expirationDate', 'lossDate', 'notifiedDate'),
  ...of('text', 'cause', 'status', 'claimantState'),
  ...of('flag', 'isDenied'),
  ...CURRENCY,
  ...of('sum', 'paidThisMonth', 'recoveredThisMonth', 'incurredThisMonth', 'fundPaidThisMonth'),
  ...of('sum', 'paidIndemnityToDate', 'paidExpenseToDate', 'recoveredToDate'),
  ...of('sum', 'reserveIndemnity', 'reserveExpense', 'totalIncurred'),
];

/** Kind of bordereau → its columns. */
export const BORDEREAU_COLUMNS: Readonly<Record<BordereauKind, readonly Column[]>> = {
  premium: PREMIUM,
  claims: CLAIMS,
  risk: RISKS,
};

/** Writes a row: its columns in order, amounts in dollars, missing values as null, or as 0 in summed columns. */
export function writtenRow(columns: readonly Column[], row: BordereauRow): WrittenRow {
  return Object.fromEntries(columns.map(({ name, type }) => [name, written(type, row[name] ?? null)]));
}

function written(type: ColumnType, cell: BordereauCell): BordereauCell {
  if (type === 'sum') return toDollars(Number(cell ?? 0));
  return type === 'money' && typeof cell === 'number' ? toDollars(cell) : cell;
}

/** Starts the sums of a bordereau. */
export function noTotals(columns: readonly Column[]): Totals {
  return Object.fromEntries(summed(columns).map((name) => [name, 0]));
}

/** Adds rows to the sums of their bordereau. */
export function addToTotals(totals: Totals, rows: readonly BordereauRow[]): Totals {
  const sums = Object.entries(totals).map(([name, cents]) => [
    name,
    sumCents([cents, ...rows.map((row) => Number(row[name] ?? 0))]),
  ]);
  return Object.fromEntries(sums);
}

function summed(columns: readonly Column[]): string[] {
  return columns.filter(({ type }) => type === 'sum').map(({ name }) => name);
}
