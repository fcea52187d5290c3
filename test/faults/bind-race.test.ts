// Many callers bind simultaneously into an authority that has room for few: over HTTP, with an API and a worker of
// their own.
import test from 'ava';
import type { TestClient } from '../support/client.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { testTemporal } from '../support/servers/servers.ts';
import { BIND_BODY, quotedSubmission, Rows } from './bind.ts';
import { type Platform, startPlatform } from './platform.ts';

const CALLERS = 60;
const ROOM = 12;
/** GL, TX, NAICS 722511, revenue and limit 1,000,000, one loss. Contract 3.1 */
const PREMIUM_CENTS = 399_000;
/** Room for twelve, and just short of a thirteenth. */
const VOLUME_DOLLARS = ((ROOM + 1) * PREMIUM_CENTS - 1) / 100;
const PREPARED_AT_A_TIME = 8;

let platform: Platform;
let rows: Rows;
let client: TestClient;
let orgId: string;

test.before(async () => {
  const database = await createTestDatabase({ title: 'race' });
  const temporal = await testTemporal(process.env);
  rows = new Rows(database.ownerUrl);
  platform = await startPlatform({
    ...{ database, temporalAddress: temporal.address, taskQueuePrefix: 'race' },
    printsDocuments: false,
  });
  orgId = (await platform.machine.post('/v1/organizations', { name: 'Race' })).body.id;
  client = await platform.as({ role: 'org_admin', org: orgId });
});

test.after.always(() => platform?.stop());

test('exactly 12 of 60 binds racing into an authority with room for 12 are bound; the other responses say why not', async (t) => {
  await leaveRoom();
  const submissionIds = await quotedSubmissions();
  const answers = await Promise.all(submissionIds.map((id) => client.post(`/v1/submissions/${id}/bind`, BIND_BODY)));

  const bound = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 422);
  t.is(bound.length, ROOM);
  t.is(refused.length, CALLERS - ROOM);
  for (const { body } of refused) {
    t.is(body.error, 'delegated_authority_exceeded');
    const codes = body.details.daFlags.map((flag: { code: string }) => flag.code);
    t.true(codes.includes('DA_AGGREGATE_EXCEEDED'), codes.join());
  }
  t.deepEqual(await rows.usage(orgId), { countedCents: ROOM * PREMIUM_CENTS, boundCents: ROOM * PREMIUM_CENTS });

  const serials = bound.map(({ body }) => Number(body.policyNumber.split('-').at(-1))).sort((a, b) => a - b);
  const first = serials[0] ?? 0;
  t.deepEqual(
    serials,
    Array.from({ length: ROOM }, (_, i) => first + i),
    'no policy number twice and none left out',
  );
  const events = await rows.query<{ type: string; count: string }>(
    `select type, count(*) from events where org_id = $1 and type in ('policy.bound', 'da.limit_approaching') group by type`,
    [orgId],
  );
  const counts = Object.fromEntries(events.map(({ type, count }) => [type, Number(count)]));
  t.deepEqual(counts, { 'policy.bound': ROOM, 'da.limit_approaching': 1 });
});

async function leaveRoom(): Promise<void> {
  const { body } = await client.get('/v1/da-contracts');
  const tightened = await client.patch(`/v1/da-contracts/${body.data[0].id}`, {
    maxAnnualPremiumVolume: VOLUME_DOLLARS,
  });
  if (tightened.status !== 200) throw new Error(`The authority could not be tightened: ${tightened.text}`);
}

async function quotedSubmissions(): Promise<string[]> {
  const numbers = Array.from({ length: CALLERS }, (_, i) => i).values();
  const ids: string[] = [];
  const takeTurns = async () => {
    for (const i of numbers) ids.push(await quotedSubmission(client, `Racing Diner ${i}`));
  };
  await Promise.all(Array.from({ length: PREPARED_AT_A_TIME }, takeTurns));
  return ids;
}
