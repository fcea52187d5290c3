// An insured's policy terms in the policyholder portal. Spec 4.14, Contract 3.7 "Portal".
import { z } from 'zod';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { IS_OWN_TERM, pageOfOwn } from '../../../db/queries/portal/own-rows.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { showBilled, showPolicies } from '../policy/shown-policies.ts';
import { present } from '../rows.ts';
import { ownPolicy, PORTAL } from './own-rows.ts';
import { PortalPolicyListQuery, PortalPolicyPageSchema, PortalPolicySchema } from './portal.schemas.ts';
import { portalPolicy } from './portal.wire.ts';

const listPolicies = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/policies',
  operationId: 'listPortalPolicies',
  summary: "List the insured's policies",
  description: "Lists every term with the same insured as the token's policy. Terms of other insureds are never shown.",
  access: allow('portal:use'),
  query: PortalPolicyListQuery,
  response: { status: 200, body: PortalPolicyPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, status }, actor, org: { today }, db }) => {
    const page = await db.read(async (em) => {
      const own = { policyId: actor.id, condition: IS_OWN_TERM };
      const found = await pageOfOwn(em, Policy, own, status ? [{ status }] : [], { limit, cursor });
      return { ...found, data: await showPolicies(em, found.data, today) };
    });
    return pageToWire(page, portalPolicy);
  },
});

const getPolicy = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/policies/:id',
  operationId: 'getPortalPolicy',
  summary: "Read one of the insured's policies",
  description: 'It shows the coverage and the dates as the insured may see them. The policies of others return 404.',
  access: allow('portal:use', ownPolicy),
  params: z.strictObject({ id: idParam('policy') }),
  response: { status: 200, body: PortalPolicySchema },
  errors: [],
  handler: async ({ row: { policy, id: _id, claimAdjusterIds: _adjusters, ...billed }, org: { today }, db }) => {
    const [shown] = await db.read((em) => showBilled(em, [{ policy, billed }], today));
    return portalPolicy(present(shown ?? null));
  },
});

export const portalPolicyRoutes = [listPolicies, getPolicy];
