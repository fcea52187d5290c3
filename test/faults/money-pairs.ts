// Money movements that hit the same invoice at the same moment (payments, refunds, reversals, disputes, unapplied
// cash) while the policy behind it changes: the load that would deadlock transactions with different lock orders.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { deliveryTo, disputed, processorId, succeeded, type WireEvent } from '../support/card-events.ts';
import type { TestClient, TestResponse } from '../support/client.ts';
import { answerForGood } from '../support/for-good.ts';
import { bound } from '../support/house.ts';

const INVOICES_A_POLICY = 4;
const AT_A_TIME = 12;
const DEPOSIT = 100;
const BOUND_AT_A_TIME = 6;

/** What collides with what. */
export const MEETINGS = [
  'a payment and a refund',
  'a payment and a reversal',
  'a reversal and a refund',
  'a dispute and a policy change',
  'an application of unapplied money and a cancellation',
] as const;
type Meeting = (typeof MEETINGS)[number];

export interface Pairs {
  orgId: string;
  /** Without a credential, as the card processor delivers. */
  anonymous: TestClient;
  billing: TestClient;
  underwriter: TestClient;
  /** The policies' producer, so that commission is earned and charged back; null for policies without one. */
  producerId: string | null;
  /** How many collisions to run; the kinds take turns. */
  count: number;
}

interface Due {
  n: number;
  invoiceId: string;
  /** Another invoice of the policy. */
  otherId: string;
  rest: number;
  policyId: string;
}

type Note = (what: string, answer: TestResponse) => TestResponse;

/** Sends the pairs, a dozen at a time, and returns any that were neither done nor refused for a business reason. */
export async function sendPairs(pairs: Pairs): Promise<string[]> {
  const due = await bindInvoices(pairs.underwriter, pairs);
  const odd: string[] = [];
  const note: Note = (what, answer) => {
    if (![200, 201, 422].includes(answer.status)) odd.push(`${what}: ${answer.status} ${answer.text}`);
    return answer;
  };
  await atOnce(due, AT_A_TIME, async (each) => {
    const meeting = MEETINGS[each.n % MEETINGS.length] ?? MEETINGS[0];
    const moves = await prepared(pairs, each, meeting, note);
    const isCancelled = meeting === 'an application of unapplied money and a cancellation';
    const change = isCancelled ? cancelNow : changePolicy;
    const answers = await Promise.all([...moves.map((move) => move()), change(pairs.underwriter, each)]);
    for (const answer of answers) note(meeting, answer);
  });
  return odd;
}

type Moves = (() => Promise<TestResponse>)[];

/** Does the groundwork, and returns the moves that then run simultaneously. */
async function prepared(pairs: Pairs, due: Due, meeting: Meeting, note: Note): Promise<Moves> {
  const { billing, orgId, anonymous } = pairs;
  const { n, invoiceId, otherId, rest } = due;
  const path = `/v1/invoices/${invoiceId}`;
  const pay = (amount: number, reference: string, more: object = {}) =>
    sent(billing, `${path}/pay`, { amount, method: 'check', reference: `${reference} ${n}`, ...more });
  const payRest = () => pay(rest, 'Rest');
  const refund = () => sent(billing, `${path}/refund`, { amount: DEPOSIT / 2, reason: 'Too much.' });
  if (meeting === 'a dispute and a policy change') {
    const delivered = deliveryTo(anonymous);
    const deliver = (event: WireEvent) => answerForGood(() => delivered(event));
    const intentId = processorId('pi');
    const amountCents = DEPOSIT * 100;
    note('card', await deliver(succeeded({ intentId, amountCents, orgId, invoiceId })));
    return [() => deliver(disputed({ intentId, amountCents, status: 'needs_response' })), payRest];
  }
  if (meeting === 'an application of unapplied money and a cancellation') {
    const { body, status } = note('too much', await pay(rest + 2 * DEPOSIT, 'Too much', { unapplied: true }));
    if (status !== 201) return [];
    const apply = () => sent(billing, `/v1/unapplied-cash/${body.id}/apply`, { invoiceId: otherId, amount: 1 });
    return [apply, refund];
  }
  const { body, status } = note('deposit', await pay(DEPOSIT, 'Deposit'));
  // Another collision has cancelled the policy.
  if (status !== 201) return [];
  const reverse = () => sent(billing, `/v1/payments/${body.id}/reverse`, { reason: 'nsf', fee: 25 });
  if (meeting === 'a payment and a reversal') return [payRest, reverse];
  return meeting === 'a reversal and a refund' ? [reverse, refund] : [payRest, refund];
}

/** Sends a command under one key until the answer is final: a transaction may give way to another one. */
function sent(client: TestClient, path: string, body: object): Promise<TestResponse> {
  const options = { headers: { 'idempotency-key': randomUUID() } };
  return answerForGood(() => client.post(path, body, options));
}

/** How often PostgreSQL had to break a deadlock in a database. */
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
    for (const [i, { id: invoiceId, total }] of (invoices as { id: string; total: number }[]).entries()) {
      const otherId = invoices[(i + 1) % invoices.length].id;
      due.push({ invoiceId, otherId, policyId, rest: Math.round((total - DEPOSIT) * 100) / 100 });
    }
  });
  return due.slice(0, count).map((each, n) => ({ n, ...each }));
}

/** Premium up or down, notice of cancellation, and the notice rescinded. */
async function changePolicy(underwriter: TestClient, { policyId, n }: Due): Promise<TestResponse> {
  const path = `/v1/policies/${policyId}`;
  const { body: policy } = await underwriter.get(path);
  if (policy.cancellation !== null) return sent(underwriter, `${path}/reinstate`, {});
  if (n % 2 === 0) {
    const annualRevenue = policy.annualRevenue + (n % 4 === 0 ? 50_000 : -25_000);
    return sent(underwriter, `${path}/endorse`, { effectiveDate: policy.effectiveDate, changes: { annualRevenue } });
  }
  return sent(underwriter, `${path}/cancel`, { effectiveDate: policy.expirationDate, reason: 'insured_request' });
}

async function cancelNow(underwriter: TestClient, { policyId }: Due): Promise<TestResponse> {
  const path = `/v1/policies/${policyId}`;
  const { body: policy } = await underwriter.get(path);
  const body = { effectiveDate: policy.effectiveDate, reason: 'flat_not_taken' };
  return sent(underwriter, `${path}/cancel`, body);
}

async function atOnce<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const takeTurns = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, takeTurns));
}
