import anyTest, { type TestFn } from 'ava';
import { claimValue, giveBackValue, readValue } from '../../db/queries/kv.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { eventually } from '../faults/eventually.ts';
import { type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const claim = ({ database }: DatabaseContext, key: string, holder: string, seconds = 60) =>
  database.forOrg(PLATFORM_SCOPE, (em) => claimValue(em, key, { holder }, seconds));

test('of eight that claim a key at once exactly one is told that it is his', async (t) => {
  const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(t.context, 'raced', `holder ${i}`)));
  t.is(claims.filter(({ claimed }) => claimed).length, 1);
});

test('whoever comes later is told what the key holds', async (t) => {
  t.deepEqual(await claim(t.context, 'held', 'first'), { claimed: true });
  t.deepEqual(await claim(t.context, 'held', 'second'), { claimed: false, held: { holder: 'first' } });
});

test("a claim that has expired is anybody's", async (t) => {
  await claim(t.context, 'brief', 'first', 1);
  const taken = async () => (await claim(t.context, 'brief', 'second')).claimed;
  t.true(await eventually(taken, { what: 'the claim to expire' }));
});

test('a key is given back by its holder alone', async (t) => {
  const { database } = t.context;
  const giveBack = (holder: string) => database.forOrg(PLATFORM_SCOPE, (em) => giveBackValue(em, 'mine', { holder }));
  await claim(t.context, 'mine', 'first');
  await giveBack('second');
  t.deepEqual(await database.forOrg(PLATFORM_SCOPE, (em) => readValue(em, 'mine')), { holder: 'first' });
  await giveBack('first');
  t.is(await database.forOrg(PLATFORM_SCOPE, (em) => readValue(em, 'mine')), null);
});
