// Void invoices, their reissues, and each policy's unbilled premium. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { Invoice } from '../../entities/billing/invoice.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { plainRow } from '../../plain-row.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { DUE } from './invoices.ts';

/** The premium of policy `p`'s void invoices that were not reissued; what a policy change voided is not owed. */
const UNBILLED = `
select coalesce(sum((line ->> 'amountCents')::bigint), 0) from invoices i, jsonb_array_elements(i.lines) line
where i.org_id = p.org_id and i.policy_id = p.id and i.voided_at is not null and i.voided_by is null
  and line ->> 'kind' in ('premium', 'credit')
  and not exists (select 1 from invoices again where again.org_id = i.org_id and again.reissue_of = i.id)`;

/** The first due date on which policy `p` has a balance. */
const OWED_SINCE = `
select min(due_date)::text from invoices i where i.org_id = p.org_id and i.policy_id = p.id and ${DUE}`;

/** A policy's billing, summed over its invoices. */
export interface BillingSummary {
  /** Premium that no invoice bills. */
  unbilledCents: Cents;
  /** The first due date with a balance; null when nothing is owed. */
  owedSince: BusinessDate | null;
}

/** Reads which invoice reissues each of these; those without a reissue are missing. */
export async function reissuesOf(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, string>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await em.find(Invoice, { reissueOf: { $in: [...invoiceIds] } }, { fields: ['reissueOf'] });
  return new Map(rows.map(({ id, reissueOf }) => [reissueOf ?? '', id]));
}

/**
 * Whether a void invoice cannot be billed again: it was once, or a change of the policy voided it, so that it is not
 * owed any more and only undoing the change bills it again.
 */
export async function isReissued(em: EntityManager, { id, voidedBy }: Readonly<Invoice>): Promise<boolean> {
  return voidedBy !== null || (await reissuesOf(em, [id])).has(id);
}

/** Reads the billing summaries of these policies. */
export async function billingSummaries(
  em: EntityManager,
  policyIds: readonly string[],
): Promise<Map<string, BillingSummary>> {
  if (policyIds.length === 0) return new Map();
  const places = policyIds.map(() => '?').join(', ');
  const rows = await em.execute<{ id: string; unbilled: string; owed_since: string | null }[]>(
    `select p.id, (${UNBILLED}) as unbilled, (${OWED_SINCE}) as owed_since
     from policies p where p.org_id = ? and p.id in (${places})`,
    [organizationOf(em), ...policyIds],
  );
  return new Map(rows.map((row) => [row.id, { unbilledCents: Number(row.unbilled), owedSince: row.owed_since }]));
}

/** Reads the billing summary of an existing policy. */
export async function billingSummary(em: EntityManager, policyId: string): Promise<BillingSummary> {
  const billed = (await billingSummaries(em, [policyId])).get(policyId);
  if (billed === undefined) throw new TypeError('The policy is there');
  return billed;
}

/** A policy with its billing summary. */
export interface PolicyWithBilling extends BillingSummary {
  id: string;
  policy: Readonly<Policy>;
}

const POLICY_WITH_BILLING = {
  name: 'policy with billing',
  text: `select p.*, (${UNBILLED}) as unbilled, (${OWED_SINCE}) as owed_since
    from policies p where p.id = $1 and p.org_id = $2`,
};

/** Reads a policy with its billing summary, or null: the most frequent read. */
export async function findPolicyWithBilling(em: EntityManager, id: string): Promise<PolicyWithBilling | null> {
  const [row] = await preparedRows<{ unbilled: string; owed_since: string | null }>(em, POLICY_WITH_BILLING, [
    id,
    organizationOf(em),
  ]);
  if (row === undefined) return null;
  const { unbilled, owed_since: owedSince, ...columns } = row;
  return { id, policy: plainRow(em, Policy, columns), unbilledCents: Number(unbilled), owedSince };
}
