// Void invoices, their reissues, and what each policy owes but has not been billed. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { InvoiceFacts } from '../../../domain/billing/invoice-actions.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { type Parts, partsOfLines, totalOfParts, writtenParts } from '../../../domain/policy/parts.ts';
import { type ChangeReturn, unbilledParts } from '../../../domain/policy/unbilled.ts';
import { Invoice, type InvoiceLine } from '../../entities/billing/invoice.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { plainRow } from '../../plain-row.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { DUE, IS_FEE_FOR_RETURNED_PAYMENT, invoiceAmounts, isReturnedPaymentFee } from './invoices.ts';

/** What policy `p`'s standing invoices bill of its cost, by line kind and code. */
const BILLED = `
select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'code', code, 'amountCents', cents)), '[]') from (
  select line ->> 'kind' as kind, line ->> 'code' as code, sum((line ->> 'amountCents')::bigint) as cents
    from invoices i, jsonb_array_elements(i.lines) line
    where i.org_id = p.org_id and i.policy_id = p.id and i.voided_at is null
      and not ${IS_FEE_FOR_RETURNED_PAYMENT('i.lines')}
    group by 1, 2
) sums`;

/** What was or is about to be returned because policy `p` changed; a void invoice no longer bills anything. */
const RETURNED = `
select coalesce(jsonb_agg(jsonb_build_object('cents', -r.applied_cents, 'composition', r.composition)), '[]')
  from payments r join invoices i on i.org_id = r.org_id and i.id = r.invoice_id and i.voided_at is null
  where r.org_id = p.org_id and r.policy_id = p.id and r.policy_transaction_id is not null
    and r.kind = 'refund' and r.status <> 'failed'`;

/** The first due date on which policy `p` has a balance. */
const OWED_SINCE = `
select min(due_date)::text from invoices i where i.org_id = p.org_id and i.policy_id = p.id and ${DUE}`;

/** The latest effective date of an endorsement to policy `p`. */
const LAST_CHANGE = `
select max(effective_date)::text from policy_transactions x
where x.org_id = p.org_id and x.policy_id = p.id and x.type = 'endorsement'`;

/** Who handles a claim on policy `p`. */
const ADJUSTERS = `
select coalesce(jsonb_agg(distinct c.adjuster_id), '[]') from claims c
where c.org_id = p.org_id and c.policy_id = p.id and c.adjuster_id is not null and c.is_assigned`;

/** The claims on policy `p`: how many are open, and total incurred (reserves, including paid, less recoveries). */
const CLAIMS = `
select jsonb_build_object('open', count(*) filter (where c.status <> 'closed'), 'incurredCents',
    coalesce(sum(c.reserve_indemnity_cents + c.reserve_expense_cents - c.recovered_cents), 0))
  from claims c where c.org_id = p.org_id and c.policy_id = p.id`;

const SUMMARY = `(${BILLED}) as billed, (${RETURNED}) as returned, (${OWED_SINCE}) as owed_since,
  (${LAST_CHANGE}) as last_change,
  (${CLAIMS}) as claims,
  coalesce(is_undeliverable(p.org_id, p.insured_email), false) as is_undeliverable`;

interface SummaryRow {
  billed: Pick<InvoiceLine, 'kind' | 'code' | 'amountCents'>[];
  returned: ChangeReturn[];
  owed_since: BusinessDate | null;
  last_change: BusinessDate | null;
  claims: BillingSummary['claims'];
  is_undeliverable: boolean;
}

/** A policy's billing, summed over its invoices, its claims, and how far ahead its terms change. */
export interface BillingSummary {
  /** What the policy owes but no invoice bills. */
  unbilledCents: Cents;
  /** The first due date with a balance; null when nothing is owed. */
  owedSince: BusinessDate | null;
  /** The latest effective date of an endorsement; null without one. */
  lastChangeOn: BusinessDate | null;
  claims: { open: number; incurredCents: Cents };
  /** Whether e-mail to the address on file bounced permanently or drew a complaint. */
  isUndeliverable: boolean;
}

/** Reads which invoice reissues each of these; those without a reissue are missing. */
export async function reissuesOf(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, string>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await em.find(Invoice, { reissueOf: { $in: [...invoiceIds] } }, { fields: ['reissueOf'] });
  return new Map(rows.map(({ id, reissueOf }) => [reissueOf ?? '', id]));
}

/**
 * Whether a void invoice cannot be billed again: it already was, or a policy change voided it, so that it is no longer
 * owed and only undoing the change bills it again. The returned payment fee cannot be either: it is not part of what
 * the policy owes.
 */
async function isReissued(em: EntityManager, invoice: Readonly<Invoice>): Promise<boolean> {
  if (invoice.voidedBy !== null || isReturnedPaymentFee(invoice)) return true;
  return (await reissuesOf(em, [invoice.id])).has(invoice.id);
}

