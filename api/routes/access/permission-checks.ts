// Lets callers check what they may do before trying it: the same decision the platform makes, on their own rights only.
// Spec 5.8, Contract 2 "Permissions".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { type DomainError, validationError } from '../../../domain/errors.ts';
import { isId } from '../../../domain/ids.ts';
import {
  ACTIONS,
  type Action,
  type Actor,
  denial,
  mayCoarse,
  type ResourceFacts,
} from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { type Route, route } from '../../spine/route.ts';
import { signedDollars } from '../../spine/schemas.ts';
import { decider } from '../authority/referrals.ts';
import { factsToQuote } from '../submission/quotes.ts';
import { type AccessSubject, nounOf, nounsOf, subjectOf, subjectsOf } from './subjects.ts';

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

/** The operation, on the rows of these other operations. */
export function permissionCheckRoutes(others: readonly Route[]): readonly Route[] {
  const subjects = subjectsOf(others);
  return [
    route({
      method: 'post',
      path: '/permissions/check',
      operationId: 'checkPermission',
      tag: 'Users',
      spec: '5.8, Contract 2',
      summary: 'Check whether the caller may perform an action',
      description:
        'Answers for the caller only. It does not check whether the state of the resource allows the action.',
      access: allow('permission:read'),
      body: checkSchema(subjects),
      response: { status: 200, body: DecisionSchema },
      errors: [],
      idempotent: false,
      handler: async ({ body: { action, resource = null }, actor, org, db }) => {
        const refused = await db.read(async (em) => {
          if (resource === null) return mayCoarse(actor, action) ? null : { permission: action };
          const named = await factsOf(em, actor, action, { id: resource, subjects });
          const submission = action === 'submission:quote' ? await findSubmission(em, resource) : null;
          const facts = submission === null ? named : await factsToQuote(em, submission, org.today);
          return denial(action === 'referral:decide' ? await decider(em, actor, org.today) : actor, action, facts);
        });
        return { action, resource, allowed: refused === null, denial: refused };
      },
    }),
  ];
}

function checkSchema(subjects: readonly AccessSubject[]) {
  const nouns = nounsOf(subjects).join(', ');
  return z
    .strictObject({
      action: z.enum(ACTIONS as [Action, ...Action[]]),
      resource: z
        .string()
        .max(100)
        .nullable()
        .optional()
        .meta({
          description: `The id of one of these: ${nouns}. Left out: whether the action is allowed at all.`,
          examples: ['clm_01jz8k3v5ne0rbx4q2mw7t6yha'],
        }),
    })
    .meta({ id: 'PermissionCheck' });
}

interface Named {
  id: string;
  subjects: readonly AccessSubject[];
}

/** @throws DomainError validation_failed for an id of nothing, or of something the action does not apply to */
async function factsOf(em: EntityManager, actor: Actor, action: Action, named: Named): Promise<ResourceFacts> {
  const { id } = named;
  const ofKind = named.subjects.filter(({ prefixes }) => prefixes.some((prefix) => isId(id, prefix)));
  const [any] = ofKind;
  if (any === undefined) throw unknown();
  const subject = subjectOf(ofKind, action);
  if (!subject) throw validationError('resource', 'enum', `The action ${action} does not apply to the ${nounOf(any)}.`);
  const row = await subject.resource.load(em, id, actor);
  if (row === null) throw unknown();
  return subject.resource.facts(row);
}

function unknown(): DomainError {
  return validationError('resource', 'unknown_reference', 'There is no such resource.');
}
