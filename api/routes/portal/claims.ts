// An insured's claims in the policyholder portal: their status, and the first notice of loss. The insured can change
// nothing else about a claim. Contract 3.7 "Portal", 3.3.
import { z } from 'zod';
import { Claim } from '../../../db/entities/claim/claim.ts';
import { equalTo } from '../../../db/queries/pages.ts';
import { findOwn, pageOfOwn, shareInsured } from '../../../db/queries/portal/own-rows.ts';
import { validationError } from '../../../domain/errors.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { fileNotice } from '../claim/claims.ts';
import { present } from '../rows.ts';
import { ownClaim, PORTAL } from './own-rows.ts';
import {
  PortalClaimListQuery,
  PortalClaimPageSchema,
  PortalClaimSchema,
  PortalNoticeSchema,
} from './portal.schemas.ts';
import { portalClaim } from './portal.wire.ts';

const listClaims = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/claims',
  operationId: 'listPortalClaims',
  summary: "List the insured's claims",
  description: 'Filter by status. Notes and reserves of the adjuster are not shown.',
  access: allow('portal:use'),
  query: PortalClaimListQuery,
  response: { status: 200, body: PortalClaimPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, status, policyId }, actor, db }) => {
    const page = await db.read((em) =>
      pageOfOwn(em, Claim, { policyId: actor.id }, [equalTo({ status, policyId }) as never], { limit, cursor }),
    );
    return pageToWire(page, portalClaim);
  },
});

const getClaim = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/claims/:id',
  operationId: 'getPortalClaim',
  summary: "Read the status of one of the insured's claims",
  description:
    'It shows the status of the claim, its dates and its deductible. Notes and reserves of the adjuster are not shown.',
  access: allow('portal:use', ownClaim),
  params: z.strictObject({ id: idParam('claim') }),
  response: { status: 200, body: PortalClaimSchema },
  errors: [],
  handler: ({ row }) => portalClaim(row),
});

const fileClaim = route({
  ...PORTAL,
  method: 'post',
  path: '/portal/claims',
  operationId: 'filePortalClaim',
  summary: 'Report a loss (first notice of loss)',
  description:
    'It is filed on the term that contains the loss date, and never refused for coverage. `GET /portal/claims/:id` shows its progress.',
  access: allow('portal:use'),
  body: PortalNoticeSchema,
  response: { status: 201, body: PortalClaimSchema },
  errors: [],
  handler: async (call) => {
    const { body, actor, db } = call;
    const { policyId = actor.id, ...loss } = body;
    if (!(await db.read((em) => shareInsured(em, actor.id, policyId))))
      throw validationError('policyId', 'unknown_reference', 'There is no such policy.');
    const id = await fileNotice(call, policyId, { ...loss, reportedBy: 'The insured' });
    const claim = present(await db.read((em) => findOwn(em, Claim, { id, policyId: actor.id })));
    return reply({ body: portalClaim(claim), etag: entityTag(id, claim.version) });
  },
});

export const portalClaimRoutes = [listClaims, getClaim, fileClaim];
