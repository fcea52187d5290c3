// What a policy allows in each state, and that anything else leaves no trace. Contract 1 `invalid_state_transition`,
// 3.2.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured, pay } from './policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Action → the call, with an otherwise valid body. */
const CALLS: Record<string, (policy: Insured) => [name: string, body: object]> = {
  endorse: ({ effectiveDate }) => ['endorse', { effectiveDate, changes: { annualRevenue: 1_300_000 } }],
  cancel: ({ effectiveDate }) => ['cancel', { effectiveDate, reason: 'flat_not_taken' }],
  reinstate: () => ['reinstate', {}],
  renew: () => ['renew', {}],
  non_renew: () => ['non-renew', { reason: 'The line is given up.' }],
};

interface Place {
  status: string;
  reach: (policy: Insured) => Promise<unknown>;
  allowed: string[];
}

const PLACES: Place[] = [
  {
    status: 'pending',
    reach: async () => {},
    // Its bill is not due yet.
    allowed: ['endorse', 'cancel', 'non_renew', 'change_payment_plan'],
  },
  {
    status: 'active',
    reach: (policy) => policy.advance(policy.effectiveDate),
    // It can be renewed from 90 days before it expires.
    allowed: ['endorse', 'cancel', 'non_renew', 'change_payment_plan'],
  },
  {
    status: 'pending_cancellation',
    reach: async (policy) => {
      const effectiveDate = addDays(policy.effectiveDate, 30);
      bodyOf(await policy.change('cancel', { effectiveDate, reason: 'insured_request' }), 201);
    },
    allowed: ['endorse', 'cancel', 'reinstate', 'non_renew'],
  },
  {
    status: 'cancelled',
    reach: async (policy) => bodyOf(await policy.change(...CALLS.cancel!(policy)), 201),
    allowed: ['reinstate'],
  },
  {
    status: 'expired',
    reach: async (policy) => {
      await pay(policy);
      await policy.advance(policy.expirationDate);
    },
    allowed: ['renew', 'audit'],
  },
  {
    status: 'renewed',
    reach: async (policy) => {
      await pay(policy);
      await policy.advance(policy.expirationDate);
      bodyOf(await policy.change('renew'), 201);
    },
    allowed: ['audit'],
  },
];

for (const { status, reach, allowed } of PLACES) {
  test(`a policy that is ${status} refuses every move that it does not allow, and stays unchanged`, async (t) => {
    const policy = await insured(platform);
    await reach(policy);
    const [before, timeline] = [await policy.read(), await policy.timeline()];
    t.is(before.status, status);
    const isOutOfTime = (action: string) => action === 'renew' && status === 'active';
    const forbidden = Object.entries(CALLS).filter(([action]) => !allowed.includes(action) && !isOutOfTime(action));
    t.not(forbidden.length, 0);
    for (const [action, call] of forbidden) {
      for (const query of [{}, { preview: 'true' }]) {
        const [name, body] = call(policy);
        const refused = await policy.change(name, body, query as Record<string, string>);
        t.like(refused, { status: 422, body: { error: 'invalid_state_transition' } }, `${action}: ${refused.text}`);
        t.deepEqual(refused.body.details, { resource: 'policy', from: status, action, allowed });
      }
    }
    t.deepEqual(await policy.read(), before);
    t.deepEqual(await policy.timeline(), timeline);
  });
}
