// Claims: the first notice of loss, list, detail, history. Actions are in claim-actions.ts. Spec 4.5, Contract 3.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { newId } from '../../../db/ids.ts';
import { keepParticulars } from '../../../db/queries/claim/claim-words.ts';
import { claimEntries, listClaims } from '../../../db/queries/claim/claims.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { findPolicy, policyNumbered } from '../../../db/queries/policy/policies.ts';
import { validationError } from '../../../domain/errors.ts';
import { fromDollars } from '../../../domain/money.ts';
import { visibility } from '../../../domain/permissions.ts';
import type { Lifecycle } from '../../engine/lifecycle.ts';
import { allow } from '../../spine/access.ts';
import { type CallOrganization, type CommandBuilder, type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam, pageQuery, pageToWire } from '../../spine/schemas.ts';
import {
  type ClaimCreate,
  ClaimCreateSchema,
  ClaimListQuery,
  ClaimPageSchema,
  ClaimSchema,
  ClaimTimelineSchema,
} from './claims.schemas.ts';
import { claimEntryToWire, claimSummaryToWire, type Loss, particularsOf } from './claims.wire.ts';
import {
  claimReply,
  claimResource,
  claimSeenBy,
  knownOriginals,
  PROTECTED_FIELDS,
  replayedClaim,
  wordsOf,
} from './seen-claims.ts';

const facts = { tag: 'Claims', spec: '4.5, Contract 3.3' } as const;
const params = z.strictObject({ id: idParam('claim') });

const createClaim = route({
  ...facts,
  method: 'post',
  path: '/claims',
  operationId: 'createClaim',
  summary: 'File a first notice of loss',
  description:
    'The claim is filed on the term that contains the loss date; `policyId` in the response names that term. It is never ' +
    'refused for coverage: `coverageFlags` list the coverage questions. A likely duplicate is accepted, and callers who ' +
    'may read the earlier claim see which one it is.',
  access: allow('claim:create'),
  body: ClaimCreateSchema,
  response: { status: 201, body: ClaimSchema },
  errors: [],
  secretFields: PROTECTED_FIELDS,
  replayed: replayedClaim,
  handler: async (call) => {
    const { body, actor, requestId, db } = call;
    const policy = await db.read((em) => namedPolicy(em, body));
    return claimReply(await fileNotice(call, policy.id, body), { actor, requestId, db });
  },
});

const listClaimsRoute = route({
  ...facts,
  method: 'get',
  path: '/claims',
  operationId: 'listClaims',
  summary: 'List claims',
  description: 'Filter by status, adjuster, policy or date of loss. Protected values are left out of the list.',
  access: allow('claim:read'),
  query: ClaimListQuery,
  response: { status: 200, body: ClaimPageSchema },
  errors: [],
  handler: async ({ query, actor, db }) => {
    const { limit, cursor, sort, ...filter } = query;
    const seen = { visibility: visibility(actor, 'claim:read'), ...filter };
    const page = await db.read((em) => listClaims(em, seen, { limit, cursor, sort }));
    const known = await knownOriginals(page.data, { actor, db });
    return pageToWire(page, (claim) => claimSummaryToWire(claim, known));
  },
});

const getClaim = route({
  ...facts,
  method: 'get',
  path: '/claims/:id',
  operationId: 'getClaim',
  summary: 'Read a claim',
  description:
    'The response shows reserves, payments, the deadlines of the state and what the policy covered on the day of the loss. Protected values are absent for callers who may not see them, and every read of them is recorded in the audit log.',
  access: allow('claim:read', claimResource),
  params,
  response: { status: 200, body: ClaimSchema },
  errors: [],
  handler: ({ row, actor, requestId, db }) => claimSeenBy(row, { actor, requestId, db }),
});

const getTimeline = route({
  ...facts,
  method: 'get',
  path: '/claims/:id/timeline',
  operationId: 'getClaimTimeline',
  summary: 'Read who did what to a claim, oldest first',
  description:
    'Each entry names the step, who took it and when. Notes of a protected claim are absent for callers who may not see them.',
  access: allow('claim:read', claimResource),
  params,
  query: z.strictObject(pageQuery),
  response: { status: 200, body: ClaimTimelineSchema },
  errors: [],
  handler: async ({ row, query, actor, requestId, db }) => {
    const page = pageWithin(await db.read((em) => claimEntries(em, row.id)), query);
    const words = await wordsOf(row, { actor, requestId, db }, ['note']);
    return pageToWire(page, (entry) => claimEntryToWire(entry, words));
  },
});

export const claimRoutes = [createClaim, listClaimsRoute, getClaim, getTimeline];

/** What filing a notice needs from a call. */
interface FilingCall {
  org: CallOrganization;
  db: OrganizationDatabase;
  lifecycle: Lifecycle;
  command: CommandBuilder;
}

/**
 * Files a first notice of loss: stores its particulars, then has the claim opened. @returns the id of the claim
 * @throws DomainError validation_failed for a loss after today
 */
export async function fileNotice(
  { org, db, lifecycle, command }: FilingCall,
  policyId: string,
  notice: Loss,
): Promise<string> {
  const { lossDate, containsPhi, estimatedAmount } = notice;
  if (lossDate > org.today)
    throw validationError('lossDate', 'max', `lossDate must not be later than today, ${org.today}.`);
  const id = newId('claim', command.seedUuid);
  await db.transaction((em) => keepParticulars(em, particularsOf(id, notice)));
  const estimatedAmountCents = estimatedAmount === undefined ? null : fromDollars(estimatedAmount, 'estimatedAmount');
  await lifecycle.fileClaim(command({ policyId, lossDate, estimatedAmountCents, containsPhi }, id));
  return id;
}

/** @throws DomainError validation_failed, rule unknown_reference */
async function namedPolicy(em: EntityManager, { policyId, policyNumber = '' }: ClaimCreate): Promise<Readonly<Policy>> {
  const policy = policyId === undefined ? await policyNumbered(em, policyNumber) : await findPolicy(em, policyId);
  if (policy !== null) return policy;
  const field = policyId === undefined ? 'policyNumber' : 'policyId';
  throw validationError(field, 'unknown_reference', 'There is no such policy.');
}
