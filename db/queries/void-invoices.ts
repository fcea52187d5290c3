// Invoices that were made void and those that bill them again: reissuesOf, billingSummaries, billingSummary, findPolicyWithBilling. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Cents } from '../../domain/money.ts';
import { Invoice } from '../entities/invoice.ts';
import { Policy } from '../entities/policy.ts';
import { plainRow } from '../plain-row.ts';
import { organizationOf } from '../scope.ts';
import { OWED } from './invoices.ts';

/** The premium of the void invoices of the policy `p` that were not billed again; what a change of the policy made void is not owed. */
const UNBILLED = `
select coalesce(sum((line ->> 'amountCents')::bigint), 0) from invoices i, jsonb_array_elements(i.lines) line
where i.org_id = p.org_id and i.policy_id = p.id and i.voided_at is not null and i.voided_by is null
  and line ->> 'kind' in ('premium', 'credit')
  and not exists (select 1 from invoices again where again.org_id = i.org_id and again.reissue_of = i.id)`;

/** The first due date on which something of the policy `p` is left to pay. */
const OWED_SINCE = `select min(due_date)::text from invoices i where i.org_id = p.org_id and i.policy_id = p.id and ${OWED}`;

/** What the invoices say of a policy. */
export interface BillingSummary {
  /** Premium that no invoice bills. */
  unbilledCents: Cents;
  /** The first due date on which something is left to pay; null when nothing is. */
  owedSince: BusinessDate | null;
}

/** Reads which invoice bills each of these again; those that were not are missing. */
export async function reissuesOf(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, string>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await em.find(Invoice, { reissueOf: { $in: [...invoiceIds] } }, { fields: ['reissueOf'] });
  return new Map(rows.map(({ id, reissueOf }) => [reissueOf ?? '', id]));
}

/** Reads what the invoices say of each of these policies. */
export async function billingSummaries(
  em: EntityManager,
  policyIds: readonly string[],
): Promise<Map<string, BillingSummary>> {
  if (policyIds.length === 0) return new Map();
  const places = policyIds.map(() => '?').join(', ');
  const rows = await em.execute<{ id: string; unbilled: string; owed_since: string | null }[]>(
    `select p.id, (${UNBILLED}) as unbilled, (${OWED_SINCE}) as owed_since from policies p where p.org_id = ? and p.id in (${places})`,
    [organizationOf(em), ...policyIds],
  );
  return new Map(rows.map((row) => [row.id, { unbilledCents: Number(row.unbilled), owedSince: row.owed_since }]));
}

/** Reads what the invoices say of a policy that is there. */
export async function billingSummary(em: EntityManager, policyId: string): Promise<BillingSummary> {
  const billed = (await billingSummaries(em, [policyId])).get(policyId);
  if (billed === undefined) throw new TypeError('The policy is there');
  return billed;
}

/** A policy with what its invoices say. */
export interface PolicyWithBilling extends BillingSummary {
  id: string;
  policy: Readonly<Policy>;
}

/** Reads a policy with what its invoices say, or null. One plain statement: it is the most frequent read. */
export async function findPolicyWithBilling(em: EntityManager, id: string): Promise<PolicyWithBilling | null> {
  const [row] = await em.execute<{ unbilled: string; owed_since: string | null }[]>(
    `select p.*, (${UNBILLED}) as unbilled, (${OWED_SINCE}) as owed_since from policies p where p.id = ? and p.org_id = ?`,
    [id, organizationOf(em)],
  );
  if (row === undefined) return null;
  const { unbilled, owed_since: owedSince, ...columns } = row;
  return { id, policy: plainRow(em, Policy, columns), unbilledCents: Number(unbilled), owedSince };
}
