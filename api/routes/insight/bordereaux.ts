// Bordereaux: the monthly reports to carriers, opened here and made by a workflow. Domain facts 3.10.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Bordereau } from '../../../db/entities/insight/bordereau.ts';
import { newId } from '../../../db/ids.ts';
import { isKnownCarrier } from '../../../db/queries/claim/loss-funds.ts';
import {
  addCarrierFilings,
  filesOf,
  findBordereau,
  listBordereaux,
  openBordereau,
} from '../../../db/queries/insight/bordereaux.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { validationError } from '../../../domain/errors.ts';
import { reportedDays } from '../../../domain/insight/bordereau.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import {
  BordereauListQuery,
  BordereauOrderSchema,
  BordereauPageSchema,
  BordereauSchema,
} from './bordereaux.schemas.ts';
import { bordereauToWire } from './bordereaux.wire.ts';

const facts = { tag: 'Bordereaux', spec: 'Domain 3.10' } as const;
const entityType = 'bordereau';

const bordereauResource: Resource<Bordereau> = {
  name: entityType,
  load: findBordereau,
  facts: ({ orgId }) => ({ orgId }),
};

const createBordereau = route({
  ...facts,
  method: 'post',
  path: '/bordereaux',
  operationId: 'createBordereau',
  summary: 'Report a month to a carrier',
  description:
    'Returns as soon as the run has started; while one is under way for the same carrier, month and kind, returns that one. Each run creates a new version that lists what has changed since the previous one. The run is `completed` when its files can be downloaded. The first run for a month opens its deadline `bordereau_due`.',
  access: allow('bordereau:create'),
  body: BordereauOrderSchema,
  response: { status: 202, body: BordereauSchema },
  errors: [],
  handler: async ({ body, actor, org, db, command, requestId, lifecycle, deps }) => {
    const { carrier, month, kind } = body;
    const { last: through } = reportedDays(month, org.today);
    const own = newId('bordereau', command.seedUuid);
    const opened = await db.transaction(async (em) => {
      await ensureCarrier(em, carrier);
      const { id } = await openBordereau(em, { id: own, carrier, month, kind, through, createdBy: actor.id });
      if (id !== own) return id;
      if (deps.config.environment !== 'sandbox') {
        await addCarrierFilings(em, { carrier, month, today: org.today });
      }
      const changes = auditedChanges(null, { ...body });
      writeAudit(em, { actor, action: 'bordereau:create', entityType, entityId: id, requestId, changes });
      return id;
    });
    await lifecycle.startBordereau(org.id, opened);
    const { bordereau, files } = await db.read(async (em) => ({
      bordereau: present(await findBordereau(em, opened)),
      files: await filesOf(em, [opened]),
    }));
    return bordereauToWire(bordereau, files, deps);
  },
});

const listBordereauxRoute = route({
  ...facts,
  method: 'get',
  path: '/bordereaux',
  operationId: 'listBordereaux',
  summary: 'List bordereaux, newest first',
  description:
    'Filter by carrier, month or kind. A bordereau is made in the background, so one that is running has no files yet.',
  access: allow('bordereau:read'),
  query: BordereauListQuery,
  response: { status: 200, body: BordereauPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db, deps }) => {
    const { page, files } = await db.read(async (em) => {
      const found = await listBordereaux(em, filter, { limit, cursor });
      const ids = found.data.map(({ id }) => id);
      return { page: found, files: await filesOf(em, ids) };
    });
    return pageToWire(page, (bordereau) => bordereauToWire(bordereau, files, deps));
  },
});

const getBordereau = route({
  ...facts,
  method: 'get',
  path: '/bordereaux/:id',
  operationId: 'getBordereau',
  summary: 'Read a bordereau, with fresh addresses to download it',
  description:
    'The addresses work for 15 minutes; call this again for new ones. Read it until `status` is `completed`.',
  access: allow('bordereau:read', bordereauResource),
  params: z.strictObject({ id: idParam('bordereau') }),
  response: { status: 200, body: BordereauSchema },
  errors: [],
  handler: async ({ row, db, deps }) => bordereauToWire(row, await db.read((em) => filesOf(em, [row.id])), deps),
});

export const bordereauRoutes = [createBordereau, listBordereauxRoute, getBordereau];

/** @throws DomainError validation_failed for a carrier that no contract names */
async function ensureCarrier(em: EntityManager, carrier: string): Promise<void> {
  if (await isKnownCarrier(em, carrier)) return;
  throw validationError('carrier', 'unknown_reference', 'No authority contract names this carrier.');
}
