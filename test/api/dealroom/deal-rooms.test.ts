// Deal rooms over two API processes on one database: who sees which room and which message, what a room's life allows,
// and what its sockets receive.
import { homedir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { launch } from 'puppeteer-core';
import { newId } from '../../../db/ids.ts';
import { browserBinary } from '../../../providers/pdf/browser-binary.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, type House, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { type Platform, runPlatform } from '../../support/run-platform.ts';
import { openRoom, refusalOf } from './room-client.ts';

const UNDERWRITER = newId('user');
const OUTSIDER = newId('user');
const AGENT = newId('user');
const SECOND = 1_000;

let one: Platform;
let other: Platform;
let house: House;
/** How far the second process believes its clock to be ahead. */
let aheadMs = 0;

test.before('two processes of the API', async (t) => {
  one = await startCheckedPlatform(t);
  other = await runPlatform({ database: one.testDatabase, worker: false, now: () => Date.now() + aheadMs });
  house = await newHouse(one);
});
test.after.always(() => other?.close());

const underwriter = () => house.as('underwriter', UNDERWRITER);
const agent = () => house.as('producer', AGENT);
const room = async (participants: object[] = [{ userId: AGENT }]) => {
  const { id: submissionId } = await submit(underwriter());
  return bodyOf(await underwriter().post('/v1/deal-rooms', { submissionId, participants }), 201);
};
const say = async (id: string, body: string, more: object = {}) =>
  bodyOf(await underwriter().post(`/v1/deal-rooms/${id}/messages`, { body, ...more }), 201);
const tokenOf = async (role: string, sub: string, claims: object = {}) => ({
  authorization: `Bearer ${await one.token({ role, sub, org: house.orgId, claims: { ...claims } })}`,
});
const socketUrl = (platform: Platform, id: string, after?: string) =>
  `${platform.url}/v1/deal-rooms/${id}/ws${after === undefined ? '' : `?after=${after}`}`;

test('a room is seen by its participants, by administrators and by auditors, in lists as one by one', async (t) => {
  const mine = await room();
  t.deepEqual(
    mine.participants.map(({ userId }: { userId: string }) => userId).toSorted(),
    [AGENT, UNDERWRITER].toSorted(),
  );
  const callers = {
    underwriter: underwriter(),
    agent: agent(),
    admin: house.as('org_admin'),
    auditor: house.as('auditor'),
    outsider: house.as('underwriter', OUTSIDER),
    otherAgent: house.as('producer', OUTSIDER),
  };
  for (const [who, client] of Object.entries(callers)) {
    const isSeen = !['outsider', 'otherAgent'].includes(who);
    t.is((await client.get(`/v1/deal-rooms/${mine.id}`)).status, isSeen ? 200 : 403, who);
    t.is((await client.get(`/v1/deal-rooms/${mine.id}/ws`)).status, isSeen ? 200 : 403, who);
    const { data } = bodyOf(await client.get('/v1/deal-rooms', { query: { submissionId: mine.submissionId } }));
    t.is(data.length, isSeen ? 1 : 0, who);
  }
  t.is((await one.as('org_admin').get(`/v1/deal-rooms/${mine.id}`)).status, 404);
});

test('rooms are found by their status', async (t) => {
  const watcher = newId('user');
  const [open, closed, archived] = [await room([]), await room([]), await room([])];
  for (const { id } of [closed, archived]) bodyOf(await underwriter().post(`/v1/deal-rooms/${id}/close`));
  bodyOf(await underwriter().post(`/v1/deal-rooms/${archived.id}/archive`));
  for (const { id } of [open, closed]) {
    bodyOf(await underwriter().post(`/v1/deal-rooms/${id}/participants`, { userId: watcher }), 201);
  }
  const found = async (query: Record<string, string>) =>
    bodyOf(await house.as('underwriter', watcher).get('/v1/deal-rooms', { query })).data.map(
      ({ id }: { id: string }) => id,
    );
  t.deepEqual(await found({}), [closed.id, open.id]);
  t.deepEqual(await found({ status: 'open' }), [open.id]);
  t.deepEqual(await found({ status: 'closed' }), [closed.id]);
  t.deepEqual(await found({ status: 'archived' }), []);
});

test('a participant is added, given a role and removed, and an observer only reads', async (t) => {
  const { id } = await room([]);
  const path = `/v1/deal-rooms/${id}`;
  t.is((await agent().get(path)).status, 403);
  const added = { userId: AGENT, role: 'observer' };
  bodyOf(await underwriter().post(`${path}/participants`, added), 201);
  t.is((await underwriter().post(`${path}/participants`, added)).status, 409);
  t.is((await agent().get(path)).status, 200);
  t.is((await agent().post(`${path}/messages`, { body: 'May I?' })).status, 403);
  bodyOf(await underwriter().patch(`${path}/participants/${AGENT}`, { role: 'member' }));
  t.is((await agent().post(`${path}/messages`, { body: 'Now I may.' })).status, 201);
  t.is((await agent().post(`${path}/participants`, { userId: OUTSIDER })).status, 403);
  t.is((await underwriter().del(`${path}/participants/${AGENT}`)).status, 204);
  t.is((await agent().get(path)).status, 403);
});

test('a user of a role without deal rooms is an unknown participant, as is an unknown submission', async (t) => {
  const admin = house.as('org_admin');
  const invited = { email: `${newId('user')}@example.com`, role: 'billing_admin' };
  const { id: userId } = bodyOf(await admin.post('/v1/users', invited), 201);
  const { id: submissionId } = await submit(underwriter());
  const refused = await admin.post('/v1/deal-rooms', { submissionId, participants: [{ userId }] });
  t.is(refused.status, 400);
  t.like(refused.body.details, { field: 'participants.0.userId', rule: 'unknown_reference' });
  const unknown = { submissionId: newId('submission'), participants: [] };
  t.like((await admin.post('/v1/deal-rooms', unknown)).body.details, {
    field: 'submissionId',
    rule: 'unknown_reference',
  });
});

test('messages are listed newest first, and a producer neither sees nor writes an internal one', async (t) => {
  const { id } = await room();
  await say(id, 'first');
  await say(id, 'between us', { visibility: 'internal' });
  const last = await say(id, 'third\nin two lines', { mentions: [AGENT] });
  const path = `/v1/deal-rooms/${id}/messages`;
  const listed = async (client: ReturnType<House['as']>) =>
    bodyOf(await client.get(path)).data.map(({ body }: { body: string }) => body);
  t.deepEqual(await listed(underwriter()), ['third\nin two lines', 'between us', 'first']);
  t.deepEqual(await listed(agent()), ['third\nin two lines', 'first']);
  const page = bodyOf(await agent().get(path, { query: { limit: 1 } }));
  const next = bodyOf(await agent().get(path, { query: { limit: 1, cursor: page.nextCursor } }));
  t.deepEqual([next.data[0].body, next.nextCursor], ['first', null]);
  t.is((await agent().post(path, { body: 'psst', visibility: 'internal' })).status, 403);
  t.is((await agent().post(path, { body: 'x'.repeat(4_001) })).status, 400);
  t.is((await agent().post(path, { body: 'You', mentions: [OUTSIDER] })).status, 400);
  t.is(bodyOf(await agent().get(`/v1/deal-rooms/${id}`)).readMarker.unreadCount, 2);
  const marked = bodyOf(await agent().put(`/v1/deal-rooms/${id}/read-marker`, { messageId: last.id }));
  t.deepEqual(marked, { lastReadMessageId: last.id, unreadCount: 0 });
});

test('a room has a new tag for its reader once it has a new message, until the reader has seen it', async (t) => {
  const { id } = await room();
  const first = await agent().get(`/v1/deal-rooms/${id}`);
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  t.is((await agent().get(`/v1/deal-rooms/${id}`, { headers })).status, 304);
  await say(id, 'Are you there?');
  t.like(await agent().get(`/v1/deal-rooms/${id}`, { headers }), {
    status: 200,
    body: { readMarker: { unreadCount: 1 } },
  });
});

test('an internal message mentions no producer, and a participant is listed once', async (t) => {
  const member = newId('user');
  const producerId = await house.addProducer();
  bodyOf(await house.as('org_admin').put(`/v1/producers/${producerId}/members/${member}`));
  const { id, submissionId } = await room([{ userId: member }]);
  const message = { body: 'Look at this.', mentions: [member] };
  const path = `/v1/deal-rooms/${id}/messages`;
  t.like(await underwriter().post(path, { ...message, visibility: 'internal' }), {
    ...{ status: 400, body: { details: { field: 'mentions.0' } } },
  });
  t.is((await underwriter().post(path, message)).status, 201);
  const twice = [
    { userId: member, role: 'member' },
    { userId: member, role: 'observer' },
  ];
  t.like(await underwriter().post('/v1/deal-rooms', { submissionId, participants: twice }), {
    ...{ status: 400, body: { details: { field: 'participants' } } },
  });
});

test('a closed room takes no message until it is opened again, and bind and decline close it', async (t) => {
  const { id } = await room();
  const path = `/v1/deal-rooms/${id}`;
  t.is(bodyOf(await underwriter().post(`${path}/close`)).status, 'closed');
  const refused = await underwriter().post(`${path}/messages`, { body: 'Too late' });
  t.deepEqual([refused.status, refused.body.error], [422, 'deal_room_closed']);
  t.is((await underwriter().post(`${path}/close`)).body.error, 'invalid_state_transition');
  t.is(bodyOf(await underwriter().post(`${path}/reopen`)).status, 'open');
  bodyOf(await underwriter().post(`${path}/messages`, { body: 'In time' }), 201);
  bodyOf(await underwriter().post(`${path}/close`));
  t.is(bodyOf(await underwriter().post(`${path}/archive`)).status, 'archived');
  t.is((await underwriter().post(`${path}/reopen`)).status, 422);

  const { submissionId } = await bound(underwriter());
  t.truthy(submissionId);
  const declined = await room();
  bodyOf(await underwriter().post(`/v1/submissions/${declined.submissionId}/decline`, { reason: 'Too hot.' }));
  t.like(bodyOf(await underwriter().get(`/v1/deal-rooms/${declined.id}`)), {
    status: 'closed',
    closeReason: 'declined',
  });
  const sold = await room();
  bodyOf(await underwriter().post(`/v1/submissions/${sold.submissionId}/quote`), 201);
  const bind = { installmentPlan: 'PAY_IN_FULL' };
  bodyOf(await underwriter().post(`/v1/submissions/${sold.submissionId}/bind`, bind), 201);
  t.like(bodyOf(await underwriter().get(`/v1/deal-rooms/${sold.id}`)), { status: 'closed', closeReason: 'bound' });
  const audit = bodyOf(await house.as('org_admin').get('/v1/audit', { query: { entity: sold.id } }));
  t.deepEqual(
    audit.data.map(({ action }: { action: string }) => action),
    ['deal_room:close', 'deal_room:create'],
  );
});

// Tests that move the other process's clock run one by one.
test.serial('a signed address opens one socket without a credential, for a minute', async (t) => {
  const { id } = await room();
  const { wsUrl, expiresAt } = bodyOf(await agent().get(`/v1/deal-rooms/${id}/ws`));
  t.true(wsUrl.startsWith(`ws://127.0.0.1:${new URL(one.url).port}/v1/deal-rooms/${id}/ws?ticket=`));
  const seconds = (Date.parse(expiresAt) - Date.now()) / SECOND;
  t.true(seconds > 0 && seconds <= 60);
  const tampered = wsUrl.replace(/ticket=[^&]{20}/, 'ticket=aaaaaaaaaaaaaaaaaaaa');
  t.is(await refusalOf(tampered), 401);
  t.is(await refusalOf(wsUrl.replace(id, (await room()).id)), 401);
  const socket = await openRoom(wsUrl);
  t.is(await refusalOf(wsUrl), 401, 'a second time');
  t.is(await refusalOf(wsUrl.replace(one.url.slice(7), other.url.slice(7))), 401, 'on another process');
  await say(id, 'hello');
  await socket.arrived(1);
  const shown = { body: 'hello', dealRoomId: id };
  t.like(socket.frames[0], { type: 'message', room: id, message: shown, ...shown });
  socket.drop();

  const late = bodyOf(await agent().get(`/v1/deal-rooms/${id}/ws`));
  aheadMs = 61 * SECOND;
  t.is(await refusalOf(late.wsUrl.replace(one.url.slice(7), other.url.slice(7))), 401);
  aheadMs = 0;
});

test('a browser opens a socket by the signed address and shows the messages', async (t) => {
  const { id } = await room();
  const { wsUrl } = bodyOf(await agent().get(`/v1/deal-rooms/${id}/ws`));
  const executablePath = await browserBinary({ path: null, cacheDir: join(homedir(), '.cache', 'bindery') });
  const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const browser = await launch({ executablePath, args, headless: 'shell', pipe: true, timeout: PATIENCE_MS });
  try {
    const page = await browser.newPage();
    await page.setContent('<ul></ul>');
    await page.evaluate(`new Promise((resolve, reject) => {
      const socket = new WebSocket(${JSON.stringify(wsUrl)});
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error('the socket is refused'));
      socket.onmessage = ({ data }) => {
        const item = document.createElement('li');
        item.textContent = JSON.parse(data).message.body;
        document.querySelector('ul').append(item);
      };
    })`);
    await say(id, 'one');
    await say(id, 'two');
    const shown = () => page.evaluate(`[...document.querySelectorAll('li')].map((item) => item.textContent).join()`);
    t.is(await eventually(async () => (await shown()) === 'one,two', { what: 'both messages' }), true);
  } finally {
    await browser.close();
  }
});

test('an upgrade is refused as any request would be', async (t) => {
  const { id } = await room();
  t.is(await refusalOf(socketUrl(one, id)), 401);
  t.is(await refusalOf(socketUrl(one, id), await tokenOf('underwriter', OUTSIDER)), 403);
  t.is(await refusalOf(socketUrl(one, newId('dealRoom')), await tokenOf('underwriter', UNDERWRITER)), 404);
  t.is(await refusalOf(socketUrl(one, id, newId('message')), await tokenOf('underwriter', UNDERWRITER)), 400);
  t.is(await refusalOf(`${one.url}/v1/nowhere`, await tokenOf('underwriter', UNDERWRITER)), 404);
});

test('every message reaches the sockets of both processes once and in order, internal ones insiders', async (t) => {
  const { id } = await room();
  const inside = await tokenOf('underwriter', UNDERWRITER);
  const outside = await tokenOf('producer', AGENT);
  const insiders = await Promise.all([openRoom(socketUrl(one, id), inside), openRoom(socketUrl(other, id), inside)]);
  const producer = await openRoom(socketUrl(other, id), outside);
  const texts = Array.from({ length: 12 }, (_, i) => `message ${i}`);
  for (const [i, text] of texts.entries()) await say(id, text, { visibility: i % 3 === 0 ? 'internal' : 'all' });
  await Promise.all(insiders.map((socket) => socket.arrived(12)));
  await producer.arrived(8);
  for (const socket of insiders) t.deepEqual(socket.bodies(), texts);
  t.deepEqual(
    producer.bodies(),
    texts.filter((_, i) => i % 3 !== 0),
  );
  const [seen] = producer.frames;
  const again = await openRoom(socketUrl(one, id, seen.message.id), outside);
  await again.arrived(7);
  t.deepEqual(again.bodies(), producer.bodies().slice(1));
  for (const socket of [...insiders, producer, again]) socket.drop();
});

test('a removed participant is cut off and gets nothing that was posted after the removal', async (t) => {
  const { id } = await room();
  const socket = await openRoom(socketUrl(other, id), await tokenOf('producer', AGENT));
  await say(id, 'before');
  await socket.arrived(1);
  t.is((await underwriter().del(`/v1/deal-rooms/${id}/participants/${AGENT}`)).status, 204);
  await say(id, 'after');
  t.is(await socket.closed(), 4403);
  t.deepEqual(socket.bodies(), ['before']);
});

test.serial('a socket ends with its token, with its user and with its API key', async (t) => {
  const { id } = await room();
  const admin = house.as('org_admin');
  const email = `${newId('user')}@example.com`;
  const user = bodyOf(await admin.post('/v1/users', { email, role: 'underwriter' }), 201);
  bodyOf(await admin.post(`/v1/deal-rooms/${id}/participants`, { userId: user.id }), 201);
  const key = bodyOf(await admin.post('/v1/api-keys', { name: 'Reader', scopes: ['deal-rooms:read'] }), 201);
  const iat = Math.floor(Date.now() / SECOND) - 28_800 + 30;
  const short = { iat, exp: iat + 28_800 };
  const [byToken, byUser, byKey] = await Promise.all([
    openRoom(socketUrl(other, id), await tokenOf('underwriter', UNDERWRITER, short)),
    openRoom(socketUrl(one, id), await tokenOf('underwriter', user.id)),
    openRoom(socketUrl(one, id), { 'x-api-key': key.key }),
  ]);
  bodyOf(await admin.patch(`/v1/users/${user.id}`, { active: false }));
  t.is((await admin.del(`/v1/api-keys/${key.id}`)).status, 204);
  aheadMs = 31 * SECOND;
  t.deepEqual(await Promise.all([byToken.closed(), byUser.closed(), byKey.closed()]), [4401, 4401, 4401]);
  aheadMs = 0;
});
