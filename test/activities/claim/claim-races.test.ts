// Claim commands that race each other in the database: in any order no limit is exceeded, and each race has one
// winner.
import test from 'ava';
import pg from 'pg';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { findClaim, indemnityPaidOn } from '../../../db/queries/claim/claims.ts';
import { paymentsOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { deadlocks } from '../../faults/money-pairs.ts';
import { prepareSteps, type Steps } from '../steps.ts';
import { bound, filed, noted, paidTo, refusalOf } from './claim-calls.ts';

const [AGGREGATE, OCCURRENCE] = [2_000_000_00, 1_000_000_00];
const RACERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const TIMES = 50;
/** One, two, three or five of them fit into what is left of the aggregate limit. */
const AMOUNTS = [OCCURRENCE, 500_000_00, 333_333_33, 180_000_01];

let steps: Steps;

test.before(async (t) => {
  steps = await prepareSteps(t);
});

const rowOf = async (id: string) => (await steps.database.forOrg(steps.orgId, (em) => findClaim(em, id))) as Claim;

async function investigated(policyId: string, cause: string): Promise<string> {
  const { activities, command } = steps;
  const claimId = await filed(steps, policyId, cause);
  await activities.investigateClaim(command(claimId, { adjusterId: null, noteId: null }));
  await reserve(claimId);
  return claimId;
}

function reserve(claimId: string) {
  const reserves = { indemnityCents: OCCURRENCE, expenseCents: 0 };
  return steps.activities.reserveClaim(steps.command(claimId, { reserves, noteId: null }));
}

const close = (claimId: string, outcome: string | null) =>
  steps.activities.closeClaim(steps.command(claimId, { outcome, noteId: null }));

/** Prepares an offer to a stored payee: only the step itself remains. */
const offerTo = (settlementId: string, claimId: string, amountCents: number, isApproved: boolean) => () =>
  steps.activities.settleClaim(steps.command(claimId, { settlementId, amountCents, isApproved, noteId: null }));

async function offer(claimId: string, amountCents: number, isApproved = true) {
  return offerTo(await paidTo(steps, claimId, 'settlement'), claimId, amountCents, isApproved);
}

/** Resets the claim rows to before the race. */
async function startAgain(owner: pg.Client, claimIds: readonly string[]): Promise<void> {
  const back =
    "update claims set status = 'investigating', settlement = null, paid_indemnity_cents = 0 where id = any($1)";
  await owner.query(back, [claimIds]);
}

test('eight settlements racing fifty times for the rest of the aggregate limit win while they fit, and never exceed it', async (t) => {
  const policyId = await bound(steps, 0);
  const paidOfTerm = () => steps.database.forOrg(steps.orgId, (em) => indemnityPaidOn(em, policyId));
  await (await offer(await investigated(policyId, 'The first'), AGGREGATE - OCCURRENCE))();
  const claims = await Promise.all(RACERS.map((cause) => investigated(policyId, cause)));
  const payees = await Promise.all(claims.map((claimId) => paidTo(steps, claimId, 'settlement')));
  const owner = new pg.Client({ connectionString: steps.ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  for (let time = 0; time < TIMES; time += 1) {
    const amount = AMOUNTS[time % AMOUNTS.length] as number;
    const racers = claims.map((claimId, index) => offerTo(payees[index] ?? '', claimId, amount, true));
    const answers = await Promise.all(racers.map(refusalOf));
    const fitting = Math.floor(OCCURRENCE / amount);
    t.is(answers.filter((answer) => answer === null).length, fitting, `race ${time}`);
    t.is(answers.filter((answer) => answer === 'limit_exhausted').length, RACERS.length - fitting, `race ${time}`);
    const paid = await paidOfTerm();
    t.is(paid, AGGREGATE - OCCURRENCE + fitting * amount, `race ${time}`);
    t.true(paid <= AGGREGATE);
    await startAgain(owner, claims);
  }
});

test('two supervisors who approve one offer simultaneously approve it once, and it is paid once', async (t) => {
  const policyId = await bound(steps, 0);
  for (let time = 0; time < 10; time += 1) {
    const claimId = await investigated(policyId, `Approved ${time}`);
    await (await offer(claimId, 100_000, false))();
    const answers = await Promise.all(
      ['usr_a', 'usr_b'].map((id) => {
        const actor = { kind: 'user', id, role: 'claims_supervisor' } as const;
        const command = { ...steps.command(claimId, {}), actor };
        return refusalOf(() => steps.activities.approveSettlement(command));
      }),
    );
    t.deepEqual(answers.toSorted(), ['invalid_state_transition', null], `race ${time}`);
    const payments = await steps.database.forOrg(steps.orgId, (em) => paymentsOfClaim(em, claimId));
    t.deepEqual(
      payments.map(({ amountCents }) => amountCents),
      [100_000],
    );
    t.is((await rowOf(claimId)).paidIndemnityCents, 100_000);
  }
});

test('a settlement racing a close without payment leaves one winner: a paid claim is not closed as unpaid', async (t) => {
  const policyId = await bound(steps, 0);
  const met = new Set<string>();
  for (let time = 0; time < 10; time += 1) {
    const claimId = await investigated(policyId, `Closed ${time}`);
    const settle = await offer(claimId, 100_000);
    const racers = [settle, () => close(claimId, 'no_payment')];
    // Each gets its turn to be sent first.
    const answers = await Promise.all((time % 2 === 0 ? racers : racers.toReversed()).map(refusalOf));
    t.deepEqual(answers.toSorted(), ['invalid_state_transition', null], `race ${time}`);
    const { status, paidIndemnityCents } = await rowOf(claimId);
    t.is(paidIndemnityCents, status === 'settled' ? 100_000 : 0);
    met.add(status);
  }
  t.true([...met].every((status) => status === 'settled' || status === 'closed'));
});

test('payment sagas that meet voids and closes on one policy never deadlock', async (t) => {
  const policyId = await bound(steps, 0);
  const claims = await Promise.all(RACERS.map((cause) => investigated(policyId, `Circle ${cause}`)));
  const before = await deadlocks(steps.ownerUrl);
  for (let time = 0; time < 8; time += 1) {
    const owed = await Promise.all(claims.map(owedExpense));
    const racers = claims.flatMap((claimId, index) => {
      const { paymentId, noteId } = owed[index] as Owed;
      const saga = () => steps.activities.payFromLossFund({ orgId: steps.orgId, entityId: paymentId });
      const voids = () => steps.activities.voidClaimPayment(steps.command(claimId, { paymentId, noteId }));
      return [saga, index % 2 === 0 ? voids : () => close(claimId, 'no_payment')];
    });
    // A deadlock would reject: the transaction that PostgreSQL ends is neither done nor refused.
    const answers = await Promise.all((time % 2 === 0 ? racers : racers.toReversed()).map(refusalOf));
    t.true(
      answers.every((answer) => answer === null || answer === 'not_ready'),
      `race ${time}: ${answers}`,
    );
    const closed = claims.filter((_, index) => index % 2 === 1);
    await Promise.all(closed.map((claimId) => steps.activities.reopenClaim(steps.command(claimId, { noteId: null }))));
  }
  t.is(await deadlocks(steps.ownerUrl), before);
});

interface Owed {
  paymentId: string;
  noteId: string;
}

/** Decides to pay an expense that its saga has yet to take from the fund. */
async function owedExpense(claimId: string): Promise<Owed> {
  const { activities, command } = steps;
  const reserves = { indemnityCents: 0, expenseCents: OCCURRENCE };
  await activities.reserveClaim(command(claimId, { reserves, noteId: null }));
  const paymentId = await paidTo(steps, claimId, 'claimPayment');
  const facts = { kind: 'expense', amountCents: 500, reference: null } as const;
  await activities.payClaim(command(claimId, { paymentId, ...facts }));
  return { paymentId, noteId: await noted(steps, claimId, 'Stopped.') };
}
