// Reconciliations: whether the trust holds what it owes, and every record that disagrees. They run daily, and on
// request. Contract 3.2 "Parts tie out", 3.4, domain facts 4.4.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { newId } from '../../../db/ids.ts';
import { findReconciliation, listReconciliations } from '../../../db/queries/billing/trust-reconciliations.ts';
import type { Lifecycle } from '../../engine/lifecycle.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { pageQuery, pageToWire } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import {
  TrustReconciliationPageSchema,
  TrustReconciliationParams,
  TrustReconciliationSchema,
} from './trust-reconciliations.schemas.ts';
import { reconciliationToWire } from './trust-reconciliations.wire.ts';

const TAG = 'Billing';
const SPEC = 'Contract 3.4';
const path = '/trust-reconciliations';

/** Multiplied by the number of the attempt. */
const LOOK_AGAIN_AFTER_MS = 50;

const reconciliationResource: Resource<TrustReconciliation> = {
  name: 'trust_reconciliation',
  load: findReconciliation,
  facts: ({ orgId }) => ({ orgId }),
};

const listReconciliationsRoute = route({
  method: 'get',
  path,
  operationId: 'listTrustReconciliations',
  tag: TAG,
  spec: SPEC,
  summary: 'List reconciliations with their figures and findings, newest first',
  description:
    'Each run compares the trust accounts with what is owed to others. A finding names the amount that does not add up.',
  access: allow('ledger:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: TrustReconciliationPageSchema },
  errors: [],
  handler: async ({ query, db }) =>
    pageToWire(await db.read((em) => listReconciliations(em, query)), reconciliationToWire),
});

const getReconciliation = route({
  method: 'get',
  path: `${path}/:id`,
  operationId: 'getTrustReconciliation',
  tag: TAG,
  spec: SPEC,
  summary: 'Read a reconciliation with its figures, checks and findings',
  description:
    'A run in progress has no figures yet; read it again until `status` is `completed`. Every failed check is explained by its findings.',
  access: allow('ledger:read', reconciliationResource),
  params: TrustReconciliationParams,
  response: { status: 200, body: TrustReconciliationSchema },
  errors: [],
  handler: async ({ row }) => reconciliationToWire(row),
});

const startReconciliation = route({
  method: 'post',
  path,
  operationId: 'startTrustReconciliation',
  tag: TAG,
  spec: SPEC,
  summary: 'Reconcile the books now',
  description:
    'Returns as soon as the run has started; while one is under way, returns that one. The run is `completed` when all checks have finished. Findings raise `financial.operation_failed`.',
  access: allow('ledger:reconcile'),
  response: { status: 202, body: TrustReconciliationSchema },
  errors: [],
  handler: async ({ lifecycle, command, db }) => {
    const start = command({}, newId('trustReconciliation', command.seedUuid));
    return reconciliationToWire(await startedRun(start, lifecycle, db));
  },
});

/**
 * Starts a run, or joins the one in progress. A run that has its result still responds until its workflow ends, some
 * milliseconds later, but does not know later bookings. In that case the same command is sent under another update id,
 * since a run has one response for each, and starts the next run. Gives up at the caller's deadline.
 */
async function startedRun(
  start: Command,
  lifecycle: Lifecycle,
  db: OrganizationDatabase,
): Promise<TrustReconciliation> {
  for (let again = 1; ; again += 1) {
    const sent = again === 1 ? start : { ...start, updateId: `${start.updateId ?? start.commandId}/${again}` };
    const { reconciliationId } = await lifecycle.startReconciliation(sent);
    const run = present(await db.read((em) => findReconciliation(em, reconciliationId)));
    if (run.status !== 'completed' || run.id === start.entityId) return run;
    await delay(again * LOOK_AGAIN_AFTER_MS);
  }
}

export const trustReconciliationRoutes = [listReconciliationsRoute, getReconciliation, startReconciliation];
