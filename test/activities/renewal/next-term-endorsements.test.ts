// An endorsement issued after the renewal was bound, applied to the next term in the same command: both or neither.
// Contract 3.2 "endorse".
import test from 'ava';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';
import { inForce, policyOf, read, renew } from './renewal-steps.ts';

/** 399,000 cents of premium becomes 518,700. */
const MORE = { annualRevenueCents: 130_000_000 };

/** Endorses from today on, sixty days before expiration. */
async function endorse(steps: Steps, id: string, commandId?: string) {
  const effectiveDate = addDays((await policyOf(steps, id)).expirationDate, -60);
  const payload = { effectiveDate, changes: MORE, reason: null, applyToRenewal: true };
  return steps.activities.endorsePolicy(steps.command(id, payload, commandId));
}

const stackOf = (steps: Steps, id: string) => read(steps, (em) => policyTransactions(em, id));

test('the next term is changed from its first day with the endorsement, once, and not again when it carries the change', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { renewal } = await renew(steps, id);
  const first = await endorse(steps, id, 'once');
  t.deepEqual((await endorse(steps, id, 'once')).renewalTransactionId, first.renewalTransactionId);
  const [, change, ...more] = await stackOf(steps, renewal.policyId);
  t.deepEqual(more, []);
  t.like(change, { id: first.renewalTransactionId, type: 'endorsement', premiumChangeCents: 119_700 });
  t.is(change?.effectiveDate, renewal.effectiveDate);
  t.like(await policyOf(steps, renewal.policyId), { ...MORE, grossPremiumCents: 518_700, status: 'pending' });
  t.like(await policyOf(steps, id), MORE);
  t.is(await read(steps, (em) => em.count(Event, { type: 'policy.endorsed' })), 2);
});

test('a change beyond the authority on the next term changes neither, and the referral is about that term', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { renewal } = await renew(steps, id);
  const before = [await policyOf(steps, id), await policyOf(steps, renewal.policyId)];
  // 3,990.00 and 60 of 365 days of 1,197.00 are within the authority; 5,187.00 is not.
  await steps.database.transaction(steps.orgId, (em) =>
    em.nativeUpdate(DaContract, {}, { maxAnnualPremiumVolumeCents: 450_000 }),
  );
  await refused(t, endorse(steps, id), 'delegated_authority_exceeded');
  t.deepEqual([await policyOf(steps, id), await policyOf(steps, renewal.policyId)], before);
  t.is((await stackOf(steps, id)).length, 1);
  t.is((await stackOf(steps, renewal.policyId)).length, 1);
  const referrals = await read(steps, (em) => em.find(Referral, {}));
  t.deepEqual(
    referrals.map(({ policyId }) => policyId),
    [renewal.policyId],
  );
});

test('a policy without a next term has nothing to apply a change to, and nothing is written', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const details = await refused(t, endorse(steps, id), 'not_ready');
  t.deepEqual(details, { missing: [], blockers: ['NO_NEXT_TERM'] });
  t.is((await stackOf(steps, id)).length, 1);
});
