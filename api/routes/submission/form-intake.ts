// A submission that arrives as a form: the file is read, stored as a document of the submission, and from then on named
// by its id. Contract 3.1 "Create", decisions/0063.
import { buffer } from 'node:stream/consumers';
import { type NewSubmission, NOTHING_KNOWN } from '../../../contracts/submission.ts';
import { newId } from '../../../db/ids.ts';
import { isBlank, unreadableDocument } from '../../../domain/document/content.ts';
import { plainText } from '../../../domain/document/read-values.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { readAcord125 } from '../../../domain/submission/acord125.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import type { ReceivedFile } from '../../spine/files/received-file.ts';
import type { CallOrganization, OrganizationDatabase } from '../../spine/route.ts';
import { inReadingTurn } from '../document/document-turns.ts';
import { keepFile } from '../document/kept-files.ts';

export const PDF = 'application/pdf';
/** A form may have to wait its turn to be read. */
export const INTAKE_DEADLINE_MS = 60_000;
const UNNAMED = 'acord-125.pdf';

interface Sender {
  /** The id of the new submission. */
  id: string;
  /** Makes a repeated call get the same document. */
  seedUuid: string;
  actor: Actor;
  org: CallOrganization;
  db: OrganizationDatabase;
  deps: RuntimeDeps;
}

/**
 * Reads a form and stores it. Nothing is stored of an unreadable file.
 * @throws DomainError unreadable_document with `reason`, rate_limited, service_unavailable
 */
export async function takeForm(file: ReceivedFile, sender: Sender): Promise<NewSubmission> {
  const { id, seedUuid, actor, org, db, deps } = sender;
  const content = await inReadingTurn(org.id, () => deps.reader.readPdf(() => buffer(file.stream())));
  if (isBlank(content)) throw unreadableDocument('no_text');
  const { facts, intake } = readAcord125(content, org.today);
  const documentId = newId('document', seedUuid);
  const fileName = plainText(file.fileName ?? '') ?? UNNAMED;
  const belongsTo = { entityType: 'submission', entityId: id } as const;
  const document = { id: documentId, kind: 'acord_125', fileName, contentType: PDF, createdBy: actor.id, ...belongsTo };
  await keepFile(file, document, { deps, db, orgId: org.id });
  return { ...NOTHING_KNOWN, ...(facts as Partial<NewSubmission>), intake: { ...intake, documentId } };
}
