// Documents made when an insured wants one and none is current: a certificate of insurance with themselves as the
// holder, an MCS-90 data sheet, an invoice in its current state. Each is made once per content, however often it is
// read. Spec 4.14, Contract 3.7 "Portal", 3.5.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Document } from '../../../db/entities/document/document.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { timedId } from '../../../db/ids.ts';
import { newestPrintedCertificate } from '../../../db/queries/document/certificates.ts';
import { type NewOrder, ordersOf } from '../../../db/queries/document/document-orders.ts';
import { findDocument, newestDocument } from '../../../db/queries/document/documents.ts';
import { type CertificateHolder, holderKey } from '../../../domain/document/certificate.ts';
import type { Cargo } from '../../../domain/document/mcs90.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { ensureCertifiable } from '../../../plans/document/certificate-facts.ts';
import { saysEverything } from '../../../plans/document/certificate-standing.ts';
import { mcs90Facts } from '../../../plans/document/mcs90-facts.ts';
import type { Lifecycle } from '../../engine/lifecycle.ts';
import { allow } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { type CallOrganization, type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { invoiceOrder, madeDocument, readersCommand } from '../document/made-documents.ts';
import { ownInvoice, ownPolicy, PORTAL } from './own-rows.ts';
import { PortalDownloadSchema } from './portal.schemas.ts';
import { portalDownload } from './portal-documents.wire.ts';

const facts = { ...PORTAL, method: 'get', response: { status: 200, body: PortalDownloadSchema } } as const;
const policyParams = z.strictObject({ id: idParam('policy') });

/**
 * The cargo on the first data sheet unless staff have issued one: the default for a motor carrier that named no other.
 * 49 CFR 387.9
 */
const USUAL_CARGO = 'non_hazardous';

const downloadCertificate = route({
  ...facts,
  path: '/portal/policies/:id/coi',
  operationId: 'downloadPortalCertificate',
  summary: "Get an address to download the insured's own certificate of insurance",
  description:
    'If no valid certificate shows what the policy covers today, a new one is issued. A policy that is not in force returns 422.',
  access: allow('portal:use', ownPolicy),
  params: policyParams,
  errors: ['document_not_applicable', 'unreadable_document'],
  handler: async (call) => portalDownload(await certificateOf(call, call.row.policy), call.deps),
});

const downloadMcs90 = route({
  ...facts,
  path: '/portal/policies/:id/mcs90',
  operationId: 'downloadPortalMcs90',
  summary: 'Get an address to download the data sheet of the MCS-90 endorsement',
  description:
    'Only for commercial auto and motor truck cargo with a USDOT number. Other policies, and limits below the legal minimum, return 422.',
  access: allow('portal:use', ownPolicy),
  params: policyParams,
  errors: ['document_not_applicable', 'unreadable_document'],
  handler: async (call) => portalDownload(await dataSheetOf(call, call.row.policy), call.deps),
});

const downloadInvoice = route({
  ...facts,
  path: '/portal/invoices/:id/download',
  operationId: 'downloadPortalInvoice',
  summary: 'Get an address to download an invoice as it stands',
  description: 'The page shows the invoice with all payments to date. The address works for 15 minutes.',
  access: allow('portal:use', ownInvoice),
  params: z.strictObject({ id: idParam('invoice') }),
  errors: ['unreadable_document'],
  handler: async (call) => {
    const order = await call.db.read((em) => invoiceOrder(em, call.row, call.actor.id));
    return portalDownload(await made(call, order), call.deps);
  },
});

export const issuedDocumentRoutes = [downloadCertificate, downloadMcs90, downloadInvoice];

interface Call {
  actor: Actor;
  org: CallOrganization;
  db: OrganizationDatabase;
  deps: RuntimeDeps;
  lifecycle: Lifecycle;
  requestId: string;
}

/** The insured's own certificate, issued unless one is current. @throws DomainError document_not_applicable */
async function certificateOf(call: Call, policy: Readonly<Policy>): Promise<Document> {
  const { db, org, actor, deps } = call;
  const { id, standing, holder } = await db.read(async (em) => {
    const { insuredName, insuredAddress } = await ensureCertifiable(em, policy, { holder: NOBODY }, org.today);
    const holder = { name: insuredName, address: policy.contactAddress ?? insuredAddress ?? policy.state };
    const newest = await newestPrintedCertificate(em, policy.id, holderKey(holder));
    const isCurrent = newest !== null && (await saysEverything(em, newest, policy, org.today));
    const standing = isCurrent ? await findDocument(em, newest.documentId) : null;
    return { id: idAfter(`coi ${holderKey(holder)}`, policy, newest), standing, holder };
  });
  if (standing !== null) return standing;
  const input = { holder, baseUrl: deps.config.baseUrl };
  const about = { kind: 'certificate', entityType: 'policy', entityId: policy.id } as const;
  return made(call, { ...about, id, input, createdBy: actor.id }, 'coi:generate');
}

const NOBODY: CertificateHolder = { name: '', address: '' };

/** The newest data sheet if a new one would say the same, or one made now for the same cargo. */
async function dataSheetOf(call: Call, policy: Readonly<Policy>): Promise<Document> {
  const { db, org, actor } = call;
  const { id, standing, cargo } = await db.read(async (em) => {
    const newest = await newestDocument(em, { entityType: 'policy', entityId: policy.id, kind: 'mcs90' });
    const [ordered] = newest === null ? [] : await ordersOf(em, [newest.id]);
    const cargo = (ordered?.input.cargo as Cargo | undefined) ?? USUAL_CARGO;
    const facts = await mcs90Facts(em, policy, cargo, org.today);
    const isCurrent = isDeepStrictEqual({ ...ordered?.facts, issuedOn: org.today }, facts);
    return { id: idAfter('mcs90', policy, newest), standing: isCurrent ? newest : null, cargo };
  });
  if (standing !== null) return standing;
  const about = { kind: 'mcs90', entityType: 'policy', entityId: policy.id } as const;
  return made(call, { ...about, id, input: { cargo }, createdBy: actor.id }, 'mcs90:issue');
}

/** The id of the document that follows the newest of its kind: simultaneous readers wait for the same one. */
function idAfter(
  what: string,
  { id, boundAt }: Readonly<Policy>,
  newest: Readonly<{ id: string; createdAt: Date }> | null,
): string {
  return timedId('document', newest?.createdAt ?? boundAt, [what, id, newest?.id ?? ''].join());
}

/** Has a document made unless it exists. Simultaneous readers wait for the same one. */
function made(call: Call, order: NewOrder, action?: string): Promise<Document> {
  const { actor, requestId, org, db, lifecycle } = call;
  const about = { entityType: 'policy', entityId: order.entityId, changes: { document: order.id } };
  const audited = action === undefined ? {} : { audited: { actor, requestId, action, ...about } };
  const command = readersCommand({ actor, requestId, orgId: org.id }, order.id);
  return madeDocument(order, { db, lifecycle, command }, audited);
}
