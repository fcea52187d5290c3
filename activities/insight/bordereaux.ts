/**
 * Makes one version of a bordereau: reads the month from one snapshot of the books, writes the files, stores them, and
 * completes the row. Two runs make it once. Domain facts 3.10.
 */
import type { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import type { BordereauWorkflowInput } from '../../contracts/bordereau.ts';
import type { Document } from '../../db/entities/document/document.ts';
import type { Bordereau, VersionDifferences } from '../../db/entities/insight/bordereau.ts';
import { timedId } from '../../db/ids.ts';
import { readOneMoment } from '../../db/queries/cursor.ts';
import { keepDocument, type NewDocument } from '../../db/queries/document/documents.ts';
import { bordereauPages } from '../../db/queries/insight/bordereau-rows.ts';
import { filesOf, findBordereau, lockBordereau, versionBefore } from '../../db/queries/insight/bordereaux.ts';
import { findOrganization } from '../../db/queries/platform/organizations.ts';
import { firstDayOf } from '../../domain/dates.ts';
import { documentPath } from '../../domain/document/document.ts';
import { DomainError } from '../../domain/errors.ts';
import { BORDEREAU_FORMATS, bordereauFileName } from '../../domain/insight/bordereau.ts';
import { bordereauRow, type RowContext } from '../../domain/insight/bordereau-rows.ts';
import { rowsOfJson } from '../../domain/insight/bordereau-text.ts';
import { activityFailure, type Deps, transaction } from '../context.ts';
import { BordereauFiles, type WrittenFile } from './bordereau-files.ts';

const HEARTBEAT_MS = 5_000;

/** Known before the rows are read. */
interface Opened {
  bordereau: Bordereau;
  context: RowContext;
  /** The previous completed version, with its JSON; null for a first one. */
  before: { version: Bordereau; json: Document | null } | null;
}

/** Makes an opened bordereau. @throws ApplicationFailure not_found */
export const makeBordereau =
  (deps: Deps) =>
  async ({ orgId, bordereauId }: BordereauWorkflowInput): Promise<{ rowCount: number }> => {
    const beating = setInterval(heartbeat, HEARTBEAT_MS);
    try {
      const opened = await deps.database.forOrg(orgId, (em) => open(em, bordereauId));
      const { bordereau } = opened;
      if (bordereau.status !== 'running') return { rowCount: bordereau.rowCount ?? 0 };
      return await make(deps, opened);
    } catch (error) {
      throw activityFailure(deps, { kind: 'makeBordereau', orgId }, error);
    } finally {
      clearInterval(beating);
    }
  };

/** Notes that a bordereau could not be made; the next run is another version. */
export const failBordereau =
  (deps: Deps) =>
  ({ orgId, bordereauId, code }: BordereauWorkflowInput & { code: string }): Promise<void> =>
    transaction(deps, { kind: 'failBordereau', orgId }, async (em) => {
      const bordereau = await lockBordereau(em, bordereauId);
      if (bordereau?.status === 'running') Object.assign(bordereau, { status: 'failed', failure: code });
      await em.flush();
    });

async function open(em: EntityManager, id: string): Promise<Opened> {
  const bordereau = await findBordereau(em, id);
  if (bordereau === null) throw new DomainError('not_found', 'There is no such bordereau.');
  const version = await versionBefore(em, bordereau);
  const files = version === null ? [] : await filesOf(em, [version.id]);
  const json = files.find(({ contentType }) => contentType === BORDEREAU_FORMATS.json) ?? null;
  const broker = (await findOrganization(em, bordereau.orgId))?.name ?? '';
  return { bordereau, context: { month: bordereau.month, broker }, before: version && { version, json } };
}

async function make(deps: Deps, { bordereau, context, before }: Opened): Promise<{ rowCount: number }> {
  const earlier = await earlierJson(deps, before?.json ?? null);
  const files = await BordereauFiles.begin(bordereau, deps.scratchFolder, earlier && rowsOfJson(earlier));
  try {
    const { carrier, month, kind, through: last, orgId } = bordereau;
    await deps.database.transaction(orgId, async (em) => {
      await readOneMoment(em);
      for await (const page of bordereauPages(em, kind, { carrier, first: firstDayOf(month), last })) {
        await files.add(page.map((found) => bordereauRow(kind, found, context)));
      }
    });
    const { rowCount, totals, differences } = await files.end();
    const documents = [];
    for (const written of files.files) documents.push(await store(deps, bordereau, written));
    const since = before?.version ?? null;
    await complete(deps, bordereau, {
      ...{ documents, rowCount, totals },
      differences: differences && since && { previousId: since.id, previousVersion: since.version, ...differences },
    });
    return { rowCount };
  } finally {
    earlier?.destroy();
    await files.discard();
  }
}

/** The previous version's rows, as text; null if there is none, or its file is lost. */
async function earlierJson({ storage, logger }: Deps, json: Document | null): Promise<Readable | null> {
  const stream = json && (await storage.getStream(json.storageKey));
  if (json !== null && stream === null) logger.warn({ documentId: json.id }, 'the bordereau before is lost');
  return stream?.setEncoding('utf8') ?? null;
}

async function store(
  { storage }: Deps,
  bordereau: Readonly<Bordereau>,
  { name, contentType, file }: WrittenFile,
): Promise<NewDocument> {
  const { id: entityId, orgId, createdAt, createdBy } = bordereau;
  const id = timedId('document', createdAt, `${entityId}/${name}`);
  const { size: sizeBytes } = file;
  await storage.putStream(documentPath(orgId, id), file.stream(), { contentType, size: sizeBytes });
  return {
    ...{ id, kind: 'bordereau', entityType: 'bordereau', entityId, contentType, sizeBytes, createdBy },
    fileName: bordereauFileName(bordereau, name),
    sha256: file.sha256(),
  };
}

interface Completion extends Pick<Bordereau, 'rowCount' | 'totals'> {
  documents: NewDocument[];
  differences: VersionDifferences | null;
}

async function complete(
  { database, now }: Deps,
  { id, orgId }: Readonly<Bordereau>,
  { documents, ...facts }: Completion,
): Promise<void> {
  await database.transaction(orgId, async (em) => {
    const bordereau = await lockBordereau(em, id);
    if (bordereau?.status !== 'running') return;
    for (const document of documents) await keepDocument(em, document);
    Object.assign(bordereau, { ...facts, status: 'completed', completedAt: new Date(now()) });
    await em.flush();
  });
}
