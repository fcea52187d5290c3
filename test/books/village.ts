// An organization whose insureds live side by side through days that its clock draws: then their money is settled, and
// the parts of every policy are checked.

import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import { type Dice, dice } from '../chaos/dice.ts';
import { Rows } from '../faults/bind.ts';
import type { Surroundings } from '../faults/dying-workers.ts';
import { signToken } from '../support/tokens.ts';
import { bookFindings } from './book-findings.ts';
import { PLANS } from './deeds-of-policies.ts';
import { Desk } from './desk.ts';
import { Insured } from './insured.ts';
import { liveOn } from './life.ts';
import { partFindings, tightOnes } from './parts.ts';
import { rowsOfLife } from './rows-of-life.ts';
import { settle } from './settlement.ts';

export const LIVES_OF_A_VILLAGE = 12;
const DAYS = 9;
/** One life in this many is undisturbed, so that every run checks some parts to the cent. */
const LIVES_TO_AN_UNDISTURBED = 4;
/** A day, a week, two months: so that terms end in some villages. */
const STEPS = [1, 3, 7, 12, 20, 31, 45, 60, 90];
const STATES = ['TX', 'CA', 'NY', 'FL', 'IL'] as const;
const FLAGS = ['refund_approval', 'auto_renewal', 'renewal_requires_payment'] as const;

export interface VillageReport {
  lives: number;
  policies: number;
  /** Policies whose parts were compared with both ledger and invoices; for the others, only the remaining checks. */
  tight: number;
  commands: number;
  findings: string[];
}

/** Lets the insureds with these seeds live in one village. */
export async function liveInVillage(around: Surroundings, village: number, seeds: readonly number[]) {
  const chance = dice(village * 7_919 + 1);
  const { desk, orgId, today } = await found(around, village, chance);
  const producerId = await addProducer(around, orgId);
  const rows = new Rows(around.database.ownerUrl);
  const report: VillageReport = { lives: seeds.length, policies: 0, tight: 0, commands: 0, findings: [] };
  const crowd = seeds.map((seed) => {
    const isUndisturbed = seed % LIVES_TO_AN_UNDISTURBED === 0;
    const given = { dice: dice(seed), desk: desk.another(), processor: around.processor, today, isUndisturbed };
    return { seed, insured: new Insured(`Insured ${seed}`, given) };
  });
  const failed = new Set<number>();
  const all = async (work: (insured: Insured) => Promise<unknown>) => {
    await Promise.all(
      crowd.map(async ({ seed, insured }) => {
        if (failed.has(seed)) return;
        await work(insured).catch(async (error: Error) => {
          failed.add(seed);
          const ids = (await insured.policies().catch(() => [])).map(({ id }) => id);
          const lines = [error.message, ...insured.desk.story, ...(await rowsOfLife(rows, ids))];
          report.findings.push(`life ${seed}: ${lines.join('\n    ')}`);
        });
      }),
    );
  };
  await all((insured) => bind(insured, producerId));
  let date = today;
  for (let day = 0; day < DAYS; day += 1) {
    await all(async (insured) => insured.policyId !== '' && liveOn(insured));
    date = addDays(date, chance.pick(STEPS));
    await desk.send('/test-clock', { advanceTo: date });
    for (const { insured } of crowd) insured.today = date;
    for (const { insured } of crowd) insured.desk.note(`-- ${date}`);
  }
  await all((insured) => settle(insured, rows));
  await all(async (insured) => {
    const ids = (await insured.policies()).map(({ id }) => id);
    report.policies += ids.length;
    report.tight += await tightOnes(rows, ids);
    report.commands += insured.desk.story.length - DAYS;
    const found = await partFindings(rows, ids);
    if (found.length > 0) throw new Error(found.join('; '));
  });
  for (const what of await bookFindings(around, orgId)) {
    const whose = crowd.find(({ insured }) => what.includes(`"${insured.name}"`));
    const lines = [what];
    // A failed life has been printed already.
    if (whose !== undefined && !failed.has(whose.seed)) {
      failed.add(whose.seed);
      const ids = (await whose.insured.policies()).map(({ id }) => id);
      lines.push(...whose.insured.desk.story, ...(await rowsOfLife(rows, ids)));
    }
    report.findings.push(`village ${village}: ${lines.join('\n    ')}`);
  }
  return report;
}

async function found(around: Surroundings, village: number, chance: Dice) {
  const { machine, platform } = around;
  const { id: orgId } = await machine.command('/v1/organizations', { name: `Village ${village}`, tier: 'enterprise' });
  const as = (sub: string) => {
    const claims = { role: 'org_admin', org: orgId, sub };
    return machine.within(() => signToken(platform.config, claims));
  };
  const admin = await platform.as({ role: 'org_admin', org: orgId });
  for (const flag of FLAGS) if (chance.percent(50)) await admin.put(`/v1/flags/${flag}`, { value: true });
  await new Rows(around.database.ownerUrl).query(
    'update da_contracts set max_annual_premium_volume_cents = 10000000000 where org_id = $1',
    [orgId],
  );
  const desk = new Desk(as('usr_books_one'), as('usr_books_two'));
  const { date } = await desk.read('/test-clock');
  return { desk, orgId, today: date as BusinessDate };
}

async function addProducer({ orm }: Surroundings, orgId: string): Promise<string> {
  const id = newId('producer');
  await orm.transaction(orgId, async (em) => {
    em.create(Producer, { id, name: 'Lone Star Agency', status: 'active' }, { persist: true });
    for (const state of STATES) {
      const scope = { producerId: id, state, lineOfBusiness: 'GL', carrier: 'Default Carrier' } as const;
      em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
    }
  });
  return id;
}

async function bind(insured: Insured, producerId: string): Promise<void> {
  const { desk, dice: chance, name, today } = insured;
  const risk = {
    ...{ insuredName: name, state: chance.pick(STATES), naicsCode: '722511', lineOfBusiness: 'GL' },
    ...{ annualRevenue: 300_000 + chance.below(1_200_000), requestedLimit: 1_000_000, lossesLast5Years: 1 },
    ...{ effectiveDate: addDays(today, chance.below(15)) },
    ...(chance.percent(60) ? { producerId } : {}),
  };
  const submission = await desk.send('/submissions', risk);
  await desk.send(`/submissions/${submission.id}/quote`);
  const bound = await desk.send(`/submissions/${submission.id}/bind`, { installmentPlan: chance.pick(PLANS) });
  insured.bound(bound.policyId);
}
