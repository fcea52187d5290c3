// Event names and the changes between two states of a record; commission tiers.
import test from 'ava';
import { DEFAULT_COMMISSION_SCHEDULES } from '../../db/defaults/commission-schedules.ts';
import { changedFields } from '../../domain/audit.ts';
import { commissionTier } from '../../domain/billing/commission.ts';
import { EVENT_TYPES, eventTypeOf, SUBSCRIBABLE_EVENTS } from '../../domain/events.ts';
import { LINES_OF_BUSINESS } from '../../domain/lines.ts';

test("The events of the specification, of a policy's life, and of refunds and disbursements, and the aliases, can be subscribed to", (t) => {
  t.deepEqual([...SUBSCRIBABLE_EVENTS].sort(), [
    '*',
    'autopay.disabled',
    'autopay.enabled',
    'autopay.suspended',
    'claim.closed',
    'claim.filed',
    'claim.opened',
    'claim.reserved',
    'claim.settled',
    'compliance.deadline_approaching',
    'compliance.deadline_missed',
    'da.limit_approaching',
    'disbursement.cancelled',
    'disbursement.cleared',
    'disbursement.created',
    'disbursement.issued',
    'disbursement.stopped',
    'financial.operation_failed',
    'invoice.paid',
    'journal.posted',
    'payment.failed',
    'payment.received',
    'policy.audited',
    'policy.bound',
    'policy.cancellation_scheduled',
    'policy.cancellation_withdrawn',
    'policy.cancelled',
    'policy.endorsed',
    'policy.expired',
    'policy.lapsed',
    'policy.non_renewed',
    'policy.payment_plan_changed',
    'policy.reinstated',
    'policy.renewed',
    'referral.expired',
    'referral.reminder',
    'refund.approval_requested',
    'refund.approved',
    'refund.rejected',
    'webhook.test',
  ]);
});

test('claim.opened is another name of claim.filed; an unknown name is no event', (t) => {
  t.is(eventTypeOf('claim.opened'), 'claim.filed');
  for (const type of EVENT_TYPES) t.is(eventTypeOf(type), type);
  for (const name of ['*', 'policy.created', 'toString', '']) t.is(eventTypeOf(name), null);
});

test('Changes list the fields that differ, with their values before and after', (t) => {
  t.deepEqual(changedFields({ a: 1, b: 'x', c: [1, 2], d: { e: 1 } }, { a: 1, b: 'y', c: [1, 2], d: { e: 2 } }), {
    b: { before: 'x', after: 'y' },
    d: { before: { e: 1 }, after: { e: 2 } },
  });
  t.deepEqual(changedFields({ a: undefined, b: null }, { a: null, c: undefined }), {});
  t.deepEqual(changedFields(null, { a: 1, b: null }), { a: { before: null, after: 1 } });
  t.deepEqual(changedFields({ a: 1 }, null), { a: { before: 1, after: null } });
  t.deepEqual(changedFields({ a: [1, 2] }, { a: [1] }), { a: { before: [1, 2], after: [1] } });
  t.deepEqual(changedFields({ a: [] }, { a: {} }), { a: { before: [], after: {} } });
});

test('Commission tiers are below 250,000, up to a million, and above', (t) => {
  t.deepEqual(
    DEFAULT_COMMISSION_SCHEDULES.map(({ schedule }) => schedule.lineOfBusiness),
    [...LINES_OF_BUSINESS],
  );
  const gl = DEFAULT_COMMISSION_SCHEDULES[0]?.schedule;
  if (gl === undefined) throw new Error('no schedule');
  const rate = (dollars: number) => commissionTier(gl, dollars * 100)?.agentRate;
  t.deepEqual([0, 249_999, 250_000, 1_000_000, 1_000_001].map(rate), ['0.125', '0.125', '0.135', '0.135', '0.15']);
  t.is(commissionTier({ ...gl, tiers: [] }, 0), null);
});

test('The default commissions are those published, line by line', (t) => {
  const published = DEFAULT_COMMISSION_SCHEDULES.map(({ schedule }) =>
    [schedule.lineOfBusiness, ...schedule.tiers.map((tier) => tier.agentRate), schedule.mgaRate].join(' '),
  );
  t.deepEqual(published, [
    'GL 0.125 0.135 0.15 0.10',
    'CA 0.10 0.11 0.12 0.08',
    'MTC 0.10 0.11 0.12 0.08',
    'CP 0.13 0.14 0.15 0.10',
    'BOP 0.13 0.14 0.15 0.10',
    'PL 0.15 0.16 0.175 0.10',
    'CYBER 0.15 0.16 0.175 0.10',
    'UMB 0.10 0.11 0.125 0.10',
    'WC 0.08 0.09 0.10 0.06',
  ]);
});
