// A notice that cannot be delivered takes the events' counter for its alert, and refers to a policy: a change of that
// policy at the same time takes the two in the same order.
import test from 'ava';
import { deadlocks } from '../../faults/money-pairs.ts';
import { holdRow } from '../../support/held-row.ts';
import { bound } from '../claim/claim-calls.ts';
import { prepareSteps } from '../steps.ts';

test('a notice that raises an alert waits for a change of the policy under way, and neither has to be done again', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, orgId, ownerUrl, today } = steps;
  const policyId = await bound(steps, 0, { insuredEmail: null });
  const before = await deadlocks(ownerUrl);
  const held = await holdRow(ownerUrl, 'policies', 'id = $1', policyId);
  const result = activities.sendNotice({ orgId, policyId, kind: 'notice', on: today });
  await held.isWaitedFor();
  await held.change("update org_counters set value = value where org_id = $1 and key = 'EVENT'", [orgId]);
  await held.release();
  t.is(await result, 'no_address');
  t.is(await deadlocks(ownerUrl), before);
});
