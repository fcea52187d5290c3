// What a policy allows in each state, and its state on a given day.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { allowedOperations, nextPolicyStatus, type OperationFacts } from '../../../domain/policy/operations.ts';
import {
  POLICY_ACTIONS,
  POLICY_STATUSES,
  type PolicyTerm,
  policyStatuses,
  policyStatusOn,
} from '../../../domain/policy/policy.ts';
import { newBusiness, row } from './rows.ts';

/** Columns are actions in the order of POLICY_ACTIONS; `-` is a refusal. */
const EXPECTED: Record<string, string> = {
  // activate endorse void schedule_cancellation cancel lapse reinstate renew non_renew withdraw_non_renewal
  // change_payment_plan expire succeed
  pending: 'active pending pending pending_cancellation cancelled - - - pending pending pending - -',
  active: '- active active pending_cancellation cancelled lapsed - active active active active expired renewed',
  pending_cancellation:
    '- pending_cancellation pending_cancellation pending_cancellation cancelled lapsed active - pending_cancellation pending_cancellation - expired renewed',
  cancelled: '- - - - - - active - - - - - -',
  lapsed: '- - - - - - active - - - - - -',
  expired: '- - - - - - - renewed - expired - - -',
  renewed: '- - - - - - - - - - - - -',
};

/** What a caller may do, judging by the state alone. */
const OPERATIONS: Record<string, string[]> = {
  pending: ['endorse', 'cancel', 'non_renew'],
  active: ['endorse', 'cancel', 'renew', 'non_renew'],
  pending_cancellation: ['endorse', 'cancel', 'reinstate', 'non_renew'],
  cancelled: ['reinstate'],
  lapsed: ['reinstate'],
  expired: ['renew'],
  renewed: [],
};

for (const status of POLICY_STATUSES) {
  test(`A policy that is ${status} allows exactly its actions`, (t) => {
    const cells = EXPECTED[status]?.split(' ') ?? [];
    t.is(cells.length, POLICY_ACTIONS.length);
    POLICY_ACTIONS.forEach((action, index) => {
      if (cells[index] !== '-') {
        t.is(nextPolicyStatus({ status }, action), cells[index] as typeof status);
        return;
      }
      const error = t.throws(() => nextPolicyStatus({ status }, action), { instanceOf: DomainError });
      const named = action === 'schedule_cancellation' ? 'cancel' : action;
      t.deepEqual(error?.details, { resource: 'policy', from: status, action: named, allowed: OPERATIONS[status] });
    });
  });
}

test('A refusal names only the operations that would succeed on the day', (t) => {
  const term = { state: 'TX', expirationDate: '2027-12-01', renewalPolicyId: null };
  const policy: OperationFacts = { ...term, status: 'active', nonRenewal: null };
  const notice = { reason: 'Losses', noticeDate: '2027-03-01' };
  // A renewal becomes possible 90 days before expiration; 60 days before it is the last day for notice of non-renewal.
  t.deepEqual(allowedOperations(policy, '2027-09-01'), ['endorse', 'cancel', 'non_renew']);
  t.deepEqual(allowedOperations(policy, '2027-09-02'), ['endorse', 'cancel', 'renew', 'non_renew']);
  t.deepEqual(allowedOperations(policy, '2027-10-03'), ['endorse', 'cancel', 'renew']);
  t.deepEqual(allowedOperations({ ...policy, renewalPolicyId: 'pol_next' }, '2027-09-02'), ['endorse', 'cancel']);
  const noticed = { ...policy, nonRenewal: notice };
  t.deepEqual(allowedOperations(noticed, '2027-09-02'), ['endorse', 'cancel', 'withdraw_non_renewal']);
  t.deepEqual(allowedOperations({ ...noticed, status: 'expired' }, '2027-12-10'), ['withdraw_non_renewal']);
  t.throws(() => nextPolicyStatus(noticed, 'non_renew'), { message: /"non_renew" is not allowed/ });
  t.throws(() => nextPolicyStatus(policy, 'withdraw_non_renewal'), {
    message: /"withdraw_non_renewal" is not allowed/,
  });
});

test('A void, another payment plan and an audit are named when they would succeed', (t) => {
  const endorsed = [newBusiness(1), row({ type: 'endorsement', sequence: 2 })];
  const term = { state: 'TX', effectiveDate: '2025-01-01', expirationDate: '2026-01-01', renewalPolicyId: 'pol_next' };
  const policy: OperationFacts = { ...term, status: 'active', nonRenewal: null, stack: endorsed, canRebill: true };
  t.deepEqual(allowedOperations(policy, '2025-06-01'), ['endorse', 'void', 'cancel', 'change_payment_plan']);
  const voided = [...endorsed, row({ type: 'endorsement', sequence: 3, reverses: 'ptx_2' })];
  t.deepEqual(allowedOperations({ ...policy, stack: voided, canRebill: false }, '2025-06-01'), ['endorse', 'cancel']);

  const cancelled: OperationFacts = { ...policy, status: 'cancelled', cancellation: { method: 'pro_rata' } };
  t.deepEqual(allowedOperations(cancelled, '2025-12-31'), ['reinstate']);
  t.deepEqual(allowedOperations(cancelled, '2026-01-01'), ['reinstate', 'audit']);
  const flat: OperationFacts = { ...cancelled, cancellation: { method: 'flat' } };
  t.deepEqual(allowedOperations(flat, '2026-01-01'), ['reinstate']);
  const audited = [...endorsed, row({ type: 'audit', sequence: 3 })];
  t.deepEqual(allowedOperations({ ...cancelled, stack: audited }, '2026-01-01'), []);
  t.deepEqual(allowedOperations({ ...policy, status: 'renewed' }, '2026-01-01'), ['audit']);
});

const TERM: PolicyTerm = {
  status: 'pending',
  effectiveDate: '2026-12-01',
  expirationDate: '2027-12-01',
  cancellation: null,
  renewalPolicyId: null,
};

test('A policy is pending before its effective date, active from it, and over on its expiration date', (t) => {
  t.is(policyStatusOn(TERM, '2026-11-30'), 'pending');
  t.is(policyStatusOn(TERM, '2026-12-01'), 'active');
  t.is(policyStatusOn(TERM, '2027-11-30'), 'active');
  t.is(policyStatusOn(TERM, '2027-12-01'), 'expired');
  t.is(policyStatusOn({ ...TERM, renewalPolicyId: 'pol_next' }, '2027-12-01'), 'renewed');
});

test('A cancellation is pending until its day, a lapse likewise, and one as of inception takes effect immediately', (t) => {
  const cancelled = { ...TERM, cancellation: { effectiveDate: '2027-03-01' } };
  t.is(policyStatusOn(cancelled, '2027-02-28'), 'pending_cancellation');
  t.is(policyStatusOn(cancelled, '2027-03-01'), 'cancelled');
  t.is(policyStatusOn({ ...TERM, cancellation: { effectiveDate: '2027-03-01', lapse: true } }, '2027-03-01'), 'lapsed');
  t.is(policyStatusOn({ ...TERM, cancellation: { effectiveDate: '2026-12-01' } }, '2026-11-21'), 'cancelled');
  t.is(policyStatusOn({ ...TERM, status: 'lapsed' }, '2027-03-01'), 'lapsed');
});

test('The derived list starts with the state and adds delinquent and non_renewed', (t) => {
  t.deepEqual(policyStatuses('active', { delinquent: false, nonRenewed: false }), ['active']);
  t.deepEqual(policyStatuses('active', { delinquent: true, nonRenewed: true }), [
    'active',
    'delinquent',
    'non_renewed',
  ]);
});
