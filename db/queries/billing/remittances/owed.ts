// What the trust owes each payee, by ledger line: covered by a remittance, owed back, or short.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountNumber } from '../../../../domain/billing/ledger/chart.ts';
import {
  ACCOUNTS_OF_KIND,
  type OwedByAccount,
  REMITTANCE_KINDS,
  type RemittanceKind,
} from '../../../../domain/billing/remittance.ts';
import type { BusinessDate } from '../../../../domain/dates.ts';
import { RemittanceLine } from '../../../entities/billing/remittance-line.ts';
import { preparedRows } from '../../../prepared.ts';
import { organizationOf } from '../../../scope.ts';
import { bound, type NamedValues } from '../../named-values.ts';

/** The payee, and the kind of remittance that pays them. */
export interface Payee {
  kind: RemittanceKind;
  payee: string;
}

/** The carrier name of a policy without a contract. */
export const UNNAMED_CARRIER = 'Unnamed carrier';

/** The owner of the money on invoice `i` of policy `p` under contract `d`; our own money has a single payee. */
const PAYEE: Readonly<Record<Exclude<RemittanceKind, 'transfer'>, string>> = {
  commission: 'i.producer_id',
  carrier: `coalesce(d.carrier, '${UNNAMED_CARRIER}')`,
  tax: 'p.state',
  stamping: 'p.state',
};

/** Whether the money on invoice `i` of policy `p` under contract `d` belongs to a payee. */
export function isOfPayee(kind: RemittanceKind, payee: string): string {
  return kind === 'transfer' ? 'true' : `${PAYEE[kind]} = ${payee}`;
}

/** The lines where the trust owes a payee or has taken money back; not those that pay it. */
const linesOf = (kind: RemittanceKind) => `
  from ledger_lines l
  join ledger_entries e on e.org_id = :org and e.id = l.entry_id and e.entry_type <> 'transfer'
  join invoices i on i.org_id = :org and i.id = e.invoice_id
  join policies p on p.org_id = :org and p.id = i.policy_id
  left join da_contracts d on d.org_id = :org and d.id = p.da_contract_id
  where l.org_id = :org and l.account in (${ACCOUNTS_OF_KIND[kind].join(', ')}) and ${isOfPayee(kind, ':payee')}`;

/** What one remittance is to cover. */
export interface RemittanceScope extends Payee {
  remittanceId: string;
  through: BusinessDate;
  /** Only what is owed for this policy. */
  policyId: string | null;
}

/** Whether the invoice of entry `e` has a credit on line `l`'s account that meets the condition. */
const hasOwed = (condition: string) => `exists (
  select from ledger_lines owed join ledger_entries due on due.org_id = :org and due.id = owed.entry_id
  where owed.org_id = :org and owed.account = l.account and owed.credit_cents > 0 and due.invoice_id = e.invoice_id
    and ${condition})`;

const isCovered = (line: string) =>
  `exists (select from remittance_lines r where r.org_id = :org and r.line_id = ${line}.id and not r.released)`;

/** What was owed by that day, less what has been taken back since. */
const OWED_BY_THEN = `(e.date <= cast(:through as date)
  or (l.debit_cents > 0 and ${hasOwed('due.date <= cast(:through as date)')}))`;

/** What was taken back after it was paid or promised: it comes off the next payment to the same payee. */
const TAKEN_BACK = `(l.debit_cents > 0 and ${hasOwed(isCovered('owed'))})`;

/** What a remittance covers, by account. */
export interface Covered {
  /** The sum of its lines. */
  owed: OwedByAccount;
  /** The part taken back after it was paid or promised; positive. */
  takenBack: OwedByAccount;
}

/**
 * Covers what is owed to a payee up to a day, and whatever has been taken back on the same invoices since, so that no
 * one is paid money that is no longer theirs. A payment for one policy also covers what was taken back on others,
 * smallest first, as far as it can carry it; the rest comes off another payment. Call it under `lockRemittances`; a
 * line is covered once.
 */
export async function coverLines(em: EntityManager, { kind, ...coverage }: RemittanceScope): Promise<Covered> {
  const sql = `
with open_lines as (
  select l.id, i.id as invoice_id, l.account, l.credit_cents - l.debit_cents as cents,
    i.policy_id = coalesce(cast(:policyId as text), i.policy_id) as is_meant, ${OWED_BY_THEN} as is_due,
    ${TAKEN_BACK} as is_taken_back ${linesOf(kind)} and not ${isCovered('l')}
), own as (
  select * from open_lines where is_meant and (is_due or is_taken_back)
), others as (
  select *, sum(-cents) over (partition by account order by -cents, id) as burden from open_lines
    where is_taken_back and not is_meant
), covering as (
  select id, invoice_id, account, cents, is_taken_back from own
  union all select id, invoice_id, account, cents, is_taken_back from others
    where burden <= (select sum(own.cents) from own where own.account = others.account)
), written as (
  insert into remittance_lines (org_id, remittance_id, line_id, invoice_id, account, amount_cents)
  select :org, :remittanceId, id, invoice_id, account, cents from covering
)
select account, sum(cents) as cents, coalesce(sum(-cents) filter (where is_taken_back), 0) as taken
  from covering group by account`;
  const rows = await em.execute<(SumRow & { taken: string })[]>(
    ...bound(sql, { ...coverage, org: organizationOf(em) }),
  );
  return {
    owed: sumsIn(rows),
    takenBack: new Map(rows.map(({ account, taken }) => [account, Number(taken)])),
  };
}

