// How flags are read: cached briefly in each process, the same for the same policy, and shaped like an OpenFeature
// provider.
import anyTest, { type TestFn } from 'ava';
import { watchFlags } from '../../../db/flag-cache.ts';
import { newId } from '../../../db/ids.ts';
import { connectDatabase, type Database } from '../../../db/orm.ts';
import { isFlagOn, putFlagOverride, removeFlagOverride } from '../../../db/queries/platform/flags.ts';
import type { FlagValue } from '../../../domain/platform/flags.ts';
import { createFlagProvider } from '../../../plans/platform/flag-provider.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../../db/rows.ts';
import { eventually } from '../../support/eventually.ts';
import { silentLogger } from '../../support/logger.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 3);

const KEY = 'refund_approval';

const put = (database: Database, orgId: string, value: FlagValue, key: string = KEY) =>
  database.transaction(orgId, (em) => putFlagOverride(em, key, value));
const isOn = (database: Database, orgId: string, policyId?: string) =>
  database.forOrg(orgId, (em) => isFlagOn(em, KEY, policyId));

/** Another process of the platform, which counts the statements that it sends about flags. */
async function elsewhere({ urls }: DatabaseContext) {
  const reads = { count: 0 };
  const observeStatement = ({ text }: { text: string }) => {
    if (text.includes('flag_overrides')) reads.count += 1;
  };
  const database = await connectDatabase({ ...urls, poolSize: 2, logger: silentLogger, observeStatement });
  return { database, reads };
}

test('a process reads the flags of an organization once in two seconds', async (t) => {
  const { database, reads } = await elsewhere(t.context);
  t.teardown(() => database.close());
  const orgId = await addOrganization(t.context.database);
  for (let n = 0; n < 20; n += 1) t.false(await isOn(database, orgId));
  t.is(reads.count, 1);
  await put(t.context.database, orgId, true);
  await eventually(() => isOn(database, orgId), { what: 'a change that nobody announced here', withinMs: 2_500 });
});

test('a process that listens hears of a change, of a reset, and of no other organization', async (t) => {
  const { database, reads } = await elsewhere(t.context);
  const listener = watchFlags(database, t.context.urls.appUrl);
  t.teardown(async () => {
    await listener.close();
    await database.close();
  });
  const [orgId, other] = [await addOrganization(t.context.database), await addOrganization(t.context.database)];
  for (const value of [true, false, true]) {
    await put(t.context.database, orgId, value);
    const hears = async () => (await isOn(database, orgId)) === value;
    await eventually(hears, { what: `the flag at ${value}`, withinMs: 1_500 });
  }
  await t.context.database.transaction(orgId, (em) => removeFlagOverride(em, KEY));
  await eventually(async () => !(await isOn(database, orgId)), { what: 'the reset', withinMs: 1_500 });
  t.false(await isOn(database, other));
  const before = reads.count;
  await put(t.context.database, orgId, true);
  await eventually(() => isOn(database, orgId), { what: 'the last change', withinMs: 1_500 });
  t.false(await isOn(database, other));
  t.true(reads.count - before <= 2);
});

test('a caller who sets a flag reads it as set', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  for (const value of [false, true, false]) {
    await put(database, orgId, value);
    t.is(await isOn(database, orgId), value);
  }
});

test.serial(
  'a value read while a flag is being set is not kept beyond the commit, nor is one read in a transaction',
  async (t) => {
    const { database } = t.context;
    const orgId = await addOrganization(database);
    await database.transaction(orgId, async (em) => {
      await putFlagOverride(em, KEY, true);
      t.false(await isOn(database, orgId), 'before the commit');
    });
    t.true(await isOn(database, orgId), 'after it');
    const other = await addOrganization(database);
    const takenBack = database.transaction(other, async (em) => {
      await putFlagOverride(em, KEY, true);
      t.true(await isFlagOn(em, KEY));
      throw new Error('taken back');
    });
    await t.throwsAsync(takenBack, { message: 'taken back' });
    t.false(await isOn(database, other));
  },
);

test('a rollout is on for its share of policies, the same ones each time, and more of them as it grows', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const policies = Array.from({ length: 400 }, () => newId('policy'));
  const chosen = async (percent: number) => {
    await put(database, orgId, { rollout: { percent, by: 'policy' } });
    const on = [];
    for (const id of policies) if (await isOn(database, orgId, id)) on.push(id);
    return on;
  };
  t.deepEqual(await chosen(0), []);
  const quarter = await chosen(25);
  t.true(quarter.length > 60 && quarter.length < 140);
  t.deepEqual(await chosen(25), quarter);
  const half = new Set(await chosen(50));
  t.true(quarter.every((id) => half.has(id)) && half.size > quarter.length);
  t.is((await chosen(100)).length, 400);
  t.false(await isOn(database, orgId));
});

test('a provider returns value and reason, and says why it has none', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const provider = createFlagProvider(database);
  await put(database, orgId, 'blue', 'colour');
  await put(database, orgId, { share: 10 }, 'look');
  await put(database, orgId, 3, 'columns');
  await put(database, orgId, { rollout: { percent: 100, by: 'policy' } });
  const context = { orgId, targetingKey: newId('policy') };
  t.deepEqual(await provider.resolveStringEvaluation('colour', 'red', context), { value: 'blue', reason: 'STATIC' });
  t.deepEqual(await provider.resolveNumberEvaluation('columns', 1, context), { value: 3, reason: 'STATIC' });
  const look = await provider.resolveObjectEvaluation('look', {}, context);
  t.deepEqual(look, { value: { share: 10 }, reason: 'STATIC' });
  t.deepEqual(await provider.resolveBooleanEvaluation(KEY, false, context), { value: true, reason: 'SPLIT' });
  const byDefault = await provider.resolveBooleanEvaluation('auto_renewal', true, context);
  t.deepEqual(byDefault, { value: false, reason: 'DEFAULT' });
  const refused = async (key: string, given: { orgId?: string }, code: string) =>
    t.like(await t.throwsAsync(provider.resolveBooleanEvaluation(key, true, given)), { code });
  await refused('colour', context, 'TYPE_MISMATCH');
  await refused('nothing', context, 'FLAG_NOT_FOUND');
  await refused(KEY, { orgId }, 'TARGETING_KEY_MISSING');
  await refused(KEY, {}, 'INVALID_CONTEXT');
});
