// The card processor's statement as last read.
import type { EntityManager } from '@mikro-orm/postgresql';
import { CardStatementLine } from '../../entities/billing/card-statement-line.ts';

export type StoredMovement = Pick<
  CardStatementLine,
  'processorId' | 'kind' | 'intentId' | 'amountCents' | 'occurredAt'
>;

/** Writes the organization's lines, or updates the amounts of existing ones. */
export async function saveStatementLines(em: EntityManager, lines: readonly StoredMovement[]): Promise<void> {
  const excluded = ['id', 'kind', 'intentId', 'occurredAt', 'createdAt'] as const;
  await em.upsertMany(CardStatementLine, [...lines], {
    onConflictFields: ['orgId', 'processorId'],
    onConflictExcludeFields: [...excluded],
    batchSize: 500,
  });
}
