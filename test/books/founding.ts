// How a village begins: an organization with its people, flags and a producer, and an insured with a first policy.
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import { addDays } from '../../domain/dates.ts';
import type { Dice } from '../chaos/dice.ts';
import { signToken } from '../support/tokens.ts';
import type { Office } from './deeds-of-office.ts';
import { PLANS } from './deeds-of-policies.ts';
import { Desk } from './desk.ts';
import type { Insured } from './insured.ts';
import type { BooksSurroundings } from './owner-rows.ts';

const STATES = ['TX', 'CA', 'NY', 'FL', 'IL'] as const;
const FLAGS = ['refund_approval', 'auto_renewal', 'renewal_requires_payment'] as const;

/** Founds an organization. Chance decides on its flags. */
export async function foundVillage(
  around: BooksSurroundings,
  village: number,
  chance: Dice,
): Promise<Office & { orgId: string }> {
  const { machine, platform, processor, rows } = around;
  const { id: orgId } = await machine.command('/v1/organizations', { name: `Village ${village}`, tier: 'enterprise' });
  const as = (sub: string, role = 'org_admin') => {
    const claims = { role, org: orgId, sub };
    return machine.within(() => signToken(platform.config, claims));
  };
  const admin = await platform.as({ role: 'org_admin', org: orgId });
  for (const flag of FLAGS) if (chance.percent(50)) await admin.put(`/v1/flags/${flag}`, { value: true });
  await rows.query('update da_contracts set max_annual_premium_volume_cents = 10000000000 where org_id = $1', [orgId]);
  const [one, other] = [as('usr_books_one'), as('usr_books_two')];
  const desk = new Desk(one, other);
  const billing = new Desk(as('usr_books_billing', 'billing_admin'), other, desk.tally);
  const { date } = await desk.read('/test-clock');
  const producerId = await addProducer(around, orgId);
  return { orgId, dice: chance, desk, billing, processor, producerId, states: STATES, today: date, holds: [] };
}

async function addProducer({ orm }: BooksSurroundings, orgId: string): Promise<string> {
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

/** Binds the first policy of an insured, with the producer or without. */
export async function bind(insured: Insured, producerId: string): Promise<void> {
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
