// The card processor's statement as it was read last.
import type { EntityManager } from '@mikro-orm/postgresql';
import { CardStatementLine } from '../../entities/billing/card-statement-line.ts';

export type StatementLine = Pick<CardStatementLine, 'processorId' | 'kind' | 'intentId' | 'amountCents' | 'occurredAt'>;

/** Writes lines of the organization, or brings the amounts of those that are there up to date. */
export async function saveStatementLines(em: EntityManager, lines: readonly StatementLine[]): Promise<void> {
  const excluded = ['id', 'kind', 'intentId', 'occurredAt', 'createdAt'] as const;
  await em.upsertMany(CardStatementLine, [...lines], {
    onConflictFields: ['orgId', 'processorId'],
    onConflictExcludeFields: [...excluded],
    batchSize: 500,
  });
}
