/**
 * Whether who sent a command may still do it: judged in the step, on the locked row, by the relations as they stand in its transaction. The
 * api has judged the row as it was before the command had its turn; both ask the same `may()`. Contract 2 "Permissions".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { relationsJudged } from '../db/queries/relations.ts';
import { type Action, ensureMay, type ResourceFacts } from '../domain/permissions.ts';
import type { Command } from './messages.ts';

/** @throws DomainError forbidden with `{permission}`, above the own authority also `{limit, actual}` in dollars */
export type Judge = (facts: ResourceFacts) => void;

/**
 * Reads by what the actor of a command is judged, and gives the judge of an action: of the row as it is, and as the step would leave it. To
 * be called when the locks are held that the step may wait for, so that an authority that was lowered meanwhile counts. A key and the machine
 * have no limits of their own: nothing in a row changes what they may.
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
