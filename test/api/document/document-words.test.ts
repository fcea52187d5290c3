// The words of the documents that a policy's transactions make: they follow the line of business and what was entered.
import test from 'ava';
import { businessDateAt } from '../../../domain/business-day.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured } from '../policy/policy-calls.ts';

const TODAY = businessDateAt(Date.now(), 0);

test('an endorsement names a limit as the declarations do, and a notice gives the grounds as they were entered', async (t) => {
  const platform = await startCheckedPlatform(t, { pdf: startPress() });
  const line = { lineOfBusiness: 'PL', effectiveDate: TODAY };
  const { client: underwriter, policyId } = await insured(platform, 'PAY_IN_FULL', line);
  const endorsed = { effectiveDate: TODAY, changes: { requestedLimit: 500_000 } };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/endorse`, endorsed), 201);
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/non-renew`, { reason: 'loss_ratio above 80%' }));
  const documents = () => allPages(underwriter, '/v1/documents', { entityType: 'policy', entityId: policyId });
  await eventually(async () => (await documents()).length === 3, { what: 'the documents' });
  const made = (await documents()) as unknown as { kind: string; downloadUrl: string }[];
  const pageOf = (wanted: string) => printed(platform, made.find(({ kind }) => kind === wanted)?.downloadUrl);
  t.regex(await pageOf('declarations'), /Each claim \$1,000,000/);
  t.regex(await pageOf('endorsement'), /Each claim \$1,000,000.00 \$500,000.00/);
  t.regex(await pageOf('non_renewal_notice'), /claim first made .* REASON loss_ratio above 80% If you have/);
});

async function printed(platform: Platform, downloadUrl = ''): Promise<string> {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return textOf(Buffer.from(await answer.arrayBuffer()));
}
