// Invoices to be paid, and the resulting books: for the tests of everything that moves money.

import type { PayPayload } from '../../../contracts/billing.ts';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { Invoice, type InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { LedgerEntry } from '../../../db/entities/billing/ledger-entry.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { Appointment } from '../../../db/entities/distribution/appointment.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { accountTotals } from '../../../db/queries/billing/ledger-lists.ts';
import type { Tenant } from '../run-engine.ts';

/** A bound policy whose transaction can be billed on more invoices. */
export interface Insurance {
  tenant: Tenant;
  /** An invoice of the bound policy, the model for the others. */
  invoice: Invoice;
}

const IN_FULL = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;

/** Texas: premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, together 10,751.23. Domain facts 4.2. */
export const SAMPLE_LINES: InvoiceLine[] = [
  { kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: 1_000_000 },
  { kind: 'fee', code: 'POLICY_FEE', description: 'Policy fee', amountCents: 25_000 },
  { kind: 'tax', code: 'SL_TAX', description: 'Surplus lines tax', amountCents: 49_713 },
  { kind: 'tax', code: 'STAMPING_FEE', description: 'Stamping fee', amountCents: 410 },
];
export const SAMPLE_TOTAL_CENTS = 1_075_123;
/** The shares of the sample by account, as credits: 12.5 percent of its premium are the agent's, 10 percent ours. */
export const SAMPLE_SHARES = {
  2010: -775_000,
  2020: -125_000,
  2030: -100_000,
  2040: -49_713,
  2050: -410,
  2090: -25_000,
};

/** An active producer appointed for GL in Texas. */
export async function addProducer(tenant: Tenant): Promise<string> {
  const id = newId('producer');
  await tenant.database.transaction(tenant.orgId, async (em) => {
    em.create(Producer, { id, name: 'Lone Star Agency', status: 'active' }, { persist: true });
    const scope = { producerId: id, state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier' };
    em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
  });
  return id;
}

/** Binds a policy, by default through a producer of the lowest tier: 12.5 percent; 10 percent is ours. */
export async function insure(tenant: Tenant, { withProducer = true } = {}): Promise<Insurance> {
  const producerId = withProducer ? await addProducer(tenant) : null;
  const submissionId = await tenant.quoted({ producerId });
  const { policyId } = await tenant.lifecycle.bindSubmission(tenant.command(submissionId, IN_FULL));
  const [invoice] = await tenant.database.forOrg(tenant.orgId, (em) => invoicesOfPolicy(em, policyId));
  if (!invoice) throw new Error('A bound policy has an invoice');
  return { tenant, invoice };
}

let numbered = 0;

/** Bills the sample once more on the policy; returns the invoice. */
export async function bill({ tenant, invoice }: Insurance, changes: Partial<Invoice> = {}): Promise<string> {
  const { policyId, transactionId, producerId, dueDate, issueDate } = invoice;
  numbered += 1;
  const id = newId('invoice');
  const facts = { policyId, transactionId, producerId, dueDate, issueDate, installmentNumber: 1, installmentCount: 1 };
  await tenant.database.transaction(tenant.orgId, async (em) => {
    const lines = SAMPLE_LINES;
    const invoiceNumber = `INV-2020-${String(numbered).padStart(6, '0')}`;
    const row = { id, invoiceNumber, insuredName: 'Blue Door Diner', lines, totalCents: SAMPLE_TOTAL_CENTS };
    em.create(Invoice, { ...row, ...facts, ...changes }, { persist: true });
  });
  return id;
}

/** A check for the whole sample, with a number of its own. */
export function payment(invoiceId: string, changes: Partial<PayPayload> = {}): PayPayload {
  numbered += 1;
  const reference = `check ${numbered}`;
  return { invoiceId, amountCents: SAMPLE_TOTAL_CENTS, method: 'check', reference, receivedDate: null, ...changes };
}

/** What is in the books: balances by account in cents (debit positive), and the number of rows of each kind. */
export async function books({ orgId, database }: Tenant, invoiceId: string) {
  return database.forOrg(orgId, async (em) => {
    const totals = await accountTotals(em);
    const balances = [...totals].map(([account, { debitCents, creditCents }]) => [account, debitCents - creditCents]);
    const events = await em.find(Event, {}, { orderBy: { position: 'asc' } });
    const entries = await em.find(LedgerEntry, { invoiceId }, { orderBy: { id: 'asc' } });
    return {
      balances: Object.fromEntries(balances) as Record<number, number>,
      payments: await em.find(Payment, { invoiceId }, { orderBy: { id: 'asc' } }),
      commissions: await em.find(CommissionRecord, { invoiceId }),
      entries: entries.map(({ entryType }) => entryType),
      events: events.filter(({ data }) => data.invoiceId === invoiceId),
      invoice: await em.findOneOrFail(Invoice, { id: invoiceId }),
    };
  });
}

/** Pays a policy's first invoice in full by check. */
export async function payFirst(tenant: Tenant, policyId: string): Promise<string> {
  const { orgId, database, lifecycle, command } = tenant;
  const [invoice] = await database.forOrg(orgId, (em) => invoicesOfPolicy(em, policyId));
  if (!invoice) throw new Error('A bound policy has an invoice');
  const paymentId = newId('payment');
  await lifecycle.recordPayment(command(paymentId, payment(invoice.id, { amountCents: invoice.totalCents })));
  return paymentId;
}
