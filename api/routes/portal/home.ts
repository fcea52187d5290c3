// The first page of the policyholder portal. Spec 4.14, Contract 3.7 "Portal".
import { readHome } from '../../../db/queries/portal/home.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { showWith } from '../policy/shown-policies.ts';
import { PORTAL } from './own-rows.ts';
import { PortalHomeSchema } from './portal.schemas.ts';
import { nextPayment, portalClaim, portalInvoice, portalPolicy } from './portal.wire.ts';
import { portalDocument } from './portal-documents.wire.ts';

const getHome = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/home',
  operationId: 'getPortalHome',
  summary: 'Read the overview of the insured',
  description:
    'Returns policies, open invoices, the next payment, open claims and documents in one response. It includes every term of the insured, not only the one of the token.',
  access: allow('portal:use'),
  response: { status: 200, body: PortalHomeSchema },
  errors: [],
  handler: async ({ actor, org: { today }, db, deps }) => {
    const { policies, transactions, invoices, payments, claims, documents, successors } = await db.read((em) =>
      readHome(em, actor.id),
    );
    const billed = policies.map(({ policy, id: _id, claimAdjusterIds: _adjusters, ...summary }) => ({
      policy,
      billed: summary,
    }));
    const paid = Map.groupBy(payments, ({ invoiceId }) => invoiceId);
    // An invoice with a balance is not void and has no excess money.
    const beside = { reissuedAs: null, unapplied: new Map<string, number>() };
    return {
      policies: showWith(billed, transactions, today).map(portalPolicy),
      openInvoices: invoices.map((invoice) =>
        portalInvoice({ invoice, payments: paid.get(invoice.id) ?? [], ...beside }, today),
      ),
      nextPayment: nextPayment(invoices),
      openClaims: claims.map(portalClaim),
      documents: documents.map((document) => portalDocument(document, successors, deps)),
    };
  },
});

export const portalHomeRoutes = [getHome];
