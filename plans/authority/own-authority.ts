/**
 * Whether a command's sender may still carry it out, judged in the step on the locked row and its current relations.
 * The api judged the row before the command's turn; both use the same `may()`. Contract 2 "Permissions".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../contracts/machinery/command.ts';
import { holdTuplesOf, JUDGED_BY_RELATIONS, relationsJudged } from '../../db/queries/access/relations.ts';
import { type AgreedFigures, figuresInDollars } from '../../domain/authority/referral.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  type Action,
  type Actor,
  ensureMay,
  type Lender,
  lenderOf,
  type ResourceFacts,
} from '../../domain/permissions.ts';

/**
 * Returns the lender if the authority was lent; null for the actor's own.
 * @throws DomainError forbidden with `{permission}`; above the actor's own authority also `{limit, actual}` in dollars
 */
export type Judge = (facts: ResourceFacts) => Lender | null;

/**
 * Reads what a command's actor is judged by, and returns the judge for an action: of the row as it is, and as the step
 * would leave it. Call it once the step holds its other locks: an authority lowered while it waited counts, and one
 * being lowered waits for the commit. Keys and the system have no limits of their own. `lenders` have lent theirs for
 * this step.
 */
export async function judgeOf(
  em: EntityManager,
  { actor, orgId }: Pick<Command<unknown>, 'actor' | 'orgId'>,
  action: Action,
  lenders: readonly Lender[] = [],
): Promise<Judge> {
  if (actor.kind !== 'user') return () => null;
  if (JUDGED_BY_RELATIONS.includes(actor.role)) await holdTuplesOf(em, actor.id);
  const relations = await relationsJudged(em, actor);
  const present: Actor = { ...actor, orgId, homeOrgId: orgId, scopes: null, ...relations, lenders };
  return (facts) => {
    ensureMay(present, action, facts);
    return lenderOf(present, action, facts);
  };
}

/**
 * Judges the result of a change. A refusal for lack of own authority says what was requested, so that it can be
 * referred. Decision 0185.
 */
export function judgePlanned(judge: Judge, facts: ResourceFacts, requested: AgreedFigures): void {
  try {
    judge(facts);
  } catch (error) {
    if (!(error instanceof DomainError) || error.details.limit === undefined) throw error;
    throw new DomainError(error.code, error.message, { ...error.details, requested: figuresInDollars(requested) });
  }
}
