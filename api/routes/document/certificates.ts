// Certificates of insurance and the motor carrier data sheet: issue, list, and verification by anyone who holds one.
// Spec 4.7, Contract 3.5.
import { z } from 'zod';
import type { Certificate } from '../../../db/entities/document/certificate.ts';
import { newId } from '../../../db/ids.ts';
import {
  certificateOfDocument,
  certificateReplacedBy,
  certificatesAfter,
  certificatesBefore,
  listCertificates,
  organizationOfCertificate,
  printedCertificate,
} from '../../../db/queries/document/certificates.ts';
import { businessToday } from '../../../db/queries/platform/organizations.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import type { CertificateHolder } from '../../../domain/document/certificate.ts';
import { validationError } from '../../../domain/errors.ts';
import { ensureMay, visibility } from '../../../domain/permissions.ts';
import { policyFacts } from '../../../plans/authority/resource-facts.ts';
import { ensureCertifiable } from '../../../plans/document/certificate-facts.ts';
import { standingsOf } from '../../../plans/document/certificate-standing.ts';
import { mcs90Facts } from '../../../plans/document/mcs90-facts.ts';
import { allow, open } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, idReference, pageQuery, pageToWire } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { policyResource } from '../policy/policies.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import {
  CertificatePageSchema,
  CertificateStandingSchema,
  GenerateCertificateSchema,
  IssuedCertificateSchema,
  IssuedMcs90Schema,
  Mcs90Schema,
} from './certificates.schemas.ts';
import { documentAddress } from './documents.wire.ts';
import { madeDocument } from './made-documents.ts';

const NO_ADDRESS = 'To notify the holder, give an e-mail address.';

const facts = { tag: 'Documents', spec: '4.7, Contract 3.5' } as const;

const generateCertificate = route({
  ...facts,
  method: 'post',
  path: '/coi/generate',
  operationId: 'generateCertificate',
  summary: 'Issue a certificate of insurance',
  description:
    'Shows the coverage of the policy as of today. A new certificate for the same holder replaces the earlier one.',
  access: allow('coi:generate'),
  body: GenerateCertificateSchema,
  response: { status: 201, body: IssuedCertificateSchema },
  errors: ['document_not_applicable', 'unreadable_document'],
  secretFields: ['downloadUrl'],
  handler: async ({ body: { policyId, ...wish }, actor, org, db, deps, lifecycle, command, requestId }) => {
    if (wish.notifyHolder && !wish.holder.email) throw validationError('holder.email', 'required', NO_ADDRESS);
    const policy = await db.read((em) => findPolicy(em, policyId));
    if (policy === null) throw validationError('policyId', 'unknown_reference', 'There is no such policy.');
    ensureMay(actor, 'coi:generate', policyFacts(policy));
    await ensureBeforeCommand({ db, command }, (em) => ensureCertifiable(em, policy, wish, org.today));
    const id = newId('document', command.seedUuid);
    const audited = { actor, action: 'coi:generate', entityType: 'policy', entityId: policyId, requestId };
    const document = await madeDocument(
      {
        ...{ id, kind: 'certificate', entityType: 'policy', entityId: policyId, createdBy: actor.id },
        input: { ...wish, baseUrl: deps.config.baseUrl },
      },
      { db, lifecycle, command },
      { audited: { ...audited, changes: { document: id } } },
    );
    return db.read(async (em) => {
      const certificate = present(await certificateOfDocument(em, id));
      const supersedes = (await certificateReplacedBy(em, certificate))?.id ?? null;
      const { certificateNumber } = certificate;
      return {
        ...{ id: certificate.id, documentId: id, certificateNumber, supersedes },
        ...documentAddress(document, deps),
      };
    });
  },
});

