// A storm over deal rooms on two API processes: people post in all rooms, connections break at random, one process is
// killed and comes back, some people are removed. Then each reader must have received each message of their room that
// they may see, once and in order, and no message posted after their removal.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../db/ids.ts';
import { type Reader, type ReadMessage, startReader } from '../api/dealroom/room-reader.ts';
import { type PatientClient, patientClient } from '../chaos/patient-client.ts';
import { type Platform, startPlatform } from '../faults/platform.ts';
import { allPages, bodyOf, risk } from '../support/house.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { signToken } from '../support/tokens.ts';
import { type Memory, watchMemory } from './memory.ts';

/** Small enough that garbage is collected in either half: in a larger heap it would linger and look like growth. */
const HEAP_MIB = 256;
/** Each of them posts at most 600 messages a minute. */
const AUTHORS = 20;
/** This many rooms have an extra reader, who is removed halfway. */
const LEAVERS = 10;
/** One message in this many is internal: producers do not see it. */
const INTERNAL_EVERY = 5;
/** A connection breaks after one message in this many. */
const BREAK_EVERY = 10;
const CUT_WITHIN_MS = 1_000;
const PRODUCER_EVERY = 3;

export interface RoomsOptions {
  rooms: number;
  sockets: number;
  messages: number;
  dataDir: string;
  report: (line: string) => void;
}

export interface RoomsReport {
  seconds: number;
  /** Connections that were broken, besides those of the killed process. */
  broken: number;
  /** The longest time from the answer to a removal until the socket was cut off. */
  slowestCutMs: number;
  /** Memory of the process that stays alive. */
  memory: Memory;
  findings: string[];
}

interface Room {
  id: string;
  /** The message that every reader already has. */
  first: string;
}

interface Name {
  userId: string;
  isProducer: boolean;
}

interface Person extends Name {
  room: Room;
  reader: Reader;
}

interface Town {
  platform: Platform;
  orgId: string;
  tokenOf: (role: string, sub: string) => Promise<string>;
  /** When posting of each text began. */
  postedAt: Map<string, number>;
}

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runRooms(options: RoomsOptions): Promise<RoomsReport> {
  const platform = await startPlatform({
    ...{ database: await createTestDatabase({ title: 'rooms' }), taskQueuePrefix: 'rooms', printsDocuments: false },
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    apiFlags: [`--max-old-space-size=${HEAP_MIB}`],
    variables: { DATA_DIR: options.dataDir, LOG_LEVEL: process.env.BINDERY_TEST_LOG ?? 'silent' },
    onLine: (line) => process.env.BINDERY_TEST_LOG && process.stderr.write(`${line}\n`),
  });
  try {
    await platform.secondApi.start();
    await platform.ready(platform.secondUrl);
    const named = { name: 'Rooms', tier: 'enterprise' };
    const { id: orgId } = bodyOf(await platform.machine.post('/v1/organizations', named), 201);
    const tokenOf = (role: string, sub: string) => signToken(platform.config, { role, sub, org: orgId });
    return await storm({ platform, orgId, tokenOf, postedAt: new Map() }, options);
  } finally {
    await platform.stop();
  }
}

/** The current state, as accidents change it. */
interface Storm {
  /** The addresses of the running processes. */
  alive: string[];
  broken: number;
  cuts: Promise<Cut>[];
}

