// Referrals: list, detail, create, decide, answer. Spec 4.11, Contract 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { Referral } from '../../../db/entities/authority/referral.ts';
import { newId } from '../../../db/ids.ts';
import { relationsJudged } from '../../../db/queries/access/relations.ts';
import { lendersTo } from '../../../db/queries/authority/delegations.ts';
import { decidersOf, findReferral, listReferrals } from '../../../db/queries/authority/referrals.ts';
import { findDealRoom } from '../../../db/queries/dealroom/deal-rooms.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import {
  ensureAnsweredByOthers,
  nextReferralStatus,
  OPEN_REFERRAL_STATUSES,
} from '../../../domain/authority/referral.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { type DomainError, validationError } from '../../../domain/errors.ts';
import { type Actor, may, mayBeLent } from '../../../domain/permissions.ts';
import { referralFacts } from '../../../plans/authority/resource-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { dealRoomResource } from '../dealroom/deal-room-row.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import {
  ReferralAnswerSchema,
  type ReferralCreate,
  ReferralCreateSchema,
  ReferralDecisionSchema,
  ReferralDetailSchema,
  ReferralListQuery,
  ReferralPageSchema,
} from './referrals.schemas.ts';
import { referralToWire } from './referrals.wire.ts';

const facts = { tag: 'Referrals', spec: '4.11, Contract 3.7' } as const;
const params = z.strictObject({ id: idParam('referral') });

const referralResource: Resource<Referral> = {
  name: 'referral',
  load: findReferral,
  facts: referralFacts,
  version: ({ version }) => version,
};

const listReferralsRoute = route({
  ...facts,
  method: 'get',
  path: '/referrals',
  operationId: 'listReferrals',
  summary: 'List referrals',
  description:
    'Filter by status, submission or policy; `decidableBy=me` lists only those that you may decide on now. A referral without a decision expires on its `expiresOn`.',
  access: allow('referral:read'),
  query: ReferralListQuery,
  response: { status: 200, body: ReferralPageSchema },
  errors: [],
  handler: ({ query: { limit, cursor, decidableBy, ...filter }, actor, db, org }) =>
    db.read(async (em) => {
      const deciding = decidableBy === undefined ? null : await decider(em, actor, org.today);
      return pageToWire(await listReferrals(em, { ...filter, decider: deciding }, { limit, cursor }), referralToWire);
    }),
});

const getReferral = route({
  ...facts,
  method: 'get',
  path: '/referrals/:id',
  operationId: 'getReferral',
  summary: 'Read a referral: its flags, its figures and who may decide on it',
  description:
    'It shows why the risk was referred, the questions and answers so far, and the limits that the decision needs. Use it to see who may decide before you send a decision.',
  access: allow('referral:read', referralResource),
  params,
  response: { status: 200, body: ReferralDetailSchema },
  errors: [],
  handler: ({ row, ...call }) => detailReply(row.id, call),
});

const createReferral = route({
  ...facts,
  method: 'post',
  path: '/referrals',
  operationId: 'createReferral',
  summary: 'Refer a submission or a policy to somebody with more authority',
  description:
    'A submission or policy has at most one open referral. If a quote or a change has already opened one, it takes your reason; after that, the response is 409.',
  access: allow('referral:create'),
  body: ReferralCreateSchema,
  response: { status: 201, body: ReferralDetailSchema },
  errors: ['already_exists', 'invalid_state_transition'],
  handler: async ({ body, actor, db, org, lifecycle, command }) => {
    const { dealRoomId = null, reason } = body;
    const subjectId = await db.read((em) => namedSubject(em, body, actor));
    const payload = { referralId: newId('referral', command.seedUuid), dealRoomId, reason };
    const { referralId } = await lifecycle.openReferral(command(payload, subjectId));
    return detailReply(referralId, { actor, db, org });
  },
});

const decideReferral = route({
  ...facts,
  method: 'post',
  path: '/referrals/:id/decision',
  operationId: 'decideReferral',
  summary: 'Approve or reject a referral, or request more information',
  description:
    'You cannot decide on your own request or above your own authority. A deputy also has the authority of the person they stand in for (`POST /delegations`), and the decision names both. An approval clears the refer flags of the quote, or carries out the endorsement or renewal that was refused. A rejection declines the submission. With `If-Match`, the decision applies only if the referral has not changed since you read it.',
  access: allow('referral:decide', referralResource),
  params,
  body: ReferralDecisionSchema,
  response: { status: 200, body: ReferralDetailSchema },
  errors: [
    'already_exists',
    'not_ready',
    'quote_expired',
    'outside_policy_term',
    'delegated_authority_exceeded',
    'invalid_state_transition',
  ],
  handler: async ({ row, body, actor, db, org, lifecycle, command }) => {
    const { decision, notes = null, conditions = [] } = body;
    await ensureBeforeCommand({ db, command }, () => nextReferralStatus(row.status, decision));
    await lifecycle.decideReferral(onSubject(command({ decision, notes, conditions }, subjectOf(row)), row.id));
    return detailReply(row.id, { actor, db, org });
  },
});

