// An insured's bills in the policyholder portal, and their payment by card. Spec 4.14, Contract 3.7 "Portal", 3.4.
import { z } from 'zod';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { havingStatus } from '../../../db/queries/billing/invoices.ts';
import { equalTo } from '../../../db/queries/pages.ts';
import { pageOfOwn } from '../../../db/queries/portal/own-rows.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { collectByCard } from '../billing/invoice-actions.ts';
import { CollectSchema, PaymentIntentSchema } from '../billing/invoices.schemas.ts';
import { billedInvoice, invoicesWithPayments } from '../billing/invoices.ts';
import { ownInvoice, PORTAL } from './own-rows.ts';
import { PortalInvoiceListQuery, PortalInvoicePageSchema, PortalInvoiceSchema } from './portal.schemas.ts';
import { portalInvoice } from './portal.wire.ts';

const params = z.strictObject({ id: idParam('invoice') });

const listInvoices = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/invoices',
  operationId: 'listPortalInvoices',
  summary: "List the insured's invoices",
  description: 'Filter by status or policy. `balance` is what the insured still owes, in dollars.',
  access: allow('portal:use'),
  query: PortalInvoiceListQuery,
  response: { status: 200, body: PortalInvoicePageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, status, policyId }, actor, org: { today }, db }) => {
    const conditions = [equalTo({ policyId }), ...(status ? [havingStatus(status, today)] : [])];
    const page = await db.read(async (em) => {
      const found = await pageOfOwn(em, Invoice, { policyId: actor.id }, conditions, { limit, cursor });
      return { ...found, data: await invoicesWithPayments(em, found.data) };
    });
    return pageToWire(page, (billed) => portalInvoice(billed, today));
  },
});

const getInvoice = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/invoices/:id',
  operationId: 'getPortalInvoice',
  summary: "Read one of the insured's invoices",
  description: 'It shows the lines, the payments and the balance. The invoices of others return 404.',
  access: allow('portal:use', ownInvoice),
  params,
  response: { status: 200, body: PortalInvoiceSchema },
  errors: [],
  handler: async ({ row, org, db }) => portalInvoice(await db.read((em) => billedInvoice(em, row)), org.today),
});

const payInvoice = route({
  ...PORTAL,
  method: 'post',
  path: '/portal/invoices/:id/payment-intent',
  operationId: 'createPortalPaymentIntent',
  summary: 'Start paying an invoice by card',
  description: 'Returns the open attempt if there is one. The browser or app confirms it with the client secret.',
  access: allow('portal:use', ownInvoice),
  params,
  body: CollectSchema,
  response: { status: 201, body: PaymentIntentSchema },
  errors: ['amount_exceeds_balance', 'invalid_state_transition', 'payment_declined'],
  secretFields: ['clientSecret'],
  handler: (call) => collectByCard(call, call.row, call.body.amount),
});

export const portalInvoiceRoutes = [listInvoices, getInvoice, payInvoice];
