// Certificates of insurance over time: what they say of a policy that ends, whose place they take, and how they are
// counted.
import test from 'ava';
import { addDays, dayText } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const HOLDER = {
  name: 'Harbor Landlord LLC',
  address: { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' },
};

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

const certify = (client: TestClient, policyId: string, changes: object = {}) =>
  client.post('/v1/coi/generate', { policyId, holder: HOLDER, ...changes });

async function printed({ downloadUrl }: { downloadUrl: string }): Promise<string> {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return textOf(Buffer.from(await answer.arrayBuffer()));
}

test('a certificate of a policy under notice says when coverage ends: on the day of the cancellation that stands', async (t) => {
  const policy = await insured(platform);
  const day = (days: number) => addDays(policy.effectiveDate, days);
  await policy.advance(day(12));
  const endOn = async () => {
    const text = await printed(bodyOf(await certify(policy.client, policy.policyId), 201));
    return /Coverage ends at 12:01 a\.m\. on (.*?\d{4})\./.exec(text)?.[1];
  };
  t.is((await policy.read()).cancellation.effectiveDate, day(21));
  // One for a later day waits behind the notice for non-payment, and stands once the debt is paid.
  bodyOf(await policy.change('cancel', { effectiveDate: day(60), reason: 'insured_request' }), 201);
  t.is(await endOn(), dayText(day(21)));
  await pay(policy);
  const isPaid = async () => (await policy.read()).cancellation.effectiveDate === day(60);
  await eventually(isPaid, { what: 'the cancellation that waited' });
  t.is(await endOn(), dayText(day(60)));
});
