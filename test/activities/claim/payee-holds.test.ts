// Claim payees against a sanctions list that changes between the steps.
import test from 'ava';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { newId } from '../../../db/ids.ts';
import { keepPayee } from '../../../db/queries/claim/claim-words.ts';
import { claimEntries, findClaim } from '../../../db/queries/claim/claims.ts';
import { lockLossFund, paymentsOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { holdsOf } from '../../../db/queries/claim/payee-holds.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';
import { bound, filed, noted } from './claim-calls.ts';

const ENTRY = { entryId: 'snc_1', name: 'Ada Guest', program: 'SDN', score: 100 };
const ANOTHER = { entryId: 'snc_2', name: 'Ada M. Guest', program: 'UKR', score: 92 };
const HELD = { missing: [], blockers: ['SANCTIONS_REVIEW'] };

let steps: Steps;

test.before(async (t) => {
  steps = await prepareSteps(t);
  await steps.database.transaction(steps.orgId, async (em) => {
    (await lockLossFund(em, 'Default Carrier')).balanceCents = 1_000_000_00;
  });
});

test.beforeEach(() => steps.find([]));

async function reservedClaim(cause: string): Promise<string> {
  const { activities, command } = steps;
  const claimId = await filed(steps, await bound(steps, 0), cause);
  await activities.investigateClaim(command(claimId, { adjusterId: null, noteId: null }));
  const reserves = { indemnityCents: 10_000_00, expenseCents: 2000_00 };
  await activities.reserveClaim(command(claimId, { reserves, noteId: null }));
  return claimId;
}

async function payee(claimId: string, kind: 'settlement' | 'claimPayment', name = 'Ada Guest'): Promise<string> {
  const id = newId(kind);
  await steps.database.transaction(steps.orgId, (em) => keepPayee(em, { id, claimId, name }));
  return id;
}

async function offer(claimId: string, isApproved = false) {
  const settlementId = await payee(claimId, 'settlement');
  const { activities, command } = steps;
  return activities.settleClaim(command(claimId, { settlementId, amountCents: 4000_00, isApproved, noteId: null }));
}

async function pay(claimId: string, kind: 'indemnity' | 'expense', name?: string) {
  const paymentId = await payee(claimId, 'claimPayment', name);
  return steps.activities.payClaim(steps.command(claimId, { paymentId, kind, amountCents: 100_00 }));
}

const read = (claimId: string) =>
  steps.database.forOrg(steps.orgId, async (em) => {
    const claim = (await findClaim(em, claimId)) as Claim;
    const [holds, payments] = [await holdsOf(em, claimId), await paymentsOfClaim(em, claimId)];
    const actions = (await claimEntries(em, claimId)).map(({ action }) => action);
    return { claim, holds: holds.map(({ hold }) => hold), payments, actions };
  });

async function clear(claimId: string, index = 0) {
  const noteId = await noted(steps, claimId, 'Another date of birth.');
  const holdId = (await read(claimId)).holds[index]?.id ?? '';
  return steps.activities.clearPayee(steps.command(claimId, { holdId, noteId }));
}

test.serial(
  'a payee listed after the offer is held at its approval; once the payee is cleared, the offer is approved',
  async (t) => {
    const claimId = await reservedClaim('a');
    await offer(claimId);
    steps.find([ENTRY]);
    for (const _ of ['the first time', 'again']) {
      t.deepEqual(await refused(t, steps.activities.approveSettlement(steps.command(claimId, {})), 'not_ready'), HELD);
    }
    const { claim, holds, payments, actions } = await read(claimId);
    t.like(claim, { status: 'settlement_offered', settlement: { blockers: ['SANCTIONS_REVIEW'] } });
    t.is(payments.length, 0);
    t.is(holds.length, 1);
    t.like(holds[0], { step: 'approval', matches: [ENTRY], clearedOn: null });
    t.deepEqual(actions.slice(-2), ['settle', 'hold_payee']);
    await clear(claimId);
    t.deepEqual((await read(claimId)).claim.settlement?.blockers, []);
    await refused(t, clear(claimId), 'invalid_state_transition');
    await steps.activities.approveSettlement(steps.command(claimId, {}));
    t.is((await read(claimId)).claim.status, 'settled');
  },
);

test.serial('a clearance stands for the name on the claim, and a new list entry holds the payee again', async (t) => {
  const [claimId, other] = [await reservedClaim('b'), await reservedClaim('c')];
  steps.find([ENTRY]);
  await offer(claimId, true);
  t.like((await read(claimId)).holds, [{ step: 'offer' }]);
  await clear(claimId);
  await pay(claimId, 'expense', 'ADA GUEST');
  // The list has grown.
  steps.find([ENTRY, ANOTHER]);
  t.deepEqual(await refused(t, steps.activities.approveSettlement(steps.command(claimId, {})), 'not_ready'), HELD);
  t.deepEqual((await read(claimId)).holds.at(-1)?.matches, [ANOTHER]);
  await refused(t, pay(claimId, 'expense'), 'not_ready');
  t.is((await read(claimId)).payments.length, 1);
  steps.find([ENTRY]);
  // The clearance applies to that name, on that claim.
  await refused(t, pay(claimId, 'expense', 'Eve Guest'), 'not_ready');
  await refused(t, pay(other, 'indemnity'), 'not_ready');
  t.like((await read(other)).holds, [{ step: 'payment' }]);
  t.is((await read(other)).claim.paidIndemnityCents, 0);
});

test.serial('a payee listed before the money leaves is not paid; clearing the payee retries the payment', async (t) => {
  const claimId = await reservedClaim('d');
  await offer(claimId, true);
  const [{ id: paymentId } = { id: '' }] = (await read(claimId)).payments;
  steps.find([ENTRY]);
  const payOut = () => steps.activities.payFromLossFund({ orgId: steps.orgId, entityId: paymentId });
  for (const _ of ['the first time', 'again']) await refused(t, payOut(), 'not_ready');
  const held = await read(claimId);
  t.is(held.payments[0]?.status, 'pending');
  t.like(held.holds, [{ step: 'payout' }]);
  t.is(held.actions.filter((action) => action === 'hold_payee').length, 1);
  await steps.activities.closeClaim(steps.command(claimId, { outcome: null, noteId: null }));
  t.deepEqual((await clear(claimId)).retryPaymentIds, [paymentId]);
  await payOut();
  t.is((await read(claimId)).payments[0]?.status, 'paid');
});

test.serial('a held payee is not paid when the list loses the entry: somebody has to clear the name', async (t) => {
  const claimId = await reservedClaim('e');
  await offer(claimId, true);
  const [{ id: paymentId } = { id: '' }] = (await read(claimId)).payments;
  const payOut = () => steps.activities.payFromLossFund({ orgId: steps.orgId, entityId: paymentId });
  steps.find([ENTRY]);
  await refused(t, payOut(), 'not_ready');
  steps.find([]);
  await refused(t, payOut(), 'not_ready');
  await refused(t, pay(claimId, 'expense'), 'not_ready');
  t.is((await read(claimId)).payments[0]?.status, 'pending');
  await clear(claimId);
  await payOut();
  const { payments, holds } = await read(claimId);
  t.is(payments[0]?.status, 'paid');
  t.true(holds.every(({ clearedOn }) => clearedOn !== null));
});
