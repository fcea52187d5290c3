// Billing holds: periods during which a state allows no policy to lapse. Contract 3.2 "Delinquency".
import { z } from 'zod';
import type { BillingHold } from '../../../db/entities/billing/billing-hold.ts';
import { newId } from '../../../db/ids.ts';
import { findBillingHold, listBillingHolds } from '../../../db/queries/billing/billing-holds.ts';
import { validationError } from '../../../domain/errors.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  idParam,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  pageToWire,
  state,
} from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import { instantToWire } from './charges.wire.ts';

const TAG = 'Billing';
const SPEC = 'Contract 3.2';
const path = '/billing-holds';

const days = {
  from: isoDate,
  to: isoDate.meta({ description: 'The last day of the hold.' }),
};

const BillingHoldWriteSchema = z.strictObject({ state, ...days }).meta({ id: 'BillingHoldWrite' });

const BillingHoldSchema = z
  .strictObject({
    id: idReference('billingHold'),
    orgId: idReference('organization'),
    state: z.string(),
    ...days,
    createdAt: instant,
    updatedAt: instant,
    version: z.int(),
  })
  .meta({ id: 'BillingHold', description: 'Days in a state that do not count toward a lapse for non-payment.' });

const billingHoldResource: Resource<BillingHold> = {
  name: 'billing_hold',
  load: findBillingHold,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const placeHold = route({
  method: 'post',
  path,
  operationId: 'placeBillingHold',
  tag: TAG,
  spec: SPEC,
  summary: 'Stop the delinquency clock in a state',
  description:
    'During a hold no notice of cancellation goes out, no policy lapses, and the days do not count. A notice that has already gone out gets a later date.',
  access: allow('billing_hold:manage'),
  body: BillingHoldWriteSchema,
  response: { status: 201, body: BillingHoldSchema },
  errors: [],
  handler: async ({ body, db, lifecycle, command }) => {
    const { from, to } = body;
    if (to < from) throw validationError('to', 'min', 'The last day must not be before the first day.', { min: from });
    const { holdId } = await lifecycle.placeBillingHold(command(body, newId('billingHold', command.seedUuid)));
    return billingHoldToWire(present(await db.read((em) => findBillingHold(em, holdId))));
  },
});

const listHolds = route({
  method: 'get',
  path,
  operationId: 'listBillingHolds',
  tag: TAG,
  spec: SPEC,
  summary: 'List the holds that have not been lifted',
  description:
    'While a hold lasts, the clock from an unpaid invoice to a lapse is stopped in its state. Lifted holds are not listed.',
  access: allow('billing_hold:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageSchema('BillingHold', BillingHoldSchema) },
  errors: [],
  handler: async ({ query, db }) => pageToWire(await db.read((em) => listBillingHolds(em, query)), billingHoldToWire),
});

const liftHold = route({
  method: 'delete',
  path: `${path}/:id`,
  operationId: 'liftBillingHold',
  tag: TAG,
  spec: SPEC,
  summary: 'Lift a hold',
  description:
    'The clock runs again from today. Days already covered by the hold do not count. A repeated call changes nothing.',
  access: allow('billing_hold:manage', billingHoldResource),
  params: z.strictObject({ id: idParam('billingHold') }),
  response: { status: 204, body: null },
  errors: [],
  handler: async ({ row, lifecycle, command }) => {
    if (row.liftedOn === null) await lifecycle.liftBillingHold(command({}, row.id));
  },
});

export const billingHoldRoutes = [placeHold, listHolds, liftHold];

function billingHoldToWire({ id, orgId, state, fromDate, toDate, createdAt, updatedAt, version }: BillingHold) {
  const instants = { createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) };
  return { id, orgId, state, from: fromDate, to: toDate, ...instants, version };
}
