// Files on claims: upload, list, retrieve. A file with protected values is visible only to those who may read them.
// Spec 4.5, Contract 3.3 "Attachments".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { ClaimAttachment } from '../../../db/entities/claim/claim-attachment.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { attachmentAlike, attachmentsOf, findAttachment } from '../../../db/queries/claim/claim-attachments.ts';
import { findClaim, lockClaim } from '../../../db/queries/claim/claims.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { acceptedType } from '../../../domain/document/media-type.ts';
import { FILE_MAX_BYTES } from '../../../domain/limits.ts';
import { allow } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageQuery, pageToWire } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { downloadAddress, plainName } from '../document/downloads.ts';
import { present } from '../rows.ts';
import { AttachmentPageSchema, AttachmentSchema, AttachSchema } from './claim-attachments.schemas.ts';
import { claimResource, isSighted, noteSight, type Reader } from './seen-claims.ts';

const facts = { tag: 'Claims', spec: '4.5, Contract 3.3' } as const;
const params = z.strictObject({ id: idParam('claim') });

const attachToClaim = route({
  ...facts,
  method: 'post',
  path: '/claims/:id/attachments',
  operationId: 'attachToClaim',
  summary: 'Attach a file to a claim',
  description:
    'At most 25 MiB, as a part named `file` of a form or as `contentBase64` within JSON. Programs and web pages are not accepted. A file with the same bytes is stored again, and `duplicateOf` names the first.',
  access: allow('claim:attach', claimResource),
  params,
  file: { maxBytes: FILE_MAX_BYTES, booleans: ['containsPhi'] },
  body: AttachSchema,
  response: { status: 201, body: AttachmentSchema },
  errors: [],
  secretFields: ['fileName', 'description', 'downloadUrl'],
  replayed: replayedAttachment,
  handler: async ({ row: claim, body, file, actor, org, db, deps, command, requestId }) => {
    const { size, sha256, head, stream } = present(file);
    const { fileName, kind, description = null, containsPhi = claim.containsPhi } = body;
    const contentType = acceptedType({ ...body, head });
    const id = newId('attachment', command.seedUuid);
    await deps.storage.putStream(pathOf({ orgId: org.id, claimId: claim.id, id }), stream(), { contentType, size });
    const facts = { id, claimId: claim.id, fileName, contentType, sizeBytes: size, sha256, kind, description };
    const attachment = await db.transaction(async (em) => {
      // Only one of two files with the same bytes is the first. On a repeat under its Idempotency-Key it may already
      // exist.
      await lockClaim(em, claim.id);
      const existing = await findAttachment(em, id);
      if (existing !== null) return existing;
      const duplicateOf = (await attachmentAlike(em, claim.id, sha256))?.id ?? null;
      const changes = { attachment: id, containsPhi };
      writeAudit(em, { actor, action: 'claim:attach', entityType: 'claim', entityId: claim.id, requestId, changes });
      return addRow(em, ClaimAttachment, { ...facts, containsPhi, duplicateOf, uploadedBy: actor.id });
    });
    return attachmentToWire(await knownTo(attachment, claim, { actor, db }), deps);
  },
});

const listAttachments = route({
  ...facts,
  method: 'get',
  path: '/claims/:id/attachments',
  operationId: 'listClaimAttachments',
  summary: 'List the files on a claim, newest first',
  description:
    'Each file comes with an address to download it, which works for 15 minutes. Files with health information are listed only for those who may see them.',
  access: allow('claim:read', claimResource),
  params,
  query: z.strictObject(pageQuery),
  response: { status: 200, body: AttachmentPageSchema },
  errors: [],
  handler: async ({ row, query, actor, requestId, db, deps }) => {
    const all = await db.read((em) => attachmentsOf(em, row.id, isSighted(actor, row)));
    const page = pageWithin(all, query);
    await noted(row, page.data, { actor, requestId, db });
    const known = await Promise.all(page.data.map((attachment) => knownTo(attachment, row, { actor, db })));
    return pageToWire({ ...page, data: known }, (attachment) => attachmentToWire(attachment, deps));
  },
});

const getAttachment = route({
  ...facts,
  method: 'get',
  path: '/claims/:id/attachments/:attachmentId',
  operationId: 'getClaimAttachment',
  summary: 'Get a file on a claim with a new address',
  description:
    'The address to download the file works for 15 minutes; call this again for a new one. A file that you may not see returns 404.',
  access: allow('claim:read', claimResource),
  params: z.strictObject({ id: idParam('claim'), attachmentId: idParam('attachment') }),
  response: { status: 200, body: AttachmentSchema },
  errors: [],
  handler: async ({ row, params: { attachmentId }, actor, requestId, db, deps }) => {
    const found = await db.read((em) => findAttachment(em, attachmentId));
    if (found?.claimId !== row.id || (found.containsPhi && !isSighted(actor, row))) throw notFound('attachment');
    await noted(row, [found], { actor, requestId, db });
    return attachmentToWire(await knownTo(found, row, { actor, db }), deps);
  },
});

export const claimAttachmentRoutes = [attachToClaim, listAttachments, getAttachment];

type Seen = Pick<ClaimAttachment, 'id' | 'containsPhi'>;

/** A repeated upload shows its file name again. */
async function replayedAttachment(kept: object, reader: Reader): Promise<object> {
  const { claimId, ...seen } = kept as Seen & { claimId: string };
  const claim = present(await reader.db.read((em) => findClaim(em, claimId)));
  await noted(claim, [seen], reader);
  return kept;
}

/** Each read of protected files leaves an audit row. */
async function noted(claim: Readonly<Claim>, seen: readonly Seen[], reader: Reader): Promise<void> {
  const attachments = seen.filter(({ containsPhi }) => containsPhi).map(({ id }) => id);
  if (attachments.length === 0) return;
  const note = async (em: EntityManager) => noteSight(em, claim, reader, { fields: ['attachments'], attachments });
  await reader.db.transaction(note);
}

/**
 * An attachment as its reader may see it: it names the protected file it duplicates only to readers who may see that
 * file.
 */
async function knownTo(
  attachment: Readonly<ClaimAttachment>,
  claim: Readonly<Claim>,
  { actor, db }: Pick<Reader, 'actor' | 'db'>,
): Promise<Readonly<ClaimAttachment>> {
  const { duplicateOf } = attachment;
  if (duplicateOf === null || isSighted(actor, claim)) return attachment;
  const first = await db.read((em) => findAttachment(em, duplicateOf));
  return first?.containsPhi === false ? attachment : { ...attachment, duplicateOf: null };
}

function attachmentToWire(attachment: Readonly<ClaimAttachment>, deps: Pick<RuntimeDeps, 'config' | 'now'>) {
  const { id, orgId, claimId, fileName, contentType, sizeBytes: size, sha256, kind, description } = attachment;
  const { containsPhi, duplicateOf, uploadedBy, createdAt } = attachment;
  const file = { path: pathOf(attachment), size, fileName: plainName(id, fileName), contentType };
  return {
    ...{ id, orgId, claimId, fileName, contentType, size, sha256, kind, description, containsPhi, duplicateOf },
    ...{ uploadedBy, ...downloadAddress(deps, file) },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(createdAt) },
  };
}

function pathOf({ orgId, claimId, id }: Pick<ClaimAttachment, 'orgId' | 'claimId' | 'id'>): string {
  return `docs/${orgId}/claims/${claimId}/${id}`;
}
