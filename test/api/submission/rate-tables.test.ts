import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf, bound, EFFECTIVE_DATE, newHouse, quoted } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const PATH = '/v1/rate-tables/GL';

test('a new organization has a table for each line, and a table that was read can be written back', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  for (const line of ['GL', 'CA', 'MTC', 'CP', 'BOP', 'PL', 'CYBER', 'UMB', 'WC']) {
    const read = bodyOf(await admin.get(`/v1/rate-tables/${line}`));
    t.is(read.lineOfBusiness, line);
    t.is(read.table.policyFee, 195);
    const written = bodyOf(await admin.put(`/v1/rate-tables/${line}`, { table: read.table }));
    t.deepEqual(written.table, read.table);
    t.not(written.id, read.id);
  }
  t.is((await admin.get('/v1/rate-tables/XX')).status, 404);
});

test('a new version prices new quotes and changes no quote that was issued', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const underwriter = house.as('underwriter');
  const issued = await quoted(underwriter);
  const { table } = bodyOf(await admin.get(PATH));
  bodyOf(await admin.put(PATH, { table: { ...table, policyFee: 200, defaultStateFactor: '1.10' } }));

  const submission = bodyOf(await underwriter.get(`/v1/submissions/${issued.submissionId}`));
  t.deepEqual(submission.quote, issued);
  const plan = { installmentPlan: 'PAY_IN_FULL' };
  const bind = bodyOf(await underwriter.post(`/v1/submissions/${issued.submissionId}/bind`, plan), 201);
  t.is(bind.totalDue, 4389.64);
  // 3,990 + 200 + 4,190 × 0.0485 (203.215) + 4,190 × 0.0004 (1.676).
  t.is((await bound(underwriter)).totalDue, 4394.9);
});

test('a version that begins later is in force from its day on', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const { table } = bodyOf(await admin.get(PATH));
  const effectiveFrom = addDays(EFFECTIVE_DATE, 1);
  bodyOf(await admin.put(PATH, { effectiveFrom, table: { ...table, minimumPremium: 5000 } }));
  const minimumOn = async (asOf: string) => bodyOf(await admin.get(PATH, { query: { asOf } })).table.minimumPremium;
  t.is(bodyOf(await admin.get(PATH)).table.minimumPremium, 500);
  t.is(await minimumOn(EFFECTIVE_DATE), 500);
  t.is(await minimumOn(effectiveFrom), 5000);
  const underwriter = house.as('underwriter');
  t.is((await quoted(underwriter)).grossPremium, 3990);
  t.is((await quoted(underwriter, { effectiveDate: effectiveFrom })).grossPremium, 5000);
});

test('a table unfit for rating is refused with field and rule, and none is written', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const { id, table } = bodyOf(await admin.get(PATH));
  const [low, ...higher] = table.limitFactors;
  const cases: [change: object, field: string, rule: string][] = [
    [{ limitFactors: [] }, 'table.limitFactors', 'min'],
    [{ limitFactors: [...higher, low] }, `table.limitFactors.${higher.length}`, 'format'],
    [{ defaultStateFactor: '-1' }, 'table.defaultStateFactor', 'format'],
    [{ defaultStateFactor: 1.1 }, 'table.defaultStateFactor', 'type'],
    [{ stateFactors: { XX: '1.0' } }, 'table.stateFactors.XX', 'unknown_field'],
    [{ lossFactors: { unknown: '1' } }, 'table.lossFactors.0', 'required'],
    [{ policyFee: -1 }, 'table.policyFee', 'min'],
    [{ policyFee: 1.234 }, 'table.policyFee', 'format'],
    [{ base: { ...table.base, unit: 'per_head' } }, 'table.base.unit', 'enum'],
  ];
  for (const [change, field, rule] of cases) {
    const refused = await admin.put(PATH, { table: { ...table, ...change } });
    t.is(refused.status, 400, field);
    t.like(refused.body, { error: 'validation_failed', details: { field, rule } });
  }
  t.is(bodyOf(await admin.get(PATH)).id, id);
});

test('an underwriter reads a table and may not write one, a producer neither; each write is audited', async (t) => {
  const house = await newHouse(platform);
  const { table } = bodyOf(await house.as('underwriter').get(PATH));
  t.is((await house.as('underwriter').put(PATH, { table })).status, 403);
  t.is((await house.as('producer').get(PATH)).status, 403);
  const changed = { ...table, minimumPremium: table.minimumPremium + 100, defaultStateFactor: '1.3' };
  const { id, effectiveFrom } = bodyOf(await house.as('platform_operator').put(PATH, { table: changed }));
  const [audited, ...more] = await platform.database.forOrg(house.orgId, (em) =>
    em.execute("select actor_role, entity_id, changes from audit_entries where action = 'rate_table:write'"),
  );
  const cents = Math.round(table.minimumPremium * 100);
  t.deepEqual(more, []);
  t.like(audited, { actor_role: 'platform_operator', entity_id: id });
  t.like(audited?.changes.effectiveFrom, { after: effectiveFrom });
  t.deepEqual(audited?.changes, {
    effectiveFrom: audited?.changes.effectiveFrom,
    defaultStateFactor: { before: table.defaultStateFactor, after: '1.3' },
    minimumPremiumCents: { before: cents, after: cents + 10_000 },
  });
});

test('If-Match replaces a table only when nobody has changed it, for one of those who write simultaneously', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const read = await admin.get(PATH);
  const headers = { 'If-Match': read.headers.get('etag') ?? '' };
  t.is((await admin.get(PATH, { headers: { 'If-None-Match': headers['If-Match'] } })).status, 304);
  const write = () => admin.put(PATH, { table: read.body.table }, { headers });
  const answers = await Promise.all([write(), write(), write()]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  const written = answers.find(({ status }) => status === 200);
  const now = await admin.get(PATH);
  t.is(now.body.id, written?.body.id);
  t.is(now.headers.get('etag'), written?.headers.get('etag') ?? '');
});
