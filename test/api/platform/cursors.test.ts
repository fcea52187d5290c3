// A cursor belongs to the list that issued it, in the chosen order.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { allPages, bodyOf, EFFECTIVE_DATE, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { CLOSED } from '../../support/operations.ts';
import type { Platform } from '../../support/run-platform.ts';

const FLAGS = '/v1/flags';
const AUDIT = '/v1/audit';
const REFUSED = { status: 400, body: { error: 'validation_failed', details: { field: 'cursor', rule: 'format' } } };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('the cursor of one list is refused by every other', async (t) => {
  const house = await newHouse(platform);
  const { nextCursor: cursor } = bodyOf(await house.as('org_admin').get(FLAGS, { query: { limit: 1 } }));
  const lists = CLOSED.filter(({ method, path, query }) => method === 'GET' && path.size === 0 && query.has('cursor'));
  const accepted: string[] = [];
  for (const { pattern: path } of lists) {
    const role = path.startsWith('/v1/portal/') ? 'policyholder' : 'superadmin';
    const { status, body } = await house.as(role).get(path, { query: { cursor } });
    if (status === 200) accepted.push(path);
    else if (role === 'superadmin') t.like({ status, body }, REFUSED, path);
  }
  t.deepEqual(accepted, [FLAGS]);
  t.true(lists.length > 25);
});

test('a cursor goes on in its list with pages of any size, and with other filters from the same place', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  for (const value of [true, false, true]) bodyOf(await admin.put(`${FLAGS}/auto_renewal`, { value }));
  const filters = { entity: 'flag', limit: 1 };
  const { nextCursor: cursor } = bodyOf(await admin.get(AUDIT, { query: filters }));
  const restOf = async (query: Record<string, string>): Promise<string[]> =>
    bodyOf(await admin.get(AUDIT, { query: { ...query, limit: 50, cursor } })).data.map(({ id }: { id: string }) => id);
  const rest = await restOf({ entity: 'flag' });
  t.is(rest.length, 2);
  const unfiltered = await restOf({});
  t.true(rest.every((id) => unfiltered.includes(id)));
  t.is((await allPages(admin, AUDIT, filters)).length, 3);
  t.like(await admin.get('/v1/events', { query: { cursor } }), REFUSED);
});

test('a cursor that the list has not made itself is refused, however it looks', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const { nextCursor: cursor } = bodyOf(await admin.get(FLAGS, { query: { limit: 1 } }));
  const mark = cursor.slice(0, 11);
  const none = Buffer.from('no_such_flag').toString('base64url');
  for (const forged of [mark, cursor.slice(11), `${mark}${none}`, `${cursor}A`, `${none}${cursor}`]) {
    t.like(await admin.get(FLAGS, { query: { cursor: forged } }), REFUSED, forged);
  }
});

test('each list with orders is sorted by each of them, and its cursors go on in no other', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const [first, second, third] = [1, 2, 3].map((days) => addDays(EFFECTIVE_DATE, days));
  for (const effectiveDate of [third, first, second]) await submit(admin, { effectiveDate });
  const sorted = CLOSED.filter(({ query }) => query.has('sort'));
  t.deepEqual(sorted.map(({ pattern }) => pattern).sort(), [
    '/v1/claims',
    '/v1/invoices',
    '/v1/policies',
    '/v1/submissions',
  ]);
  for (const { pattern } of sorted) t.is((await admin.get(pattern, { query: { sort: 'createdAt' } })).status, 200);
  const list = (query: Record<string, string | number>) => admin.get('/v1/submissions', { query });
  const page = await list({ sort: 'effectiveDate', limit: 2 });
  const { data, nextCursor: cursor } = bodyOf(page);
  const shown = data.map((each: { effectiveDate: string }) => each.effectiveDate);
  t.deepEqual(shown, [first, second]);
  const link = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  t.like(bodyOf(await admin.get(link)), { data: [{ effectiveDate: third }], nextCursor: null });
  for (const sort of ['-effectiveDate', 'createdAt', '-createdAt']) t.like(await list({ sort, cursor }), REFUSED, sort);
  t.like(await list({ cursor }), REFUSED);
  t.like(await list({ sort: 'insuredName' }), { status: 400, body: { details: { field: 'sort' } } });
});
