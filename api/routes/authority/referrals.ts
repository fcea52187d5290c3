// Referrals: list and detail. Spec 4.11, Contract 3.7.
import { z } from 'zod';
import type { Referral } from '../../../db/entities/authority/referral.ts';
import { findReferral, listReferrals } from '../../../db/queries/authority/referrals.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { ReferralListQuery, ReferralPageSchema, ReferralSchema } from './referrals.schemas.ts';
import { referralToWire } from './referrals.wire.ts';

const TAG = 'Referrals';

const referralResource: Resource<Referral> = {
  name: 'referral',
  load: findReferral,
  facts: ({ orgId, requestedBy }) => ({ orgId, requestedBy }),
  version: ({ version }) => version,
};

const listReferralsRoute = route({
  method: 'get',
  path: '/referrals',
  operationId: 'listReferrals',
  tag: TAG,
  spec: '4.11, Contract 3.7',
  summary: 'List referrals',
  access: allow('referral:read'),
  query: ReferralListQuery,
  response: { status: 200, body: ReferralPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    pageToWire(await db.read((em) => listReferrals(em, filter, { limit, cursor })), referralToWire),
});

const getReferral = route({
  method: 'get',
  path: '/referrals/:id',
  operationId: 'getReferral',
  tag: TAG,
  spec: 'Contract 3.7',
  summary: 'Read a referral',
  access: allow('referral:read', referralResource),
  params: z.strictObject({ id: idParam('referral') }),
  response: { status: 200, body: ReferralSchema },
  errors: [],
  handler: ({ row }) => referralToWire(row),
});

export const referralRoutes = [listReferralsRoute, getReferral];
