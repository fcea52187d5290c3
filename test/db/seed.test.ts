import anyTest, { type TestFn } from 'ava';
import { DaContract } from '../../db/entities/authority/da-contract.ts';
import { CommissionSchedule } from '../../db/entities/billing/commission-schedule.ts';
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { RateTable } from '../../db/entities/submission/rate-table.ts';
import { SanctionsEntry } from '../../db/entities/submission/sanctions-entry.ts';
import { SurplusLinesRate } from '../../db/entities/submission/surplus-lines-rate.ts';
import { newId } from '../../db/ids.ts';
import { producerIdsOf, relationsOf } from '../../db/queries/access/relations.ts';
import { sanctionsList } from '../../db/queries/submission/sanctions.ts';
import { seedDemo } from '../../db/seed/demo.ts';
import { seedReference } from '../../db/seed/reference.ts';
import { LINES_OF_BUSINESS, STATES } from '../../domain/lines.ts';
import { type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

test('a new organization has one active contract for every line, state and year, and rates for every line', async (t) => {
  const { database, orgId } = t.context;
  await database.forOrg(orgId, async (em) => {
    const contracts = await em.findAll(DaContract);
    t.is(contracts.length, 1);
    t.like(contracts[0], {
      ...{ status: 'active', year: null, maxPolicyLimitCents: 200_000_000, maxPremiumCents: 10_000_000 },
      ...{ maxAnnualRevenueCents: 2_500_000_000, maxAnnualPremiumVolumeCents: 1_000_000_000 },
    });
    t.is(contracts[0]?.linesOfBusiness.length, 9);
    t.is(contracts[0]?.states.length, 51);
    for (const Entity of [RateTable, CommissionSchedule]) {
      const lines = (await em.findAll(Entity as typeof RateTable)).map(({ lineOfBusiness }) => lineOfBusiness);
      t.deepEqual(lines.toSorted(), [...LINES_OF_BUSINESS].toSorted());
    }
  });
});

test('the demo organization is made once, however often and from however many processes it is seeded', async (t) => {
  const { database } = t.context;
  const seed = () => seedDemo(database, { orgId: newId('organization'), apiKey: 'svck_test_demo' });
  const [first, second] = await Promise.all([seed(), seed()]);
  t.deepEqual(second, first);
  t.deepEqual(await seed(), first);
  t.is(first.producerIds.length, 2);
  await database.forOrg(first.orgId, async (em) => {
    t.is(await em.count(Producer), 2);
    t.is(await em.count(Appointment), 2 * STATES.length * LINES_OF_BUSINESS.length);
    const relations = await relationsOf(em, first.userIds[0] ?? '');
    t.deepEqual(producerIdsOf(relations), [first.producerIds[0]]);
    const keys = await em.execute('select display_prefix, scopes from api_keys');
    t.deepEqual(keys, [{ display_prefix: 'svck_test_demo', scopes: ['*'] }]);
  });
});

test("seeding reference data again keeps an operator's additions and does not restore a list they removed", async (t) => {
  const { database } = t.context;
  const rate = { state: 'TX', effectiveFrom: '2030-01-01', taxRate: '0.05', stampingRate: '0', feeTaxable: true };
  await database.acrossOrgsTransaction('test', async (em) => {
    em.create(SurplusLinesRate, rate);
    await em.nativeDelete(SanctionsEntry, {});
    em.create(SanctionsEntry, { id: 'OWN-1', name: 'A listed party', program: 'OWN' });
  });
  await seedReference(database);
  await database.acrossOrgs('test', async (em) => {
    t.is((await em.findOneOrFail(SurplusLinesRate, { state: 'TX', effectiveFrom: '2030-01-01' })).taxRate, '0.05');
    const states = await em.execute('select distinct state from surplus_lines_rates');
    t.is(states.length, STATES.length);
  });
  t.deepEqual(await sanctionsList(database), [{ id: 'OWN-1', name: 'A listed party', program: 'OWN' }]);
});
