// The cost of claims, by producer. Contract 3.3, domain facts 3.3.
import { z } from 'zod';
import { lossesByProducer } from '../../../db/queries/claim/losses.ts';
import { toDollars } from '../../../domain/money.ts';
import { visibility } from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { dollars, idReference, isoDate, signedDollars } from '../../spine/schemas.ts';

const ProducerLossesSchema = z
  .strictObject({
    producerId: idReference('producer').nullable().meta({ description: 'Null for policies without a producer.' }),
    claims: z.number().int(),
    open: z.number().int().meta({ description: 'Claims that are not closed.' }),
    paid: dollars,
    outstanding: dollars.meta({ description: 'Reserves that are not paid yet, in dollars.' }),
    recovered: dollars,
    incurred: signedDollars.meta({ description: 'Paid + outstanding − recoveries, in dollars.' }),
  })
  .meta({ id: 'ProducerLosses' });

const listLosses = route({
  method: 'get',
  path: '/claims/losses',
  operationId: 'listLosses',
  tag: 'Claims',
  spec: 'Contract 3.3',
  summary: 'Total the claims of each producer',
  description:
    'Counts only the claims that the caller may read. `lossFrom` and `lossTo` limit it to losses between two days.',
  access: allow('claim:read'),
  query: z.strictObject({
    producerId: idReference('producer').optional(),
    lossFrom: isoDate.optional(),
    lossTo: isoDate.optional(),
  }),
  response: {
    status: 200,
    body: z
      .strictObject({ data: z.array(ProducerLossesSchema), nextCursor: z.null() })
      .meta({ id: 'ProducerLossesList' }),
  },
  errors: [],
  handler: async ({ query, actor, db }) => {
    const filter = { ...query, visibility: visibility(actor, 'claim:read') };
    const losses = await db.read((em) => lossesByProducer(em, filter));
    return {
      data: losses.map(({ producerId, claims, open, paidCents, outstandingCents, recoveredCents }) => ({
        ...{ producerId, claims, open, paid: toDollars(paidCents), outstanding: toDollars(outstandingCents) },
        recovered: toDollars(recoveredCents),
        incurred: toDollars(paidCents + outstandingCents - recoveredCents),
      })),
      nextCursor: null,
    };
  },
});

export const lossRoutes = [listLosses];
