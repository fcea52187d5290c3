import test from 'ava';
import { entitiesNamed } from '../../../scripts/ops/named.ts';
import { listWaiting, retryWaiting } from '../../../scripts/ops/waiting.ts';
import { whereaboutsOf } from '../../../scripts/ops/whereabouts.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from './claim-calls.ts';
import { balances, deposit, found, isPaid, paymentsOf, reservedClaim } from './claim-money.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a loss fund that is too small holds the payment and requests the shortfall once; after a deposit the operator retries', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  bodyOf(await deposit(policy, 1000, 'Wire 1'), 201);
  const { path } = await reservedClaim(policy);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  const [waiting] = await eventually(
    async () => {
      const { data } = bodyOf(
        await house.as('org_admin').get('/v1/events', { query: { type: 'financial.operation_failed' } }),
      );
      return data.length > 0 && data;
    },
    { what: 'the alert' },
  );
  t.like(waiting.data, {
    operation: 'loss fund ledger',
    message: "The loss fund is short by 3000 dollars. Record the carrier's deposit, then retry.",
  });
  t.like(await balances(policy), { 1020: 1000, 1200: 3000, 2080: 4000 });
  const { workflowId } = waiting.data;
  const handle = platform.temporal.client.workflow.getHandle(workflowId);
  const decision = { step: 'loss fund ledger', operator: 'the test' };
  await handle.signal('retryStep', decision);
  const alerts = async () =>
    bodyOf(await house.as('org_admin').get('/v1/events', { query: { type: 'financial.operation_failed' } })).data
      .length;
  await eventually(async () => (await alerts()) === 2, { what: 'the second alert' });
  t.like(await balances(policy), { 1020: 1000, 1200: 3000, 2080: 4000 });
  bodyOf(await deposit(policy, 3500, 'Wire 2'), 201);
  t.like(await balances(policy), { 1020: 4500, 1200: 0, 2080: 4500 });
  await handle.signal('retryStep', decision);
  await isPaid(supervisor, path, 1);
  t.like(await balances(policy), { 1020: 500, 1200: 0, 2080: 500 });
});

test('an operator who names a claim by its number sees its workflow, and where and why its payment waits', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  const { id, path } = await reservedClaim(policy);
  const { claimNumber } = bodyOf(await supervisor.get(path));
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  const [payment] = await paymentsOf(supervisor, path);
  const named = await entitiesNamed(platform.database, id);
  t.deepEqual(named.toSorted(), [id, payment.id].sort());
  // Another organization may have a claim of the same number: an operator sees both.
  const numbered = await entitiesNamed(platform.database, claimNumber);
  t.true(named.every((each) => numbered.includes(each)));
  const trouble =
    "waits for an operator at loss fund ledger: The loss fund is short by 4000 dollars. Record the carrier's deposit, then retry.";
  const found = await eventually(
    async () => {
      const all = await whereaboutsOf(platform.temporal.client, named);
      return all.some((each) => each.trouble === trouble) && all;
    },
    { what: 'the payment to wait' },
  );
  const [paid, claim] = ['claim-payment', 'claim'].map((kind) =>
    found.find(({ workflowId }) => workflowId.startsWith(`${kind}/`)),
  );
  t.is(found.length, 2);
  t.like(paid, { workflowId: `claim-payment/${house.orgId}/${payment.id}`, status: 'RUNNING', trouble, details: '' });
  t.like(claim, { workflowId: `claim/${house.orgId}/${id}`, status: 'RUNNING', trouble: '' });
  t.regex(claim?.details ?? '', /^settled/, 'a healthy workflow says its state itself');
  for (const { events, bytes } of found) t.true(events > 5 && bytes > 500);
});

