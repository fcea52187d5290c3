// Imports producers from a table: a row is a producer with at most one license, identified by the producer number. A
// bad row is reported and does not affect the others; importing the same table again changes nothing.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../../config.ts';
import { withDeadlineOfItsOwn } from '../../../db/deadline.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { isUniqueViolation } from '../../../db/faults.ts';
import { newId } from '../../../db/ids.ts';
import { keepRenewals } from '../../../db/queries/distribution/producer-filings.ts';
import { lockProducersNumbered } from '../../../db/queries/distribution/producers.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { numberKey } from '../../../domain/distribution/producer.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { present } from '../rows.ts';
import { decodedText, importedRows, type ReadRow, withoutContradictions } from './imported-rows.ts';
import { mergedRow } from './merged-rows.ts';
import { type ImportedRow, type ImportResult, ImportResultSchema, ImportSchema } from './producer-import.schemas.ts';
import { auditedProducer, newProducer } from './producers.wire.ts';

const MAX_BYTES = 10 * 1_048_576;
const MAX_ROWS = 20_000;
/** Rows per transaction. */
const BATCH = 100;
const MAX_ERRORS = 100;
const NOTHING_ON_FILE = { phone: null, address: null, licenses: [] };
/** A full table takes 20 seconds, longer while others write; an import not finished by the deadline is repeated. */
const DEADLINE_MS = 180_000;

const importProducers = route({
  method: 'post',
  path: '/producers/import',
  operationId: 'importProducers',
  tag: 'Producers',
  spec: 'Contract 3.7',
  summary: 'Import producers from a table',
  description:
    `A CSV file of at most ${MAX_ROWS} rows: as the whole body with the type \`text/csv\`, as a part named \`file\` of a ` +
    'form, or as `contentBase64` within JSON. The ' +
    'columns npn and name are required; email, phone, line1, line2, city, state, postalCode, licenseState, ' +
    'licenseNumber, licenseLines (separated by semicolons), licenseStatus and licenseExpiration are not. A blank cell changes nothing, not even within a license or an address that is on file; a new license needs its expiration, and covers every line and is active unless the row says otherwise. The text is UTF-8 with commas between the cells. A producer with several licenses has a row for each; a row that contradicts the first one about the producer is an error. Numbers that differ only in case mean the same producer. A refused file changes nothing. You can safely repeat the import.',
  access: allow('producer:create'),
  deadlineMs: DEADLINE_MS,
  file: { maxBytes: MAX_BYTES, alone: ['text/csv'] },
  body: ImportSchema,
  response: { status: 200, body: ImportResultSchema },
  errors: [],
  handler: async ({ file, actor, requestId, db, deps }) => {
    const importer = { actor, requestId, environment: deps.config.environment };
    // All rows are read before any is written: a rejected table changes nothing.
    const rows: ReadRow[] = [];
    for await (const read of importedRows(decodedText(present(file).stream()), MAX_ROWS)) rows.push(read);
    const read = withoutContradictions(rows);
    const result: ImportResult = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] };
    for (const each of read) if ('issues' in each) note(result, each);
    const good = read.filter((each) => 'imported' in each);
    const outcomes = await withDeadlineOfItsOwn(DEADLINE_MS, () => importAll(db, good, importer));
    for (const outcome of outcomes) {
      if (typeof outcome === 'string') result[outcome] += 1;
      else note(result, outcome);
    }
    result.errors.sort((one, other) => one.row - other.row);
    return result;
  },
});

export const producerImportRoutes = [importProducers];

interface Importer {
  actor: Actor;
  requestId: string;
  environment: Environment;
}

type GoodRow = Extract<ReadRow, { imported: ImportedRow }>;
type BadRow = Exclude<ReadRow, GoodRow>;
type Outcome = 'created' | 'updated' | 'unchanged' | BadRow;

function note(result: ImportResult, { row, issues }: BadRow): void {
  result.failed += 1;
  const room = MAX_ERRORS - result.errors.length;
  result.errors.push(...issues.slice(0, room).map(({ field, rule, message }) => ({ row, field, rule, message })));
}

async function importAll(db: OrganizationDatabase, rows: readonly GoodRow[], importer: Importer): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    outcomes.push(...(await importBatch(db, rows.slice(from, from + BATCH), importer)));
  }
  return outcomes;
}

/** Imports rows in one transaction, in order. */
async function importBatch(db: OrganizationDatabase, rows: readonly GoodRow[], importer: Importer): Promise<Outcome[]> {
  const importThem = () => db.transaction((em) => importRows(em, rows, importer));
  try {
    return await importThem();
  } catch (error) {
    // Another call was faster: its row is found now.
    if (isUniqueViolation(error, 'producers_npn_unique')) return importThem();
    throw error;
  }
}

async function importRows(
  em: EntityManager,
  rows: readonly GoodRow[],
  { environment, ...importer }: Importer,
): Promise<Outcome[]> {
  const known = await lockProducersNumbered(em, [...new Set(rows.map(({ imported }) => imported.npn))]);
  const before = new Map([...known].map(([npn, producer]) => [npn, auditedProducer(producer)]));
  const outcomes = rows.map((row) => merge(em, known, row));
  const kept = [...known].flatMap(([npn, producer]) => changeOf(producer, before.get(npn) ?? null) ?? []);
  await keepRenewals(
    em,
    kept.map(({ producer }) => producer),
    environment,
  );
  for (const { producer, action, changes } of kept) {
    writeAudit(em, { ...importer, action, entityType: 'producer', entityId: producer.id, changes });
  }
  return outcomes;
}

function merge(em: EntityManager, known: Map<string, Producer>, { row, imported }: GoodRow): Outcome {
  const { npn } = imported;
  const existing = known.get(numberKey(npn));
  const merged = mergedRow(existing ?? NOTHING_ON_FILE, imported);
  if ('issues' in merged) return { row, issues: merged.issues };
  const { facts } = merged;
  if (existing === undefined) {
    const fresh = { ...newProducer({ npn, name: facts.name }), ...facts };
    known.set(numberKey(npn), em.create(Producer, { id: newId('producer'), ...fresh }, { persist: true }));
    return 'created';
  }
  const changes = auditedChanges(auditedProducer(existing), auditedProducer({ ...existing, ...facts }));
  if (Object.keys(changes).length === 0) return 'unchanged';
  Object.assign(existing, facts);
  return 'updated';
}

/** What an import changed about a producer, for the audit trail; null for nothing. `before` is null for a new one. */
function changeOf(producer: Producer, before: object | null) {
  const changes = auditedChanges(before, auditedProducer(producer));
  const action = before === null ? 'producer:create' : 'producer:update';
  return Object.keys(changes).length === 0 ? null : { producer, action, changes };
}
