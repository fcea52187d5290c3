// Invoices with their payments: list and detail. What is done with them is in invoice-actions.ts. Spec 4.6, Contract
// 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { findInvoice, listInvoices } from '../../../db/queries/billing/invoices.ts';
import { paymentsOf } from '../../../db/queries/billing/payments.ts';
import { unappliedOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { reissuesOf } from '../../../db/queries/billing/void-invoices.ts';
import { isReceipt } from '../../../domain/billing/payment.ts';
import { visibility } from '../../../domain/permissions.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import { InvoiceListQuery, InvoicePageSchema, InvoiceSchema } from './invoices.schemas.ts';
import { type BilledInvoice, invoiceToWire } from './invoices.wire.ts';

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
  access: allow('invoice:read'),
  query: InvoiceListQuery,
  response: { status: 200, body: InvoicePageSchema },
  errors: [],
  handler: async ({ query, actor, org, db }) => {
    const { limit, cursor, ...filter } = query;
    const seen = { visibility: visibility(actor, 'invoice:read'), ...filter };
    const page = await db.read(async (em) => {
      const { data, nextCursor } = await listInvoices(em, seen, org.today, { limit, cursor });
      return { data: await billedInvoices(em, data), nextCursor };
    });
    return pageToWire(page, (billed) => invoiceToWire(billed, org.today));
  },
});

const getInvoice = route({
  method: 'get',
  path: '/invoices/:id',
  operationId: 'getInvoice',
  tag: TAG,
  spec: '4.6, Contract 3.4',
  summary: 'Read an invoice',
  access: allow('invoice:read', invoiceResource),
  params: z.strictObject({ id: idParam('invoice') }),
  response: { status: 200, body: InvoiceSchema },
  errors: [],
  handler: async ({ row, org, db }) => invoiceToWire(await db.read((em) => billedInvoice(em, row)), org.today),
});

export const invoiceRoutes = [listInvoicesRoute, getInvoice];

/** Adds to an invoice what stands in other rows. */
export async function billedInvoice(em: EntityManager, invoice: Invoice): Promise<BilledInvoice> {
  const [billed] = await billedInvoices(em, [invoice]);
  return present(billed ?? null);
}

/** One query for the payments of all, and one for what bills them again where any is void. */
export async function billedInvoices(em: EntityManager, invoices: readonly Invoice[]): Promise<BilledInvoice[]> {
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
