// What a socket may send, who may open one, and how soon it ends while one process holds sockets of many
// organizations.
import test from 'ava';
import pg from 'pg';
import { cloneId, cloneIdOf, cloneRow } from '../../../bench/clone-rows.ts';
import { newId } from '../../../db/ids.ts';
import { bodyOf, newHouse, submit } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import type { Platform } from '../../support/run-platform.ts';
import { openRoom, refusalOf } from './room-client.ts';

const ORGANIZATIONS = 300;
const AT_A_TIME = 20;
const ATTEMPTS = 3;

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
});

test(`a deactivated user loses their socket within a second, with sockets of ${ORGANIZATIONS} organizations open`, async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const { id: submissionId } = await submit(admin);
  const users: { id: string }[] = [];
  for (let i = 0; i < ATTEMPTS; i += 1) {
    const email = `${newId('user')}@example.com`;
    users.push(bodyOf(await admin.post('/v1/users', { email, role: 'underwriter' }), 201));
  }
  const body = { submissionId, participants: users.map(({ id }) => ({ userId: id })) };
  const { id: roomId } = bodyOf(await admin.post('/v1/deal-rooms', body), 201);
  const others = await copyRoom({ orgId: house.orgId, submissionId, roomId });
  const open = async (org: string, room: string, role: string, sub: string) =>
    openRoom(`${platform.url}/v1/deal-rooms/${room}/ws`, {
      authorization: `Bearer ${await platform.token({ role, sub, org })}`,
    });
  const sockets = [];
  for (let from = 0; from < others.length; from += AT_A_TIME) {
    const slice = others.slice(from, from + AT_A_TIME);
    sockets.push(
      ...(await Promise.all(slice.map((each) => open(each.orgId, each.roomId, 'org_admin', newId('user'))))),
    );
  }
  // A busy machine may stall for longer than that, but not every time.
  const took: number[] = [];
  for (const { id } of users) {
    const socket = await open(house.orgId, roomId, 'underwriter', id);
    bodyOf(await admin.patch(`/v1/users/${id}`, { active: false }));
    const sinceMs = performance.now();
    t.is(await socket.gone, 4401);
    took.push(Math.round(performance.now() - sinceMs));
    if (took.some((ms) => ms < 1_000)) break;
  }
  t.true(Math.min(...took) < 1_000, `${took} ms`);
  t.log(`${took} ms`);

  // The check of the rooms reaches the last organization too.
  const [last] = sockets.slice(-1);
  await removeRoom(others.at(-1)?.roomId ?? '');
  t.is(await last?.gone, 4403);
  for (const each of sockets) each.drop();
});

/** A room with a producer's agent in it, and headers that authenticate a caller. */
async function roomWithAgent() {
  const house = await newHouse(platform);
  const [sub, underwriter] = [newId('user'), house.as('underwriter')];
  const { id: submissionId } = await submit(underwriter);
  const body = { submissionId, participants: [{ userId: sub }] };
  const { id } = bodyOf(await underwriter.post('/v1/deal-rooms', body), 201);
  const headersOf = async (role: string, who: string) => ({
    authorization: `Bearer ${await platform.token({ role, sub: who, org: house.orgId })}`,
  });
  const path = `/v1/deal-rooms/${id}`;
  return { path, agent: house.as('producer', sub), underwriter, headersOf, sub };
}

test('pings are answered, and a client that sends too many learns why its socket closes', async (t) => {
  const { path, underwriter, headersOf, sub } = await roomWithAgent();
  const socket = await openRoom(`${platform.url}${path}/ws`, await headersOf('producer', sub));
  for (let i = 0; i < 60; i += 1) socket.ping();
  bodyOf(await underwriter.post(`${path}/messages`, { body: 'Still there?' }), 201);
  await socket.arrived(1);
  t.is(socket.pongs(), 60);
  for (let i = 0; i < 200; i += 1) socket.ping();
  t.is(await socket.closed(), 1008);
  t.is(socket.reason(), 'too_many_frames');
});

test('a client that talks too much is cut off', async (t) => {
  const { path, headersOf, sub } = await roomWithAgent();
  const socket = await openRoom(`${platform.url}${path}/ws`, await headersOf('producer', sub));
  for (let i = 0; i <= 60; i += 1) socket.send('hello?');
  t.is(await socket.closed(), 1008);
});

test("a signed address opens a socket with its own credential, but not with somebody else's", async (t) => {
  const { path, agent, headersOf, sub } = await roomWithAgent();
  const { wsUrl } = bodyOf(await agent.get(`${path}/ws`));
  t.is(await refusalOf(wsUrl, await headersOf('underwriter', newId('user'))), 401);
  t.is(await refusalOf(wsUrl, { 'x-api-key': 'svck_test_unknown' }), 401);
  t.is(await refusalOf(wsUrl, { authorization: 'Bearer nothing' }), 401);
  (await openRoom(wsUrl, await headersOf('producer', sub))).drop();
  t.pass();
});

interface Room {
  orgId: string;
  roomId: string;
}

/** Copies a room with its submission and organization, directly in the database. */
async function copyRoom({ orgId, submissionId, roomId }: Room & { submissionId: string }): Promise<Room[]> {
  const count = ORGANIZATIONS - 1;
  const [org, submission, room] = [cloneId('org', 1), cloneId('sub', 1), cloneId('drm', 1)];
  await asOwner(async (owner) => {
    const copy = (table: string, sourceId: string, columns: Record<string, string>) =>
      cloneRow(owner, { table, sourceId, count, columns });
    await copy('organizations', orgId, { id: org, name: "'Copy ' || i" });
    await copy('submissions', submissionId, { id: submission, org_id: org });
    await copy('deal_rooms', roomId, { id: room, org_id: org, submission_id: submission });
  });
  return Array.from({ length: count }, (_, i) => ({
    orgId: cloneIdOf('org', 1, i + 1),
    roomId: cloneIdOf('drm', 1, i + 1),
  }));
}

function removeRoom(roomId: string): Promise<void> {
  return asOwner(async (owner) => void (await owner.query('delete from deal_rooms where id = $1', [roomId])));
}

async function asOwner(work: (owner: pg.Client) => Promise<void>): Promise<void> {
  const owner = new pg.Client({ connectionString: platform.testDatabase.ownerUrl });
  await owner.connect();
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
}
