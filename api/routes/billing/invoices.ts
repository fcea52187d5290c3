// Invoices with their payments: list and detail. Actions are in invoice-actions.ts. Spec 4.6, Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { findInvoice, listInvoices } from '../../../db/queries/billing/invoices.ts';
import { paymentsOf } from '../../../db/queries/billing/payments.ts';
import { unappliedOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { reissuesOf } from '../../../db/queries/billing/void-invoices.ts';
import { findPolicies } from '../../../db/queries/policy/policies.ts';
import { isReceipt } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { type Actor, may, visibility } from '../../../domain/permissions.ts';
import { policyFacts } from '../../../plans/authority/resource-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { showPolicies } from '../policy/shown-policies.ts';
import { present } from '../rows.ts';
import { InvoiceDetailSchema, type InvoiceDetailWire, InvoicePageSchema } from './invoice-details.schemas.ts';
import { InvoiceListQuery, InvoiceQuery } from './invoices.schemas.ts';
import { type InvoiceWithPayments, invoiceToWire } from './invoices.wire.ts';

const TAG = 'Billing';

export const invoiceResource: Resource<Invoice> = {
  name: 'invoice',
  load: findInvoice,
  facts: ({ orgId, producerId }) => ({ orgId, producerId }),
  version: ({ version }) => version,
};

const listInvoicesRoute = route({
  method: 'get',
  path: '/invoices',
  operationId: 'listInvoices',
  tag: TAG,
  spec: '4.6, Contract 3.4',
  summary: 'List invoices',
  description:
    'Filter by status, policy, due date, number or the text in `q`, which also finds the reference of a payment. Amounts are in dollars, and `balance` is what is still owed.',
  access: allow('invoice:read'),
  query: InvoiceListQuery,
  response: { status: 200, body: InvoicePageSchema },
  errors: [],
  handler: async ({ query, actor, org, db }) => {
    const { limit, cursor, sort, expand, ...filter } = query;
    const seen = { visibility: visibility(actor, 'invoice:read'), ...filter };
    return db.read(async (em) => {
      const { data, nextCursor } = await listInvoices(em, seen, org.today, { limit, cursor, sort });
      return { data: await shownInvoices(em, data, { expand, actor, today: org.today }), nextCursor };
    });
  },
});

const getInvoice = route({
  method: 'get',
  path: '/invoices/:id',
  operationId: 'getInvoice',
  tag: TAG,
  spec: '4.6, Contract 3.4',
  summary: 'Read an invoice',
  description:
    'It shows the lines, the payments and the balance. `lastPaymentError` is set while the latest card payment has failed.',
  access: allow('invoice:read', invoiceResource),
  params: z.strictObject({ id: idParam('invoice') }),
  query: InvoiceQuery,
  response: { status: 200, body: InvoiceDetailSchema },
  errors: [],
  handler: ({ row, query: { expand }, actor, org, db }) =>
    db.read(async (em) => present((await shownInvoices(em, [row], { expand, actor, today: org.today }))[0] ?? null)),
});

export const invoiceRoutes = [listInvoicesRoute, getInvoice];

/** Returns invoices as their reader sees them, with their policies if they are to be expanded. */
async function shownInvoices(
  em: EntityManager,
  invoices: readonly Invoice[],
  { expand, actor, today }: { expand: 'policy' | undefined; actor: Actor; today: BusinessDate },
): Promise<InvoiceDetailWire[]> {
  const shown = (await invoicesWithPayments(em, invoices)).map((billed) => invoiceToWire(billed, today));
  if (expand === undefined) return shown;
  const policies = await findPolicies(em, [...new Set(invoices.map(({ policyId }) => policyId))]);
  const readable = policies.filter((policy) => may(actor, 'policy:read', policyFacts(policy)));
  const byId = new Map((await showPolicies(em, readable, today)).map((policy) => [policy.id, policy]));
  return shown.map((invoice) => ({ ...invoice, policy: byId.get(invoice.policyId) ?? null }));
}

/** Adds to an invoice what other rows say about it. */
export async function billedInvoice(em: EntityManager, invoice: Invoice): Promise<InvoiceWithPayments> {
  const [billed] = await invoicesWithPayments(em, [invoice]);
  return present(billed ?? null);
}

/** One query for the payments of all, and one for the reissues if any is void. */
export async function invoicesWithPayments(
  em: EntityManager,
  invoices: readonly Invoice[],
): Promise<InvoiceWithPayments[]> {
  const payments = await paymentsOf(
    em,
    invoices.map(({ id }) => id),
  );
  const ofInvoice = Map.groupBy(payments, ({ invoiceId }) => invoiceId);
  const voidIds = invoices.filter(({ voidedAt }) => voidedAt !== null).map(({ id }) => id);
  const reissues = await reissuesOf(em, voidIds);
  const beyond = payments.filter((each) => isReceipt(each) && each.amountCents > each.appliedCents);
  const unapplied = await unappliedOf(
    em,
    beyond.map(({ id }) => id),
  );
  return invoices.map((invoice) => {
    const { id } = invoice;
    return { invoice, payments: ofInvoice.get(id) ?? [], reissuedAs: reissues.get(id) ?? null, unapplied };
  });
}