async function storm(town: Town, { rooms: count, sockets, messages, report }: RoomsOptions): Promise<RoomsReport> {
  const { platform } = town;
  const startedAt = performance.now();
  const authors = await authorsOf(town);
  const names = Array.from({ length: sockets + LEAVERS }, (_, n) => nameOf(n));
  const rooms = await openRooms(town, { count, authors, names });
  const now: Storm = { alive: [platform.baseUrl, platform.secondUrl], broken: 0, cuts: [] };
  const enterAs = (name: Name, n: number) => enter(town, name, rooms[n % count] as Room, () => now.alive);
  const people = await Promise.all(names.map(enterAs));
  const [staying, leaving] = [people.slice(0, sockets), people.slice(sockets)];
  report(`${people.length} sockets in ${count} rooms are open`);
  const memory = watchMemory(platform.baseUrl);
  const accidents = accidentsOf(town, now, { messages, leaving, report });
  await postAll({ town, authors, rooms, messages }, async (n) => {
    if (n === Math.floor(messages / 2)) memory.turn();
    await accidents.get(n)?.();
    if (n % BREAK_EVERY !== 0) return;
    staying[randomInt(sockets)]?.reader.breakOff();
    now.broken += 1;
  });
  report(`${messages} messages are posted`);
  const ended = await Promise.all(now.cuts);
  const findings = [
    ...(await readingFindings(town, rooms, staying, messages)),
    ...(await leavingFindings(town, leaving, ended)),
  ];
  const slowestCutMs = Math.max(0, ...ended.map(({ tookMs }) => tookMs));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, broken: now.broken, slowestCutMs, memory: await memory.end(), findings };
}

interface Accidents {
  messages: number;
  leaving: readonly Person[];
  report: (line: string) => void;
}

/** What happens after how many messages: one process is killed, some people are removed, the process comes back. */
function accidentsOf(town: Town, now: Storm, { messages, leaving, report }: Accidents) {
  const { baseUrl, secondUrl, secondApi, ready } = town.platform;
  const kill = async () => {
    now.alive = [baseUrl];
    await secondApi.kill();
    report('one process is killed');
  };
  const removeSome = async () => {
    now.cuts = leaving.map((person) => remove(town, person));
  };
  const startAgain = async () => {
    await secondApi.start();
    await ready(secondUrl);
    now.alive = [baseUrl, secondUrl];
    report('it is there again');
  };
  return new Map([
    [Math.floor(messages / 3), kill],
    [Math.floor(messages / 2), removeSome],
    [Math.floor((messages * 2) / 3), startAgain],
  ]);
}

/** Every third reader is a producer, and so is every third leaver. */
function nameOf(n: number): Name {
  return { userId: newId('user'), isProducer: n % PRODUCER_EVERY === 0 };
}

async function authorsOf({ platform, tokenOf }: Town): Promise<{ userId: string; client: PatientClient }[]> {
  const urls = [platform.baseUrl, platform.secondUrl];
  return Array.from({ length: AUTHORS }, (_, n) => {
    const userId = newId('user');
    const order = n % 2 === 0 ? urls : urls.toReversed();
    return {
      userId,
      client: patientClient(
        order,
        () => tokenOf('underwriter', userId),
        () => {},
      ),
    };
  });
}

interface Opening {
  count: number;
  authors: readonly { userId: string }[];
  names: readonly { userId: string }[];
}

/** Each room has its authors, and the readers whose turn it is. */
async function openRooms({ platform, orgId }: Town, { count, authors, names }: Opening): Promise<Room[]> {
  const admin = await platform.as({ role: 'org_admin', org: orgId });
  const { id: submissionId } = bodyOf(await admin.post('/v1/submissions', risk()), 201);
  const rooms: Room[] = [];
  for (let n = 0; n < count; n += 1) {
    const participants = [...authors, ...names.filter((_, index) => index % count === n)].map(({ userId }) => ({
      userId,
    }));
    const { id } = bodyOf(await admin.post('/v1/deal-rooms', { submissionId, participants }), 201);
    const first = bodyOf(await admin.post(`/v1/deal-rooms/${id}/messages`, { body: 'Welcome' }), 201);
    rooms.push({ id, first: first.id });
  }
  return rooms;
}

async function enter(
  { tokenOf }: Town,
  { userId, isProducer }: Name,
  room: Room,
  urls: () => readonly string[],
): Promise<Person> {
  const headers = { authorization: `Bearer ${await tokenOf(isProducer ? 'producer' : 'underwriter', userId)}` };
  return { userId, isProducer, room, reader: await startReader({ room: room.id, last: room.first, urls, headers }) };
}