const answerReferral = route({
  ...facts,
  method: 'post',
  path: '/referrals/:id/answer',
  operationId: 'answerReferral',
  summary: 'Answer the question on a referral',
  description:
    'The referral waits for a decision again. You cannot answer your own question, and a referral without an open one returns 422.',
  access: allow('referral:create', referralResource),
  params,
  body: ReferralAnswerSchema,
  response: { status: 200, body: ReferralDetailSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, org, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, () => {
      nextReferralStatus(row.status, 'answer');
      ensureAnsweredByOthers(row.remarks, [actor.id]);
    });
    await lifecycle.answerReferral(onSubject(command(body, subjectOf(row)), row.id));
    return detailReply(row.id, { actor, db, org });
  },
});

export const referralRoutes = [listReferralsRoute, getReferral, createReferral, decideReferral, answerReferral];

/**
 * Reads what a new referral names: one submission or policy, and a room about it that the caller is in.
 * @returns the id of the submission or policy
 * @throws DomainError validation_failed, rule unknown_reference, or unknown_field if both are given
 */
async function namedSubject(em: EntityManager, body: ReferralCreate, actor: Actor): Promise<string> {
  const { submissionId, policyId, dealRoomId } = body;
  const submission = submissionId === undefined ? null : await findSubmission(em, submissionId);
  if (submissionId !== undefined && submission === null) throw unknown('submissionId');
  const policy = policyId === undefined ? null : await findPolicy(em, policyId);
  if (policyId !== undefined && policy === null) throw unknown('policyId');
  if (submission !== null && policy !== null) {
    throw validationError('policyId', 'unknown_field', 'Name a submission or a policy, not both.');
  }
  const room = dealRoomId === undefined ? null : await findDealRoom(em, dealRoomId);
  const isInRoom = room !== null && may(actor, 'deal_room:read', dealRoomResource.facts(room));
  const isAboutIt = room?.room.submissionId === (submission?.id ?? policy?.submissionId);
  if (dealRoomId !== undefined && !(isInRoom && isAboutIt)) throw unknown('dealRoomId');
  return present(submission ?? policy).id;
}

function unknown(field: keyof ReferralCreate): DomainError {
  return validationError(field, 'unknown_reference', `${field} was not found.`);
}

function subjectOf({ submissionId, policyId }: Referral): string {
  return submissionId ?? policyId ?? '';
}

/** `If-Match` carries the referral's version, and the referral is not the command's entity. */
function onSubject<P>({ expectedVersion: named, payload, ...command }: Command<P>, referralId: string) {
  const expectedVersion = named ?? null;
  return { ...command, payload: { ...payload, referralId, expectedVersion } };
}

/** Who is answered, and where. */
interface Answered {
  actor: Actor;
  db: OrganizationDatabase;
  org: { today: BusinessDate };
}

function detailReply(id: string, { actor, db, org: { today } }: Answered): Promise<Reply> {
  return db.read(async (em) => {
    const referral = present(await findReferral(em, id));
    const isOpen = OPEN_REFERRAL_STATUSES.includes(referral.status);
    const body = {
      ...referralToWire(referral),
      mayDecide: isOpen && may(await decider(em, actor, today), 'referral:decide', referralFacts(referral)),
      deciders: isOpen ? await decidersOf(em, referralFacts(referral), today) : [],
    };
    return reply({ body, etag: entityTag(id, referral.version) });
  });
}

/** The caller with the authority that decides, own and lent; reads do not load it. */
export async function decider(em: EntityManager, actor: Actor, today: BusinessDate): Promise<Actor> {
  if (actor.kind !== 'user') return actor;
  const own = { ...actor, ...(await relationsJudged(em, actor)) };
  if (!mayBeLent(actor, 'referral:decide')) return own;
  return { ...own, lenders: (await lendersTo(em, [actor.id], today)).get(actor.id) ?? [] };
}
