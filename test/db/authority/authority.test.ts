import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { addUsage, contractFor, lockUsage, usedCents } from '../../../db/queries/authority/authority.ts';
import type { DaContractStatus } from '../../../domain/authority/authority-contract.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

interface Terms {
  carrier: string;
  year: number | null;
  status: DaContractStatus;
  linesOfBusiness?: string[];
}

/** Which of these contracts governs a GL policy in Texas that starts in 2026. */
async function governing({ database, urls }: DatabaseContext, contracts: Terms[]): Promise<string | undefined> {
  const orgId = await addOrganization(database);
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  await owner.query('delete from da_contracts where org_id = $1', [orgId]);
  await owner.end();
  return database.transaction(orgId, async (em) => {
    for (const terms of contracts) {
      const limits = { maxPolicyLimitCents: 1, maxPremiumCents: 1, maxAnnualRevenueCents: 1 };
      em.create(DaContract, {
        ...{ ...limits, maxAnnualPremiumVolumeCents: 1, linesOfBusiness: ['GL'], states: ['TX'], ...terms },
      });
      await em.flush();
    }
    const contract = await contractFor(em, { effectiveDate: '2026-05-01', lineOfBusiness: 'GL', state: 'TX' });
    return contract?.carrier;
  });
}

test('the contract of the very year governs before the one of every year, in whichever order they were made', async (t) => {
  const of = (carrier: string, year: number | null) => ({ carrier, year, status: 'active' as const });
  t.is(await governing(t.context, [of('every', null), of('2026', 2026), of('2025', 2025)]), '2026');
  t.is(await governing(t.context, [of('2026', 2026), of('every', null)]), '2026');
  t.is(await governing(t.context, [of('2025', 2025), of('every', null)]), 'every');
  t.is(await governing(t.context, [of('2025', 2025)]), undefined);
});

test('an active contract governs before a suspended one, and both before a draft or an ended one', async (t) => {
  const of = (carrier: string, status: DaContractStatus, year: number | null = null) => ({ carrier, year, status });
  t.is(await governing(t.context, [of('active', 'active'), of('suspended', 'suspended')]), 'active');
  t.is(await governing(t.context, [of('every', 'active'), of('2026', 'suspended', 2026)]), '2026');
  t.is(await governing(t.context, [of('every', 'active'), of('draft', 'draft', 2026)]), 'every');
  t.is(await governing(t.context, [of('every', 'suspended'), of('ended', 'terminated', 2026)]), 'every');
  t.is(await governing(t.context, [of('ended', 'terminated')]), 'ended');
});

test('the active contract that has the line governs, else the newer one', async (t) => {
  const of = (carrier: string, linesOfBusiness: string[]) =>
    ({ carrier, year: null, status: 'active', linesOfBusiness }) as const;
  t.is(
    await governing(t.context, [of('liability', ['GL']), of('cyber', ['CYBER'])] as unknown as Terms[]),
    'liability',
  );
  t.is(await governing(t.context, [of('older', ['GL']), of('newer', ['GL'])] as unknown as Terms[]), 'newer');
});

test('40 simultaneous transactions on a use that has no row yet lose nothing and never see the same use twice', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const contractId = await database.forOrg(orgId, async (em) => (await em.findOneOrFail(DaContract, {})).id);
  const take = (i: number) =>
    database.transaction(orgId, async (em) => {
      const usage = await lockUsage(em, contractId, 2026);
      const { beforeCents, afterCents } = await addUsage(em, usage, 100);
      t.is(afterCents, beforeCents + 100);
      if (i % 4 === 0) throw new Error('rolled back');
      return beforeCents;
    });
  const settled = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => take(i)));
  const before = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  t.deepEqual(
    before.toSorted((a, b) => a - b),
    Array.from({ length: 30 }, (_, i) => i * 100),
  );
  t.is(await database.forOrg(orgId, (em) => usedCents(em, contractId, 2026)), 3_000);
  t.is(await database.forOrg(orgId, (em) => usedCents(em, contractId, 2027)), 0);
});

test('a use that has no row cannot be moved: nothing would bound it', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const contractId = await database.forOrg(orgId, async (em) => (await em.findOneOrFail(DaContract, {})).id);
  const unlocked = { contractId, year: 2031, usedCents: 0 };
  await t.throwsAsync(
    database.transaction(orgId, (em) => addUsage(em, unlocked, 100)),
    { message: /has no row/ },
  );
});
