// A year of a whole book of business, lived through with the test clock, in which worker and Temporal are killed: it
// ends as a model of it says that it must, which knows nothing of the code.
import test from 'ava';
import { policyWorkflowId } from '../../contracts/machinery/start.ts';
import type { Database } from '../../db/orm.ts';
import { connectDatabase } from '../../db/orm.ts';
import { checkBooks } from '../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../db/queries/billing/trust.ts';
import { trustFindings } from '../../domain/billing/ledger/trust.ts';
import { addDays, type BusinessDate, daysBetween } from '../../domain/dates.ts';
import { inTurns } from '../chaos/turns.ts';
import { Rows } from '../faults/bind.ts';
import { type OwnTemporal, ownTemporal } from '../faults/own-temporal.ts';
import { attempt, type Platform, startPlatform } from '../faults/platform.ts';
import type { TestClient, TestResponse } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { bodyOf } from '../support/house.ts';
import { silentLogger } from '../support/logger.ts';
import { STORY_MS } from '../support/patience.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { bookOf, type Risk } from './book.ts';
import { type Insured, type Parts, type Story, storyOf, type TermEnd } from './model.ts';

const POLICIES = 200;
const AT_A_TIME = 6;
/** Worker and Temporal are killed while the clock is on its way to the first deed after this day. */
const ACCIDENT_AFTER = 180;
/** The last term ends on day 32 + 365. */
const LAST_DAY = 400;
const MOST_EVENTS = 4_096;

interface Book {
  risk: Risk;
  insured: Insured;
  story: Story;
  /** Policies of the first term and, once it is there, of the next. */
  policyIds: string[];
}

let temporal: OwnTemporal;
let platform: Platform;
let database: Database;
let rows: Rows;
let admin: TestClient;
let orgId: string;
let begin: BusinessDate;

test.before(async () => {
  temporal = await ownTemporal();
  const [urls] = await Promise.all([createTestDatabase({ title: 'a year' }), temporal.start()]);
  rows = new Rows(urls.ownerUrl);
  database = await connectDatabase({ ...urls, poolSize: 2, logger: silentLogger });
  platform = await startPlatform({
    ...{ database: urls, temporalAddress: temporal.address, taskQueuePrefix: 'year' },
    printsDocuments: false,
  });
  orgId = bodyOf(await platform.machine.post('/v1/organizations', { name: 'Year', tier: 'enterprise' }), 201).id;
  admin = await platform.as({ role: 'org_admin', org: orgId });
  begin = bodyOf(await admin.get('/v1/test-clock')).date;
  bodyOf(await admin.put('/v1/flags/auto_renewal', { value: true }));
});

test.after.always(async () => {
  await platform?.stop();
  await database?.close();
  await temporal?.remove();
});

