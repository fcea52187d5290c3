// Invoices: list and detail. Spec 4.6, Contract 3.4.
import { z } from 'zod';
import type { Invoice } from '../../db/entities/invoice.ts';
import { findInvoice, listInvoices } from '../../db/queries/invoices.ts';
import { visibility } from '../../domain/permissions.ts';
import { allow, type Resource } from '../access.ts';
import { route } from '../route.ts';
import { idParam, pageToWire } from '../schemas.ts';
import { InvoiceListQuery, InvoicePageSchema, InvoiceSchema } from './invoices.schemas.ts';
import { invoiceToWire } from './invoices.wire.ts';

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
    const page = await db.read((em) => listInvoices(em, seen, org.today, { limit, cursor }));
    return pageToWire(page, (invoice) => invoiceToWire(invoice, org.today));
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
  handler: ({ row, org }) => invoiceToWire(row, org.today),
});

export const invoiceRoutes = [listInvoicesRoute, getInvoice];