interface Posting {
  town: Town;
  authors: readonly { client: PatientClient }[];
  rooms: readonly Room[];
  messages: number;
}

/** All authors in parallel, each posting one message after another, in whichever room is next. */
async function postAll({ town, authors, rooms, messages }: Posting, after: (n: number) => Promise<void>) {
  const queue = Array.from({ length: messages }, (_, n) => n).values();
  const post = async ({ client }: { client: PatientClient }) => {
    for (const n of queue) {
      const body = `Message ${n}`;
      town.postedAt.set(body, performance.now());
      const visibility = n % INTERNAL_EVERY === 0 ? 'internal' : 'all';
      await client.command(`/v1/deal-rooms/${rooms[n % rooms.length]?.id}/messages`, { body, visibility });
      await after(n);
    }
  };
  await Promise.all(authors.map(post));
}

interface Cut {
  answeredAt: number;
  tookMs: number;
}

async function remove({ platform, orgId }: Town, { room, userId, reader }: Person): Promise<Cut> {
  const admin = await platform.as({ role: 'org_admin', org: orgId });
  bodyOf(await admin.del(`/v1/deal-rooms/${room.id}/participants/${userId}`), 204);
  const answeredAt = performance.now();
  return { answeredAt, tookMs: (await Promise.race([reader.cutOff, late()])) - answeredAt };
}

/** Much later than a cut-off may come. */
async function late(): Promise<number> {
  await delay(20 * CUT_WITHIN_MS, undefined, { ref: false });
  return performance.now();
}

/** Compares each reader with the room's list, which is in commit order. */
async function readingFindings(
  { platform, orgId }: Town,
  rooms: readonly Room[],
  people: readonly Person[],
  messages: number,
): Promise<string[]> {
  const admin = await platform.as({ role: 'org_admin', org: orgId });
  const findings: string[] = [];
  let total = 0;
  for (const room of rooms) {
    const path = `/v1/deal-rooms/${room.id}/messages`;
    const newestFirst = (await allPages(admin, path, { limit: 100 })) as (ReadMessage & { visibility: string })[];
    const said = newestFirst.toReversed().slice(1);
    total += new Set(said.map(({ body }) => body)).size;
    for (const { reader, userId, isProducer } of people.filter((person) => person.room === room)) {
      const due = said.filter(({ visibility }) => !isProducer || visibility === 'all').map(({ id }) => id);
      const seen = (await reader.end(due.length)).map(({ id }) => id);
      if (due.join() !== seen.join()) findings.push(`${userId} had ${seen.length} messages in place of ${due.length}`);
    }
  }
  return total === messages ? findings : [...findings, `${total} texts are kept in place of ${messages}`];
}

/** Removed people were cut off in time, received nothing posted afterwards, and cannot reconnect. */
async function leavingFindings(town: Town, people: readonly Person[], cuts: readonly Cut[]): Promise<string[]> {
  const findings: string[] = [];
  for (const [n, { reader, userId, isProducer, room }] of people.entries()) {
    const { answeredAt, tookMs } = cuts[n] ?? { answeredAt: 0, tookMs: Number.POSITIVE_INFINITY };
    if (tookMs > CUT_WITHIN_MS) findings.push(`${userId} was cut off after ${tookMs.toFixed(0)} ms`);
    const seen = await reader.end(0);
    const after = seen.filter(({ body }) => (town.postedAt.get(body) ?? 0) > answeredAt);
    if (after.length > 0) findings.push(`${userId} had ${after.length} messages that were posted after the removal`);
    const token = await town.tokenOf(isProducer ? 'producer' : 'underwriter', userId);
    const url = `${town.platform.baseUrl}/v1/deal-rooms/${room.id}/ws`;
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (status !== 403) findings.push(`${userId} was answered ${status} after the removal`);
  }
  return findings;
}