/** Releases the lines of a rejected remittance, so that another one may cover them. */
export async function releaseLines(em: EntityManager, remittanceId: string): Promise<void> {
  await em.nativeUpdate(RemittanceLine, { remittanceId }, { released: true });
}

/** What a payee owes back and was not netted; `statuses` are those in which a remittance counts as having netted it. */
const owedBack = (statuses: string) => `
  select account, amount_cents as cents from trust_shortfalls
    where org_id = :org and kind = :kind and payee = :payee
  union all
  select part.account, -part."nettedCents" from remittances m
    cross join jsonb_to_recordset(m.parts) as part (account int, "nettedCents" bigint)
    where m.org_id = :org and m.kind = :kind and m.payee = :payee and m.status in (${statuses})`;

/** Reads what a payee owes back that no remittance, paid or waiting, has netted. */
export function owedBackBy(em: EntityManager, of: Payee): Promise<OwedByAccount> {
  const sql = `select account, sum(cents) as cents from (${owedBack("'pending_approval', 'paid'")}) owed group by 1`;
  return sumsOf(em, sql, { ...of });
}

/**
 * Reads what the trust holds for a payee by account: negative if they were paid more than is now theirs. Money waiting
 * for approval is still held, unless `less` counts promised money as paid.
 */
export function heldFor(em: EntityManager, of: Payee, less: 'paid' | 'promised' = 'paid'): Promise<OwedByAccount> {
  const statuses = less === 'paid' ? "'paid'" : "'pending_approval', 'paid'";
  const sql = `
select account, sum(cents) as cents from (
  select l.account, l.credit_cents - l.debit_cents as cents ${linesOf(of.kind)}
    and not exists (select from remittance_lines r
      join remittances m on m.org_id = :org and m.id = r.remittance_id and m.status in (${statuses})
      where r.org_id = :org and r.line_id = l.id and not r.released)
  union all ${owedBack(statuses)}
) held group by 1`;
  return sumsOf(em, sql, { ...of });
}

/** Reads the payees of an invoice who have ever been paid anything, on any invoice. */
export function paidPayees(em: EntityManager, invoiceId: string): Promise<Payee[]> {
  return preparedRows(em, PAID_PAYEES, [organizationOf(em), invoiceId]);
}

const paidPayeesOf = (kind: RemittanceKind) => `
select distinct m.kind, m.payee from invoices i
  join policies p on p.org_id = $1 and p.id = i.policy_id
  left join da_contracts d on d.org_id = $1 and d.id = p.da_contract_id
  join remittances m on m.org_id = $1 and m.kind = '${kind}' and m.status = 'paid' and ${isOfPayee(kind, 'm.payee')}
  where i.org_id = $1 and i.id = $2`;

const PAID_PAYEES = {
  name: 'paid payees',
  text: `${REMITTANCE_KINDS.map(paidPayeesOf).join(' union all ')} order by 1, 2`,
};

/**
 * Whether the trust still owes a payee money that came in by a day, less what has been returned: it is not paid yet.
 */
export async function isStillOwed(em: EntityManager, of: Payee, through: BusinessDate): Promise<boolean> {
  const sql = `
select l.account, sum(l.credit_cents - l.debit_cents) as cents ${linesOf(of.kind)}
  and (${OWED_BY_THEN} or ${TAKEN_BACK})
  and not exists (select from remittance_lines r
    join remittances m on m.org_id = :org and m.id = r.remittance_id and m.status = 'paid'
    where r.org_id = :org and r.line_id = l.id and not r.released)
  group by 1`;
  return [...(await sumsOf(em, sql, { ...of, through })).values()].some((cents) => cents > 0);
}

interface SumRow {
  account: AccountNumber;
  cents: string;
}

async function sumsOf(em: EntityManager, sql: string, values: NamedValues): Promise<OwedByAccount> {
  return sumsIn(await em.execute<SumRow[]>(...bound(sql, { ...values, org: organizationOf(em) })));
}

function sumsIn(rows: readonly SumRow[]): OwedByAccount {
  return new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
}
