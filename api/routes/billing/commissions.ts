// Commission records: how the premium of paid invoices was shared, and what was taken back. Contract 3.4 "Commission
// record".
import { z } from 'zod';
import type { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { listCommissions } from '../../../db/queries/billing/commissions.ts';
import { toDollars } from '../../../domain/money.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  pageToWire,
  signedDollars,
} from '../../spine/schemas.ts';
import { instantToWire } from './charges.wire.ts';

const share = z.string().meta({ description: 'Share of gross premium, as decimal text.', examples: ['0.125'] });

export const CommissionSchema = z
  .strictObject({
    id: idReference('commissionRecord'),
    orgId: idReference('organization'),
    type: z.enum(['earned', 'reversal']),
    reversesId: idReference('commissionRecord').nullable(),
    policyId: idReference('policy'),
    invoiceId: idReference('invoice'),
    producerId: idReference('producer'),
    grossPremium: signedDollars,
    agentCommission: signedDollars,
    mgaCommission: signedDollars,
    carrierNet: signedDollars,
    tier: z.number().int(),
    rates: z.strictObject({ agentRate: share, mgaRate: share }).meta({ id: 'CommissionShares' }),
    recordedOn: isoDate.meta({ description: 'The date of the ledger entry that moves the share.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Commission',
    description:
      'How the premium of a paid invoice was shared. The three shares sum to the gross premium. In a reversal all amounts are negative.',
  });

const listCommissionsRoute = route({
  method: 'get',
  path: '/commissions',
  operationId: 'listCommissions',
  tag: 'Billing',
  spec: 'Contract 3.4',
  summary: 'List commission records, newest first',
  description:
    'A record is earned when its invoice is fully paid, and reversed when the money goes back. Filter by producer, policy or invoice.',
  access: allow('commission:read'),
  query: z.strictObject({
    ...pageQuery,
    producerId: idReference('producer').optional(),
    policyId: idReference('policy').optional(),
    invoiceId: idReference('invoice').optional(),
    from: isoDate.optional().meta({ description: 'Recorded on this business date or later.' }),
    to: isoDate.optional().meta({ description: 'Recorded on this business date or before.' }),
  }),
  response: { status: 200, body: pageSchema('Commission', CommissionSchema) },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    pageToWire(await db.read((em) => listCommissions(em, filter, { limit, cursor })), commissionToWire),
});

export const commissionRoutes = [listCommissionsRoute];

/** Returns a commission record; amounts in dollars. */
export function commissionToWire(record: CommissionRecord): z.output<typeof CommissionSchema> {
  const { id, orgId, type, reversesId, policyId, invoiceId, producerId, tier, rates } = record;
  return {
    ...{ id, orgId, type, reversesId, policyId, invoiceId, producerId, tier },
    grossPremium: toDollars(record.grossPremiumCents),
    agentCommission: toDollars(record.agentCommissionCents),
    mgaCommission: toDollars(record.mgaCommissionCents),
    carrierNet: toDollars(record.carrierNetCents),
    rates: { agentRate: rates.agentRate, mgaRate: rates.mgaRate },
    recordedOn: record.recordedOn,
    createdAt: instantToWire(record.createdAt),
    updatedAt: instantToWire(record.updatedAt),
  };
}
