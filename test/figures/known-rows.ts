// An organization's rows as stored, to be added up without the platform's statements.
import type { Rows } from '../faults/bind.ts';

export interface KnownTransaction {
  id: string;
  policyId: string;
  sequence: number;
  type: string;
  /** The first day for which it buys coverage, or on which coverage ends. */
  starts: string;
  /** The day on which its money moved; null for a cancellation that never took effect. */
  bookedOn: string | null;
  cents: number;
  reverses: string | null;
  reapplied: { transactionId: string; premiumChangeCents: number }[];
}

export interface KnownPolicy {
  id: string;
  line: string;
  state: string;
  producer: string | null;
  contract: string;
  starts: string;
  ends: string;
  submissionId: string | null;
  renewalOf: string | null;
  /** In order of issue. */
  transactions: KnownTransaction[];
}

/** By how many cents a day changed a claim's incurred cost, and what was paid for it, net of recoveries. */
export interface KnownMove {
  claimId: string;
  line: string;
  state: string;
  producer: string | null;
  lossDate: string;
  on: string;
  incurredCents: number;
  paidCents: number;
}

export interface KnownQuote {
  submissionId: string;
  line: string;
  state: string;
  producer: string | null;
  on: string;
}

export interface KnownCommission {
  on: string;
  cents: [gross: number, agent: number, mga: number, carrier: number];
}

export interface KnownInvoice {
  dueDate: string;
  balanceCents: number;
}

export interface KnownRows {
  policies: KnownPolicy[];
  moves: KnownMove[];
  quotes: KnownQuote[];
  commissions: KnownCommission[];
  /** Those with a balance owed. */
  invoices: KnownInvoice[];
}

const PLACE = (row: string) => `${row}.line_of_business as line, ${row}.state, ${row}.producer_id as producer`;

/** Reads everything that analytics counts. */
export async function knownRows(rows: Rows, orgId: string): Promise<KnownRows> {
  const all = <T extends object>(text: string) => rows.query<T & Record<string, unknown>>(text, [orgId]);
  const policies = await all<Omit<KnownPolicy, 'transactions'>>(
    `select p.id, ${PLACE('p')}, p.da_contract_id as contract, p.effective_date::text as starts,
       p.expiration_date::text as ends, p.submission_id as "submissionId", p.renewal_of as "renewalOf"
     from policies p where p.org_id = $1 order by p.id`,
  );
  const transactions = await all<KnownTransaction>(
    `select t.id, t.policy_id as "policyId", t.sequence, t.type, t.effective_date::text as starts, t.reverses, t.reapplied,
       case when t.type = 'cancellation' then b.booked_on else t.issued_on end::text as "bookedOn",
       t.premium_change_cents::float8 as cents
     from policy_transactions t left join transaction_billings b on b.org_id = t.org_id and b.transaction_id = t.id
     where t.org_id = $1 order by t.policy_id, t.sequence`,
  );
  const ofPolicy = Map.groupBy(transactions, ({ policyId }) => policyId);
  return {
    policies: policies.map((policy) => ({ ...policy, transactions: ofPolicy.get(policy.id) ?? [] })),
    moves: await claimMoves(rows, orgId),
    quotes: await all<KnownQuote>(
      `select q.submission_id as "submissionId", q.issued_on::text as on, ${PLACE('s')}
       from quotes q join submissions s on s.org_id = q.org_id and s.id = q.submission_id where q.org_id = $1`,
    ),
    commissions: (
      await all<{ on: string; cents: string[] }>(
        `select recorded_on::text as on, array[gross_premium_cents, agent_commission_cents, mga_commission_cents,
           carrier_net_cents] as cents from commission_records where org_id = $1`,
      )
    ).map(({ on, cents }) => ({ on, cents: cents.map(Number) as KnownCommission['cents'] })),
    invoices: await all<KnownInvoice>(
      `select due_date::text as "dueDate", (total_cents - paid_cents + refunded_before_paid_cents)::float8 as "balanceCents"
       from invoices where org_id = $1 and voided_at is null and uncollectible_at is null
         and total_cents - paid_cents + refunded_before_paid_cents > 0`,
    ),
  };
}

/** Every entry says what each amount was before and after. A reserve includes what is paid on it. */
async function claimMoves(rows: Rows, orgId: string): Promise<KnownMove[]> {
  type Changes = Record<string, { before: number | null; after: number | null }>;
  const entries = await rows.query<Omit<KnownMove, 'incurredCents' | 'paidCents'> & { changes: Changes }>(
    `select e.claim_id as "claimId", e.happened_on::text as on, e.changes, c.loss_date::text as "lossDate", ${PLACE('c')}
     from claim_entries e join claims c on c.org_id = e.org_id and c.id = e.claim_id where e.org_id = $1`,
    [orgId],
  );
  return entries.map(({ changes, ...entry }) => {
    const by = (...names: string[]) =>
      names.reduce((sum, name) => sum + (changes[name]?.after ?? 0) - (changes[name]?.before ?? 0), 0);
    const recovered = by('recoveredCents');
    return {
      ...entry,
      incurredCents: by('reserveIndemnityCents', 'reserveExpenseCents') - recovered,
      paidCents: by('paidIndemnityCents', 'paidExpenseCents') - recovered,
    };
  });
}
