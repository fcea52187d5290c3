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
import { act, REVENUE } from './deeds.ts';
import { foundTerms, standingOf } from './found.ts';
import { type Books, type Insured, type Standing, type Story, storyOf, type TermEnd } from './model.ts';
import type { Parts } from './premium.ts';

const POLICIES = 200;
const AT_A_TIME = 6;
/** Worker and Temporal are killed while the clock is on its way to the first deed after this day. */
const ACCIDENT_AFTER = 180;
/** The last term ends on day 33 + 365. */
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
    await actAll(deeds.filter(({ on }) => on === day));
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
      ...{ annualRevenue: REVENUE, requestedLimit: 1_000_000, lossesLast5Years: 1 },
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

/** Does what was due on a day, and holds every policy that it was done to against the model. */
async function actAll(deeds: readonly (Story['deeds'][number] & { book: Book })[]): Promise<void> {
  await inTurns(AT_A_TIME, deeds, async ({ book, ...deed }) => {
    await act({ admin, begin }, await policyOf(book, deed.term), deed);
  });
  await inTurns(AT_A_TIME, deeds, async ({ book, term, then, ...deed }) => {
    const policyId = await policyOf(book, term);
    const expected = standing(then);
    let found = '';
    // A notice is taken back once the policy's workflow has heard of the payment.
    const isSo = async () => {
      found = standing(await standingOf(rows, policyId));
      return found === expected;
    };
    const what = () => `${book.risk.insuredName} after ${JSON.stringify(deed)}: ${found} should be ${expected}`;
    await eventually(isSo, { what: 'the model' }).catch((error) => {
      throw new Error(what(), { cause: error });
    });
  });
}

async function policyOf(book: Book, term: number): Promise<string> {
  const [first] = book.policyIds;
  if (term > 0 && book.policyIds.length === 1) {
    book.policyIds.push(bodyOf(await admin.get(`/v1/policies/${first}`)).renewalPolicyId);
  }
  return book.policyIds[term] as string;
}

const inCents = ({ premium, tax, stamping, fee }: Parts) => [premium, tax, stamping, fee].join(' + ');
const standing = ({ status, written }: Standing) => `${status}, ${inCents(written)} cents`;

/** One line for each insured. */
function line({ insuredName, state, installmentPlan, habit }: Risk, terms: readonly TermEnd[]): string {
  const inTrust = ({ owedBack, cash, ...parts }: Books) =>
    `${inCents(parts)} in the ledger, ${owedBack} owed back, ${cash} in cash`;
  const ends = terms.map(
    ({ inLedger, paidInstallments, notices, ...stands }) =>
      `${standing(stands)}, ${paidInstallments} paid, ${notices} notices, ` +
      `${inLedger === null ? 'not all paid' : inTrust(inLedger)}`,
  );
  return `${insuredName} (${state}, ${installmentPlan}, ${JSON.stringify(habit)}): ${ends.join('; then ')}`;
}

const lineOf = ({ risk, story }: Book) => line(risk, story.terms);

/** How the policies stand, in the words of the model. The ledger is compared where all that is written is paid. */
async function endOf(book: readonly Book[]): Promise<Map<Book, string>> {
  const found = await foundTerms(rows);
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
