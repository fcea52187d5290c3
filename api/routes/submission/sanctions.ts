// Names that resemble a party on the sanctions list, and their clearance. Contract 2 "compliance_officer", Domain
// facts 6.4, decision 0343.
import { z } from 'zod';
import { SanctionsClearance } from '../../../db/entities/submission/sanctions-clearance.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import {
  findSanctionsClearance,
  listSanctionsClearances,
  lockSanctionsClearance,
} from '../../../db/queries/submission/sanctions-clearances.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { actorRef } from '../../../domain/permissions.ts';
import { matchesToClear, nameKey } from '../../../domain/submission/sanctions-clearance.ts';
import { unclearedOf } from '../../../plans/submission/uncleared-matches.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { businessText, idParam, pageQuery, pageToWire } from '../../spine/schemas.ts';
import { instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import { present } from '../rows.ts';
import {
  SanctionsClearanceCreateSchema,
  SanctionsClearancePageSchema,
  SanctionsClearanceSchema,
  ScreenedMatchesSchema,
  ScreeningSchema,
} from './sanctions.schemas.ts';

const facts = { tag: 'Submissions', spec: 'Contract 2, Domain facts 6.4' } as const;
const path = '/sanctions/clearances';
const entityType = 'sanctions_clearance';

const clearanceResource: Resource<SanctionsClearance> = {
  name: entityType,
  load: findSanctionsClearance,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const screenName = route({
  ...facts,
  method: 'post',
  path: '/sanctions/screenings',
  operationId: 'screenName',
  summary: 'Screen a name against the sanctions list',
  description:
    'Lists the entries that the name resembles, best match first, and whether your organization has cleared the name of them. Nothing is written. The name is in the body, so that it is in no log of addresses.',
  access: allow('sanctions:read'),
  body: ScreeningSchema,
  response: { status: 200, body: ScreenedMatchesSchema },
  errors: [],
  handler: async ({ body: { name }, db, deps }) => {
    const found = await deps.screening.screen(name);
    const uncleared = await db.read((em) => unclearedOf(em, name, found));
    return { data: found.map((match) => ({ ...match, isCleared: !uncleared.includes(match) })) };
  },
});

const clearName = route({
  ...facts,
  method: 'post',
  path,
  operationId: 'clearName',
  summary: 'Clear a name that only resembles a listed party',
  description:
    'The insured may then be bound, endorsed and renewed under this name: `DA_SANCTIONS_REVIEW` no longer applies. A clearance covers the name, whatever its case and punctuation, and the given entries. A new entry on the list, or one whose name or program changes, needs a new clearance. Payees of claims are cleared on their claim.',
  access: allow('sanctions:clear'),
  body: SanctionsClearanceCreateSchema,
  response: { status: 201, body: SanctionsClearanceSchema },
  errors: ['already_exists'],
  handler: async ({ body: { name, entryIds, reason }, actor, requestId, db, deps, command }) => {
    const found = await deps.screening.screen(name);
    return db.answer(async (em) => {
      const matches = matchesToClear(entryIds, { found, uncleared: await unclearedOf(em, name, found) });
      const id = newId('sanctionsClearance', command.seedUuid);
      const cleared = { name, nameKey: nameKey(name), matches, reason, clearedBy: actorRef(actor) };
      const row = addRow(em, SanctionsClearance, { id, ...cleared, withdrawnAt: null, withdrawnBy: null });
      const changes = auditedChanges(null, { entryIds: matches.map(({ entryId }) => entryId) });
      writeAudit(em, { actor, action: 'sanctions:clear', entityType, entityId: id, requestId, changes });
      await em.flush();
      return reply({ body: clearanceToWire(row), etag: entityTag(id, row.version) });
    });
  },
});

const listClearances = route({
  ...facts,
  method: 'get',
  path,
  operationId: 'listSanctionsClearances',
  summary: 'List cleared names, newest first',
  description: 'Withdrawn clearances stay in the list. Filter by a name, whatever its case and punctuation.',
  access: allow('sanctions:read'),
  query: z.strictObject({
    ...pageQuery,
    name: businessText.optional().meta({ description: 'A name, whatever its case and punctuation.' }),
  }),
  response: { status: 200, body: SanctionsClearancePageSchema },
  errors: [],
  handler: async ({ query: { name, ...page }, db }) =>
    pageToWire(await db.read((em) => listSanctionsClearances(em, { name }, page)), clearanceToWire),
});

const withdrawClearance = route({
  ...facts,
  method: 'delete',
  path: `${path}/:id`,
  operationId: 'withdrawSanctionsClearance',
  summary: 'Withdraw a clearance',
  description:
    'The name is held again at the next bind, change of name or renewal. Policies in force stay as they are. A repeated call changes nothing.',
  access: allow('sanctions:clear', clearanceResource),
  params: z.strictObject({ id: idParam('sanctionsClearance') }),
  response: { status: 204, body: null },
  errors: [],
  handler: async ({ row: { id }, actor, requestId, db, deps, ensureUnchanged }) =>
    db.transaction(async (em) => {
      const row = present(await lockSanctionsClearance(em, id));
      ensureUnchanged(row);
      if (row.withdrawnAt !== null) return;
      Object.assign(row, { withdrawnAt: new Date(deps.now()), withdrawnBy: actorRef(actor) });
      const changes = auditedChanges({ withdrawnBy: null }, { withdrawnBy: actor.id });
      writeAudit(em, { actor, action: 'sanctions:clear', entityType, entityId: id, requestId, changes });
    }),
});

export const sanctionsRoutes = [screenName, clearName, listClearances, withdrawClearance];

function clearanceToWire(row: Readonly<SanctionsClearance>): z.output<typeof SanctionsClearanceSchema> {
  const { id, orgId, name, matches, reason, clearedBy, withdrawnAt, withdrawnBy, version, createdAt, updatedAt } = row;
  return {
    ...{ id, orgId, name, matches: [...matches], reason, clearedBy: clearedBy.id },
    ...{ withdrawnAt: instantOrNull(withdrawnAt), withdrawnBy: withdrawnBy?.id ?? null, version },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) },
  };
}
