// Invoices that were made void and those that bill them again: reissuesOf, unbilledOf, findBilledPolicy. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cents } from '../../domain/money.ts';
import { Invoice } from '../entities/invoice.ts';
import { Policy } from '../entities/policy.ts';
import { plainRow } from '../plain-row.ts';
import { organizationOf } from '../scope.ts';

/** The premium of the void invoices of the policy `p` that were not billed again; what a change of the policy made void is not owed. */
const UNBILLED = `
select coalesce(sum((line ->> 'amountCents')::bigint), 0) from invoices i, jsonb_array_elements(i.lines) line
where i.org_id = p.org_id and i.policy_id = p.id and i.voided_at is not null and i.voided_by is null
  and line ->> 'kind' in ('premium', 'credit')
  and not exists (select 1 from invoices again where again.org_id = i.org_id and again.reissue_of = i.id)`;

/** Reads which invoice bills each of these again; those that were not are missing. */
export async function reissuesOf(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, string>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await em.find(Invoice, { reissueOf: { $in: [...invoiceIds] } }, { fields: ['reissueOf'] });
  return new Map(rows.map(({ id, reissueOf }) => [reissueOf ?? '', id]));
}

/** Reads the premium of each policy that is billed by no invoice, in cents. */
export async function unbilledOf(em: EntityManager, policyIds: readonly string[]): Promise<Map<string, Cents>> {
  if (policyIds.length === 0) return new Map();
  const places = policyIds.map(() => '?').join(', ');
  const rows = await em.execute<{ id: string; unbilled: string }[]>(
    `select p.id, (${UNBILLED}) as unbilled from policies p where p.org_id = ? and p.id in (${places})`,
    [organizationOf(em), ...policyIds],
  );
  return new Map(rows.map(({ id, unbilled }) => [id, Number(unbilled)]));
}

/** A policy with the premium that is billed by no invoice. */
export interface BilledPolicy {
  id: string;
  policy: Readonly<Policy>;
  unbilledCents: Cents;
}

/** Reads a policy with its unbilled premium, or null. One plain statement: it is the most frequent read. */
export async function findBilledPolicy(em: EntityManager, id: string): Promise<BilledPolicy | null> {
  const [row] = await em.execute<{ unbilled: string }[]>(
    `select p.*, (${UNBILLED}) as unbilled from policies p where p.id = ? and p.org_id = ?`,
    [id, organizationOf(em)],
  );
  if (row === undefined) return null;
  const { unbilled, ...columns } = row;
  return { id, policy: plainRow(em, Policy, columns), unbilledCents: Number(unbilled) };
}
