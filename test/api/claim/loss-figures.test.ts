import test from 'ava';
import { addDays, addYears } from '../../../domain/dates.ts';
import { Rows } from '../../faults/bind.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered, coveredForAMonth } from './claim-calls.ts';
import { deposit, isPaid } from './claim-money.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a policy shows its open claims and its incurred losses, and its renewal is rated by the known losses', async (t) => {
  const policy = await coveredForAMonth(platform);
  const { file, supervisor, read, client, path, expirationDate } = policy;
  t.deepEqual((await read()).claims, { open: 0, incurred: 0 });
  const reserved = async (cause: string, indemnity: number) => {
    const { id } = bodyOf(await file({ cause }), 201);
    bodyOf(await supervisor.post(`/v1/claims/${id}/investigate`));
    bodyOf(await supervisor.post(`/v1/claims/${id}/reserves`, { indemnity, expense: 100, reason: 'Estimate.' }), 201);
    return `/v1/claims/${id}`;
  };
  const paid = await reserved('Fire', 5000);
  const denied = await reserved('Flood', 9000);
  await reserved('Fall', 700);
  t.deepEqual((await read()).claims, { open: 3, incurred: 15_000 });
  bodyOf(await supervisor.post(`${paid}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  bodyOf(await supervisor.post(`${paid}/close`, { outcome: 'paid' }));
  bodyOf(await supervisor.post(`${denied}/deny`, { reason: 'Excluded.' }));
  // 4,000 paid and closed, nothing for the denied one, 800 reserved.
  t.deepEqual((await read()).claims, { open: 2, incurred: 4800 });
  t.deepEqual(bodyOf(await client.get('/v1/policies')).data[0].claims, { open: 2, incurred: 4800 });

  // One loss was declared, factor 1.00: 3,990.00. Two are known, factor 1.15: 4,588.50.
  await policy.advance(addDays(expirationDate, -30));
  const renewal = bodyOf(await client.post(`${path}/renew`, {}, { query: { preview: true } }));
  t.is(renewal.premiumChange, 4588.5);
  // Standard class 22, 9 of 16 fields 11.25, two losses 7, size 10, limit 10, Texas 5, 30 days ahead 5, no producer 0.
  t.like(renewal.triage, { score: 70, band: 'standard' });
  t.like(lossesIn(renewal), { points: 7, reason: 'two losses in five years' });
  const issued = bodyOf(await client.post(`${path}/renew`), 201);
  t.deepEqual(issued.triage, renewal.triage);
  const { data } = bodyOf(await client.get(`/v1/policies/${issued.renewalPolicyId}/timeline`));
  t.deepEqual(data[0].triage, renewal.triage);
  t.false('triage' in (await policy.timeline())[0], 'new business has that of its submission');
});

test('a renewal counts the losses of five years, and three of them refer it', async (t) => {
  const { file, supervisor, client, path, expirationDate, advance } = await coveredForAMonth(platform);
  const claimIds: string[] = [];
  for (const cause of ['Fire', 'Fall', 'Hail']) {
    const { id } = bodyOf(await file({ cause }), 201);
    bodyOf(await supervisor.post(`/v1/claims/${id}/investigate`));
    claimIds.push(id);
  }
  await advance(addDays(expirationDate, -30));
  const preview = () => client.post(`${path}/renew`, {}, { query: { preview: true } });
  const lostOn = (lossDate: string) =>
    new Rows(platform.testDatabase.ownerUrl).query('update claims set loss_date = $2 where id = $1', [
      claimIds[0],
      lossDate,
    ]);
  const fiveYearsAgo = addYears(expirationDate, -5);
  for (const counted of [null, fiveYearsAgo]) {
    if (counted !== null) await lostOn(counted);
    const refused = bodyOf(await preview(), 422);
    t.is(refused.error, 'delegated_authority_exceeded');
    t.deepEqual(
      refused.details.daFlags.map(({ code, actual }: { code: string; actual: number }) => [code, actual]),
      [['DA_LOSS_HISTORY', 3]],
    );
  }
  await lostOn(addDays(fiveYearsAgo, -1));
  t.like(lossesIn(bodyOf(await preview())), { points: 7 });
  bodyOf(await supervisor.post(`/v1/claims/${claimIds[1]}/deny`, { reason: 'Excluded.' }));
  // The declared loss is the known one: factor 1.00.
  const renewal = bodyOf(await preview());
  t.like(lossesIn(renewal), { points: 12 });
  t.is(renewal.premiumChange, 3990);
});

function lossesIn({ triage }: { triage: { factors: { code: string }[] } }) {
  return triage.factors.find(({ code }) => code === 'LOSS_HISTORY');
}

test('claims that the caller sees are added up by producer', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor, file, policyId, today } = policy;
  bodyOf(await deposit(policy, 10_000, 'Advance'), 201);
  const losses = async (by = supervisor, query = {}) => bodyOf(await by.get('/v1/claims/losses', { query })).data;
  t.deepEqual(await losses(), []);
  bodyOf(await file({ cause: 'Hail' }), 201);
  const producerId = await house.addProducer();
  await platform.database.transaction(house.orgId, (em) =>
    em.execute('update policies set producer_id = ? where id = ?', [producerId, policyId]),
  );
  const handled = async (cause: string, indemnity: number) => {
    const claim = `/v1/claims/${bodyOf(await file({ cause }), 201).id}`;
    bodyOf(await supervisor.post(`${claim}/investigate`, { adjusterId: `usr_of_${cause}` }));
    bodyOf(await supervisor.post(`${claim}/reserves`, { indemnity, expense: 100, reason: 'Estimate.' }), 201);
    return claim;
  };
  const settled = await handled('Fire', 5000);
  await handled('Fall', 700);
  bodyOf(await supervisor.post(`${settled}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  await isPaid(supervisor, settled, 1);
  bodyOf(await supervisor.post(`${settled}/recoveries`, { kind: 'salvage', amount: 300 }), 201);
  // Fire: 4,000 paid of 5,100, 300 recovered. Fall: 800 reserved.
  const theirs = { producerId, claims: 2, open: 2, paid: 4000, outstanding: 1900, recovered: 300, incurred: 5600 };
  const none = { producerId: null, claims: 1, open: 1, paid: 0, outstanding: 0, recovered: 0, incurred: 0 };
  t.deepEqual(await losses(), [theirs, none]);
  t.deepEqual(await losses(await house.asProducer(producerId)), [theirs]);
  t.deepEqual(await losses(await house.asProducer(await house.addProducer('Another Agency'))), []);
  const fall = { ...theirs, claims: 1, open: 1, paid: 0, outstanding: 800, recovered: 0, incurred: 800 };
  t.deepEqual(await losses(house.as('claims_adjuster', 'usr_of_Fall')), [fall]);
  t.deepEqual(await losses(supervisor, { producerId }), [theirs]);
  t.deepEqual(await losses(supervisor, { lossFrom: addDays(today, 1) }), []);
  t.is((await house.as('underwriter').get('/v1/claims/losses')).status, 403);
});