const listCertificatesRoute = route({
  ...facts,
  method: 'get',
  path: '/certificates',
  operationId: 'listCertificates',
  summary: 'List certificates, newest first',
  description: 'Filter by policy. `status` says whether a certificate is still valid today.',
  access: allow('policy:read'),
  query: z.strictObject({ ...pageQuery, policyId: idReference('policy').optional() }),
  response: { status: 200, body: CertificatePageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, policyId }, actor, org, db }) => {
    const seen = { visibility: visibility(actor, 'policy:read'), policyId };
    return db.read(async (em) => {
      const page = await listCertificates(em, seen, { limit, cursor });
      const standings = await standingsOf(em, page.data, org.today);
      const ids = page.data.map(({ id }) => id);
      const places = { before: await certificatesBefore(em, ids), after: await certificatesAfter(em, ids) };
      return pageToWire(page, (each) => certificateToWire(each, standings.get(each.id) ?? 'expired', places));
    });
  },
});

const verifyCertificate = route({
  ...facts,
  method: 'get',
  path: '/coi/:certificateNumber/verify',
  operationId: 'verifyCertificate',
  summary: 'Check whether a certificate is still valid',
  description: 'The certificate shows its number and a QR code. The response says nothing else about the policy.',
  access: open('anyone who holds a certificate may check it; its number cannot be guessed'),
  params: z.strictObject({ certificateNumber: z.string().max(40).toUpperCase() }),
  response: { status: 200, body: CertificateStandingSchema },
  errors: ['not_found'],
  handler: async ({ params: { certificateNumber }, deps: { database, now } }) => {
    const orgId = await organizationOfCertificate(database, certificateNumber);
    if (orgId === null) throw notFound('certificate');
    return database.forOrg(orgId, async (em) => {
      const certificate = await printedCertificate(em, certificateNumber);
      if (certificate === null) throw notFound('certificate');
      const standings = await standingsOf(em, [certificate], await businessToday(em, orgId, now()));
      return { certificateNumber, status: present(standings.get(certificate.id)) };
    });
  },
});

const issueMcs90 = route({
  ...facts,
  method: 'post',
  path: '/policies/:id/mcs90',
  operationId: 'issueMcs90',
  summary: 'Issue the data sheet of an MCS-90 endorsement',
  description:
    'It is available for commercial auto and motor truck cargo policies of motor carriers with a USDOT number; any other policy returns 422. The response includes an address to download the data sheet.',
  access: allow('policy:issue_mcs90', policyResource),
  params: z.strictObject({ id: idParam('policy') }),
  body: Mcs90Schema,
  response: { status: 201, body: IssuedMcs90Schema },
  errors: ['document_not_applicable', 'unreadable_document'],
  secretFields: ['downloadUrl'],
  handler: async ({
    row: policy,
    body: { cargo = 'non_hazardous' },
    actor,
    org,
    db,
    deps,
    lifecycle,
    command,
    requestId,
  }) => {
    await ensureBeforeCommand({ db, command }, (em) => mcs90Facts(em, policy, cargo, org.today));
    const id = newId('document', command.seedUuid);
    const audited = { actor, action: 'policy:issue_mcs90', entityType: 'policy', entityId: policy.id, requestId };
    const order = { id, kind: 'mcs90', entityType: 'policy', entityId: policy.id } as const;
    const document = await madeDocument(
      { ...order, input: { cargo }, createdBy: actor.id },
      { db, lifecycle, command },
      { audited: { ...audited, changes: { document: id, cargo } } },
    );
    return { documentId: id, ...documentAddress(document, deps) };
  },
});

export const certificateRoutes = [generateCertificate, listCertificatesRoute, verifyCertificate, issueMcs90];

function certificateToWire(
  certificate: Readonly<Certificate>,
  status: string,
  { before, after }: Record<'before' | 'after', ReadonlyMap<string, string>>,
) {
  const { id, orgId, certificateNumber, policyId, documentId, holder, createdBy, createdAt } = certificate;
  const [supersedes, supersededBy] = [before.get(id) ?? null, after.get(id) ?? null];
  return {
    ...{ id, orgId, certificateNumber, status, policyId, documentId, supersedes, supersededBy, createdBy },
    holder: { name: holder.name, address: addressToWire(holder) },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(createdAt) },
  };
}

function addressToWire({ address }: CertificateHolder) {
  return typeof address === 'string' ? address : { ...address, line2: address.line2 ?? null };
}
