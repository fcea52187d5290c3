// A change to the books by someone with access to the database, with the check that finds it, and the statements that
// make such changes.
import type { CheckName } from '../../../domain/billing/reconciliation/checks.ts';
import type { LifeName } from './reconciled-book.ts';

export interface Tampering {
  what: string;
  life: LifeName;
  /** Statements with `:policy`, `:invoice` and `:org`. */
  change: string[];
  finds: CheckName;
  /** A statement for the id of the named row, read before the change. */
  names: string;
}

export const POLICY = 'select :policy';
export const INVOICE = 'select :invoice';
export const ORGANIZATION = 'select :org';
export const RECEIPT = "select id from payments where invoice_id = :invoice and kind in ('card', 'manual')";
export const REFUND = "select id from payments where invoice_id = :invoice and kind = 'refund'";
export const DISBURSEMENT = 'select id from disbursements where policy_id = :policy';
export const CHARGEBACK = "select id from payments where invoice_id = :invoice and kind = 'chargeback'";
export const REVERSAL = "select id from payments where invoice_id = :invoice and kind = 'reversal'";
export const RECORD = "select id from commission_records where invoice_id = :invoice and type = 'earned'";
export const entryOf = (type: string) =>
  `select id from ledger_entries where invoice_id = :invoice and entry_type = '${type}'`;
export const linesOf = (type: string) => `entry_id in (${entryOf(type)})`;
export const without = (...types: string[]) =>
  types.flatMap((type) => [
    `delete from ledger_lines where ${linesOf(type)}`,
    `delete from ledger_entries where invoice_id = :invoice and entry_type = '${type}'`,
  ]);
/** Replaces the amount on a line of a bill. */
export const lineIs = (position: number, cents: string) =>
  `lines = jsonb_set(lines, '{${position},amountCents}', to_jsonb((lines -> ${position} ->> 'amountCents')::bigint ${cents}))`;
export const entry = (id: string, ledger: string, type: string) => `
  insert into ledger_entries (id, org_id, ledger, entry_type, source_type, source_id, date, description, line_count)
  values ('${id}', :org, '${ledger}', '${type}', 'transfer', 'out', '2026-01-01', 'Moved', 2)`;
const OWN = [1030, 1120];
export const line = (entryId: string, account: number, side: 'debit' | 'credit', cents: number) => `
  insert into ledger_lines (id, org_id, entry_id, ledger, account, ${side}_cents) values
  ('${entryId}-${account}', :org, '${entryId}', '${OWN.includes(account) ? 'general' : 'fiduciary'}', ${account}, ${cents})`;
