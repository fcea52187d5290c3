// How long a message takes from its post to the sockets of its room: one message at a time to 50 sockets, and 5,000
// messages in 40 rooms with 200 sockets. Compared with bare sockets of the same library that receive the same bytes.
// Also the memory that 1,000 open sockets take.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../test/support/eventually.ts';
import { risk } from '../test/support/house.ts';
import { measure, quantile, type Round, summarize } from './measure.ts';
import { call, type Organization, type Setting } from './setting.ts';
import type { Comparison } from './table.ts';

const SOCKETS = 50;
const SINGLE_MESSAGES = 200;
const WARM_UP = 20;
const ROOMS = 40;
const STORM_SOCKETS = 200;
const STORM_MESSAGES = 5_000;
/** The most that one process accepts. */
const MOST_SOCKETS = 1_000;
const MIB = 1_048_576;
/** Each author posts at most 600 messages a minute. */
const AUTHORS = 20;
const BODY = 'Can we take the second kitchen at the same rate? The loss history is in the submission.';

interface Room {
  id: string;
  path: string;
}

export async function compareDealRooms(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const organization = await setting.createOrganization('Deal rooms');
  const submission = await call(
    setting.http,
    'POST',
    '/v1/submissions',
    await organization.authorization(),
    201,
    risk(),
  );
  const submissionId = String(submission.id);
  progress(`posting ${SINGLE_MESSAGES} messages to ${SOCKETS} sockets`);
  const [single, frame] = await postOneByOne(
    setting,
    organization,
    await openRoom(setting, organization, submissionId),
  );
  const bare = await sendBare(frame);
  progress(`posting ${STORM_MESSAGES} messages in ${ROOMS} rooms with ${STORM_SOCKETS} sockets`);
  const storm = await postManyAtOnce(setting, organization, submissionId);
  progress(`opening ${MOST_SOCKETS} sockets`);
  const weight = await weigh(setting, organization, await openRoom(setting, organization, submissionId));
  return [
    {
      title: `One message, from its post to all of ${SOCKETS} sockets`,
      lines: [
        { name: 'post, commit, notice, delivery', figures: summarize([single]) },
        { name: 'the same bytes to bare sockets', figures: summarize([bare]) },
      ],
      verdicts: [{ what: 'p99 in milliseconds', value: quantile(single.latenciesMs, 0.99), aim: { most: 1_000 } }],
    },
    {
      title: `${STORM_MESSAGES} messages in ${ROOMS} rooms with ${STORM_SOCKETS} sockets`,
      lines: [{ name: 'messages, from the first post to the last delivery', figures: summarize([storm]) }],
      verdicts: [{ what: 'p99 in milliseconds', value: quantile(storm.latenciesMs, 0.99), aim: { most: 1_000 } }],
    },
    {
      title: `${MOST_SOCKETS} open sockets`,
      lines: [],
      verdicts: [{ what: 'MiB of the api process', value: weight / MIB, aim: { most: 64 } }],
    },
  ];
}

/** Growth of the api process in bytes. */
async function weigh(setting: Setting, organization: Organization, room: Room): Promise<number> {
  const authors = await Promise.all(Array.from({ length: AUTHORS }, (_, n) => organization.authorization(n + 1)));
  const before = await residentBytes(setting);
  const readers: Reader[] = [];
  for (let n = 0; n < MOST_SOCKETS; n += 1) {
    readers.push(await openReader(`${setting.platform.baseUrl}${room.path}/ws`, authors[n % AUTHORS] ?? ''));
  }
  const after = await residentBytes(setting);
  for (const { ws } of readers) ws.terminate();
  return after - before;
}

