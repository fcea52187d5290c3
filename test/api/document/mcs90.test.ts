// The data sheet of an MCS-90: for which policies and cargo it is issued, and since when the limit on it holds.
// Contract 3.5, domain facts 5.3.
import test from 'ava';
import { addDays, dayText } from '../../../domain/dates.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const TODAY = testToday();
const HOLDER = { name: 'Harbor Landlord LLC', address: '9 Pier Road, Austin, TX 78701' };

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

/** Downloads a document without a credential. */
async function downloaded({ downloadUrl }: { downloadUrl: string }): Promise<Buffer> {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return Buffer.from(await answer.arrayBuffer());
}

test('an MCS-90 is for motor carriers with enough limit for their cargo', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const refused = bodyOf(await policy.client.post(`/v1/policies/${policy.policyId}/mcs90`, {}), 422);
  t.deepEqual([refused.error, refused.details.field], ['document_not_applicable', 'lineOfBusiness']);
  const motor = { lineOfBusiness: 'CA', usdotNumber: '1234567', naicsCode: '484110', effectiveDate: TODAY };
  const carrier = await insured(platform, 'PAY_IN_FULL', motor);
  const path = `/v1/policies/${carrier.policyId}/mcs90`;
  const text = await textOf(await downloaded(bodyOf(await carrier.client.post(path, { cargo: 'non_hazardous' }), 201)));
  for (const part of ['1234567', '$750,000', '35 days', '49 CFR 387.9']) t.true(text.includes(part), part);
  const { details } = bodyOf(await carrier.client.post(path, { cargo: 'bulk_hazardous' }), 422);
  t.deepEqual([details.reason, details.limit, details.required], ['limit_too_low', 1_000_000, 5_000_000]);
  // 49 CFR 387.9: 1,000,000 for oil and for listed hazardous cargo.
  const cargo = await insured(platform, 'PAY_IN_FULL', { ...motor, lineOfBusiness: 'MTC' });
  for (const kind of ['oil', 'hazardous']) {
    const sheet = bodyOf(await cargo.client.post(`/v1/policies/${cargo.policyId}/mcs90`, { cargo: kind }), 201);
    t.true((await textOf(await downloaded(sheet))).includes('$1,000,000'), kind);
  }
  const certificate = await textOf(
    await downloaded(
      bodyOf(await carrier.client.post('/v1/coi/generate', { policyId: carrier.policyId, holder: HOLDER }), 201),
    ),
  );
  t.regex(certificate, /Each accident .* Combined single limit \$1,000,000/);
  t.notRegex(certificate, /aggregate|occurrence/i);
  const cancel = { effectiveDate: TODAY, reason: 'insured_request' };
  bodyOf(await carrier.client.post(`/v1/policies/${carrier.policyId}/cancel`, cancel), 201);
  const ended = bodyOf(await carrier.client.post(path, { cargo: 'bulk_hazardous' }), 422);
  t.deepEqual([ended.error, ended.details.field], ['document_not_applicable', 'policyId']);
});

test('an MCS-90 is effective from the day since which the policy has carried its limit without a gap', async (t) => {
  const motor = { lineOfBusiness: 'CA', usdotNumber: '1234567', naicsCode: '484110', effectiveDate: TODAY };
  const carrier = await insured(platform, 'PAY_IN_FULL', { ...motor, requestedLimit: 750_000 });
  await pay(carrier);
  const effectiveFrom = async (cargo: string) => {
    const sheet = bodyOf(await carrier.client.post(`/v1/policies/${carrier.policyId}/mcs90`, { cargo }), 201);
    const [, day = ''] = /Effective date\s+(.*?\d{4})/.exec(await textOf(await downloaded(sheet))) ?? [];
    return day;
  };
  const [raised, ended, again] = [addDays(TODAY, 20), addDays(TODAY, 40), addDays(TODAY, 55)];
  await carrier.advance(raised);
  bodyOf(await carrier.change('endorse', { effectiveDate: raised, changes: { requestedLimit: 1_000_000 } }), 201);
  t.is(await effectiveFrom('oil'), dayText(raised), '49 CFR 387.9 requires 1,000,000 for oil');
  t.is(await effectiveFrom('non_hazardous'), dayText(TODAY), 'and 750,000 for what is not hazardous');
  bodyOf(await carrier.change('cancel', { effectiveDate: ended, reason: 'insured_request' }), 201);
  await carrier.advance(again);
  bodyOf(await carrier.change('reinstate', { effectiveDate: again }), 201);
  for (const cargo of ['oil', 'non_hazardous']) t.is(await effectiveFrom(cargo), dayText(again), cargo);
});
