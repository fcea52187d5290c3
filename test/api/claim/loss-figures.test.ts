import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { coveredForAMonth } from './claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a policy shows its open claims and what all its claims incurred; its renewal is rated by the losses that we know of', async (t) => {
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
  // 4,000 paid and closed, nothing of the denied one, 800 reserved.
  t.deepEqual((await read()).claims, { open: 2, incurred: 4800 });
  t.deepEqual(bodyOf(await client.get('/v1/policies')).data[0].claims, { open: 2, incurred: 4800 });

  // One loss was declared, factor 1.00: 3,990.00. Two are known, factor 1.15: 4,588.50.
  await policy.advance(addDays(expirationDate, -30));
  const renewal = bodyOf(await client.post(`${path}/renew`, {}, { query: { preview: true } }));
  t.is(renewal.premiumChange, 4588.5);
});