/** Reads the facts that decide what may be done with an invoice. */
export async function invoiceFacts(em: EntityManager, invoice: Invoice): Promise<InvoiceFacts & { disputed: boolean }> {
  const isAgain = invoice.voidedAt !== null && (await isReissued(em, invoice));
  return { ...invoiceAmounts(invoice), isReissued: isAgain, disputed: invoice.disputed };
}

/** Reads the billing summaries of these policies. */
export async function billingSummaries(
  em: EntityManager,
  policyIds: readonly string[],
): Promise<Map<string, BillingSummary>> {
  if (policyIds.length === 0) return new Map();
  const places = policyIds.map(() => '?').join(', ');
  const rows = await em.execute<(SummaryRow & WrittenRow)[]>(
    `select p.id, p.gross_premium_cents, p.fees, p.taxes, ${SUMMARY}
     from policies p where p.org_id = ? and p.id in (${places})`,
    [organizationOf(em), ...policyIds],
  );
  return new Map(rows.map((row) => [row.id, summaryOf(row, writtenOf(row))]));
}

/** A policy with its billing summary. */
export interface PolicyWithBilling extends BillingSummary {
  id: string;
  policy: Readonly<Policy>;
  /** The adjusters assigned a claim on it, who may therefore read it. */
  claimAdjusterIds: string[];
}

const POLICY_WITH_BILLING = {
  name: 'policy with billing',
  text: `select p.*, ${SUMMARY}, (${ADJUSTERS}) as adjusters from policies p where p.id = $1 and p.org_id = $2`,
};

/** The newest terms of a policy's insured, with their billing. */
const TERMS_WITH_BILLING = {
  name: 'terms of an insured with billing',
  text: `select p.*, ${SUMMARY}, (${ADJUSTERS}) as adjusters from policies p
    where p.org_id = $2 and p.insured_id = (select insured_id from policies where id = $1 and org_id = $2)
    order by p.id desc limit $3`,
};

/** Reads a policy with its billing summary, or null: the most frequent read. */
export async function findPolicyWithBilling(em: EntityManager, id: string): Promise<PolicyWithBilling | null> {
  const [row] = await preparedRows<BilledRow>(em, POLICY_WITH_BILLING, [id, organizationOf(em)]);
  return row === undefined ? null : policyWithBilling(em, row);
}

/** Reads the newest terms of a policy's insured with their billing summaries, newest first. */
export async function termsWithBilling(
  em: EntityManager,
  policyId: string,
  most: number,
): Promise<PolicyWithBilling[]> {
  const rows = await preparedRows<BilledRow>(em, TERMS_WITH_BILLING, [policyId, organizationOf(em), most]);
  return rows.map((row) => policyWithBilling(em, row));
}

type BilledRow = SummaryRow & { adjusters: string[] };

function policyWithBilling(em: EntityManager, row: BilledRow): PolicyWithBilling {
  const {
    billed,
    returned,
    owed_since,
    last_change,
    claims,
    is_undeliverable,
    adjusters: claimAdjusterIds,
    ...columns
  } = row;
  const policy = plainRow(em, Policy, columns);
  const summary = summaryOf(
    { billed, returned, owed_since, last_change, claims, is_undeliverable },
    writtenParts(policy),
  );
  return { id: policy.id, policy, claimAdjusterIds, ...summary };
}

/** Reads what a locked policy owes but no invoice bills, by part. */
export async function unbilledOf(em: EntityManager, policy: Readonly<Policy>): Promise<Parts> {
  const [row] = await em.execute<SummaryRow[]>(`select ${SUMMARY} from policies p where p.id = ? and p.org_id = ?`, [
    policy.id,
    organizationOf(em),
  ]);
  if (row === undefined) throw new TypeError('The policy is there');
  return unbilledFrom(row, writtenParts(policy));
}

interface WrittenRow extends Pick<Policy, 'id' | 'fees' | 'taxes'> {
  gross_premium_cents: string;
}

function writtenOf({ gross_premium_cents, fees, taxes }: WrittenRow): Parts {
  return writtenParts({ grossPremiumCents: Number(gross_premium_cents), fees, taxes });
}

function summaryOf(row: SummaryRow, written: Parts): BillingSummary {
  const { owed_since: owedSince, last_change: lastChangeOn, claims, is_undeliverable: isUndeliverable } = row;
  return { unbilledCents: totalOfParts(unbilledFrom(row, written)), owedSince, lastChangeOn, claims, isUndeliverable };
}

function unbilledFrom({ billed, returned }: SummaryRow, written: Parts): Parts {
  return unbilledParts(written, { billed: partsOfLines(billed), returns: returned });
}
