// One socket on a simulated connection: how long it waits, and for what.
import test from 'ava';
import type { WebSocket } from 'ws';
import type { Receiver } from '../../../api/sockets/rights.ts';
import { RoomSocket } from '../../../api/sockets/room-socket.ts';
import { PlayedConnection } from './played-connection.ts';

const SECOND = 1_000;
const RECEIVER: Receiver = {
  actor: {
    ...{ kind: 'user', id: 'usr_1', role: 'underwriter', orgId: 'org_1', homeOrgId: 'org_1' },
    ...{ scopes: null, producerIds: [], authority: null },
  },
  credential: { expiresAtMs: 28_800 * SECOND, holder: null },
};

function aSocket() {
  const clock = { nowMs: 0 };
  const connection = new PlayedConnection();
  let drained = 0;
  const onDrained = () => {
    drained += 1;
  };
  const hooks = { now: () => clock.nowMs, onDrained, onEnd: () => {} };
  const subscription = { roomId: 'drm_1', receiver: RECEIVER, position: 4 };
  const socket = new RoomSocket(connection as unknown as WebSocket, subscription, hooks);
  const tickAt = (seconds: number) => {
    clock.nowMs = seconds * SECOND;
    socket.tick();
  };
  return { connection, socket, tickAt, drained: () => drained };
}

const BIG = 'x'.repeat(300_000);

test('a reader that falls behind is sent no more until it has read, and goes on where it was', (t) => {
  const { connection, socket, tickAt, drained } = aSocket();
  socket.pass(5, BIG);
  t.false(socket.isReady);
  t.is(socket.position, 5);
  tickAt(14);
  connection.drain();
  t.true(socket.isReady);
  t.is(drained(), 1);
  tickAt(29);
  t.is(connection.end, null);
});

test('a reader that does not catch up for 15 seconds is cut off', (t) => {
  const { connection, socket, tickAt } = aSocket();
  socket.pass(5, BIG);
  tickAt(16);
  t.is(connection.end, 'terminated');
});

test('a message that the receiver does not see moves the socket on and is not sent', (t) => {
  const { connection, socket } = aSocket();
  socket.pass(5, null);
  t.is(socket.position, 5);
  t.deepEqual(connection.sent, []);
});

test('a ping must be answered before the next one', (t) => {
  const answered = aSocket();
  answered.tickAt(31);
  answered.connection.emit('pong');
  answered.tickAt(62);
  t.deepEqual([answered.connection.pings, answered.connection.end], [2, null]);
  const silent = aSocket();
  silent.tickAt(31);
  silent.tickAt(62);
  t.is(silent.connection.end, 'terminated');
});

test('a socket ends with its credential, and after an hour without a message', (t) => {
  const { connection, tickAt } = aSocket();
  tickAt(28_800);
  t.is(connection.end, 4401);
  const idle = aSocket();
  idle.tickAt(3_601);
  t.is(idle.connection.end, 4408);
});
