// What must be true after a remittance run: each producer has one payout of the commission earned, the ledger has each
// remittance once, the list of payouts agrees, nothing more is owed to anyone, and the books balance.
import { bookFindings } from '../books/book-findings.ts';
import { Rows } from '../faults/bind.ts';
import type { Surroundings } from '../faults/dying-workers.ts';
import type { TestClient } from '../support/client.ts';
import { bodyOf } from '../support/house.ts';

/** A producer, and what their single policy has earned them. */
export interface Earner {
  producerId: string;
  policyId: string;
  cents: number;
}

/** An organization whose producers get paid. */
export interface PaidTown extends Pick<Surroundings, 'orm' | 'database'> {
  orgId: string;
  as: (role: string) => Promise<TestClient>;
}

/** One sentence per error. */
export async function payoutFindings(town: PaidTown, earners: readonly Earner[]): Promise<string[]> {
  const rows = new Rows(town.database.ownerUrl);
  return [
    ...(await payoutsFindings(rows, town, earners)),
    ...(await ledgerFindings(rows, town, earners)),
    ...(await listFindings(town, earners)),
    ...(await bookFindings({ orm: town.orm, rows }, town.orgId)),
  ];
}

async function payoutsFindings(rows: Rows, { orgId }: PaidTown, earners: readonly Earner[]): Promise<string[]> {
  const payouts = await rows.query<{ payee: string; status: string; cents: string; entries: string; posted: string }>(
    `select m.payee, m.status, m.amount_cents as cents, count(distinct e.id) as entries,
        coalesce(sum(l.debit_cents) filter (where l.account = 2020), 0) as posted
      from remittances m
      left join ledger_entries e on e.org_id = m.org_id and e.source_type = 'remittance' and e.source_id = m.id
      left join ledger_lines l on l.org_id = m.org_id and l.entry_id = e.id
      where m.org_id = $1 and m.kind = 'commission' group by m.id`,
    [orgId],
  );
  const byPayee = Map.groupBy(payouts, ({ payee }) => payee);
  return earners.flatMap(({ producerId, cents }) => {
    const expected = [{ payee: producerId, status: 'paid', cents: `${cents}`, entries: '1', posted: `${cents}` }];
    const found = byPayee.get(producerId) ?? [];
    return JSON.stringify(found) === JSON.stringify(expected)
      ? []
      : [`${producerId} has ${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`];
  });
}

async function ledgerFindings(rows: Rows, { orgId }: PaidTown, earners: readonly Earner[]): Promise<string[]> {
  const [sums] = await rows.query<Record<string, string>>(
    `select (select coalesce(sum(credit_cents - debit_cents), 0) from ledger_lines
               where org_id = $1 and account in (2010, 2020, 2030, 2040, 2050, 2090)) as "cents still owed",
            (select count(*) from (select from ledger_lines where org_id = $1 group by entry_id
               having sum(debit_cents) <> sum(credit_cents)) e) as "entries that do not balance",
            (select count(*) from (select from remittance_lines where org_id = $1 and not released group by line_id
               having count(*) > 1) r) as "lines that are covered twice",
            (select count(*) from remittances m where m.org_id = $1 and (m.status <> 'paid' or
               (select coalesce(sum(l.credit_cents), 0) from ledger_lines l
                  join ledger_entries e on e.org_id = l.org_id and e.id = l.entry_id
                  where e.org_id = m.org_id and e.source_type = 'remittance' and e.source_id = m.id
                    and l.account = 1010) <> m.amount_cents)) as "remittances whose money left otherwise",
            (select $2 - count(*) from remittances where org_id = $1) as "remittances too few"`,
    // A payout and a filing for each, the stamping fees, the carrier's premium and our own share.
    [orgId, 2 * earners.length + 3],
  );
  return Object.entries(sums ?? {}).flatMap(([what, count]) => (Number(count) === 0 ? [] : [`${count} ${what}`]));
}

/** One line per producer, with what they have earned. */
async function listFindings({ as }: PaidTown, earners: readonly Earner[]): Promise<string[]> {
  const finance = await as('finance_analyst');
  const paid = new Map<string, number>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, string | number> = { status: 'paid', limit: 100, ...(cursor ? { cursor } : {}) };
    const page = bodyOf(await finance.get('/v1/commissions/payouts', { query }));
    for (const { producerId, amount } of page.data) paid.set(producerId, (paid.get(producerId) ?? 0) + amount);
    cursor = page.nextCursor;
  }
  const wrong = earners.filter(({ producerId, cents }) => Math.round((paid.get(producerId) ?? 0) * 100) !== cents);
  return wrong.length === 0 ? [] : [`the list of payouts is wrong about ${wrong.length} producers`];
}
