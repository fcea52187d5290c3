// The audit log: who did what to which entity. Every change writes it; callers never do. Contract 3.7 "Audit".
import { listAudit } from '../../../db/queries/platform/audit.ts';
import { sealsOfEntries } from '../../../db/queries/platform/audit-chain.ts';
import { startOfDayMs } from '../../../domain/business-day.ts';
import { addDays } from '../../../domain/dates.ts';
import { roleMay } from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageToWire } from '../../spine/schemas.ts';
import { periodOf } from '../insight/period.ts';
import { AuditListQuery, AuditPageSchema } from './audit.schemas.ts';
import { auditEntryToWire } from './audit.wire.ts';

const listAuditRoute = route({
  method: 'get',
  path: '/audit',
  operationId: 'listAudit',
  tag: 'Audit',
  spec: 'Contract 3.7',
  summary: 'List the audit log, newest first',
  description:
    '`npm run audit:verify` verifies the hash chain behind `seal`. Filter by actor, resource, request or day.',
  access: allow('audit:read'),
  query: AuditListQuery,
  response: { status: 200, body: AuditPageSchema },
  errors: [],
  handler: ({ query: { actor: actorId, entity, requestId, from, to, limit, cursor }, actor, db }) =>
    db.read(async (em) => {
      if (from !== undefined && to !== undefined) periodOf({ from, to }, to);
      const filter = {
        actorId,
        entity,
        requestId,
        from: from === undefined ? undefined : startOfDay(from),
        before: to === undefined ? undefined : startOfDay(addDays(to, 1)),
      };
      const seesHealth = actor.kind === 'machine' || roleMay(actor.role, 'claim:read_phi');
      const page = await listAudit(em, filter, { limit, cursor });
      const seals = await sealsOfEntries(
        em,
        page.data.map(({ id }) => id),
      );
      return pageToWire(page, (row) => auditEntryToWire(row, seals.get(row.id) ?? null, seesHealth));
    }),
});

export const auditRoutes = [listAuditRoute];

function startOfDay(date: string): Date {
  return new Date(startOfDayMs(date, 0));
}
