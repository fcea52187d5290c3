// Money compared with a slow model of it: random sequences of operations, several in parallel, each on a fresh
// invoice.
import test, { type ExecutionContext } from 'ava';
import type { Deps } from '../../../activities/context.ts';
import { createActivities } from '../../../activities/create-activities.ts';
import type { InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { newId } from '../../../db/ids.ts';
import { connectDatabase, type Database } from '../../../db/orm.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import type { InvoiceSplit } from '../../../domain/billing/ledger/invoice-split.ts';
import { trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { addOrganization, anInvoice, aPolicy, aTransaction } from '../../db/rows.ts';
import { checkEvents } from '../../support/event-check.ts';
import { fc, SEED } from '../../support/fixed/chance.ts';
import { silentLogger } from '../../support/logger.ts';
import { STORY_MS } from '../../support/patience.ts';
import { createTestDatabase } from '../../support/servers/database.ts';
import { loneDeps } from '../lone-deps.ts';
import type { FreshInvoice } from './money-books.ts';
import type { Operation, Size } from './money-operations.ts';
import { MoneyRun } from './money-run.ts';

/** Number of sequences in each of the two files that run this, at the same time. */
const SEQUENCES = 300;
/** Each lane has its own organization; several run in parallel. */
const LANES = 6;
const INVOICES_AT_ONCE = 60;
/**
 * The policies are bare rows, and nothing publishes events; the processor may refund what a dispute has already taken,
 * which then leaves a negative amount owed.
 */
const LEFT_OUT = /^policy_|^authority_|_events$|^invoice_liabilities$/;
const TERMS = { tier: 1, agentRate: '0.125', mgaRate: '0.10' };

/** A line of a bill. */
export const line = (kind: InvoiceLine['kind'], code: string, amountCents: number): InvoiceLine => {
  return { kind, code, description: code, amountCents };
};

/** What an invoice bills, and who owns the money once it is paid, by hand. */
export interface Bill {
  lines: InvoiceLine[];
  hasProducer: boolean;
  split: InvoiceSplit;
}

const percent = fc.integer({ min: 1, max: 100 });
const pick = fc.nat({ max: 7 });
const size: fc.Arbitrary<Size> = fc.record({
  how: fc.constantFrom('cent', 'part', 'part', 'all', 'all', 'over'),
  percent,
});
const does = <K extends Operation['does']>(what: K) => fc.constant(what);

const money: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ does: does('pay'), size, isRepeated: fc.boolean(), mayExceed: fc.boolean() }),
  fc.record({ does: does('card'), size }),
);
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: money },
  { weight: 4, arbitrary: fc.record({ does: does('refund'), size }) },
  { weight: 3, arbitrary: fc.record({ does: does('settle'), pick, isDeclined: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: does('decide'), pick, isRejected: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ does: does('refundAtProcessor'), pick, percent }) },
  { weight: 3, arbitrary: fc.record({ does: does('dispute'), pick, percent, isWonFirst: seldom }) },
  { weight: 3, arbitrary: fc.record({ does: does('closeDispute'), pick, isWon: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ does: does('reverse'), pick, feeCents: fc.constantFrom(null, 2_500) }) },
  { weight: 2, arbitrary: fc.record({ does: does('returnUnapplied'), pick, size }) },
  { weight: 2, arbitrary: fc.record({ does: does('disburse'), pick, isStopped: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: does('repeat'), pick }) },
  { weight: 1, arbitrary: fc.record({ does: does('void'), reissue: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ does: does('step'), pick, isTwice: fc.boolean() }) },
);
/** Money first, since most other operations need some. */
const sequence = fc.tuple(
  fc.oneof({ weight: 9, arbitrary: money }, operation),
  fc.array(operation, { minLength: 1, maxLength: 10 }),
);

let database: Database;
let deps: Deps;

test.before('a database', async (t) => {
  const { appUrl, opsUrl } = await createTestDatabase(t);
  database = await connectDatabase({ appUrl, opsUrl, poolSize: LANES, logger: silentLogger });
  deps = loneDeps(database);
});

test.after.always('the events are as catalogued, and the database is closed', () =>
  checkEvents(database).finally(() => database.close()),
);

/** An organization in which refunds above 1,000.00 need approval. */
async function supervised(): Promise<string> {
  const orgId = await addOrganization(database);
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  return orgId;
}

/** Hands out one fresh invoice after another. */
function invoicesOf(orgId: string, bills: readonly Bill[]): () => Promise<FreshInvoice> {
  const ready: FreshInvoice[] = [];
  return async () => {
    if (ready.length === 0) ready.push(...(await writeInvoices(orgId, bills)));
    return ready.pop() as FreshInvoice;
  };
}

function writeInvoices(orgId: string, bills: readonly Bill[]): Promise<FreshInvoice[]> {
  return database.transaction(orgId, async (em) => {
    const producer = em.create(
      Producer,
      { id: newId('producer'), name: 'Lone Star Agency', status: 'active' },
      { persist: true },
    );
    return Array.from({ length: INVOICES_AT_ONCE }, (_, i) => {
      const bill = bills[i % bills.length] as Bill;
      const { lines, hasProducer, split } = bill;
      const producerId = hasProducer ? producer.id : null;
      const policy = aPolicy(em, { producerId });
      const transaction = Object.assign(aTransaction(em, policy.id), { producerId, commission: TERMS });
      const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
      const { id } = anInvoice(em, transaction, { lines, totalCents, producerId });
      return { orgId, invoiceId: id, policyId: policy.id, hasProducer, split };
    });
  });
}

/** Runs one sequence. */
export async function replay(
  t: ExecutionContext,
  bills: readonly Bill[],
  operations: readonly Operation[],
): Promise<void> {
  const run = new MoneyRun(deps, createActivities(deps), await invoicesOf(await supervised(), bills)());
  for (const each of operations) await run.apply(each);
  await t.notThrowsAsync(run.finish());
}

/** Runs the sequences on invoices of these bills, in several organizations in parallel. */
export async function holdAgainstModel(t: ExecutionContext, bills: readonly Bill[]): Promise<void> {
  t.timeout(STORY_MS);
  const activities = createActivities(deps);
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const orgId = await supervised();
    const next = invoicesOf(orgId, bills);
    const property = fc.asyncProperty(sequence, async ([first, others]) => {
      const run = new MoneyRun(deps, activities, await next());
      for (const each of [first, ...others]) await run.apply(each);
      await run.finish();
    });
    const numRuns = Math.ceil(SEQUENCES / LANES);
    await fc.assert(property, { numRuns, seed: SEED + lane, includeErrorInReport: true });
    t.deepEqual(trustFindings(await database.forOrg(orgId, trustFigures)), []);
    const { results } = await database.forOrg(orgId, (em) => checkBooks(em, { since: null, statementFrom: null }));
    const found = results.filter(({ name }) => !LEFT_OUT.test(name)).flatMap(({ findings }) => findings);
    t.deepEqual(found, []);
  });
  await Promise.all(lanes);
}
