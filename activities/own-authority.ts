/**
 * Whether the sender of a command may still carry it out: judged in the step, on the locked row and its current
 * relations. The api judged the row before the command's turn; both use the same `may()`. Contract 2 "Permissions".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { relationsJudged } from '../db/queries/relations.ts';
import { type Action, ensureMay, type ResourceFacts } from '../domain/permissions.ts';
import type { Command } from './messages.ts';

/**
 * @throws DomainError forbidden with `{permission}`; above the actor's own authority also `{limit, actual}` in dollars
 */
export type Judge = (facts: ResourceFacts) => void;

/**
 * Reads an actor's permissions and returns the judge of an action: for the row as it is, and as the step would leave
 * it. Call it once every lock is held, so that an authority lowered meanwhile counts. API keys and the machine have no
 * limits of their own.
 */
export async function judgeOf(
  em: EntityManager,
  { actor, orgId }: Pick<Command<unknown>, 'actor' | 'orgId'>,
  action: Action,
): Promise<Judge> {
  if (actor.kind !== 'user') return () => {};
  const relations = await relationsJudged(em, actor);
  const present = { ...actor, orgId, homeOrgId: orgId, scopes: null, ...relations };
  return (facts) => ensureMay(present, action, facts);
}
