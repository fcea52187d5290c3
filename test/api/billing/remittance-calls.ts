// What the tests of trust payments share: paid policies, remittances prepared and approved, and the resulting books.
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, bound, type House } from '../../support/house.ts';
import { reconciled } from './reconciled.ts';

export const TODAY = testToday();

/** Account → balance, leaving out zeros. */
export async function balances(house: House): Promise<Record<string, number>> {
  const { data } = bodyOf(await house.as('finance_analyst').get('/v1/ledger/accounts'));
  const rows = (data as { account: number; balance: number }[]).filter(({ balance }) => balance !== 0);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

/** Binds a policy of the worked example, pays it in full by check, and waits until it is shared out. */
export async function paidPolicy(house: House, producerId?: string) {
  const { policyId, invoices, effectiveDate } = await bound(house.as('underwriter'), producerId ? { producerId } : {});
  const [{ id: invoiceId, total }] = invoices;
  await payBill(house, invoices[0]);
  return { policyId, invoiceId, total, effectiveDate };
}

/** Pays a bill in full by check, and waits until it is shared out. */
export async function payBill(house: House, { id, total }: { id: string; total: number }): Promise<void> {
  const owed = (await balances(house))[2010] ?? 0;
  const check = { amount: total, method: 'check', reference: '7' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${id}/pay`, check), 201);
  await eventually(async () => ((await balances(house))[2010] ?? 0) > owed, { what: 'the split' });
}

/** Endorses a policy from its first day, and returns the bill. */
export async function endorse(
  house: House,
  { policyId, effectiveDate }: { policyId: string; effectiveDate: string },
  annualRevenue: number,
) {
  const change = { effectiveDate, changes: { annualRevenue } };
  const { invoices } = bodyOf(await house.as('underwriter').post(`/v1/policies/${policyId}/endorse`, change), 201);
  return invoices[0] as { id: string; total: number };
}

/** Refunds money on an invoice and waits until the ledger owes it back. */
export async function refund(house: House, invoiceId: string, amount: number): Promise<void> {
  const owed = (await balances(house))[2060] ?? 0;
  const body = { amount, reason: 'Paid twice.' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoiceId}/refund`, body), 201);
  const isOwed = async () => (await balances(house))[2060] === cents(owed + amount);
  await eventually(isOwed, { what: `${amount} to be owed back` });
}

/** Prepares a payment through today. */
export const prepare = async (house: House, path: string, body: object) =>
  bodyOf(await house.as('finance_analyst').post(path, { through: TODAY, ...body }), 201);

/** Approves it, as another person. */
export const approve = async (house: House, path: string, id: string) =>
  bodyOf(await house.as('billing_admin').post(`${path}/${id}/approve`));

/** Prepares and approves a payment. */
export const paid = async (house: House, path: string, body: object = {}) =>
  approve(house, path, (await prepare(house, path, body)).id);

/** A policy's current filings of a kind, newest first. */
export const filingsOf = async (house: House, policyId: string, kind: string) =>
  bodyOf(await house.as('auditor').get('/v1/compliance/filings', { query: { policyId, kind } })).data;

/** The newest one. */
export const filingOf = async (house: House, policyId: string, kind: string) =>
  (await filingsOf(house, policyId, kind))[0];

/** Rounds to the cent. */
export const cents = (dollars: number) => Math.round(dollars * 100) / 100;

/** Every check of the books, and the trust totals. */
export async function findings(house: House) {
  const { checks } = await reconciled(house.as('billing_admin'));
  return checks.filter(({ status }: { status: string }) => status === 'failed');
}
