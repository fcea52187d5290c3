// How much of each delegated-authority contract is used, by calendar year of the policies' effective dates.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cents } from '../../../domain/money.ts';
import { organizationOf } from '../../scope.ts';

export interface ContractUse {
  contractId: string;
  carrier: string;
  year: number;
  limitCents: Cents;
  usedCents: Cents;
  status: string;
}

/**
 * Reads the use of every contract: its own year or, for one that governs every year, the years it was used in and the
 * current one. Newest year first.
 */
export async function contractUse(
  em: EntityManager,
  { presentYear, year = null }: { presentYear: number; year?: number | null },
): Promise<ContractUse[]> {
  const rows = await em.execute<(ContractUse & Record<'limitCents' | 'usedCents', string>)[]>(
    `select c.id as "contractId", c.carrier, y.year, c.max_annual_premium_volume_cents as "limitCents",
       coalesce(u.used_cents, 0) as "usedCents", c.status
     from da_contracts c
     cross join lateral (
       select coalesce(c.year, ?::int) as year
       union select d.year from da_usage d where d.org_id = c.org_id and d.contract_id = c.id
     ) y
     left join da_usage u on u.org_id = c.org_id and u.contract_id = c.id and u.year = y.year
     where c.org_id = ? and (?::int is null or y.year = ?::int)
     order by y.year desc, c.id desc`,
    [presentYear, organizationOf(em), year, year],
  );
  return rows.map((row) => ({ ...row, limitCents: Number(row.limitCents), usedCents: Number(row.usedCents) }));
}
