// A cursor belongs to the list that gave it, under the filters it was given for.
import test from 'ava';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
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

test('a cursor goes on under its own filters only, with pages of any size', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  for (const value of [true, false, true]) bodyOf(await admin.put(`${FLAGS}/auto_renewal`, { value }));
  const filters = { entity: 'flag', limit: 1 };
  const { nextCursor: cursor } = bodyOf(await admin.get(AUDIT, { query: filters }));
  const rest = bodyOf(await admin.get(AUDIT, { query: { entity: 'flag', limit: 50, cursor } }));
  t.is(rest.data.length, 2);
  t.is((await allPages(admin, AUDIT, filters)).length, 3);
  const others: Record<string, string | number>[] = [{}, { entity: 'auto_renewal' }, { ...filters, actor: 'usr_a' }];
  for (const other of others) {
    t.like(await admin.get(AUDIT, { query: { ...other, cursor } }), REFUSED);
  }
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
