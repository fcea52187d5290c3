// Recoveries on a claim while its policy's contract changes.
import test from 'ava';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { newId } from '../../../db/ids.ts';
import { lockLossFund, lossFunds, paymentsOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { prepareSteps } from '../steps.ts';
import { bound, filed, paidTo } from './claim-calls.ts';

test('a recovery returns to the fund that made the payment, even when the contract names another carrier by then', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, command, database, orgId } = steps;
  await database.transaction(orgId, async (em) => {
    (await lockLossFund(em, 'Default Carrier')).balanceCents = 1000_00;
  });
  const claimId = await filed(steps, await bound(steps, 0), 'Fire');
  await activities.investigateClaim(command(claimId, { adjusterId: null, noteId: null }));
  const reserves = { indemnityCents: 1000_00, expenseCents: 0 };
  await activities.reserveClaim(command(claimId, { reserves, noteId: null }));
  const paymentId = await paidTo(steps, claimId, 'claimPayment');
  await activities.payClaim(command(claimId, { paymentId, kind: 'indemnity', amountCents: 600_00 }));
  const [payment] = await database.forOrg(orgId, (em) => paymentsOfClaim(em, claimId));
  await activities.payFromLossFund({ orgId, entityId: payment?.id ?? '' });
  await database.transaction(orgId, async (em) => {
    for (const contract of await em.find(DaContract, {})) contract.carrier = 'Renamed Carrier';
    await em.flush();
  });
  const salvage = { kind: 'salvage', amountCents: 250_00 } as const;
  await activities.recoverClaim(command(claimId, { recoveryId: newId('claimRecovery'), ...salvage }));
  const funds = await database.forOrg(orgId, lossFunds);
  t.deepEqual(
    funds.map(({ carrier, balanceCents }) => [carrier, balanceCents]),
    [['Default Carrier', 650_00]],
  );
});
