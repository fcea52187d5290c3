// State filings and their due dates: what is required, and whether it was done. Contract 3.7 "Compliance filings".
import { z } from 'zod';
import type { Filing } from '../../../db/entities/insight/filing.ts';
import { findFiling, listFilings, lockFiling } from '../../../db/queries/insight/filings.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { changedFields } from '../../../domain/audit.ts';
import { type BusinessDate, daysBetween } from '../../../domain/dates.ts';
import { filingRecord, filingStatus } from '../../../domain/insight/deadlines.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { present } from '../rows.ts';
import {
  FilingChangeSchema,
  FilingListQuery,
  FilingPageSchema,
  FilingSchema,
  type FilingWire,
} from './filings.schemas.ts';

const TAG = 'Compliance';
const SPEC = 'Contract 3.7';
const params = z.strictObject({ id: idParam('filing') });
const entityType = 'filing';

const filingResource: Resource<Filing> = {
  name: entityType,
  load: findFiling,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const listFilingsRoute = route({
  method: 'get',
  path: '/compliance/filings',
  operationId: 'listFilings',
  tag: TAG,
  spec: SPEC,
  summary: 'List filings, newest first',
  description:
    'Filings that states require for policies, licenses, appointments and claims, and the monthly reports and remittances to carriers. The kind `nonrenewal_notice` is the last day for notice that a term is not renewed, and `fmcsa_notice` the last day to notify FMCSA that the coverage of a motor carrier ends. `mga_audit` is the audit that a carrier makes of the business under a contract, due once every half-year. Acknowledging or deciding a claim closes its deadlines, and a remittance to a carrier or a state closes those that it pays. The others close when you record them. A sandbox requires no filings.',
  access: allow('filing:read'),
  query: FilingListQuery,
  response: { status: 200, body: FilingPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, org: { today }, db }) => {
    const page = await db.read((em) => listFilings(em, { ...filter, today }, { limit, cursor }));
    return pageToWire(page, (filing) => filingToWire(filing, today));
  },
});

const getFiling = route({
  method: 'get',
  path: '/compliance/filings/:id',
  operationId: 'getFiling',
  tag: TAG,
  spec: SPEC,
  summary: 'Read a filing',
  description:
    'It shows what is to be filed, where and by which day. An open filing is overdue from the day after its due date.',
  access: allow('filing:read', filingResource),
  params,
  response: { status: 200, body: FilingSchema },
  errors: [],
  handler: ({ row, org }) => filingToWire(row, org.today),
});

const markFiled = route({
  method: 'patch',
  path: '/compliance/filings/:id',
  operationId: 'markFiled',
  tag: TAG,
  spec: SPEC,
  summary: 'Record that a filing was made, or correct its reference',
  description:
    'Send `status` `filed` and, as `reference`, the number or receipt that the state or the carrier issued. The day and the user are recorded, and reminders of its deadline stop. To correct the reference later, send the right one: the filing keeps its day and user, and the audit trail has both references.',
  access: allow('filing:update', filingResource),
  params,
  body: FilingChangeSchema,
  response: { status: 200, body: FilingSchema },
  errors: ['invalid_state_transition'],
  handler: ({ row: { id }, body, actor, org: { today }, requestId, db, ensureUnchanged }) =>
    db.transaction(async (em) => {
      const filing = present(await lockFiling(em, id));
      ensureUnchanged(filing);
      const record = filingRecord(filing, body.reference, today);
      const filed = { ...body, filedOn: today, filedBy: actor.id, nextStepOn: null };
      const { reference: _text, ...audited } = filed;
      const isCorrection = record === 'corrected';
      const after = isCorrection ? { reference: body.reference } : audited;
      const changes = changedFields({ ...filing }, { ...filing, ...after });
      em.assign(filing, isCorrection ? after : filed);
      const action = isCorrection ? 'filing:correct' : 'filing:update';
      writeAudit(em, { actor, action, entityType, entityId: id, requestId, changes });
      await em.flush();
      return filingToWire(filing, today);
    }),
});

export const filingRoutes = [listFilingsRoute, getFiling, markFiled];

function filingToWire(filing: Readonly<Filing>, today: BusinessDate): FilingWire {
  const { id, orgId, kind, state, dueDate, policyId, transactionId, producerId, appointmentId, claimId } = filing;
  const { carrier, period, daContractId: contractId } = filing;
  const { reference, filedOn, filedBy, version, createdAt, updatedAt } = filing;
  return {
    ...{ id, orgId, kind, state, dueDate, daysLeft: daysBetween(today, dueDate) },
    status: filingStatus(filing, today),
    ...{
      policyId,
      transactionId,
      producerId,
      appointmentId,
      claimId,
      carrier,
      period,
      contractId,
      reference,
      filedOn,
      filedBy,
      version,
    },
    createdAt: instantToWire(createdAt),
    updatedAt: instantToWire(updatedAt),
  };
}
