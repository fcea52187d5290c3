// What insureds owe today, by days past due, from the sums by due date. Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { organizationOf } from '../../scope.ts';

/** Buckets by days past due, inclusive; the last is open-ended. */
export const AGING = [
  { bucket: 'current', from: null, to: 0 },
  { bucket: '1-30', from: 1, to: 30 },
  { bucket: '31-60', from: 31, to: 60 },
  { bucket: '61-90', from: 61, to: 90 },
  { bucket: 'over_90', from: 91, to: null },
] as const;

export interface AgedBalance {
  bucket: string;
  count: number;
  balanceCents: Cents;
}

const BUCKET = `case ${AGING.flatMap(({ bucket, to }) => (to === null ? [] : [`when ?::date - due_date <= ${to} then '${bucket}'`])).join(' ')}
  else 'over_90' end`;

/** Adds up the balances of invoices that are neither void, uncollectible nor paid. Every bucket is in the result. */
export async function agedBalances(em: EntityManager, today: BusinessDate): Promise<AgedBalance[]> {
  const rows = await em.execute<Record<string, string>[]>(
    `select ${BUCKET} as bucket, sum(invoice_count) as count, sum(balance_cents) as balance
     from receivable_facts where org_id = ? group by 1`,
    [...AGING.filter(({ to }) => to !== null).map(() => today), organizationOf(em)],
  );
  const found = new Map(rows.map((row) => [row.bucket, row]));
  return AGING.map(({ bucket }) => {
    const row = found.get(bucket);
    return { bucket, count: Number(row?.count ?? 0), balanceCents: Number(row?.balance ?? 0) };
  });
}
