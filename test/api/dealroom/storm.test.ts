// A storm over deal room sockets: many rooms on two processes, connections that break at random, one process that
// stops in the middle. A small version of `npm run rooms`.
import { randomInt } from 'node:crypto';
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { bodyOf, type House, newHouse, submit } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import { type Platform, runPlatform } from '../../support/run-platform.ts';
import { startReader } from './room-reader.ts';

const ROOMS = 6;
const SOCKETS_A_ROOM = 5;
const MESSAGES = 40;
const UNDERWRITER = newId('user');

let one: Platform;
let other: Platform;
let house: House;

test.before('two processes of the API', async (t) => {
  one = await startPlatform(t);
  other = await runPlatform({ database: one.testDatabase, worker: false });
  house = await newHouse(one);
});

test('each socket sees each message of its room exactly once and in order, whatever breaks', async (t) => {
  const underwriter = house.as('underwriter', UNDERWRITER);
  const { id: submissionId } = await submit(underwriter);
  const token = await one.token({ role: 'underwriter', sub: UNDERWRITER, org: house.orgId });
  const headers = { authorization: `Bearer ${token}` };
  const rooms: { room: string; last: string }[] = [];
  for (let i = 0; i < ROOMS; i += 1) {
    const { id: room } = bodyOf(await underwriter.post('/v1/deal-rooms', { submissionId, participants: [] }), 201);
    const first = bodyOf(await underwriter.post(`/v1/deal-rooms/${room}/messages`, { body: 'Welcome' }), 201);
    rooms.push({ room, last: first.id });
  }
  let alive = [one.url, other.url];
  const readers = await Promise.all(
    rooms.flatMap((start) =>
      Array.from({ length: SOCKETS_A_ROOM }, () => startReader({ ...start, urls: () => alive, headers })),
    ),
  );
  const posted = rooms.map(async ({ room }) => {
    for (let i = 0; i < MESSAGES; i += 1) {
      bodyOf(await underwriter.post(`/v1/deal-rooms/${room}/messages`, { body: `${i}` }), 201);
      if (randomInt(4) === 0) readers[randomInt(readers.length)]?.breakOff();
      if (room === rooms[0]?.room && i === MESSAGES / 2) {
        alive = [one.url];
        void other.close();
      }
    }
  });
  await Promise.all(posted);
  const expected = Array.from({ length: MESSAGES }, (_, i) => `${i}`);
  for (const seen of await Promise.all(readers.map((reader) => reader.end(MESSAGES)))) {
    t.deepEqual(
      seen.map(({ body }) => body),
      expected,
    );
  }
});
