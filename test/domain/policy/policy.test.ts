// What a policy allows in each state, and the state it is in on a day.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import {
  allowedPolicyActions,
  POLICY_ACTIONS,
  POLICY_STATUSES,
  POLICY_TRANSITIONS,
  type PolicyTerm,
  policyStatuses,
  policyStatusOn,
} from '../../../domain/policy/policy.ts';
import { nextState } from '../../../domain/transition.ts';

/** Columns are actions in the order of POLICY_ACTIONS; `-` is a refusal. */
const EXPECTED: Record<string, string> = {
  //       activate endorse schedule_cancellation cancel lapse reinstate renew non_renew expire succeed
  pending: 'active pending pending_cancellation cancelled - - - pending - -',
  active: '- active pending_cancellation cancelled lapsed - active active expired renewed',
  pending_cancellation: '- pending_cancellation - cancelled lapsed active - pending_cancellation expired renewed',
  cancelled: '- - - - - active - - - -',
  lapsed: '- - - - - active - - - -',
  expired: '- - - - - - renewed - - -',
  renewed: '- - - - - - - - - -',
};

for (const status of POLICY_STATUSES) {
  test(`A policy that is ${status} allows exactly its actions`, (t) => {
    const cells = EXPECTED[status]?.split(' ') ?? [];
    t.is(cells.length, POLICY_ACTIONS.length);
    POLICY_ACTIONS.forEach((action, index) => {
      if (cells[index] !== '-') {
        t.is(nextState(POLICY_TRANSITIONS, 'policy', status, action), cells[index] as typeof status);
        return;
      }
      const error = t.throws(() => nextState(POLICY_TRANSITIONS, 'policy', status, action), {
        instanceOf: DomainError,
      });
      t.deepEqual(error?.details, { resource: 'policy', from: status, action, allowed: allowedPolicyActions(status) });
    });
  });
}

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
