// Socket hubs next to the API's own, as other processes have them: whether a database notification is enough, what a
// lost one costs, what a stopped reader costs, and how many sockets there may be.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { Registry } from 'prom-client';
import { WebSocket, WebSocketServer } from 'ws';
import { type HubParts, RoomHub } from '../../../api/sockets/room-hub.ts';
import { cloneId, cloneRow } from '../../../bench/clone-rows.ts';
import { newId } from '../../../db/ids.ts';
import { listenTo } from '../../../db/listener.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, newHouse, submit } from '../../support/house.ts';
import { silentLogger } from '../../support/logger.ts';
import { startPlatform } from '../../support/platform.ts';
import type { Platform } from '../../support/run-platform.ts';
import { PlayedConnection } from './played-connection.ts';
import { openRoom } from './room-client.ts';

const NEVER_MS = 2 ** 31 - 1;
const SECOND = 1_000;
const KIB = 1_024;
const SILENT = { close: async () => {} };

let platform: Platform;
let owner: pg.Client;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
  owner = new pg.Client({ connectionString: platform.testDatabase.ownerUrl });
  await owner.connect();
});
test.after.always(() => owner?.end());

function anAdmin(orgId: string, id = newId('user')): Actor {
  return {
    kind: 'user',
    id,
    role: 'org_admin',
    orgId,
    homeOrgId: orgId,
    scopes: null,
    producerIds: [],
    authority: null,
  };
}

function subscriptionOf(roomId: string, actor: Actor) {
  return { roomId, receiver: { actor, credential: { expiresAtMs: null, holder: null } }, position: 0 };
}

/** A hub with some parts replaced; it listens to the platform's database. */
function hubWith(parts: Partial<HubParts>): RoomHub {
  return new RoomHub({
    database: platform.database,
    listen: (hear) => listenTo(platform.config.databaseAppUrl, 'deal_rooms', hear),
    ...{ logger: silentLogger, registry: new Registry(), now: Date.now, ...parts },
  });
}

/** A room without messages, and a hub on its own port whose sockets all read it from the beginning. */
async function roomBeside(t: ExecutionContext, parts: Partial<HubParts>) {
  const { as, orgId } = await newHouse(platform);
  const admin = as('org_admin');
  const { id: submissionId } = await submit(admin);
  const { id: roomId } = bodyOf(await admin.post('/v1/deal-rooms', { submissionId, participants: [] }), 201);
  const hub = hubWith(parts);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  t.teardown(async () => {
    await hub.close();
    server.close();
  });
  server.on('connection', (ws) => hub.join(ws, subscriptionOf(roomId, anAdmin(orgId))));
  return {
    ...{ roomId, server, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` },
    say: async (body: string): Promise<string> =>
      bodyOf(await admin.post(`/v1/deal-rooms/${roomId}/messages`, { body }), 201).id,
  };
}

/** The connections that currently listen for deal rooms. */
async function listeners(): Promise<number[]> {
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database()
      and application_name = 'bindery-deal_rooms' and query like 'listen %' and state = 'idle'`,
  );
  return rows.map(({ pid }) => pid);
}

function listening(count: number, beside: readonly number[] = []): Promise<number[]> {
  const look = async () => {
    const pids = (await listeners()).filter((pid) => !beside.includes(pid));
    return pids.length === count && pids;
  };
  return eventually(look, { what: `${count} connections that listen` });
}

// Tests that count listening connections run one by one.
test.serial('the notice of a message is enough: a hub that never looks delivers it', async (t) => {
  const room = await roomBeside(t, { lookEveryMs: NEVER_MS });
  const socket = await openRoom(room.url);
  await listening(1);
  await room.say('first');
  await socket.arrived(1);
  await room.say('second');
  await socket.arrived(2);
  t.deepEqual(socket.bodies(), ['first', 'second']);
});

test.serial('a hub whose listening connection ends listens again, and delivers all of it once', async (t) => {
  const room = await roomBeside(t, { lookEveryMs: NEVER_MS });
  const socket = await openRoom(room.url);
  const [pid = 0] = await listening(1);
  await room.say('before');
  await socket.arrived(1);
  await owner.query('select pg_terminate_backend($1)', [pid]);
  await room.say('meanwhile');
  await listening(1, [pid]);
  await room.say('after');
  await socket.arrived(3);
  t.deepEqual(socket.bodies(), ['before', 'meanwhile', 'after']);
});

test('a message whose notice is lost is found by the next look', async (t) => {
  const room = await roomBeside(t, { listen: () => SILENT });
  const socket = await openRoom(room.url);
  await room.say('unannounced');
  await socket.arrived(1);
  t.deepEqual(socket.bodies(), ['unannounced']);
});

test('a reader that has stopped is cut off, and the messages for it never wait in memory', async (t) => {
  // However long the messages take, the reader does not count as stalled until the clock says so.
  const clock = { nowMs: Date.now() };
  const room = await roomBeside(t, { listen: () => SILENT, now: () => clock.nowMs });
  const stopped = new WebSocket(room.url);
  const [[kept]] = await Promise.all([once(room.server, 'connection'), once(stopped, 'open')]);
  stopped.pause();
  const reading = await openRoom(room.url);

  // 16 KiB each as UTF-8: more than any kernel's buffers hold.
  const [count, frame] = [2_000, 17 * KIB];
  await addMessages(room.roomId, await room.say('𝄞'.repeat(4_000)), count);
  await reading.arrived(1 + count);
  t.true(kept.bufferedAmount > 256 * KIB);
  t.true(kept.bufferedAmount <= 256 * KIB + frame);
  t.is(kept.readyState, WebSocket.OPEN);

  clock.nowMs += 16 * SECOND;
  await eventually(() => kept.readyState === WebSocket.CLOSED, { what: 'the reader to be cut off' });
  await room.say('goes on');
  await reading.arrived(2 + count);
  t.is(reading.bodies().at(-1), 'goes on');
  stopped.terminate();
});

test('a caller has 250 sockets on a process and a process 1,000, and one that ends makes room', async (t) => {
  const [orgId, roomId] = [newId('organization'), newId('dealRoom')];
  const hub = hubWith({ database: { forOrg: async () => undefined as never }, listen: () => SILENT });
  const callers = Array.from({ length: 4 }, () => anAdmin(orgId));
  const newcomer = anAdmin(orgId);
  const open = (actor: Actor) => {
    hub.ensurePlace(actor);
    const connection = new PlayedConnection();
    hub.join(connection as unknown as WebSocket, subscriptionOf(roomId, actor));
    return connection;
  };
  let last: PlayedConnection | undefined;
  for (const actor of callers) {
    hub.ensurePlace(newcomer);
    for (let i = 0; i < 250; i += 1) last = open(actor);
    if (actor === callers[0])
      t.like(
        t.throws(() => open(actor)),
        { code: 'rate_limited', details: { limit: 250 } },
      );
  }
  t.like(
    t.throws(() => open(newcomer)),
    { code: 'service_unavailable' },
  );
  last?.terminate();
  open(newcomer);
  t.like(
    t.throws(() => open(newcomer)),
    { code: 'service_unavailable' },
  );
  await hub.close();
});

/** Adds copies of a room's first message, directly in the database and without a notification for each. */
async function addMessages(roomId: string, sourceId: string, count: number): Promise<void> {
  const columns = { id: cloneId('msg', 1), sequence: '1 + i' };
  await cloneRow(owner, { table: 'deal_room_messages', sourceId, count, columns });
  await owner.query('update deal_rooms set last_sequence = $2 where id = $1', [roomId, 1 + count]);
}
