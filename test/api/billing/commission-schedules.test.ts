import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { allPages, bodyOf, EFFECTIVE_DATE, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const PATH = '/v1/commission-schedules';

test('a new organization has one schedule for each line, and pages show each exactly once', async (t) => {
  const finance = (await newHouse(platform)).as('finance_analyst');
  const { data } = bodyOf(await finance.get(PATH));
  const lines = data.map(({ lineOfBusiness }: { lineOfBusiness: string }) => lineOfBusiness);
  t.deepEqual(lines, ['BOP', 'CA', 'CP', 'CYBER', 'GL', 'MTC', 'PL', 'UMB', 'WC']);
  const [general] = bodyOf(await finance.get(PATH, { query: { lineOfBusiness: 'GL' } })).data;
  t.deepEqual(general.schedule, {
    tiers: [
      { tier: 1, max: 249_999.99, agentRate: '0.125' },
      { tier: 2, max: 1_000_000, agentRate: '0.135' },
      { tier: 3, max: null, agentRate: '0.15' },
    ],
    mgaRate: '0.10',
  });
  t.deepEqual(await allPages(finance, PATH, { limit: 4 }), data);
});

test('a new version takes the place of the old one from its day on, and each write is audited', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const schedule = { tiers: [{ tier: 1, max: null, agentRate: '0.11' }], mgaRate: '0.09' };
  const effectiveFrom = addDays(EFFECTIVE_DATE, 30);
  const written = bodyOf(await admin.put(PATH, { lineOfBusiness: 'GL', effectiveFrom, schedule }));
  t.like(written, { lineOfBusiness: 'GL', effectiveFrom, schedule: { mgaRate: '0.09' } });
  const inForce = async (asOf: string) =>
    bodyOf(await admin.get(PATH, { query: { lineOfBusiness: 'GL', asOf } })).data[0];
  t.is((await inForce(EFFECTIVE_DATE)).schedule.mgaRate, '0.10');
  t.deepEqual(await inForce(effectiveFrom), written);
  const [audited, ...more] = await platform.database.forOrg(house.orgId, (em) =>
    em.execute("select entity_id, changes from audit_entries where action = 'commission_schedule:write'"),
  );
  const tier = (number: number, maxCents: number | null, agentRate: string) => ({ tier: number, maxCents, agentRate });
  const before = [tier(1, 24_999_999, '0.125'), tier(2, 100_000_000, '0.135'), tier(3, null, '0.15')];
  t.deepEqual(more, []);
  t.like(audited, { entity_id: written.id });
  t.like(audited?.changes.effectiveFrom, { after: effectiveFrom });
  t.deepEqual(audited?.changes, {
    effectiveFrom: audited?.changes.effectiveFrom,
    mgaRate: { before: '0.10', after: '0.09' },
    tiers: { before, after: [tier(1, null, '0.11')] },
  });
});

test('tiers that overlap, end or give away more than half of the premium are refused with a clear message', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const tier = (number: number, max: number | null, agentRate = '0.10') => ({ tier: number, max, agentRate });
  const keeps = 'must be at most 0.5: the carrier keeps at least half of the premium.';
  const shares = `agentRate and mgaRate (0.1) together ${keeps}`;
  const share = 'A share must be a decimal from 0 to 1, such as "0.125".';
  const cases: [schedule: object, field: string, message: string][] = [
    [
      { tiers: [tier(1, 1000)], mgaRate: '0.1' },
      'tiers.0.max',
      'max must be null in the last tier, which has no maximum.',
    ],
    [
      { tiers: [tier(1, null), tier(2, null)], mgaRate: '0.1' },
      'tiers.0.max',
      'max can be null only in the last tier.',
    ],
    [
      { tiers: [tier(1, 1000), tier(2, 1000), tier(3, null)], mgaRate: '0.1' },
      'tiers.1.max',
      'max must be above 1000, the maximum of the tier before it.',
    ],
    [
      { tiers: [tier(1, 1000), tier(1, null)], mgaRate: '0.1' },
      'tiers.1.tier',
      'tier must be above 1, the number of the tier before it.',
    ],
    [{ tiers: [tier(1, null, '0.95')], mgaRate: '0.1' }, 'tiers.0.agentRate', shares],
    [{ tiers: [tier(1, null, '0.41')], mgaRate: '0.1' }, 'tiers.0.agentRate', shares],
    [{ tiers: [tier(1, null, '1')], mgaRate: '0' }, 'tiers.0.agentRate', `agentRate and mgaRate (0) together ${keeps}`],
    [{ tiers: [tier(1, null)], mgaRate: '0.6' }, 'mgaRate', `mgaRate ${keeps}`],
    [{ tiers: [tier(1, null)], mgaRate: '10' }, 'mgaRate', share],
  ];
  for (const [schedule, name, message] of cases) {
    const refused = await admin.put(PATH, { lineOfBusiness: 'GL', schedule });
    const details = { field: `schedule.${name}` };
    t.like(refused, { status: 400, body: { error: 'validation_failed', message, details } });
  }
  const half = { tiers: [tier(1, null, '0.4')], mgaRate: '0.1' };
  t.is((await admin.put(PATH, { lineOfBusiness: 'GL', schedule: half })).status, 200);
});

test('an underwriter reads no schedules and a finance analyst writes none', async (t) => {
  const house = await newHouse(platform);
  t.is((await house.as('underwriter').get(PATH)).status, 403);
  const schedule = { tiers: [{ tier: 1, max: null, agentRate: '0.11' }], mgaRate: '0.09' };
  t.is((await house.as('finance_analyst').put(PATH, { lineOfBusiness: 'GL', schedule })).status, 403);
});
