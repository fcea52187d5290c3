// A year of a whole book of business, run on the test clock while worker and Temporal are killed: every day it must
// match a model that is independent of the code.
import test, { type ExecutionContext } from 'ava';
import { policyWorkflowId } from '../../contracts/machinery/start.ts';
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
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
import { monthsBetween, monthsLater } from './calendar.ts';
import { act, REVENUE } from './deeds.ts';
import { foundTerms } from './found.ts';
import { type Books, type Insured, type Story, storyOf, type TermEnd } from './model.ts';
import type { Day, Parts } from './premium.ts';

const POLICIES = 200;
const AT_A_TIME = 6;
/** Worker and Temporal are killed while the clock is on its way to the first deed after this day. */
const ACCIDENT_AFTER = 180;
/** The last first term ends on day 33 + 366 at the latest. */
const LAST_DAY = 400;
const MOST_EVENTS = 4_096;

interface Book {
  risk: Risk;
  insured: Insured;
  story: Story;
  /** Policies of the first term and, once it exists, of the next. */
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
    ...{ printsDocuments: false, hasSteadyDay: true },
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

test('a year of 200 policies matches the model on each of its days, although worker and Temporal are killed in the middle of it', async (t) => {
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
      async ({ book: whose, ...deed }) => {
        await act({ admin, begin }, await policyOf(whose, deed.term), deed);
      },
    );
    await holdAgainstModel(t, book, day);
  }
  t.true(hadAccident);
  await advance(LAST_DAY);
  await holdAgainstModel(t, book, LAST_DAY);

  const ends = book.flatMap(({ story }) => story.days[LAST_DAY] ?? []);
  t.true(ends.filter(({ inLedger }) => inLedger.agent > 0).length > POLICIES / 3);
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
  const { insuredName, state, installmentPlan, hasAgent } = risk;
  const submission = bodyOf(
    await admin.post('/v1/submissions', {
      ...{ insuredName, state, naicsCode: '722511', lineOfBusiness: 'GL' },
      ...{ annualRevenue: REVENUE, requestedLimit: 1_000_000, lossesLast5Years: 1 },
      effectiveDate: addDays(begin, risk.effective),
      ...(hasAgent ? { producerId: await agentIn(state) } : {}),
    }),
    201,
  );
  bodyOf(await admin.post(`/v1/submissions/${submission.id}/quote`), 201);
  const bound = bodyOf(await admin.post(`/v1/submissions/${submission.id}/bind`, { installmentPlan }), 201);
  const insured: Insured = {
    state,
    habit: risk.habit,
    effective: risk.effective,
    ...billedOver(risk.effective, bound),
    ...{ premiumCents: Math.round(bound.grossPremium * 100), hasAgent },
  };
  return { risk, insured, story: storyOf(insured, LAST_DAY), policyIds: [bound.policyId] };
}

/** An agent in the lowest tier, which goes up to a quarter of a million in premium. */
async function agentIn(state: string): Promise<string> {
  const id = newId('producer');
  await database.transaction(orgId, async (em) => {
    em.create(Producer, { id, name: 'Year Agency', status: 'active' }, { persist: true });
    const scope = { producerId: id, state, lineOfBusiness: 'GL', carrier: 'Default Carrier' } as const;
    em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
  });
  return id;
}

/** The first term as bound. In the next term each installment is due the same number of months after the first day. */
function billedOver(effective: Day, bound: { expirationDate: string; invoices: { dueDate: string }[] }) {
  const expiration = dayOf(bound.expirationDate);
  const dueDays = bound.invoices.map(({ dueDate }) => dayOf(dueDate));
  // The first term's first installment is due at the bind, if that is later.
  const months = dueDays.map((due, i) => (i === 0 ? 0 : monthsBetween(begin, effective, due)));
  const nextDueDays = months.map((count) => monthsLater(begin, expiration, count));
  return { expiration, dueDays, next: { expiration: monthsLater(begin, expiration, 12), dueDays: nextDueDays } };
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

/** Compares every policy, and its balance on each account, with the model's end of day. */
async function holdAgainstModel(t: ExecutionContext, book: readonly Book[], day: Day): Promise<void> {
  const expected = book.map(({ risk, story }) => line(risk, story.days[day] ?? []));
  let found: string[] = [];
  const differing = (lines: string[]) => lines.filter((_, i) => found[i] !== expected[i]);
  // Sagas go on after the answer, and a notice is rescinded only once the policy's workflow has heard of the payment.
  const isSo = async () => {
    found = await linesOf(book);
    return differing(found).length === 0;
  };
  await eventually(isSo, { what: 'the model' }).catch(() =>
    t.deepEqual(differing(found), differing(expected), `on ${addDays(begin, day)}, the day ${day}`),
  );
}

async function policyOf(book: Book, term: number): Promise<string> {
  const [first] = book.policyIds;
  if (term > 0 && book.policyIds.length === 1) {
    book.policyIds.push(bodyOf(await admin.get(`/v1/policies/${first}`)).renewalPolicyId);
  }
  return book.policyIds[term] as string;
}

const inCents = ({ premium, tax, stamping, fee }: Parts) => [premium, tax, stamping, fee].join(' + ');
const inTrust = ({ carrier, agent, ours, tax, stamping, fee, owedBack, unapplied, cash, income }: Books) =>
  `the carrier has ${carrier}, the agent ${agent}, we ${ours}, tax ${tax}, stamping ${stamping}, fee ${fee}, ` +
  `${owedBack} owed back, ${unapplied} unapplied, ${cash} in cash, ${income} earned`;

/** One line per insured, in cents. */
function line({ insuredName, state, installmentPlan, habit }: Risk, terms: readonly TermEnd[]): string {
  const stands = terms.map(
    ({ status, written, inLedger, paidInstallments, notices }) =>
      `${status}, ${inCents(written)} written, ${paidInstallments} paid, ${notices} notices, ${inTrust(inLedger)}`,
  );
  return `${insuredName} (${state}, ${installmentPlan}, ${JSON.stringify(habit)}): ${stands.join('; then ')}`;
}

/** The state of the policies, in the model's terms. */
async function linesOf(book: readonly Book[]): Promise<string[]> {
  const found = await foundTerms(rows);
  return book.map((each) => {
    const [first] = each.policyIds;
    const terms = [...found.filter(({ id }) => id === first), ...found.filter(({ renewalOf }) => renewalOf === first)];
    each.policyIds = terms.map(({ id }) => id);
    return line(each.risk, terms);
  });
}

function eventsOf(policyId: string): Promise<number> {
  return temporal.ask(async (server) => {
    const { historyLength } = await server.workflow.getHandle(policyWorkflowId(orgId, policyId)).describe();
    return historyLength;
  });
}
