// What callers may do, before they try it: the one decision of the platform, about their own rights only. Spec
// 5.8, Contract 2 "Permissions".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { validationError } from '../../../domain/errors.ts';
import { ID_PREFIXES, type IdKind, isId } from '../../../domain/ids.ts';
import {
  ACTIONS,
  type Action,
  type Actor,
  denial,
  mayCoarse,
  type ResourceFacts,
} from '../../../domain/permissions.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { signedDollars } from '../../spine/schemas.ts';
import { decider, referralResource } from '../authority/referrals.ts';
import { invoiceResource } from '../billing/invoices.ts';
import { claimResource } from '../claim/seen-claims.ts';
import { dealRoomResource } from '../dealroom/deal-room-row.ts';
import { producerResource } from '../distribution/producers.ts';
import { billedPolicy } from '../policy/policies.ts';
import { factsToQuote, quotedSubmission } from '../submission/quotes.ts';

interface Subject {
  kind: IdKind;
  /** What it is called. */
  noun: string;
  /** The resources of the actions that are about it. */
  actionsOn: readonly string[];
  facts: (em: EntityManager, id: string, reader: Actor) => Promise<ResourceFacts | null>;
}

const SUBJECTS: readonly Subject[] = [
  subject('submission', quotedSubmission, ['submission']),
  subject('policy', billedPolicy, ['policy']),
  subject('claim', claimResource, ['claim']),
  subject('invoice', invoiceResource, ['invoice']),
  subject('producer', producerResource, ['producer', 'producer_member', 'appointment']),
  subject('referral', referralResource, ['referral']),
  subject('dealRoom', dealRoomResource, ['deal_room']),
];

const CheckSchema = z
  .strictObject({
    action: z.enum(ACTIONS as [Action, ...Action[]]),
    resource: z
      .string()
      .max(100)
      .nullable()
      .optional()
      .meta({
        description: `The id of a ${SUBJECTS.map(({ noun }) => noun).join(', ')}. Left out: whether the action is allowed at all.`,
        examples: ['clm_01jz8k3v5ne0rbx4q2mw7t6yha'],
      }),
  })
  .meta({ id: 'PermissionCheck' });

const DecisionSchema = z
  .strictObject({
    action: z.string(),
    resource: z.string().nullable(),
    allowed: z.boolean(),
    denial: z
      .strictObject({
        permission: z.string(),
        limit: signedDollars.optional(),
        actual: signedDollars.optional(),
        reason: z.enum(['own_request']).optional(),
      })
      .nullable()
      .meta({ description: 'Why it is not allowed: the details of the 403 that the action would return.' }),
  })
  .meta({ id: 'PermissionDecision' });

const checkPermission = route({
  method: 'post',
  path: '/permissions/check',
  operationId: 'checkPermission',
  tag: 'Users',
  spec: '5.8, Contract 2',
  summary: 'Check whether the caller may perform an action',
  description: 'Answers for the caller only. It does not check whether the state of the resource allows the action.',
  access: allow('permission:read'),
  body: CheckSchema,
  response: { status: 200, body: DecisionSchema },
  errors: [],
  idempotent: false,
  handler: async ({ body: { action, resource = null }, actor, org, db }) => {
    const refused = await db.read(async (em) => {
      if (resource === null) return mayCoarse(actor, action) ? null : { permission: action };
      const named = await factsOf(em, actor, action, resource);
      const submission = action === 'submission:quote' ? await findSubmission(em, resource) : null;
      const facts = submission === null ? named : await factsToQuote(em, submission, org.today);
      return denial(action === 'referral:decide' ? await decider(em, actor, org.today) : actor, action, facts);
    });
    return { action, resource, allowed: refused === null, denial: refused };
  },
});

export const permissionCheckRoutes = [checkPermission];

/** @throws DomainError validation_failed for an id that names nothing, or nothing that the action is about */
async function factsOf(em: EntityManager, actor: Actor, action: Action, id: string): Promise<ResourceFacts> {
  const found = SUBJECTS.find(({ kind }) => isId(id, ID_PREFIXES[kind]));
  const facts = (await found?.facts(em, id, actor)) ?? null;
  if (found === undefined || facts === null) {
    throw validationError('resource', 'unknown_reference', 'There is no such resource.');
  }
  if (found.actionsOn.includes(action.slice(0, action.indexOf(':')))) return facts;
  throw validationError('resource', 'enum', `The action ${action} does not apply to a ${found.noun}.`);
}

function subject<Row>(kind: IdKind, resource: Resource<Row & { id: string }>, actionsOn: readonly string[]): Subject {
  return {
    ...{ kind, actionsOn, noun: resource.name.replaceAll('_', ' ') },
    facts: async (em, id, reader) => {
      const row = await resource.load(em, id, reader);
      return row && resource.facts(row);
    },
  };
}
