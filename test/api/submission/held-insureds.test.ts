// An insured whose name is held for sanctions after they were covered: no money goes back to them, and no coverage
// comes back, until somebody clears the name. Domain facts 6.4, decision 0343.
import test from 'ava';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, newHouse, risk } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import type { Platform } from '../../support/run-platform.ts';

/** Of the list that every new installation has. */
const LISTED = 'Sanctioned Test Company';
const ENTRY = 'SAMPLE-0006';
const HELD = [422, 'not_ready', ['SANCTIONS_REVIEW']];

let platform: Platform;

test.before(async (t) => {
  platform = await startPlatform(t);
});

test('a refund to a held insured waits for approval, and neither approval nor check comes before the clearance', async (t) => {
  const { admin, other, paidInvoiceId, hold, clear } = await heldInsured();
  const { id: refundId, status } = bodyOf(
    await admin.post(`/v1/invoices/${paidInvoiceId}/refund`, { amount: 500, reason: 'Paid too much.' }),
    201,
  );
  t.is(status, 'pending_approval', 'though the flag is off and the amount is small');
  const approve = () => other.post(`/v1/refunds/${refundId}/approve`, {});
  t.deepEqual(refusal(await approve()), HELD);

  await clear();
  bodyOf(await approve());
  await hold();
  const owed = await eventually(async () => bodyOf(await admin.get('/v1/disbursements')).data[0], { what: 'a check' });
  t.like(owed, { payee: LISTED, amount: 500, status: 'pending' });
  const issue = () => admin.post(`/v1/disbursements/${owed.id}/issue`, { checkNumber: '1001' });
  // The check is owed as soon as the refund is recorded, a moment before it is in the ledger.
  const refused = await eventually(
    async () => {
      const answer = refusal(await issue());
      return !answer.flat().includes('return_not_posted') && answer;
    },
    { what: 'the return in the ledger' },
  );
  t.deepEqual(refused, HELD);
  await clear();
  t.is(bodyOf(await issue()).status, 'issued');
  t.is(bodyOf(await admin.get(`/v1/refunds/${refundId}`)).status, 'succeeded');
});

test('the return premium of a held insured waits too, and may be kept with the policy', async (t) => {
  const { admin, other, cancel } = await heldInsured();
  const refund = await cancel();
  t.is(refund.status, 'pending_approval');
  t.deepEqual(refusal(await other.post(`/v1/refunds/${refund.id}/approve`, {})), HELD);
  bodyOf(await other.post(`/v1/refunds/${refund.id}/reject`, { reason: 'Blocked.' }));
  const owed = bodyOf(await admin.get('/v1/disbursements')).data.map(({ status }: { status: string }) => status);
  t.deepEqual(owed, ['cancelled'], 'nothing is owed by check');
});

test('an ended policy of a held insured is reinstated only once the name is cleared', async (t) => {
  const { admin, other, policyId, clear, cancel } = await heldInsured();
  const refund = await cancel();
  bodyOf(await other.post(`/v1/refunds/${refund.id}/reject`, { reason: 'Blocked.' }));
  const reinstate = () => admin.post(`/v1/policies/${policyId}/reinstate`, { effectiveDate: testToday() });
  const refused = await reinstate();
  t.is(refused.status, 422);
  t.deepEqual(
    refused.body.details.daFlags.map(({ code }: { code: string }) => code),
    ['DA_SANCTIONS_REVIEW'],
  );
  await clear();
  t.is(bodyOf(await reinstate(), 201).type, 'reinstatement');
});

/** A policy that was bound and paid in full while its insured's name was cleared; it is held again now. */
async function heldInsured() {
  const house = await newHouse(platform);
  const [admin, compliance] = [house.as('org_admin'), house.as('compliance_officer')];
  const other = house.as('org_admin', 'usr_somebody_else');
  let clearanceId = '';
  const clear = async () => {
    const named = { name: LISTED, entryIds: [ENTRY], reason: 'Another owner.' };
    clearanceId = bodyOf(await compliance.post('/v1/sanctions/clearances', named), 201).id;
  };
  const hold = async () => {
    await compliance.del(`/v1/sanctions/clearances/${clearanceId}`);
  };
  await clear();
  const { policyId, invoiceId } = await paidPolicy(admin);
  await hold();
  const cancel = async () => {
    const today = { effectiveDate: testToday(), reason: 'insured_request' };
    bodyOf(await admin.post(`/v1/policies/${policyId}/cancel`, today), 201);
    return bodyOf(await admin.get('/v1/refunds')).data[0];
  };
  return { admin, other, policyId, paidInvoiceId: invoiceId, clear, hold, cancel };
}

async function paidPolicy(admin: TestClient) {
  const { id } = bodyOf(
    await admin.post('/v1/submissions', risk({ insuredName: LISTED, effectiveDate: testToday() })),
    201,
  );
  bodyOf(await admin.post(`/v1/submissions/${id}/quote`), 201);
  const bind = await admin.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  const { policyId, totalDue, invoices } = bodyOf(bind, 201);
  const paid = { amount: totalDue, method: 'check', reference: 'Check 1' };
  bodyOf(await admin.post(`/v1/invoices/${invoices[0].id}/pay`, paid), 201);
  return { policyId, invoiceId: invoices[0].id };
}

function refusal({ status, body }: TestResponse) {
  return [status, body.error, body.details.blockers];
}
