// Rate tables: what a line of business costs from a given day on. A version is added, never changed, so an issued quote
// keeps the one it was priced with. Contract 3.10.
import type { RateTable } from '../../../db/entities/submission/rate-table.ts';
import { holdUntilCommit } from '../../../db/queries/holds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { addRateTable, rateTableOn } from '../../../db/queries/submission/rates.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { validationErrors } from '../../../domain/errors.ts';
import { rateTableIssues } from '../../../domain/submission/rate-table-checks.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';
import { RateTableParams, RateTableQuery, RateTableSchema, RateTableWriteSchema } from './rate-tables.schemas.ts';
import { ratesFromWire, rateTableToWire } from './rate-tables.wire.ts';

const TAG = 'Rates';
const SPEC = 'Contract 3.10';
const path = '/rate-tables/:lineOfBusiness';

const getRateTable = route({
  method: 'get',
  path,
  operationId: 'getRateTable',
  tag: TAG,
  spec: SPEC,
  summary: 'Read the rate table in force for a line',
  description: 'Choose the day with `asOf`; the default is today. Factors are decimal strings, to stay exact.',
  access: allow('rate_table:read'),
  params: RateTableParams,
  query: RateTableQuery,
  response: { status: 200, body: RateTableSchema },
  errors: ['not_found'],
  isTagged: true,
  handler: async ({ params: { lineOfBusiness }, query, org, db }) => {
    const table = await db.read((em) => rateTableOn(em, lineOfBusiness, query.asOf ?? org.today));
    if (table === null) throw notFound('rate table');
    return shown(table);
  },
});

const putRateTable = route({
  method: 'put',
  path,
  operationId: 'putRateTable',
  tag: TAG,
  spec: SPEC,
  summary: "Add a version of a line's rate table",
  description:
    'The version applies to quotes from `effectiveFrom` on; issued quotes keep their premium. `If-Match` names the table in force on that day. An incomplete table returns 400 and names the field.',
  access: allow('rate_table:write'),
  params: RateTableParams,
  body: RateTableWriteSchema,
  response: { status: 200, body: RateTableSchema },
  errors: ['not_found'],
  isTagged: true,
  handler: async ({ params: { lineOfBusiness }, body, actor, org, requestId, db, ensureUnchanged }) => {
    const table = ratesFromWire(lineOfBusiness, body.table);
    const issues = rateTableIssues(table);
    if (issues.length > 0) throw validationErrors(issues);
    const effectiveFrom = body.effectiveFrom ?? org.today;
    return db.transaction(async (em) => {
      await holdUntilCommit(em, `rate table of ${lineOfBusiness}`, 'alone');
      const before = await rateTableOn(em, lineOfBusiness, effectiveFrom);
      ensureUnchanged({ id: before?.id ?? 'none', version: NEVER_CHANGED });
      const row = addRateTable(em, { effectiveFrom, table, createdBy: actor.id });
      const changes = auditedChanges(before && ratesOf(before), ratesOf(row));
      writeAudit(em, {
        actor,
        action: 'rate_table:write',
        entityType: 'rate_table',
        entityId: row.id,
        requestId,
        changes,
      });
      await em.flush();
      return shown(row);
    });
  },
});

/** A later table is another row. */
const NEVER_CHANGED = 1;

function shown(table: Readonly<RateTable>) {
  return reply({ body: rateTableToWire(table), etag: entityTag(table.id, NEVER_CHANGED) });
}

/** What an audit row compares: a version and the one in force on its first day. */
function ratesOf({ effectiveFrom, table }: RateTable): object {
  return { effectiveFrom, ...table };
}

export const rateTableRoutes = [getRateTable, putRateTable];
