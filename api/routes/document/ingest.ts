// Ingested documents: stored, classified, and read as far as their type is known. Spec 4.7, Contract 3.5.

import type { EntityManager } from '@mikro-orm/postgresql';
import { offTheClock } from '../../../db/deadline.ts';
import type { Document } from '../../../db/entities/document/document.ts';
import { newId } from '../../../db/ids.ts';
import { findClaim } from '../../../db/queries/claim/claims.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { isFlagOn } from '../../../db/queries/platform/flags.ts';
import { needsReview } from '../../../domain/document/classification.ts';
import { type DocumentEntity, readPermission } from '../../../domain/document/document.ts';
import { acceptedType } from '../../../domain/document/media-type.ts';
import { isReadInPart } from '../../../domain/document/read-document.ts';
import { validationError } from '../../../domain/errors.ts';
import { FILE_MAX_BYTES } from '../../../domain/limits.ts';
import { type Actor, ensureMay } from '../../../domain/permissions.ts';
import { entityFacts } from '../../../plans/authority/document-facts.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { present } from '../rows.ts';
import { type IngestBody, IngestedSchema, type IngestedWire, IngestSchema } from './ingest.schemas.ts';
import { keepFile } from './kept-files.ts';
import { readFile } from './readable-files.ts';
import { refusedSecond, supersededDocument } from './superseded-documents.ts';

const INGEST_DEADLINE_MS = 60_000;

const ingestDocument = route({
  method: 'post',
  path: '/documents/ingest',
  operationId: 'ingestDocument',
  tag: 'Documents',
  spec: '4.7, 8.1, Contract 3.5',
  summary: 'Ingest a document: classify it and extract its values',
  description:
    'At most 25 MiB, as a part named `file` of a form or as `contentBase64` within JSON. These calls have ' +
    'their own limit of 20 a minute. For an image, only the file name is read. To file it on a resource, ' +
    'the caller must also be allowed to read that resource: a key needs its scope too, such as `claims:read`.',
  access: allow('document:ingest'),
  rateLimit: 'ai',
  file: { maxBytes: FILE_MAX_BYTES },
  body: IngestSchema,
  response: { status: 201, body: IngestedSchema },
  errors: ['unreadable_document', 'already_exists'],
  secretFields: ['extracted'],
  deadlineMs: INGEST_DEADLINE_MS,
  handler: async ({ body, file, actor, org, db, deps, command, requestId }): Promise<IngestedWire> => {
    const received = present(file);
    const contentType = acceptedType({ ...body, head: received.head });
    const id = newId('document', command.seedUuid);
    const { mayLeave, ...place } = await db.read((em) => placeOf(em, actor, { id, orgId: org.id, body }));
    const read = await readFile(
      received,
      { fileName: body.fileName, contentType },
      { orgId: org.id, reader: deps.reader },
    );
    const about = { actor, requestId, entityType: 'document', entityId: id };
    const context = {
      ...{ orgId: org.id, today: org.today, isConfidential: !mayLeave },
      noteLeaving: (recipient: object) =>
        db.transaction(async (em) => {
          writeAudit(em, { ...about, action: 'document:send_to_language_model', changes: recipient });
        }),
    };
    const understood = await offTheClock(() => deps.analyst.understand(read, context));
    const { classification, extracted: values, isByModelAlone } = understood;
    const { type } = classification;
    const { entityType, entityId, supersedes } = place;
    const containsPhi = place.containsPhi || type === 'medical_record';
    const { fileName } = body;
    const facts = {
      id,
      kind: type,
      fileName,
      contentType,
      createdBy: actor.id,
      entityType,
      entityId,
      containsPhi,
      supersedes,
    };
    await keepFile(received, facts, { deps, db, orgId: org.id }).catch(refusedSecond);
    const mustBeReviewed = isReadInPart(classification, values) || isByModelAlone || needsReview(classification);
    return { id, classification, extracted: values, needsReview: mustBeReviewed, readFrom: read.readFrom };
  },
});

export const ingestRoutes = [ingestDocument];

interface Owner {
  entityType: DocumentEntity | null;
  entityId: string | null;
  containsPhi: boolean;
  /**
   * Whether the document may be sent to an outside provider: the organization allows it, and it does not belong to a
   * claim, which is about people.
   */
  mayLeave: boolean;
}

/** What the document belongs to, and the document it replaces. @throws DomainError as `ownerOf` */
async function placeOf(
  em: EntityManager,
  actor: Actor,
  { id, orgId, body }: { id: string; orgId: string; body: IngestBody },
): Promise<Owner & { supersedes: Document | null }> {
  if (body.supersedes === undefined) return { ...(await ownerOf(em, actor, orgId, body)), supersedes: null };
  const supersedes = await supersededDocument(em, actor, { ...body, id, supersedes: body.supersedes });
  const owner = await ownerOf(em, actor, orgId, supersedes);
  return { ...owner, containsPhi: owner.containsPhi || supersedes.containsPhi, supersedes };
}

/**
 * The owner of the document.
 * @throws DomainError validation_failed with `entityType` or `entityId`; forbidden for what the caller may not read
 */
async function ownerOf(
  em: EntityManager,
  actor: Actor,
  orgId: string,
  { entityType = null, entityId = null }: Partial<Pick<Owner, 'entityType' | 'entityId'>>,
): Promise<Owner> {
  const mayLeave = entityType !== 'claim' && (await isFlagOn(em, 'language_model'));
  if (entityType === null && entityId === null) return { entityType, entityId, containsPhi: false, mayLeave };
  if (entityType === null) throw validationError('entityType', 'required', 'entityId needs entityType.');
  if (entityId === null) throw validationError('entityId', 'required', 'entityType needs entityId.');
  const facts = await entityFacts(em, entityType, entityId);
  if (facts === null) throw validationError('entityId', 'unknown_reference', `There is no such ${entityType}.`);
  ensureMay(actor, 'document:ingest', { ...facts, orgId, alsoNeeds: readPermission(entityType) });
  const claim = entityType === 'claim' ? await findClaim(em, entityId) : null;
  return { entityType, entityId, containsPhi: claim?.containsPhi ?? false, mayLeave };
}
