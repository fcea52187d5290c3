// The portfolio as a page: what it says, who may print it, and where it is stored.
import test from 'ava';
import { getDocumentProxy } from 'unpdf';
import { addDays } from '../../../domain/dates.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, quoted } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import { covered } from '../claim/claim-calls.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const TODAY = testToday();

test('the portfolio is printed on one page, once for a day, for readers of analytics', async (t) => {
  const platform = await startCheckedPlatform(t, { pdf: startPress() });
  const { house, effectiveDate } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const path = `/v1/analytics/${house.orgId}/report`;
  const printed = async (role: string) => {
    const authorization = `Bearer ${await platform.token({ role, org: house.orgId })}`;
    return fetch(platform.url + path, { headers: { authorization } });
  };
  const answer = await printed('finance_analyst');
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/pdf');
  const bytes = Buffer.from(await answer.arrayBuffer());
  t.is((await getDocumentProxy(Uint8Array.from(bytes))).numPages, 1);
  const text = await textOf(bytes);
  // A premium of 3,990, an invoice of 4,389.64 that is not due yet, and 0.1 percent of a limit of five million.
  const parts = [
    'Portfolio report',
    'Test organization',
    'WRITTEN PREMIUM',
    '$4k',
    'Receivables by age',
    '$4.4k in all',
  ];
  for (const part of [...parts, 'Default Carrier', effectiveDate.slice(2, 7).replace('-', '/')]) {
    t.true(text.includes(part), `${part} in ${text}`);
  }
  // A changed figure does not produce a second document that day.
  await quoted(house.as('underwriter'));
  t.deepEqual(Buffer.from(await (await printed('auditor')).arrayBuffer()), bytes);
  for (const role of ['underwriter', 'producer', 'billing_admin']) t.is((await printed(role)).status, 403, role);
  const other = await platform.as({ role: 'org_admin', org: await platform.createOrg() }).get(path);
  t.is(other.status, 404);
  const query = { entityType: 'organization', entityId: house.orgId };
  const kept = bodyOf(await house.as('org_admin').get('/v1/documents', { query })).data;
  t.deepEqual(
    kept.map(({ kind }: { kind: string }) => kind),
    ['rendered'],
  );
  t.deepEqual(bodyOf(await house.as('underwriter').get('/v1/documents', { query })).data, []);
});

test('the loss ratio of the page is that of analytics, drawn by month once premium has been earned', async (t) => {
  const platform = await startCheckedPlatform(t, { pdf: startPress() });
  const policy = await covered(platform);
  const { house, supervisor, file, today } = policy;
  const path = `/v1/analytics/${house.orgId}`;
  const printed = async () => {
    const authorization = `Bearer ${await platform.token({ role: 'finance_analyst', org: house.orgId })}`;
    const answer = await fetch(`${platform.url}${path}/report`, { headers: { authorization } });
    return textOf(Buffer.from(await answer.arrayBuffer()));
  };
  const none = 'No premium has been earned.';
  t.true((await printed()).includes(none));
  await pay(policy);
  const { id } = bodyOf(await file(), 201);
  bodyOf(await supervisor.post(`/v1/claims/${id}/investigate`));
  const reserve = { indemnity: 200, expense: 0, reason: 'Estimate.' };
  bodyOf(await supervisor.post(`/v1/claims/${id}/reserves`, reserve), 201);
  const day = addDays(today, 73);
  await policy.advance(day);
  // A fifth of the term: 798.00 of 3,990.00 is earned, and 200.00 is 25.1 percent of that.
  const query = { from: today, to: day };
  const { lossRatio } = bodyOf(await house.as('finance_analyst').get(`${path}/portfolio`, { query }));
  t.is(lossRatio, 0.2506);
  const text = await printed();
  t.false(text.includes(none), text);
  t.true(text.includes('25.1%'), text);
});
