// Commission schedules: how a line's premium is shared from a given day on. A version is added, never changed. Contract
// 3.10.
import type { CommissionSchedule } from '../../../db/entities/billing/commission-schedule.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import {
  addCommissionSchedule,
  commissionScheduleOn,
  commissionSchedules,
} from '../../../db/queries/submission/rates.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageToWire } from '../../spine/schemas.ts';
import {
  CommissionScheduleListQuery,
  CommissionSchedulePageSchema,
  CommissionScheduleSchema,
  CommissionScheduleWriteSchema,
} from './commission-schedules.schemas.ts';
import { commissionScheduleToWire, sharesFromWire } from './commission-schedules.wire.ts';

const TAG = 'Rates';
const SPEC = 'Contract 3.10';
const path = '/commission-schedules';

const listSchedules = route({
  method: 'get',
  path,
  operationId: 'listCommissionSchedules',
  tag: TAG,
  spec: SPEC,
  summary: 'List the schedules in force, one for each line',
  description:
    'Choose the day with `asOf`; the default is today. A schedule sets the shares of the agent, the MGA and the carrier.',
  access: allow('commission_schedule:read'),
  query: CommissionScheduleListQuery,
  response: { status: 200, body: CommissionSchedulePageSchema },
  errors: [],
  handler: async ({ query: { lineOfBusiness, asOf, ...page }, org, db }) => {
    const all = await db.read((em) => commissionSchedules(em, asOf ?? org.today));
    const matching = all.filter((row) => lineOfBusiness === undefined || row.lineOfBusiness === lineOfBusiness);
    return pageToWire(pageWithin(matching, page), commissionScheduleToWire);
  },
});

const putSchedule = route({
  method: 'put',
  path,
  operationId: 'putCommissionSchedule',
  tag: TAG,
  spec: SPEC,
  summary: "Add a version of a line's commission schedule",
  description:
    'The version applies to transactions issued from `effectiveFrom` on; earlier ones keep their shares. Together, agent and MGA take at most half of the premium; the carrier keeps the rest.',
  access: allow('commission_schedule:write'),
  body: CommissionScheduleWriteSchema,
  response: { status: 200, body: CommissionScheduleSchema },
  errors: [],
  handler: ({ body: { lineOfBusiness, ...body }, actor, org, requestId, db }) =>
    db.transaction(async (em) => {
      const effectiveFrom = body.effectiveFrom ?? org.today;
      const schedule = sharesFromWire(lineOfBusiness, body.schedule);
      const before = await commissionScheduleOn(em, lineOfBusiness, effectiveFrom);
      const row = addCommissionSchedule(em, { effectiveFrom, schedule, createdBy: actor.id });
      const changes = auditedChanges(before && sharesOf(before), sharesOf(row));
      const action = 'commission_schedule:write';
      writeAudit(em, { actor, action, entityType: 'commission_schedule', entityId: row.id, requestId, changes });
      await em.flush();
      return commissionScheduleToWire(row);
    }),
});

/** What an audit row compares: a version and the one in force on its first day. */
function sharesOf({ effectiveFrom, schedule }: CommissionSchedule): object {
  return { effectiveFrom, ...schedule };
}

export const commissionScheduleRoutes = [listSchedules, putSchedule];
