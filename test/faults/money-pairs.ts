// Payments and refunds of the same invoices at the same moment, while the policies that they belong to are changed: the
// load under which transactions that lock in different orders would wait for each other in a circle.
import pg from 'pg';
import type { TestClient, TestResponse } from '../support/client.ts';
import { bound } from '../support/house.ts';

const INVOICES_A_POLICY = 4;
const AT_A_TIME = 12;
const DEPOSIT = 100;
const BOUND_AT_A_TIME = 6;

export interface Pairs {
  billing: TestClient;
  underwriter: TestClient;
  /** Whose policies they are, so that commission is earned and taken back; null for nobody's. */
  producerId: string | null;
  /** How many payments meet a refund. */
  count: number;
}

interface Due {
  n: number;
  invoiceId: string;
  rest: number;
  policyId: string;
}

/** Sends the pairs, a dozen at a time, and answers what was neither done nor refused for a reason of the trade. */
export async function sendPairs({ billing, underwriter, producerId, count }: Pairs): Promise<string[]> {
  const due = await bindInvoices(underwriter, { producerId, count });
  const odd: string[] = [];
  const note = (what: string, { status, text }: TestResponse) => {
    if (![200, 201, 422].includes(status)) odd.push(`${what}: ${status} ${text}`);
  };
  await atOnce(due, AT_A_TIME, async ({ n, invoiceId, rest, policyId }) => {
    const path = `/v1/invoices/${invoiceId}`;
    const pay = (amount: number, reference: string) =>
      billing.post(`${path}/pay`, { amount, method: 'check', reference: `${reference} ${n}` });
    note('deposit', await pay(DEPOSIT, 'Deposit'));
    const [paid, refunded, changed] = await Promise.all([
      pay(rest, 'Rest'),
      billing.post(`${path}/refund`, { amount: DEPOSIT / 2, reason: 'Too much.' }),
      changePolicy(underwriter, policyId, n),
    ]);
    note('pay', paid);
    note('refund', refunded);
    note('policy change', changed);
  });
  return odd;
}

/** How often PostgreSQL had to end a circle of waiting transactions in a database. */
export async function deadlocks(ownerUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const sql = 'select deadlocks::int as n from pg_stat_database where datname = current_database()';
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ n: number }>(sql);
  await client.end();
  return rows[0]?.n ?? Number.NaN;
}

async function bindInvoices(
  underwriter: TestClient,
  { producerId, count }: Pick<Pairs, 'producerId' | 'count'>,
): Promise<Due[]> {
  const due: Omit<Due, 'n'>[] = [];
  const policies = Array.from({ length: Math.ceil(count / INVOICES_A_POLICY) }, (_, i) => i);
  await atOnce(policies, BOUND_AT_A_TIME, async () => {
    const { policyId, invoices } = await bound(underwriter, producerId === null ? {} : { producerId }, 'QUARTERLY_4');
    for (const { id: invoiceId, total } of invoices as { id: string; total: number }[])
      due.push({ invoiceId, policyId, rest: Math.round((total - DEPOSIT) * 100) / 100 });
  });
  return due.slice(0, count).map((each, n) => ({ n, ...each }));
}

/** Premium up or down, notice of an end, and the notice taken back. */
async function changePolicy(underwriter: TestClient, policyId: string, n: number): Promise<TestResponse> {
  const path = `/v1/policies/${policyId}`;
  const { body: policy } = await underwriter.get(path);
  if (n % 2 === 0) {
    const annualRevenue = policy.annualRevenue + (n % 4 === 0 ? 50_000 : -25_000);
    return underwriter.post(`${path}/endorse`, { effectiveDate: policy.effectiveDate, changes: { annualRevenue } });
  }
  if (policy.cancellation !== null) return underwriter.post(`${path}/reinstate`, {});
  return underwriter.post(`${path}/cancel`, { effectiveDate: policy.expirationDate, reason: 'insured_request' });
}

async function atOnce<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const takeTurns = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, takeTurns));
}
