// Creates a book of business through the API, day by day on the test clock: binds, endorses, cancels, reinstates,
// renews, audits, pays, refunds and writes off policies of several lines, states and producers, with claims that cost
// money. The steps are random and may be refused.
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import { addDays } from '../../domain/dates.ts';
import { pay, reverse } from '../books/deeds-of-money.ts';
import * as changes from '../books/deeds-of-policies.ts';
import { refund, voidInvoice } from '../books/deeds-of-returns.ts';
import { Desk } from '../books/desk.ts';
import { Insured } from '../books/insured.ts';
import { dice } from '../chaos/dice.ts';
import { patientClient } from '../chaos/patient-client.ts';
import { inTurns } from '../chaos/turns.ts';
import { Rows } from '../faults/bind.ts';
import { bodyOf } from '../support/house.ts';
import type { Platform } from '../support/run-platform.ts';

const STATES = ['TX', 'CA', 'NY', 'FL'] as const;
const LINES = ['GL', 'GL', 'CP', 'CA'] as const;
/** A little over two years in all, including February 29, 2028 where the walk begins in 2026 or 2027. */
const STEPS = [9, 31, 40, 27, 66, 31, 45, 19, 80, 61, 38, 52, 90, 30, 48, 70];
const BINDING_STEPS = 7;
/** In a large book, more days than this take longer than a caller waits. */
const MOST_DAYS_AHEAD = 10;
const AT_A_TIME = 8;
/** Out of a hundred insureds, how many have something happen between two days. */
export const DEEDS_OF_100 = 45;

export interface BookSize {
  seed: number;
  policies: number;
  claims: number;
  /** By default `DEEDS_OF_100`; a large book reaches every kind of change with fewer. */
  deedsOf100?: number;
}

export interface LivedBook {
  orgId: string;
  begun: string;
  today: string;
  /** Commands that were carried out, by the last word of their path. */
  done: Record<string, number>;
}

type Deed = (insured: Insured) => Promise<unknown>;

const { audit, cancel, cancelForDebt, changePlan, endorse, nonRenew, reinstate, renew, voidEndorsement } = changes;
const DEEDS: readonly Deed[] = [
  ...[pay, pay, pay, pay, reverse, refund, voidInvoice, writeOff, changePlan, endorse, endorse, endorse],
  ...[voidEndorsement, cancel, cancel, cancelBeforeTheFirstDay, reinstate, reinstate, renew, nonRenew, audit],
  ...[audit, cancelForDebt],
];

/** Runs the book. `report` receives a line for each step of the clock. */
export async function liveBook(
  platform: Platform,
  { seed, policies, claims, deedsOf100 = DEEDS_OF_100 }: BookSize,
  report: (line: string) => void,
): Promise<LivedBook> {
  const orgId = await platform.createOrg('Figures');
  const chance = dice(seed);
  const desk = deskOf(platform, orgId);
  await desk.send('/loss-funds/deposits', { carrier: 'Default Carrier', amount: 5_000_000, reference: 'The first' });
  const rows = new Rows(platform.testDatabase.ownerUrl);
  await rows.query('update da_contracts set max_annual_premium_volume_cents = 100000000000 where org_id = $1', [orgId]);
  const producers = [await addProducer(platform, orgId, 'One'), await addProducer(platform, orgId, 'Two')];
  const admin = platform.as({ role: 'org_admin', org: orgId });
  bodyOf(await admin.put('/v1/flags/auto_renewal', { value: true }));
  const { date: begun } = await desk.read('/test-clock');
  let today: string = begun;
  const crowd: Insured[] = [];
  for (const [step, days] of STEPS.entries()) {
    const wanted = step < BINDING_STEPS ? Math.ceil((policies * (step + 1)) / BINDING_STEPS) - crowd.length : 0;
    const fresh = Array.from({ length: wanted }, (_, n) => {
      const given = {
        dice: dice(seed * 1_000_003 + crowd.length + n),
        desk: desk.another(),
        ...{ rows, today },
        isUndisturbed: false,
      };
      return new Insured(`Figures ${crowd.length + n}`, { ...given, processor: platform.providers.processor });
    });
    await inTurns(AT_A_TIME, fresh, (insured) => bind(insured, producers, 2 * deedsOf100));
    crowd.push(...fresh);
    const living = crowd.filter(({ policyId }) => policyId !== '');
    await inTurns(AT_A_TIME, living, async (insured) => {
      if (isPrompt(insured)) await payAll(insured);
      if (insured.dice.percent(deedsOf100)) await insured.dice.pick(DEEDS)(insured);
    });
    const share = Math.ceil((claims * (step + 1)) / STEPS.length) - Math.ceil((claims * step) / STEPS.length);
    const hurt = Array.from({ length: living.length === 0 ? 0 : share }, () => chance.pick(living));
    await inTurns(AT_A_TIME, hurt, claim);
    for (let ahead = days; ahead > 0; ahead -= MOST_DAYS_AHEAD) {
      today = addDays(today, Math.min(ahead, MOST_DAYS_AHEAD));
      await desk.send('/test-clock', { advanceTo: today });
    }
    for (const insured of crowd) insured.today = today;
    report(`${today}: ${crowd.length} insureds`);
  }
  return { orgId, begun, today, done: doneBy([desk, ...crowd.map((insured) => insured.desk)]) };
}