async function residentBytes({ platform }: Setting): Promise<number> {
  const text = await (await fetch(`${platform.baseUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

async function openRoom({ http }: Setting, organization: Organization, submissionId: string): Promise<Room> {
  const body = { submissionId, participants: [] };
  const room = await call(http, 'POST', '/v1/deal-rooms', await organization.authorization(), 201, body);
  return { id: String(room.id), path: `/v1/deal-rooms/${room.id}` };
}

interface Reader {
  ws: WebSocket;
  count: number;
  last: string;
}

async function openReader(url: string, authorization: string): Promise<Reader> {
  const ws = new WebSocket(url.replace(/^http/, 'ws'), { headers: { authorization } });
  const reader: Reader = { ws, count: 0, last: '' };
  ws.on('message', (data) => {
    reader.count += 1;
    reader.last = String(data);
  });
  await once(ws, 'open');
  return reader;
}

/** Each measure ends when the last socket has the message. */
async function postOneByOne(setting: Setting, organization: Organization, room: Room): Promise<[Round, string]> {
  const { http, platform } = setting;
  const authorization = await organization.authorization();
  const url = `${platform.baseUrl}${room.path}/ws`;
  const readers = await Promise.all(Array.from({ length: SOCKETS }, () => openReader(url, authorization)));
  let posted = 0;
  const post = async () => {
    posted += 1;
    const arrival = Promise.all(readers.map((reader) => countReached(reader, posted)));
    await call(http, 'POST', `${room.path}/messages`, authorization, 201, { body: BODY });
    await arrival;
  };
  await measure(Array.from({ length: WARM_UP }), 1, post);
  const round = await measure(Array.from({ length: SINGLE_MESSAGES }), 1, post);
  for (const { ws } of readers) ws.terminate();
  return [round, readers[0]?.last ?? ''];
}

async function countReached(reader: Reader, count: number): Promise<void> {
  while (reader.count < count) await once(reader.ws, 'message');
}

async function sendBare(frame: string): Promise<Round> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const readers = await Promise.all(Array.from({ length: SOCKETS }, () => openReader(url, 'none')));
  let sent = 0;
  const round = await measure(Array.from({ length: SINGLE_MESSAGES }), 1, async () => {
    sent += 1;
    const arrival = Promise.all(readers.map((reader) => countReached(reader, sent)));
    for (const client of server.clients) client.send(frame);
    await arrival;
  });
  for (const { ws } of readers) ws.terminate();
  server.close();
  http.close();
  return round;
}

/** A message's latency runs from its post to its last socket. */
async function postManyAtOnce(setting: Setting, organization: Organization, submissionId: string): Promise<Round> {
  const { http, platform } = setting;
  const rooms: Room[] = [];
  for (let n = 0; n < ROOMS; n += 1) rooms.push(await openRoom(setting, organization, submissionId));
  const authors = await Promise.all(Array.from({ length: AUTHORS }, (_, n) => organization.authorization(n + 1)));
  const postedAt = new Map<string, number>();
  const arrivedAt = new Map<string, number>();
  const readers = await Promise.all(
    Array.from({ length: STORM_SOCKETS }, async (_, n) => {
      const url = `${platform.baseUrl}${rooms[n % ROOMS]?.path}/ws`;
      const reader = await openReader(url, authors[n % AUTHORS] ?? '');
      reader.ws.on('message', (data) => {
        arrivedAt.set(JSON.parse(String(data)).message.body, performance.now());
      });
      return reader;
    }),
  );
  const { elapsedMs } = await measure(
    Array.from({ length: STORM_MESSAGES }, (_, n) => n),
    AUTHORS,
    async (n) => {
      const body = `${n} ${BODY}`;
      postedAt.set(body, performance.now());
      const path = `${rooms[n % ROOMS]?.path}/messages`;
      await call(http, 'POST', path, authors[n % AUTHORS] ?? '', 201, { body });
    },
  );
  const each = STORM_MESSAGES / ROOMS;
  await eventually(() => readers.every(({ count }) => count === each), { what: 'the last delivery' });
  for (const { ws } of readers) ws.terminate();
  const latenciesMs = [...postedAt].map(([body, at]) => (arrivedAt.get(body) ?? Number.NaN) - at);
  return { elapsedMs, latenciesMs };
}
