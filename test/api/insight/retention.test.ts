// Which of the terms that ran to expiration count as renewed.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a term whose renewal was withdrawn, and then renewed again, is retained once', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const { client, expirationDate, house } = policy;
  await policy.advance(addDays(expirationDate, -60));
  const first = bodyOf(await policy.change('renew'), 201);
  const notTaken = { effectiveDate: expirationDate, reason: 'flat_not_taken', method: 'flat' };
  bodyOf(await client.post(`/v1/policies/${first.renewalPolicyId}/cancel`, notTaken), 201);
  const second = bodyOf(await policy.change('renew', { changes: { annualRevenue: 1_300_000 } }), 201);
  await policy.advance(expirationDate);
  const query = { from: expirationDate, to: expirationDate };
  const retention = async () =>
    bodyOf(await house.as('finance_analyst').get(`/v1/analytics/${house.orgId}/retention`, { query }));
  t.like(await retention(), {
    ...{ expiringCount: 1, renewedCount: 1, retention: 1 },
    ...{ expiringPremium: 3990, retainedPremium: 3990, premiumRetention: 1, renewalPremium: 5187 },
  });
  bodyOf(await client.post(`/v1/policies/${second.renewalPolicyId}/cancel`, notTaken), 201);
  t.like(await retention(), {
    ...{
      expiringCount: 1,
      renewedCount: 0,
      retention: 0,
      expiringPremium: 3990,
      retainedPremium: 0,
      renewalPremium: 0,
    },
  });
});
