import type { EntityManager } from '@mikro-orm/postgresql';
import anyTest, { type TestFn } from 'ava';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { newId } from '../../../db/ids.ts';
import { commissionBasis, commissionedTransactions } from '../../../db/queries/billing/commission-basis.ts';
import type { CommissionTerms } from '../../../domain/billing/commission.ts';
import type { TransactionFacts } from '../../../domain/policy/transaction.ts';
import { addOrganization, aPolicy, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

/** Tiers of GL: up to 249,999.99, up to 1,000,000.00, above. Domain facts 3.5. */
const FIRST: CommissionTerms = { tier: 1, agentRate: '0.125', mgaRate: '0.10' };
const SECOND: CommissionTerms = { tier: 2, agentRate: '0.135', mgaRate: '0.10' };
const THIRD: CommissionTerms = { tier: 3, agentRate: '0.15', mgaRate: '0.10' };
const ON = '2026-11-21';

interface Issued {
  producerId: string | null;
  on: string;
  premiumCents: number;
  commission?: CommissionTerms;
  type?: TransactionFacts['type'];
  effectiveDate?: string;
  changes?: TransactionFacts['changes'];
}

/** Issues premium and returns the ids of the transactions. */
const issue = ({ database }: DatabaseContext, orgId: string, ...all: Issued[]) =>
  database.transaction(orgId, async (em) =>
    all.map((issued) => persist(em, { ...issued, policyId: aPolicy(em).id, sequence: 1 })),
  );

/** Issues the transactions of one policy that begins on a given day, one after another. */
const issueStack = ({ database }: DatabaseContext, orgId: string, effectiveDate: string, ...all: Issued[]) =>
  database.transaction(orgId, async (em) => {
    const { id: policyId } = aPolicy(em, { effectiveDate });
    return all.map((issued, i) => persist(em, { ...issued, policyId, sequence: i + 1 }));
  });

function persist(em: EntityManager, { premiumCents, on, ...issued }: Issued & { policyId: string; sequence: number }) {
  const row = {
    ...{ id: newId('policyTransaction'), type: 'new_business' as const },
    ...{ effectiveDate: on, issuedAt: new Date(), issuedOn: on, feeChangeCents: 0, taxChangeCents: 0 },
    ...{ premiumChangeCents: premiumCents, totalChangeCents: premiumCents, grossPremiumAfterCents: 0 },
    ...{ before: null, after: null, commission: null },
    actor: { kind: 'user' as const, id: 'usr_test', role: 'underwriter' as const },
    ...issued,
  };
  return em.create(PolicyTransaction, row, { persist: true }).id;
}

const basis = ({ database }: DatabaseContext, orgId: string, producerId: string | null, on = ON) =>
  database.forOrg(orgId, (em) => commissionBasis(em, { lineOfBusiness: 'GL', producerId, on }));

test('the tier follows from the premium issued for the producer in the 12 months up to the day, and from no other', async (t) => {
  const orgId = await addOrganization(t.context.database);
  const [producerId, other] = [newId('producer'), newId('producer')];
  t.deepEqual(await basis(t.context, orgId, producerId), FIRST);
  await issue(
    t.context,
    orgId,
    { producerId, on: '2025-11-21', premiumCents: 90_000_000 },
    { producerId, on: '2026-11-22', premiumCents: 90_000_000 },
    { producerId: other, on: ON, premiumCents: 90_000_000 },
    { producerId: null, on: ON, premiumCents: 90_000_000 },
    { producerId, on: '2025-11-22', premiumCents: 24_999_999 },
  );
  t.deepEqual(await basis(t.context, orgId, producerId), FIRST, 'one cent below the second tier');
  await issue(t.context, orgId, { producerId, on: ON, premiumCents: 1 });
  t.deepEqual(await basis(t.context, orgId, producerId), SECOND);
  await issue(t.context, orgId, { producerId, on: '2026-03-01', premiumCents: 75_000_000 });
  t.deepEqual(await basis(t.context, orgId, producerId), SECOND, 'exactly a million');
  await issue(t.context, orgId, { producerId, on: '2026-03-01', premiumCents: 1 });
  t.deepEqual(await basis(t.context, orgId, producerId), THIRD);
  await issue(t.context, orgId, { producerId, on: '2026-04-01', premiumCents: -75_000_001 });
  t.deepEqual(await basis(t.context, orgId, producerId), SECOND, 'returned premium counts against it');
  t.deepEqual(await basis(t.context, orgId, null), FIRST, 'no producer, no premium');
});

test('a cancellation counts from its day on, and never when it was withdrawn or replaced before it', async (t) => {
  const orgId = await addOrganization(t.context.database);
  const producerId = newId('producer');
  const begin = '2026-06-01';
  const written = { producerId, on: begin, premiumCents: 25_000_000 };
  const ended = { producerId, on: begin, premiumCents: -1, type: 'cancellation' as const };
  const back = { producerId, on: begin, premiumCents: 0, type: 'reinstatement' as const };
  await issueStack(t.context, orgId, begin, written, { ...ended, effectiveDate: '2026-11-22' });
  t.deepEqual(await basis(t.context, orgId, producerId), SECOND, 'its day is tomorrow');
  t.deepEqual(await basis(t.context, orgId, producerId, '2026-11-22'), FIRST, 'its day has come');

  const withdrawing = newId('producer');
  const withdrawn = { ...ended, producerId: withdrawing, effectiveDate: ON };
  const withdrawal = { ...back, producerId: withdrawing, changes: { withdrawal: true } };
  await issueStack(t.context, orgId, begin, { ...written, producerId: withdrawing }, withdrawn, withdrawal);
  t.deepEqual(await basis(t.context, orgId, withdrawing), SECOND, 'it was taken back before its day');

  const moving = newId('producer');
  const [first, second] = ['2026-10-01', '2026-11-30'].map((effectiveDate) => ({
    ...{ ...ended, producerId: moving, effectiveDate },
  }));
  await issueStack(t.context, orgId, begin, { ...written, producerId: moving }, first ?? ended, second ?? ended);
  t.deepEqual(await basis(t.context, orgId, moving), SECOND, 'a later one has taken its place');

  const reinstated = newId('producer');
  const [took, gave] = [
    { ...ended, producerId: reinstated, effectiveDate: '2026-10-01', premiumCents: -2 },
    { ...back, producerId: reinstated, premiumCents: 1 },
  ];
  await issueStack(t.context, orgId, begin, { ...written, producerId: reinstated }, took, gave);
  t.deepEqual(await basis(t.context, orgId, reinstated), FIRST, 'it took effect and was not given back whole');
});

test('a line without a schedule has no terms', async (t) => {
  const { database, orgId } = t.context;
  const basis = { lineOfBusiness: 'XX', producerId: null, on: ON };
  t.is(await database.forOrg(orgId, (em) => commissionBasis(em, basis)), null);
});

test('terms kept at issue stay, and those of an older transaction are worked out as of its issue', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const producerId = newId('producer');
  const kept = { tier: 9, agentRate: '0.20', mgaRate: '0.05' };
  const [first, second, third] = await issue(
    t.context,
    orgId,
    { producerId, on: ON, premiumCents: 25_000_000 },
    { producerId, on: ON, premiumCents: 1 },
    { producerId, on: ON, premiumCents: 1, commission: kept },
  );
  const terms = async (id = '') => {
    const read = (em: EntityManager) => commissionedTransactions(em, { ids: [id], lineOfBusiness: 'GL' });
    return (await database.forOrg(orgId, read))[0]?.terms;
  };
  t.deepEqual(await terms(first), FIRST, 'its own premium does not count');
  t.deepEqual(await terms(second), SECOND);
  t.deepEqual(await terms(third), kept);
});
