// What the identity verifier, the email provider and the e-signature provider report, and the life of an envelope.
// Their histories are in test/histories.
import { createHash, randomUUID } from 'node:crypto';
import {
  emailEventWorkflowId,
  inboundWorkflowId,
  signingEnvelopeWorkflowId,
  WORKFLOW_TYPES,
} from '../../../contracts/machinery/start.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { SigningEnvelope } from '../../../db/entities/signing/signing-envelope.ts';
import { newId } from '../../../db/ids.ts';
import { keepDocument } from '../../../db/queries/document/documents.ts';
import { addDays } from '../../../domain/dates.ts';
import { documentPath } from '../../../domain/document/document.ts';
import { advance } from '../claim/filed.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

const PDF = '%PDF-1.7\n%%EOF\n';

const identityEvent: Story = async ({ orgId, database }, { temporal, queue: taskQueue }) => {
  const producerId = newId('producer');
  await database.transaction(orgId, async (em) => {
    em.create(Producer, { id: producerId, name: 'Lone Star' }, { persist: true });
  });
  const eventId = `evt_${randomUUID()}`;
  const event = { eventId, type: 'inquiry.completed', inquiryId: 'inq_1', producerId, completedAt: null };
  const workflowId = inboundWorkflowId('identity-verifier', eventId);
  const args = [{ provider: 'identity-verifier', event }];
  await temporal.client.workflow.execute(WORKFLOW_TYPES.identityEvent, { workflowId, taskQueue, args });
  return [{ workflowId }];
};

const emailEvent: Story = async (_tenant, { temporal, queue: taskQueue }) => {
  const messageId = `msg_${randomUUID()}`;
  const event = {
    ...{ messageId, type: 'email.complained', createdAt: null, isPermanentBounce: false },
    ...{ data: { to: ['insured@example.test'], subject: 'Notice' }, emailId: null, headerId: null },
  };
  const workflowId = emailEventWorkflowId(messageId);
  await temporal.client.workflow.execute(WORKFLOW_TYPES.emailEvent, { workflowId, taskQueue, args: [event] });
  return [{ workflowId }];
};

/** An envelope that has gone out to its signers. */
async function sentEnvelope(tenant: Tenant, engine: Engine): Promise<{ envelopeId: string; workflowId: string }> {
  const envelopeId = await anEnvelope(tenant, engine);
  await tenant.lifecycle.sendEnvelope(tenant.command(envelopeId, {}));
  return { envelopeId, workflowId: signingEnvelopeWorkflowId(tenant.orgId, envelopeId) };
}

/** A provider event about an envelope; returns its workflow. */
async function reported(tenant: Tenant, engine: Engine, envelopeId: string, type: string): Promise<string> {
  const { temporal, queue: taskQueue } = engine;
  const row = await tenant.database.forOrg(tenant.orgId, (em) => em.findOneOrFail(SigningEnvelope, { id: envelopeId }));
  const eventId = randomUUID();
  const externalIds = [row.externalId ?? ''];
  const event = { eventId, type, externalIds, envelopeId: null, happenedAt: new Date().toISOString() };
  const workflowId = inboundWorkflowId('e-signature', eventId);
  const args = [{ provider: 'e-signature', event }];
  await temporal.client.workflow.execute(WORKFLOW_TYPES.signingEvent, { workflowId, taskQueue, args });
  return workflowId;
}

const ended = ({ temporal }: Engine, workflowId: string): Promise<void> =>
  temporal.client.workflow.getHandle(workflowId).result();

/** Sent, reported as completed, and ended with the signed file. */
const signedEnvelope: Story = async (tenant, engine) => {
  const { envelopeId, workflowId } = await sentEnvelope(tenant, engine);
  const eventId = await reported(tenant, engine, envelopeId, 'Completed');
  await ended(engine, workflowId);
  return [
    { workflowId: eventId, suffix: 'event' },
    { workflowId, suffix: 'signed' },
  ];
};

/** Sent, viewed, and declined by a signer. */
const declinedEnvelope: Story = async (tenant, engine) => {
  const { envelopeId, workflowId } = await sentEnvelope(tenant, engine);
  await reported(tenant, engine, envelopeId, 'Viewed');
  await reported(tenant, engine, envelopeId, 'Declined');
  await ended(engine, workflowId);
  return [{ workflowId }];
};

/** Sent, its signers reminded every week, and recalled on its last day; its history continues as new along the way. */
const expiredEnvelope: Story = async (tenant, engine) => {
  const { workflowId } = await sentEnvelope(tenant, engine);
  const { runId } = await engine.temporal.client.workflow.getHandle(workflowId).describe();
  await advance(tenant, 31);
  await ended(engine, workflowId);
  return [
    { workflowId, runId, suffix: 'first-run' },
    { workflowId, suffix: 'last-run' },
  ];
};

const voidedEnvelope: Story = async (tenant, engine) => {
  const { envelopeId, workflowId } = await sentEnvelope(tenant, engine);
  await tenant.lifecycle.voidEnvelope(tenant.command(envelopeId, {}));
  await ended(engine, workflowId);
  return [{ workflowId }];
};

export async function anEnvelope({ orgId, database, today }: Tenant, { providers }: Engine): Promise<string> {
  const [id, documentId] = [newId('envelope'), newId('document')];
  await providers.storage.put(documentPath(orgId, documentId), PDF, 'application/pdf');
  const sha256 = createHash('sha256').update(PDF).digest('hex');
  const file = { fileName: 'contract.pdf', contentType: 'application/pdf', sizeBytes: PDF.length, sha256 };
  const expiresOn = addDays(today, 30);
  const nothing = { externalId: null, sentAt: null, remindedAt: null, completedAt: null, voidReason: null } as const;
  const about = { policyId: null, submissionId: null, appointmentId: null, signedDocumentId: null } as const;
  await database.transaction(orgId, async (em) => {
    await keepDocument(em, { id: documentId, kind: 'contract', ...file, createdBy: 'test' });
    const signers = [{ name: 'Ann Signer', email: 'ann@signer.test' }];
    const dates = { expiresOn, nextStepOn: expiresOn };
    em.create(
      SigningEnvelope,
      { id, documentId, signers, ...dates, ...nothing, ...about, createdBy: 'test' },
      { persist: true },
    );
  });
  return id;
}

export const PROVIDER_STORIES: Record<string, Story> = {
  'identity-event': identityEvent,
  'email-event': emailEvent,
  'envelope-signed': signedEnvelope,
  'envelope-declined': declinedEnvelope,
  'envelope-expired': expiredEnvelope,
  'envelope-voided': voidedEnvelope,
};
