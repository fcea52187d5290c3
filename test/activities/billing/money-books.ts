// What the database has booked for an invoice, and the rules that tie it to the model.
import assert from 'node:assert/strict';
import type { Database } from '../../../db/orm.ts';
import { policyAccount } from '../../../db/queries/billing/account.ts';
import { invoiceAmounts, invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { accountEntries, accountStatement } from '../../../domain/billing/account/account.ts';
import { billOf, invoiceBalance } from '../../../domain/billing/invoice.ts';
import type { InvoiceSplit } from '../../../domain/billing/ledger/invoice-split.ts';
import { sumCents } from '../../../domain/money.ts';
import type { InvoiceModel } from './invoice-model.ts';

/** A fresh invoice in the database. */
export interface FreshInvoice {
  orgId: string;
  invoiceId: string;
  policyId: string;
  hasProducer: boolean;
  /** Who owns its money once it is paid, worked out by hand. */
  split: InvoiceSplit;
}

const SHARES: Record<keyof InvoiceSplit, number> = {
  carrierCents: 2010,
  agentCents: 2020,
  mgaCents: 2030,
  taxCents: 2040,
  stampingCents: 2050,
  feeCents: 2090,
};
/** Trust assets and trust liabilities. */
const TRUST_ACCOUNTS = [1010, 1040, 1110, 1200, 2010, 2020, 2030, 2040, 2050, 2060, 2070, 2080, 2090];
/**
 * How far a share may be from its exact proportion, in cents. Carrier, agent and we have the proportion of everything
 * returned so far, rounded to the cent. The last of the others able to makes up for the rounding of five at most, each
 * of half a cent. A won chargeback gives back what it once took, which was the difference of two rounded amounts.
 */
const ROUNDED_CENTS = 0.5;
const MADE_UP_CENTS = 2.5;
const WON_CENTS = 3;
const ROUNDED: readonly (keyof InvoiceSplit)[] = ['carrierCents', 'agentCents', 'mgaCents'];

export interface Stored {
  paidCents: number;
  refundedCents: number;
  refundedBeforePaidCents: number;
  isVoid: boolean;
  /** What its returns owe by check. */
  owedCents: number;
  /** Account → debits less credits. */
  accounts: Record<string, number>;
}

/** After every operation: the row matches the model, debits equal credits, and the trust holds what it owes. */
export function ensureBalanced({ accounts, owedCents: _, ...row }: Stored, model: InvoiceModel): void {
  assert.deepEqual(row, model.row);
  ensureShownAmounts(row, model);
  const balance = (numbers: number[]) => numbers.reduce((sum, account) => sum + (accounts[account] ?? 0), 0);
  assert.equal(balance(Object.keys(accounts).map(Number)), 0, 'debits are credits');
  assert.equal(balance(TRUST_ACCOUNTS), 0, 'the trust holds what it owes');
}

/** The amounts that readers of an unpaid invoice see add up: total − paid + refunded is the balance. */
function ensureShownAmounts(row: Omit<Stored, 'accounts' | 'owedCents'>, model: InvoiceModel): void {
  const { isVoid: voided, paidCents, refundedCents } = row;
  const marks = { voided, uncollectible: false, dueDate: '2026-12-01' };
  const { totalCents } = billOf({ ...row, ...marks, totalCents: model.totalCents }, []);
  const isOpen = !voided && !model.wasPaid;
  const expected = isOpen ? model.balanceCents + paidCents - refundedCents : model.totalCents;
  assert.equal(totalCents, expected, 'the total that is shown');
}

/**
 * With nothing left to do: all money held is where it belongs. `commissions`: carrier, agent, managing general agent.
 */
export function ensureSharedOut(
  { accounts, owedCents }: Stored,
  commissions: readonly number[],
  { model, invoice }: { model: InvoiceModel; invoice: FreshInvoice },
): void {
  const { split, hasProducer } = invoice;
  const on = (account: number) => (account < 2000 ? (accounts[account] ?? 0) : 0 - (accounts[account] ?? 0));
  const { coveredCents } = model;
  assert.equal(owedCents, model.owedCents, 'owed by check');
  const cashCents = model.heldCents + model.unappliedCents + owedCents - coveredCents;
  assert.equal(on(1010) + on(1110), cashCents, 'cash');
  assert.deepEqual([on(1040), on(2110), on(5020)], [coveredCents, coveredCents, 0 - coveredCents], 'covered');
  assert.equal(on(2060), owedCents, 'owed to the insured is what is to be paid by check');
  assert.equal(on(2070), model.unappliedCents + (model.wasPaid ? 0 : model.heldCents), 'unapplied');
  const sharedCents = model.wasPaid ? model.heldCents : 0;
  const names = Object.keys(SHARES) as (keyof InvoiceSplit)[];
  assert.equal(
    names.reduce((sum, name) => sum + on(SHARES[name]), 0),
    sharedCents,
    'shares',
  );
  for (const name of names) {
    const exact = (split[name] * sharedCents) / model.totalCents;
    const distance = Math.abs(on(SHARES[name]) - exact) - 1e-9;
    const rounded = ROUNDED.includes(name) ? ROUNDED_CENTS : MADE_UP_CENTS;
    assert.ok(distance <= (model.hasWon ? WON_CENTS : rounded), `${name}: ${on(SHARES[name])} for ${exact}`);
    assert.ok(on(SHARES[name]) >= 0 && on(SHARES[name]) <= split[name], name);
  }
  assert.deepEqual([on(4010), on(4020), on(1120)], [on(2030), on(2090), on(2030) + on(2090)], 'earned');
  const shared = hasProducer ? [on(2010), on(2020), on(2030)] : [0, 0, 0];
  assert.deepEqual(commissions, shared, 'commission');
}

/**
 * With nothing left to do: the policy's account is what its invoices still claim, less unapplied money and less what
 * is owed by check for payments that were good.
 */
export async function ensureAccount(
  database: Database,
  { orgId, policyId, invoiceId }: FreshInvoice,
  { unappliedCents, feesCents, isReissued }: InvoiceModel,
): Promise<void> {
  await database.forOrg(orgId, async (em) => {
    const entries = accountEntries(await policyAccount(em, policyId));
    const invoices = await invoicesOfPolicy(em, policyId);
    const fees = invoices.filter(({ id, reissueOf }) => id !== invoiceId && reissueOf === null);
    assert.equal(sumCents(fees.map(({ totalCents }) => totalCents)), feesCents, 'fees for bounced checks');
    assert.equal(invoices.length - fees.length, isReissued ? 2 : 1, 'invoices');
    const standing = invoices.map(invoiceAmounts);
    const { closingCents } = accountStatement(entries, { from: null, to: '2999-12-31' });
    const [owed] = await em.execute<{ cents: string }[]>(OWED_BY_CHECK, [policyId]);
    const oursCents = unappliedCents + Number(owed?.cents);
    assert.equal(closingCents, sumCents(standing.map(invoiceBalance)) - oursCents, 'account');
  });
}

/** Reads an invoice's row and what is booked for it on each account. */
export function readStored(database: Database, { orgId, invoiceId }: FreshInvoice): Promise<Stored> {
  return database.forOrg(orgId, async (em) => {
    const [row] = await em.execute<Record<string, string>[]>(STORED, [invoiceId]);
    return {
      paidCents: Number(row?.paid_cents),
      refundedCents: Number(row?.refunded_cents),
      refundedBeforePaidCents: Number(row?.refunded_before_paid_cents),
      isVoid: Boolean(row?.is_void),
      owedCents: Number(row?.owed_cents),
      accounts: (row?.accounts ?? {}) as unknown as Record<string, number>,
    };
  });
}

/** Adds up an invoice's commission records: carrier, agent, managing general agent. */
export function readCommissions(database: Database, { orgId, invoiceId }: FreshInvoice): Promise<number[]> {
  return database.forOrg(orgId, async (em) => {
    const [row] = await em.execute<Record<string, string>[]>(COMMISSIONS, [invoiceId]);
    return [Number(row?.carrier), Number(row?.agent), Number(row?.mga)];
  });
}

const OWED_BY_CHECK = `
select coalesce(sum((part ->> 'amountCents')::bigint), 0) as cents
  from disbursements d join payments r on r.id = d.refund_id, jsonb_array_elements(r.allocations) part
  where d.policy_id = ? and d.status in ('pending', 'stopped') and part ->> 'method' <> 'card' and not exists (
    select from payments v, jsonb_array_elements(v.allocations) taken
      where v.kind = 'reversal' and v.invoice_id = d.invoice_id and taken ->> 'paymentId' = part ->> 'paymentId')`;

const STORED = `
select i.paid_cents, i.refunded_cents, i.refunded_before_paid_cents, i.voided_at is not null as is_void,
  (select coalesce(sum(amount_cents), 0) from disbursements d
    where d.invoice_id = i.id and d.status in ('pending', 'stopped')) as owed_cents,
  (select jsonb_object_agg(account, cents) from (
    select l.account, sum(l.debit_cents - l.credit_cents) as cents from ledger_entries e
    join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id
    where e.org_id = i.org_id and e.invoice_id = i.id group by l.account) booked) as accounts
from invoices i where i.id = ?`;

const COMMISSIONS = `
select coalesce(sum(carrier_net_cents), 0) as carrier, coalesce(sum(agent_commission_cents), 0) as agent,
  coalesce(sum(mga_commission_cents), 0) as mga from commission_records where invoice_id = ?`;