test('a year of 200 policies ends as the model says, although worker and Temporal are killed in the middle of it', async (t) => {
  t.timeout(STORY_MS);
  const book = await inTurns(AT_A_TIME, bookOf(POLICIES), bind);
  const deeds = book.flatMap((each) => each.story.deeds.map((deed) => ({ ...deed, book: each })));
  const days = [...new Set(deeds.map(({ on }) => on))].sort((a, b) => a - b);
  let hadAccident = false;
  for (const day of days) {
    const isAccident: boolean = !hadAccident && day > ACCIDENT_AFTER;
    hadAccident ||= isAccident;
    await (isAccident ? advanceThroughAccident(day) : advance(day));
    await inTurns(
      AT_A_TIME,
      deeds.filter(({ on }) => on === day),
      (deed) => act(deed.book, deed),
    );
  }
  t.true(hadAccident);
  await advance(LAST_DAY);

  const found = await endOf(book);
  const differing = book.filter((each) => found.get(each) !== lineOf(each));
  t.deepEqual(
    differing.map((each) => found.get(each)),
    differing.map(lineOf),
  );
  const ends = book.flatMap(({ story }) => story.terms);
  t.true(ends.filter(({ inLedger }) => inLedger !== null).length > POLICIES / 2);
  const kinds = new Set(ends.map(({ status }) => status));
  for (const kind of ['active', 'cancelled', 'expired', 'lapsed', 'renewed'] as const) t.true(kinds.has(kind), kind);
  t.deepEqual(trustFindings(await database.forOrg(orgId, trustFigures)), []);
  const books = await database.forOrg(orgId, (em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    books.results.flatMap(({ findings }) => findings),
    [],
  );
  const longest = Math.max(
    ...(await inTurns(
      AT_A_TIME,
      book.flatMap(({ policyIds }) => policyIds),
      eventsOf,
    )),
  );
  t.log(`longest history: ${longest} events`);
  t.true(longest < MOST_EVENTS);
});

async function bind(risk: Risk): Promise<Book> {
  const { insuredName, state, installmentPlan } = risk;
  const submission = bodyOf(
    await admin.post('/v1/submissions', {
      ...{ insuredName, state, naicsCode: '722511', lineOfBusiness: 'GL' },
      ...{ annualRevenue: 1_000_000, requestedLimit: 1_000_000, lossesLast5Years: 1 },
      effectiveDate: addDays(begin, risk.effective),
    }),
    201,
  );
  bodyOf(await admin.post(`/v1/submissions/${submission.id}/quote`), 201);
  const bound = bodyOf(await admin.post(`/v1/submissions/${submission.id}/bind`, { installmentPlan }), 201);
  const insured: Insured = {
    state,
    habit: risk.habit,
    effective: risk.effective,
    expiration: dayOf(bound.expirationDate),
    dueDays: bound.invoices.map(({ dueDate }: { dueDate: string }) => dayOf(dueDate)),
    premiumCents: Math.round(bound.grossPremium * 100),
  };
  return { risk, insured, story: storyOf(insured, LAST_DAY), policyIds: [bound.policyId] };
}

const dayOf = (date: BusinessDate) => daysBetween(begin, date);
const advanceTo = (day: number) => ({ advanceTo: addDays(begin, day) });

async function advance(day: number): Promise<void> {
  bodyOf(await admin.post('/v1/test-clock', advanceTo(day)));
}

async function advanceThroughAccident(day: number): Promise<void> {
  const options = { headers: { 'idempotency-key': 'through the accident' } };
  const ask = () => attempt(admin, '/v1/test-clock', advanceTo(day), options);
  const before = await clockOffset();
  const first = ask();
  await eventually(async () => (await clockOffset()) !== before, { what: 'the clock to move' });
  await Promise.all([platform.worker.kill(), temporal.kill()]);
  await Promise.all([platform.worker.start(), temporal.start()]);
  await first;
  const isOver = (answer: TestResponse | null) => answer?.status === 200;
  await eventually(async () => isOver(await ask()), { what: 'the clock to arrive', withinMs: STORY_MS / 2 });
}

async function clockOffset(): Promise<number> {
  const [row] = await rows.query<{ days: number }>(
    'select clock_offset_days as days from organizations where id = $1',
    [orgId],
  );
  return row?.days ?? 0;
}

async function act(book: Book, { term, deed, installment }: Story['deeds'][number]): Promise<void> {
  const policyId = await policyOf(book, term);
  if (deed === 'cancel') {
    const { date } = bodyOf(await admin.get('/v1/test-clock'));
    bodyOf(
      await admin.post(`/v1/policies/${policyId}/cancel`, { effectiveDate: date, reason: 'insured_request' }),
      201,
    );
  } else if (deed === 'non_renew') {
    bodyOf(await admin.post(`/v1/policies/${policyId}/non-renew`, { reason: 'Underwriting.' }));
  } else {
    const { data } = bodyOf(await admin.get('/v1/invoices', { query: { policyId } }));
    const invoice = data.find(
      ({ installmentNumber }: { installmentNumber: number }) => installmentNumber === (installment ?? 0) + 1,
    );
    const check = { amount: invoice.balance, method: 'check', reference: `Check for ${invoice.invoiceNumber}` };
    bodyOf(await admin.post(`/v1/invoices/${invoice.id}/pay`, check), 201);
  }
}

async function policyOf(book: Book, term: number): Promise<string> {
  const [first] = book.policyIds;
  if (term > 0 && book.policyIds.length === 1) {
    book.policyIds.push(bodyOf(await admin.get(`/v1/policies/${first}`)).renewalPolicyId);
  }
  return book.policyIds[term] as string;
}

/** One line for each insured. */
function line({ insuredName, state, installmentPlan, habit }: Risk, terms: readonly TermEnd[]): string {
  const inCents = ({ premium, tax, stamping, fee }: Parts) => [premium, tax, stamping, fee].join(' + ');
  const ends = terms.map(
    ({ status, written, inLedger, paidInstallments, notices }) =>
      `${status}, ${inCents(written)} cents, ${paidInstallments} paid, ${notices} notices, ` +
      `${inLedger === null ? 'not all paid' : `${inCents(inLedger)} in the ledger`}`,
  );
  return `${insuredName} (${state}, ${installmentPlan}, ${JSON.stringify(habit)}): ${ends.join('; then ')}`;
}

const lineOf = ({ risk, story }: Book) => line(risk, story.terms);

interface FoundTerm extends Omit<TermEnd, 'inLedger'> {
  id: string;
  renewalOf: string | null;
  inLedger: Parts;
}

/** The charge of a code in a list of charges. */
const charge = (list: string, code: string) =>
  `(select coalesce(sum((c->>'amountCents')::int), 0) from json_array_elements(p.${list}::json) c where c->>'code' = '${code}')`;

/** What a policy's entries owe on accounts. */
const owed = (...accounts: number[]) =>
  `(select coalesce(sum(l.credit_cents - l.debit_cents), 0) from ledger_entries e
    join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id
    where e.policy_id = p.id and l.account in (${accounts.join(', ')}))`;

const PARTS_WRITTEN = `json_build_object('premium', gross_premium_cents, 'tax', ${charge('taxes', 'SL_TAX')},
  'stamping', ${charge('taxes', 'STAMPING_FEE')}, 'fee', ${charge('fees', 'POLICY_FEE')})`;
const PARTS_IN_LEDGER = `json_build_object('premium', ${owed(2010, 2020, 2030)}, 'tax', ${owed(2040)},
  'stamping', ${owed(2050)}, 'fee', ${owed(2090)})`;

/** How the policies stand, in the words of the model. The ledger is compared where all that is written is paid. */
async function endOf(book: readonly Book[]): Promise<Map<Book, string>> {
  const found = await rows.query<FoundTerm>(
    `select id, renewal_of as "renewalOf", status, ${PARTS_WRITTEN} as written, ${PARTS_IN_LEDGER} as "inLedger",
            (select count(*)::int from invoices i where i.policy_id = p.id and i.paid_cents > 0) as "paidInstallments",
            (select count(*)::int from policy_transactions x
             where x.policy_id = p.id and (x.changes->>'lapse')::boolean) as notices
     from policies p`,
  );
  return new Map(
    book.map((each) => {
      const isFirst = ({ id }: { id: string }) => id === each.policyIds[0];
      const terms = [...found.filter(isFirst), ...found.filter(({ renewalOf }) => renewalOf === each.policyIds[0])];
      each.policyIds = terms.map(({ id }) => id);
      const ends = terms.map((term, number) => ({
        ...term,
        inLedger: each.story.terms[number]?.inLedger === null ? null : term.inLedger,
      }));
      return [each, line(each.risk, ends)];
    }),
  );
}

function eventsOf(policyId: string): Promise<number> {
  return temporal.ask(async (server) => {
    const { historyLength } = await server.workflow.getHandle(policyWorkflowId(orgId, policyId)).describe();
    return historyLength;
  });
}
