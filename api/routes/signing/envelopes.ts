// Signing envelopes: create, list, detail, void. The provider's events report what signers do. Spec 3.2, 6.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { SigningEnvelope } from '../../../db/entities/signing/signing-envelope.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { findAppointment } from '../../../db/queries/distribution/appointments.ts';
import { findDocument } from '../../../db/queries/document/documents.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { commandResult } from '../../../db/queries/platform/commands.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { findEnvelope, listEnvelopes, lockEnvelope } from '../../../db/queries/signing/signing-envelopes.ts';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { validationError } from '../../../domain/errors.ts';
import { type Actor, may } from '../../../domain/permissions.ts';
import { ensureEnvelopeVoidable, envelopeExpiry } from '../../../domain/signing/envelope.ts';
import { documentFacts } from '../../../plans/authority/document-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { present } from '../rows.ts';
import {
  EnvelopeCreateSchema,
  EnvelopeListQuery,
  EnvelopePageSchema,
  EnvelopeSchema,
  EnvelopeVoidSchema,
} from './envelopes.schemas.ts';

const facts = { tag: 'Signing', spec: '2.11, 3.2, 6.7' } as const;
const params = z.strictObject({ id: idParam('envelope') });
const entityType = 'envelope';

const envelopeResource: Resource<SigningEnvelope> = {
  name: entityType,
  load: findEnvelope,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const createEnvelope = route({
  ...facts,
  method: 'post',
  path: '/envelopes',
  operationId: 'createEnvelope',
  summary: 'Send a document to be signed',
  description: 'The signing service sends the document to every signer. Read the envelope to follow its progress.',
  access: allow('envelope:create'),
  body: EnvelopeCreateSchema,
  response: { status: 201, body: EnvelopeSchema },
  errors: [],
  handler: async ({ body, actor, requestId, org, db, command, lifecycle }) => {
    const id = newId('envelope', command.seedUuid);
    await db.transaction(async (em) => {
      // Repeated under its key: the row exists, and only the sending may be missing.
      if ((await findEnvelope(em, id)) !== null) return;
      await ensureReferences(em, body, actor);
      const expiresOn = envelopeExpiry(org.today);
      const dates = { expiresOn, nextStepOn: expiresOn };
      addRow(em, SigningEnvelope, { id, ...newEnvelope(body), ...dates, createdBy: actor.id });
      const changes = { documentId: body.documentId, signers: body.signers.length };
      writeAudit(em, { actor, action: 'envelope:create', entityType, entityId: id, requestId, changes });
    });
    await lifecycle.sendEnvelope(command({}, id));
    return shown(db, id);
  },
});

const listEnvelopesRoute = route({
  ...facts,
  method: 'get',
  path: '/envelopes',
  operationId: 'listEnvelopes',
  summary: 'List envelopes, newest first',
  description:
    'Filter by status, or by the document, policy, submission or appointment that they belong to. The status follows what the signing service reports.',
  access: allow('envelope:read'),
  query: EnvelopeListQuery,
  response: { status: 200, body: EnvelopePageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) => {
    const page = await db.read((em) => listEnvelopes(em, filter, { limit, cursor }));
    return pageToWire(page, envelopeToWire);
  },
});

const getEnvelope = route({
  ...facts,
  method: 'get',
  path: '/envelopes/:id',
  operationId: 'getEnvelope',
  summary: 'Read an envelope',
  description: 'It shows each signer and their progress. The status follows what the signing service reports.',
  access: allow('envelope:read', envelopeResource),
  params,
  response: { status: 200, body: EnvelopeSchema },
  errors: [],
  handler: ({ row }) => reply({ body: envelopeToWire(row), etag: entityTag(row.id, row.version) }),
});

const voidEnvelope = route({
  ...facts,
  method: 'post',
  path: '/envelopes/:id/void',
  operationId: 'voidEnvelope',
  summary: 'Void an envelope',
  description:
    'Signers can no longer sign it, and the signing service is notified. For an envelope that is completed or has ended, the call returns 422, also where the signing service has not reported that yet.',
  access: allow('envelope:void', envelopeResource),
  params,
  body: EnvelopeVoidSchema,
  response: { status: 200, body: EnvelopeSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row: { id }, body: { reason }, db, command, lifecycle, ensureUnchanged }) => {
    await db.transaction(async (em) => {
      // Repeated under its key: it is done, and only the response was missing.
      if ((await commandResult(em, command.commandId)) !== null) return;
      const envelope = present(await lockEnvelope(em, id));
      ensureUnchanged(envelope);
      ensureEnvelopeVoidable(envelope.status);
      envelope.voidReason = reason;
      await em.flush();
    });
    await lifecycle.voidEnvelope(command({}, id));
    return shown(db, id);
  },
});

export const envelopeRoutes = [createEnvelope, listEnvelopesRoute, getEnvelope, voidEnvelope];

async function shown(db: OrganizationDatabase, id: string) {
  const row = present(await db.read((em) => findEnvelope(em, id)));
  return reply({ body: envelopeToWire(row), etag: entityTag(id, row.version) });
}

type NewEnvelope = z.output<typeof EnvelopeCreateSchema>;

function newEnvelope({ documentId, signers, policyId, submissionId, appointmentId }: NewEnvelope) {
  return {
    ...{ documentId, signers, policyId: policyId ?? null, submissionId: submissionId ?? null },
    ...({ appointmentId: appointmentId ?? null, status: 'created', externalId: null, sentAt: null } as const),
    ...{ remindedAt: null, completedAt: null, voidReason: null, signedDocumentId: null, version: 1 },
  };
}

/**
 * People send documents they can read; others do not exist for them.
 * @throws DomainError validation_failed
 */
async function ensureReferences(em: EntityManager, body: NewEnvelope, actor: Actor): Promise<void> {
  const { documentId, policyId, submissionId, appointmentId } = body;
  const document = await findDocument(em, documentId);
  if (document === null || !may(actor, 'document:read', await documentFacts(em, document))) throw unknown('documentId');
  if (policyId !== undefined && (await findPolicy(em, policyId)) === null) throw unknown('policyId');
  if (submissionId !== undefined && (await findSubmission(em, submissionId)) === null) throw unknown('submissionId');
  if (appointmentId !== undefined && (await findAppointment(em, appointmentId)) === null)
    throw unknown('appointmentId');
}

function unknown(field: string) {
  return validationError(field, 'unknown_reference', `There is no such ${field.replace(/Id$/, '')}.`);
}

function envelopeToWire(row: Readonly<SigningEnvelope>) {
  const { id, orgId, documentId, signers, policyId, submissionId, appointmentId, status, externalId } = row;
  const { expiresOn, sentAt, remindedAt, completedAt, signedDocumentId, createdBy, version } = row;
  return {
    ...{ id, orgId, documentId, signers, policyId, submissionId, appointmentId, status, externalId, expiresOn },
    sentAt: sentAt && instantToWire(sentAt),
    remindedAt: remindedAt && instantToWire(remindedAt),
    completedAt: completedAt && instantToWire(completedAt),
    voidReason: status === 'voided' ? row.voidReason : null,
    ...{ signedDocumentId, createdBy, version },
    ...{ createdAt: instantToWire(row.createdAt), updatedAt: instantToWire(row.updatedAt) },
  };
}