function deskOf(platform: Platform, orgId: string): Desk {
  const machine = patientClient(
    [platform.url],
    async () => platform.config.apiSecret,
    () => {},
  );
  const as = (sub: string) => machine.within(() => platform.token({ role: 'org_admin', org: orgId, sub }));
  return new Desk(as('usr_figures_one'), as('usr_figures_two'));
}

async function addProducer({ database }: Platform, orgId: string, name: string): Promise<string> {
  const id = newId('producer');
  await database.transaction(orgId, async (em) => {
    em.create(Producer, { id, name, status: 'active' }, { persist: true });
    for (const state of STATES) {
      for (const lineOfBusiness of new Set(LINES)) {
        const scope = { producerId: id, state, lineOfBusiness, carrier: 'Default Carrier' } as const;
        em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
      }
    }
  });
  return id;
}

/** Some are quoted and never bound; some begin now, others in two months. Few pay in installments in a calm book. */
async function bind(insured: Insured, producers: readonly string[], inInstallmentsOf100: number): Promise<void> {
  const { desk, dice: chance, name, today } = insured;
  const submission = await desk.send('/submissions', {
    ...{ insuredName: name, state: chance.pick(STATES), naicsCode: '722511', lineOfBusiness: chance.pick(LINES) },
    ...{ annualRevenue: 300_000 + chance.below(1_200_000), requestedLimit: 1_000_000, lossesLast5Years: 1 },
    ...{ effectiveDate: addDays(today, chance.percent(30) ? 0 : chance.below(60)) },
    ...(chance.percent(60) ? { producerId: chance.pick(producers) } : {}),
  });
  if (submission === null) return;
  const path = `/submissions/${submission.id}`;
  await desk.send(`${path}/quote`);
  if (chance.percent(15)) return;
  const installmentPlan = chance.percent(inInstallmentsOf100) ? chance.pick(changes.PLANS) : 'PAY_IN_FULL';
  const bound = await desk.send(`${path}/bind`, { installmentPlan });
  if (bound !== null) insured.bound(bound.policyId);
}

/** Most pay whatever they owe, so that their policies stay in force. */
const isPrompt = ({ name }: Insured) => Number(name.replace(/\D/g, '')) % 4 > 0;

async function payAll(insured: Insured): Promise<void> {
  for (const { id, balance } of await insured.invoices()) {
    if (balance <= 0) continue;
    const body = { amount: balance, method: 'ach', reference: insured.nextReference('Transfer') };
    await insured.desk.send(`/invoices/${id}/pay`, body);
  }
}

/** Premium that is kept is not earned before the first day. */
async function cancelBeforeTheFirstDay(insured: Insured): Promise<void> {
  const { id, effectiveDate } = await insured.policy();
  if (effectiveDate <= insured.today) return;
  await insured.desk.send(`/policies/${id}/cancel`, {
    ...{ effectiveDate, reason: 'insured_request', method: insured.dice.pick(['short_rate', 'pro_rata', 'flat']) },
  });
}

async function writeOff(insured: Insured): Promise<void> {
  const late = (await insured.invoices()).filter(({ status, balance }) => status === 'past_due' && balance > 0);
  if (late.length === 0) return;
  await insured.desk.send(`/invoices/${insured.dice.pick(late).id}/write-off`, { reason: 'Never.' });
}

/** A loss during the term, as often as not a while ago, with its costs. */
async function claim(insured: Insured): Promise<void> {
  const { dice: chance, desk, today } = insured;
  const { id: policyId } = await insured.policy();
  const lossDate = addDays(today, -chance.below(40));
  const filed = await desk.send('/claims', { policyId, lossDate, description: 'A loss.', cause: 'Fall' });
  if (filed === null) return;
  const path = `/claims/${filed.id}`;
  await desk.send(`${path}/investigate`);
  const [indemnity, expense] = [1_000 + chance.below(90_000), chance.below(9_000)];
  await desk.send(`${path}/reserves`, { indemnity, expense, reason: 'Estimate.' });
  if (chance.percent(60)) {
    const amount = (100_00 + chance.below(90_000)) / 100;
    await desk.send(`${path}/payments`, { kind: 'expense', amount, payee: 'Ada Guest' });
  }
  if (chance.percent(40)) await desk.send(`${path}/recoveries`, { kind: 'salvage', amount: 25.5 });
  if (chance.percent(30)) await desk.send(`${path}/reserves`, { indemnity: 500, expense: 9_500, reason: 'Better.' });
}

/** Counts the commands that succeeded, from the desks' records. */
function doneBy(desks: readonly Desk[]): Record<string, number> {
  const words = desks
    .flatMap(({ story }) => story)
    .flatMap((line) => /^\S*\/([a-z-]+) .* → 2\d\d$/.exec(line)?.[1] ?? [])
    .sort();
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}