test('waiting payments together request the shortfall; the request of a stopped payment is withdrawn', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  bodyOf(await deposit(policy, 1000, 'Wire 1'), 201);
  const [first, second] = [await reservedClaim(policy), await reservedClaim(policy, 'Fire')];
  const settle = async (path: string, amount: number, requested: number) => {
    bodyOf(await supervisor.post(`${path}/settle`, { amount, payee: 'Ada Guest' }), 201);
    const isRequested = async () => (await balances(policy))[1200] === requested;
    await eventually(isRequested, { what: `${requested} dollars to be requested` });
  };
  await settle(first.path, 4000, 3000);
  // The fund's thousand goes to the first one.
  await settle(second.path, 2000, 5000);
  const [{ id }] = await paymentsOf(supervisor, first.path);
  bodyOf(await supervisor.post(`${first.path}/payments/${id}/void`, { reason: 'Sent to the wrong person.' }));
  // 2,000 waits, and 1,000 is in the fund: whichever payment requested it, no more is owed.
  t.like(await balances(policy), { 1020: 1000, 1200: 1000, 2080: 2000 });
  const { data } = bodyOf(await house.as('billing_admin').get('/v1/loss-funds'));
  t.deepEqual(data, [{ carrier: 'Default Carrier', balance: 1000, requested: 1000 }]);
  const { client } = platform.temporal;
  const waiting = async () => (await listWaiting(client, house.orgId)).map(({ workflowId }) => workflowId);
  // The voided payment has nothing to wait for, and no operator has to release it.
  const isAlone = async () => {
    const [one, ...others] = await waiting();
    return one !== undefined && others.length === 0 && !one.endsWith(id);
  };
  await eventually(isAlone, { what: 'the saga of the void payment to end' });
  bodyOf(await deposit(policy, 2000, 'Wire 2'), 201);
  const isOver = async () => {
    await retryWaiting(client, 'the test', house.orgId);
    return (await waiting()).length === 0;
  };
  await eventually(isOver, { what: 'no payment to wait' });
  await isPaid(supervisor, second.path, 1);
  t.like(await balances(policy), { 1020: 1000, 1200: 0, 2080: 1000 });
  t.deepEqual(await found(platform, house.orgId), []);
});

test('the request to a carrier never exceeds the waiting payments less the fund, whichever payment is stopped or recovered', async (t) => {
  const policy = await covered(platform);
  const { supervisor } = policy;
  bodyOf(await deposit(policy, 1000, 'Wire 1'), 201);
  const [paid, first, second] = [
    await reservedClaim(policy),
    await reservedClaim(policy, 'Fire'),
    await reservedClaim(policy, 'Wind'),
  ];
  bodyOf(await supervisor.post(`${paid.path}/settle`, { amount: 1000, payee: 'Ada Guest' }), 201);
  const [{ id }] = await isPaid(supervisor, paid.path, 1);
  for (const [path, amount, requested] of [
    [first.path, 4000, 4000],
    [second.path, 2000, 6000],
  ] as const) {
    bodyOf(await supervisor.post(`${path}/settle`, { amount, payee: 'Ada Guest' }), 201);
    await eventually(async () => (await balances(policy))[1200] === requested, { what: `${requested} requested` });
  }
  // 300 comes back: 6,000 waits, and 300 is in the fund.
  bodyOf(await supervisor.post(`${paid.path}/recoveries`, { kind: 'salvage', amount: 300 }), 201);
  t.like(await balances(policy), { 1020: 300, 1200: 5700, 2080: 6000 });
  t.deepEqual(await found(platform, policy.house.orgId), []);
  // 700 of the 1,000 may still be voided, not all of it: 300 was recovered.
  const back = await supervisor.post(`${paid.path}/payments/${id}/void`, { reason: 'Lost in the mail.' });
  t.like(back, { status: 422, body: { error: 'amount_exceeds_balance', details: { balance: 700 } } });
  const [{ id: stopped }] = await paymentsOf(supervisor, first.path);
  bodyOf(await supervisor.post(`${first.path}/payments/${stopped}/void`, { reason: 'Stopped.' }));
  // 2,000 waits; the first had requested 4,000 of the 6,000.
  t.like(await balances(policy), { 1020: 300, 1200: 1700, 2080: 2000 });
  t.deepEqual(await found(platform, policy.house.orgId), []);
});

test('when a payment uses money that another one counted on, that amount is requested from the carrier too', async (t) => {
  const policy = await covered(platform);
  const { supervisor } = policy;
  bodyOf(await deposit(policy, 3000, 'Wire 1'), 201);
  const [large, small] = [await reservedClaim(policy), await reservedClaim(policy, 'Fire')];
  bodyOf(await supervisor.post(`${large.path}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  await eventually(async () => (await balances(policy))[1200] === 1000, { what: '1,000 dollars to be requested' });
  bodyOf(await supervisor.post(`${small.path}/settle`, { amount: 2500, payee: 'Ada Guest' }), 201);
  await isPaid(supervisor, small.path, 1);
  // 500 is left for a payment of 4,000.
  t.like(await balances(policy), { 1020: 500, 1200: 3500, 2080: 4000 });
  const [{ id }] = await paymentsOf(supervisor, large.path);
  bodyOf(await supervisor.post(`${large.path}/payments/${id}/void`, { reason: 'Sent to the wrong person.' }));
  t.like(await balances(policy), { 1020: 500, 1200: 0, 2080: 500 });
  t.deepEqual(await found(platform, policy.house.orgId), []);
});
