// A caller who quotes an answer's request id can find it again, in their own organization only.
import test from 'ava';
import { createRequestLog } from '../../../api/spine/request-log.ts';
import { newId } from '../../../db/ids.ts';
import type { Database } from '../../../db/orm.ts';
import type { TestResponse } from '../../support/client.ts';
import { bodyOf, newHouse, submit } from '../../support/house.ts';
import { silentLogger } from '../../support/logger.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const pathOf = (answer: TestResponse) => `/v1/requests/${answer.headers.get('x-request-id')}`;

test('a request is found by its id with operation, response and caller, reads and refusals too', async (t) => {
  const house = await newHouse(platform);
  const [admin, underwriter] = [house.as('org_admin'), house.as('underwriter', 'usr_the_underwriter')];
  const { id } = await submit(underwriter);
  const caller = { kind: 'user', id: 'usr_the_underwriter' };
  const read = await underwriter.get(`/v1/submissions/${id}`);
  const found = bodyOf(await admin.get(pathOf(read)));
  const facts = { orgId: house.orgId, method: 'GET', route: '/v1/submissions/:id', status: 200, error: null, caller };
  t.like(found, { requestId: read.headers.get('x-request-id'), ...facts });
  t.true(Math.abs(Date.parse(found.at) - Date.now()) < 60_000);
  t.true(found.durationMs >= 0);
  const unbound = await underwriter.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.is(unbound.status, 422);
  const refused = { method: 'POST', route: '/v1/submissions/:id/bind', status: 422, error: unbound.body.error, caller };
  t.like(bodyOf(await admin.get(pathOf(unbound))), refused);
  const forbidden = await underwriter.get('/v1/audit');
  t.like(bodyOf(await admin.get(pathOf(forbidden))), { route: '/v1/audit', status: 403, error: 'forbidden', caller });
});

test('the last of several requests with an id that the caller has chosen is read, and none is hidden by it', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const requestId = newId('request');
  const calls = ['/v1/flags', '/v1/submissions/sub_none', ...Array<string>(21).fill('/v1/users')];
  for (const path of calls) {
    await admin.get(path, { headers: { 'x-request-id': requestId } });
    bodyOf(await admin.get(`/v1/requests/${requestId}`));
  }
  const found = bodyOf(await admin.get(`/v1/requests/${requestId}`));
  t.like(found, { requestId, route: '/v1/users', status: 200 });
  t.is(found.earlier.length, 20);
  t.true([found, ...found.earlier].every((call, place, all) => place === 0 || call.at < all[place - 1].at));
  const before = found.earlier.at(-1).at;
  const first = bodyOf(await admin.get(`/v1/requests/${requestId}`, { query: { before } }));
  t.like(first, { route: '/v1/submissions/:id', status: 404, error: 'not_found' });
  t.like(first.earlier, [{ route: '/v1/flags', status: 200, caller: { kind: 'user' } }]);
  t.is((await admin.get(`/v1/requests/${requestId}`, { query: { before: first.earlier[0].at } })).status, 404);
});

test('two requests with one id and responses in the same millisecond are both read', async (t) => {
  const { orgId, as } = await newHouse(platform);
  const [requestId, at] = [newId('request'), new Date()];
  const log = createRequestLog({ database: platform.database, logger: silentLogger, everyMs: 3_600_000 });
  const paths = ['/v1/users', '/v1/flags', ...Array<string>(23).fill('/v1/users')];
  for (const route of paths) {
    const called = { orgId, requestId, method: 'GET', route, status: 200, error: null, durationMs: 1 };
    log.add({ ...called, actor: { kind: 'user', id: 'usr_a' }, at });
  }
  await log.close();
  const { route, earlier } = bodyOf(await as('org_admin').get(`/v1/requests/${requestId}`));
  const found = [route, ...earlier.map((call: { route: string }) => call.route)];
  t.deepEqual(found.sort(), paths.sort(), 'also more than a page of them');
});

test('a request of another organization, of nobody, or of no such id is not there', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  const admin = house.as('org_admin');
  const nobody = await platform.anonymous.get('/v1/flags');
  t.is(nobody.status, 401);
  for (const path of [pathOf(await other.as('org_admin').get('/v1/flags')), pathOf(nobody)]) {
    t.is((await admin.get(path)).status, 404);
  }
  t.is((await admin.get(`/v1/requests/${newId('request')}`)).status, 404);
  t.is((await admin.get('/v1/requests/short')).status, 404);
  t.is((await house.as('underwriter').get(pathOf(await admin.get('/v1/flags')))).status, 403);
});

test('an unavailable database costs callers nothing: requests it cannot take are lost with a warning', async (t) => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
  const database = { forOrg: () => Promise.reject(new Error('away')) } as unknown as Database;
  const log = createRequestLog({ database, logger: logger as unknown as typeof silentLogger, everyMs: 3_600_000 });
  const request = { orgId: 'org_a', requestId: 'req_a', method: 'GET', route: '/v1/flags', status: 200, error: null };
  for (let i = 0; i < 10_001; i += 1) {
    log.add({ ...request, durationMs: 1, actor: { kind: 'user', id: 'usr_a' }, at: new Date() });
  }
  await t.notThrowsAsync(log.close());
  t.deepEqual(warnings, ['requests were not kept: too many in a second', 'requests could not be kept']);
});
