// The texts of a refused first notice of loss are not kept.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { findParticulars, forgetUnclaimed } from '../../../db/queries/claim/claim-words.ts';
import { prepareSteps, refused } from '../steps.ts';
import { bound, filed, kept } from './claim-calls.ts';

const A_MINUTE_MS = 60_000;

test('the words of a first notice are deleted when no claim follows, and kept when one does', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, command, database, orgId, today } = steps;
  const claimId = await filed(steps, await bound(steps, 0), 'Fire');
  const refusedId = newId('claim');
  await kept(steps, refusedId, 'Fire');
  const notice = { policyId: newId('policy'), lossDate: today, estimatedAmountCents: null, containsPhi: true };
  await refused(t, activities.fileClaim(command(refusedId, notice)), 'not_found');
  const forget = (beforeMs: number) => database.acrossOrgs('test', (em) => forgetUnclaimed(em, beforeMs, 10));
  const isKept = async (id: string) => (await database.forOrg(orgId, (em) => findParticulars(em, id))) !== null;
  t.is(await forget(Date.now() - A_MINUTE_MS), 0);
  t.true(await isKept(refusedId));
  t.is(await forget(Date.now() + A_MINUTE_MS), 1);
  t.false(await isKept(refusedId));
  t.true(await isKept(claimId));
  // Nothing removes what belongs to a claim.
  const removal = database.acrossOrgs('test', (em) =>
    em.execute('delete from claim_particulars where claim_id = ?', [claimId]),
  );
  await t.throwsAsync(removal, { message: /foreign key/ });
  t.true(await isKept(claimId));
});
