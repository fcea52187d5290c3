// Deadlines at an end: of terms, through two terms of one policy, notice of non-renewal and notice to FMCSA; and of
// licenses.
import test from 'ava';
import { Filing } from '../../../db/entities/insight/filing.ts';
import { addDays } from '../../../domain/dates.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t, { monthlyReports: true });
});

test('the end of a motor carrier term is a deadline with FMCSA, and each term has one for notice of non-renewal', async (t) => {
  const motor = { lineOfBusiness: 'CA', usdotNumber: '1234567', naicsCode: '484110' };
  const policy = await insured(platform, 'PAY_IN_FULL', motor);
  const { house, policyId, effectiveDate, expirationDate, change, advance } = policy;
  await pay(policy);
  const compliance = house.as('compliance_officer');
  const rowsOf = async (kind: string, id = policyId) =>
    allPages(compliance, '/v1/compliance/filings', { policyId: id, kind });
  const list = async (kind: string, id = policyId) =>
    (await rowsOf(kind, id)).map((row) => {
      const { dueDate, status } = row as unknown as Record<string, string>;
      return [dueDate, status];
    });
  const said = async (filingId: string) => {
    const events = await allPages(house.as('org_admin'), '/v1/events', { limit: 100 });
    return (events as unknown as { data: { filingId?: string; daysLeft: number } }[])
      .filter(({ data }) => data.filingId === filingId)
      .map(({ data }) => data.daysLeft);
  };
  const lastDay = addDays(expirationDate, -60);
  t.deepEqual(await list('nonrenewal_notice'), [[lastDay, 'open']]);
  t.deepEqual(await list('fmcsa_notice'), []);

  const cancel = (days: number) =>
    change('cancel', { effectiveDate: addDays(effectiveDate, days), reason: 'insured_request' });
  bodyOf(await cancel(200), 201);
  t.deepEqual(await list('fmcsa_notice'), [[addDays(effectiveDate, 170), 'open']]);
  bodyOf(await cancel(100), 201);
  t.deepEqual(await list('fmcsa_notice'), [[addDays(effectiveDate, 70), 'open']]);
  await advance(addDays(effectiveDate, 72));
  const [{ id: filingId }] = (await rowsOf('fmcsa_notice')) as [{ id: string }];
  t.deepEqual(await said(filingId), [-1, 1, 7, 30]);
  t.deepEqual(await list('fmcsa_notice'), [[addDays(effectiveDate, 70), 'overdue']]);
  const path = `/v1/compliance/filings/${filingId}`;
  bodyOf(await compliance.patch(path, { status: 'filed', reference: 'BMC-35 4711' }));
  t.deepEqual(await list('nonrenewal_notice'), [[lastDay, 'open']], 'the cancellation may still be rescinded');

  await advance(addDays(effectiveDate, 100));
  t.deepEqual(await list('nonrenewal_notice'), [[lastDay, 'withdrawn']]);
  t.deepEqual(await list('fmcsa_notice'), [[addDays(effectiveDate, 70), 'filed']]);
  bodyOf(await change('reinstate'), 201);
  t.deepEqual(await list('nonrenewal_notice'), [[lastDay, 'open']]);

  await advance(addDays(lastDay, -20));
  const [{ id: noticeId }] = (await rowsOf('nonrenewal_notice')) as [{ id: string }];
  t.deepEqual(await said(noticeId), [30]);
  bodyOf(await change('non-renew', { reason: 'The line is given up.' }));
  const { id: reference, type } = (await policy.timeline()).at(-1);
  t.is(type, 'non_renewal');
  t.like((await rowsOf('nonrenewal_notice'))[0], { status: 'filed', reference });
  t.deepEqual((await list('fmcsa_notice'))[0], [addDays(expirationDate, -30), 'open']);
  bodyOf(await policy.client.del(`/v1/policies/${policyId}/non-renew`));
  t.deepEqual(await list('nonrenewal_notice'), [[lastDay, 'open']]);
  t.deepEqual((await list('fmcsa_notice'))[0], [addDays(expirationDate, -30), 'withdrawn']);

  const { renewalPolicyId } = bodyOf(await change('renew'), 201);
  t.deepEqual(await list('nonrenewal_notice'), [[lastDay, 'withdrawn']]);
  const next = bodyOf(await policy.client.get(`/v1/policies/${renewalPolicyId}`)).expirationDate;
  t.deepEqual(await list('nonrenewal_notice', renewalPolicyId), [[addDays(next, -60), 'open']]);
  t.deepEqual(await said(noticeId), [30]);
});

test('a license is announced at 30, 7 and 1 days, and one that is seen late once for the nearest', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const { date } = bodyOf(await house.as('org_admin').get('/v1/test-clock'));
  const [early, late] = [addDays(date, 70), addDays(date, 20)];
  await platform.database.transaction(house.orgId, async (em) => {
    for (const dueDate of [early, late]) {
      const filing = { producerId, kind: 'licence_renewal', state: 'TX', dueDate, licenseNumber: dueDate };
      em.create(Filing, filing, { persist: true });
    }
  });
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(date, 71) }));
  const { data } = bodyOf(await house.as('org_admin').get('/v1/events', { query: { limit: 100 } }));
  const said = (dueDate: string) =>
    data
      .filter((event: { data: { dueDate?: string } }) => event.data.dueDate === dueDate)
      .map(({ data }: { data: { daysLeft: number } }) => data.daysLeft);
  t.deepEqual(said(early), [-1, 1, 7, 30]);
  t.deepEqual(said(late), [-1, 1, 7, 20]);
  const list = async (query: object) => {
    const filings = await allPages(house.as('auditor'), '/v1/compliance/filings', {
      kind: 'licence_renewal',
      ...query,
    });
    return filings.map((each) => (each as unknown as { dueDate: string }).dueDate).sort();
  };
  const other = await house.addProducer();
  t.deepEqual(await list({ producerId, dueTo: early }), [late, early]);
  t.deepEqual(await list({ producerId, dueFrom: addDays(late, 1), dueTo: early }), [early]);
  t.deepEqual(await list({ producerId: other, dueTo: early }), []);
});
