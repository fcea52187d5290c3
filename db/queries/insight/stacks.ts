// The transactions of policies whose premium depends on their whole history.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import { PolicyTransaction } from '../../entities/policy/policy-transaction.ts';

/** Reads the stacks of policies by id, without the hidden rows. */
export async function stacksOf(
  em: EntityManager,
  policyIds: readonly string[],
  hidden: ReadonlySet<string>,
): Promise<Map<string, StackedTransaction[]>> {
  const rows = await em.find(PolicyTransaction, { policyId: { $in: policyIds } }, { orderBy: { sequence: 'asc' } });
  const known = rows.filter(({ id }) => !hidden.has(id));
  return Map.groupBy(known, ({ policyId }) => policyId) as unknown as Map<string, StackedTransaction[]>;
}
