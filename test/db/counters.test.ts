import anyTest, { type TestFn } from 'ava';
import { nextInvoiceNumbers, nextPolicyNumber } from '../../db/queries/platform/counters.ts';
import { addOrganization, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

test('50 simultaneous transactions, a third rolled back, leave policy numbers without gaps or duplicates', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  const take = (i: number) =>
    database.transaction(i % 2 ? orgId : other, async (em) => {
      const number = await nextPolicyNumber(em, { line: 'GL', state: 'TX', year: 2026 });
      if (i % 3 === 0) throw new Error('rolled back');
      return number;
    });
  const settled = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => take(i)));
  const numbers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  t.is(numbers.length, 33);
  t.deepEqual(
    numbers.toSorted(),
    numbers.map((_, n) => `GL-TX-2026-${String(n + 1).padStart(6, '0')}`),
  );
});

test('each line, state and year has a series of its own', async (t) => {
  const { database, orgId } = t.context;
  const take = (line: string, state: string, year: number) =>
    database.transaction(orgId, (em) => nextPolicyNumber(em, { line, state, year }));
  t.is(await take('CYBER', 'FL', 2027), 'CYBER-FL-2027-000001');
  t.is(await take('CYBER', 'FL', 2027), 'CYBER-FL-2027-000002');
  t.is(await take('CYBER', 'GA', 2027), 'CYBER-GA-2027-000001');
  t.is(await take('CYBER', 'FL', 2028), 'CYBER-FL-2028-000001');
  t.is(await take('BOP', 'FL', 2027), 'BOP-FL-2027-000001');
});

test('invoice numbers count for each organization and year, several at a time, without gap under a race', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  const take = (org: string, count: number, fails = false) =>
    database.transaction(org, async (em) => {
      const numbers = await nextInvoiceNumbers(em, 2026, count);
      if (fails) throw new Error('rolled back');
      return numbers;
    });
  const settled = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => take(orgId, (i % 4) + 1, i % 3 === 0)));
  const taken = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const all = taken.flat().toSorted();
  t.deepEqual(
    all,
    all.map((_, n) => `INV-2026-${String(n + 1).padStart(6, '0')}`),
  );
  for (const numbers of taken) t.deepEqual(numbers, numbers.toSorted());
  t.deepEqual(await take(other, 2), ['INV-2026-000001', 'INV-2026-000002']);
});
