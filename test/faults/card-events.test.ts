// A storm of card events during which a worker dies twice: every cent is booked once, and each follow-up happens once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { PaymentIntent } from '../../db/entities/billing/payment-intent.ts';
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { isCardEventType } from '../../domain/billing/card-events.ts';
import { deliveryTo } from '../support/card-events.ts';
import { type TestClient, testClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { bound } from '../support/house.ts';
import { silentLogger } from '../support/logger.ts';
import { STORY_MS } from '../support/patience.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES } from '../support/servers/providers.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { Rows } from './bind.ts';
import { deliverAll, type OpenInvoice, type Plan, planFor, shuffled } from './card-storm.ts';
import { type Platform, startPlatform } from './platform.ts';

const POLICIES = 25;
const INSTALLMENTS = 12;
const COPIES = 3;
const SEED = 20_261_121;

let platform: Platform;
let database: Database;
let rows: Rows;
let orgId: string;
let client: TestClient;
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-storm-'));

test.before(async () => {
  const urls = await createTestDatabase({ title: 'card events' });
  rows = new Rows(urls.ownerUrl);
  database = await connectDatabase({ ...urls, poolSize: 2, logger: silentLogger });
  platform = await startPlatform({
    database: urls,
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233',
    taskQueuePrefix: urls.name,
    printsDocuments: false,
    variables: { ...CARD_PROCESSOR_VARIABLES, DATA_DIR: dataDir },
  });
  orgId = (await platform.machine.post('/v1/organizations', { name: 'Storm' })).body.id;
  client = await platform.as({ role: 'org_admin', org: orgId });
});

test.after.always(async () => {
  await platform?.stop();
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a thousand events, each delivered three times, shuffled, with the worker killed twice: every cent is booked once', async (t) => {
  t.timeout(STORY_MS);
  const plan = planFor(await openInvoices());
  await storeIntents(plan);
  t.true(plan.events.length >= 1_000, `${plan.events.length} events`);
  t.is(plan.expected.length, 300);
  const deliveries = shuffled(Array.from({ length: COPIES }, () => plan.events).flat(), SEED);
  // Of three copies the first does the work: a quarter of it is done by the first accident, over half by the second.
  const accidents = [Math.floor(deliveries.length / 10), Math.floor(deliveries.length / 4)];
  const restarts: Promise<void>[] = [];
  const statuses = await deliverAll(deliveries, {
    deliver: deliveryTo(testClient(platform.baseUrl, async () => ({}))),
    atATime: 8,
    onTaken: (count) => {
      if (accidents.includes(count)) restarts.push(platform.worker.kill().then(() => platform.worker.start()));
    },
  });
  await Promise.all(restarts);
  t.is(restarts.length, 2);
  t.log(Object.fromEntries(statuses));
  t.deepEqual(
    [...statuses.keys()].filter((status) => ![200, 500, 503].includes(status)),
    [],
  );
  t.is(statuses.get(200), deliveries.length);

  const paid = plan.expected.filter(({ invoice, paidCents }) => paidCents === invoice.totalCents);
  await sagasHaveEnded({ received: paymentsIn(plan), paid: paid.length });
  t.deepEqual(await bookedPayments(), expectedPayments(plan));
  t.deepEqual(await invoiceAmounts(), new Map(plan.expected.map(({ invoice, paidCents }) => [invoice.id, paidCents])));
  const shared = paid.filter(({ invoice }) => invoice.hasProducer).map(({ invoice }) => invoice.id);
  t.true(shared.length > 50 && shared.length < paid.length, 'both kinds of policy are in the mix');
  t.deepEqual(await commissionedInvoices(), shared.sort());
  t.is(
    await count("select count(*) as n from inbound_events where provider = 'card-processor'"),
    plan.events.filter(({ type }) => isCardEventType(type)).length,
  );
  const overpaid = plan.expected.filter(({ unappliedCents }) => unappliedCents > 0);
  t.is(await count("select count(*) as n from events where type = 'financial.operation_failed'"), overpaid.length);
  t.is(await count('select count(*) as n from invoices where last_payment_error is not null and paid_cents > 0'), 0);
  const twice = "select data->>'reference' from events where type = 'payment.failed' group by 1 having count(*) > 1";
  t.deepEqual(await rows.query(twice), []);
  await ledgersBalance(t.deepEqual);
});

const count = async (query: string) => Number((await rows.query<{ n: string }>(query))[0]?.n);
const paymentsIn = ({ expected }: Plan) => expected.reduce((sum, { payments }) => sum + payments.size, 0);

const expectedPayments = ({ expected }: Plan) =>
  expected.flatMap(({ invoice, payments }) => [...payments].map((payment) => [...payment, invoice.id].join())).sort();

async function bookedPayments(): Promise<string[]> {
  const found = await rows.query('select reference, amount_cents, invoice_id from payments');
  return found.map(({ reference, amount_cents, invoice_id }) => [reference, amount_cents, invoice_id].join()).sort();
}

async function invoiceAmounts(): Promise<Map<string, number>> {
  const found = await rows.query('select id, paid_cents from invoices order by id');
  return new Map(found.map(({ id, paid_cents }) => [id, Number(paid_cents)]));
}

/** One entry per record, so that a duplicate would show. */
async function commissionedInvoices(): Promise<string[]> {
  const found = await rows.query('select invoice_id from commission_records');
  return found.map(({ invoice_id }) => invoice_id).sort();
}

/** Every payment and every paid invoice has its event, which is the last step of its saga. */
async function sagasHaveEnded({ received, paid }: { received: number; paid: number }): Promise<void> {
  const countEvents = (type: string) => count(`select count(*) as n from events where type = '${type}'`);
  await eventually(
    async () => (await countEvents('payment.received')) >= received && (await countEvents('invoice.paid')) >= paid,
    { what: 'the event of every payment', withinMs: STORY_MS / 2 },
  );
}

async function ledgersBalance(equal: (actual: unknown, expected: unknown) => boolean): Promise<void> {
  const sides = await rows.query(
    'select ledger, sum(debit_cents - credit_cents)::int as difference from ledger_lines group by 1 order by 1',
  );
  equal(sides, [
    { ledger: 'fiduciary', difference: 0 },
    { ledger: 'general', difference: 0 },
  ]);
  const [trust] = await rows.query(
    `select sum(debit_cents - credit_cents) filter (where account in (1010, 1040, 1110, 1200))::bigint as assets,
            sum(credit_cents - debit_cents) filter (where account between 2000 and 2999)::bigint as liabilities,
            (select sum(amount_cents) from payments)::bigint as received
     from ledger_lines where ledger = 'fiduciary'`,
  );
  equal([trust?.assets, trust?.liabilities], [trust?.received, trust?.received]);
  const entries = await rows.query(
    `select entry_type from ledger_entries where source_type = 'invoice' group by entry_type, source_id having count(*) > 1`,
  );
  equal(entries, []);
}

/** Binds policies, two in three with a producer, and returns their invoices. */
async function openInvoices(): Promise<OpenInvoice[]> {
  const producerId = await addProducer();
  for (let policy = 0; policy < POLICIES; policy += 1) {
    const { invoices } = await bound(client, policy % 3 === 0 ? {} : { producerId }, 'MONTHLY_12');
    if (invoices.length !== INSTALLMENTS) throw new Error('A policy has other installments');
  }
  const found = await rows.query('select id, total_cents, producer_id from invoices order by id');
  return found.map(({ id, total_cents, producer_id }) => ({
    ...{ id, orgId, totalCents: Number(total_cents), hasProducer: producer_id !== null },
  }));
}

async function addProducer(): Promise<string> {
  const id = newId('producer');
  await database.transaction(orgId, async (em) => {
    em.create(Producer, { id, name: 'Lone Star Agency', status: 'active' }, { persist: true });
    const scope = { producerId: id, state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier' };
    em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
  });
  return id;
}

/** The intents created here; attempts on an invoice count from 1. */
async function storeIntents({ stored }: Plan): Promise<void> {
  await database.transaction(orgId, async (em) => {
    const attempts = new Map<string, number>();
    for (const { intentId: processorId, invoice, amountCents } of stored) {
      const attempt = (attempts.get(invoice.id) ?? 0) + 1;
      attempts.set(invoice.id, attempt);
      const row = { invoiceId: invoice.id, attempt, amountCents, processorId, status: 'open' as const };
      em.create(PaymentIntent, row, { persist: true });
    }
  });
}
