// Random requests from the API document, against a platform with one of everything: no request breaks it, every answer
// has a status and shape that the document describes, and document and platform agree on which bodies are well formed.
// The seed is fixed, so that faults are reproducible; BINDERY_FUZZ_SEED selects another one, and BINDERY_FUZZ_ROUNDS
// searches longer.
import test from 'ava';
import { bearer, breaches, type Fire, json, lineTo } from '../attacks/fire.ts';
import { type Estate, foundEstate } from '../attacks/one-of-everything.ts';
import { type AuthUnderTest, runAuth } from '../auth/run-auth.ts';
import { fc } from '../support/fixed/chance.ts';
import { testToday } from '../support/fixed/today.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import { OPERATIONS, type Operation } from '../support/operations.ts';
import { PAPER } from '../support/printing/paper.ts';
import type { Platform } from '../support/run-platform.ts';
import { faultOf } from './judge.ts';
import { type Drawn, fittingRequests, spoiledBodies, wildAddresses } from './requests.ts';
import type { Known } from './values.ts';

const SEED = Number(process.env.BINDERY_FUZZ_SEED ?? 18);
/** How often each test calls every operation. */
const ROUNDS = Number(process.env.BINDERY_FUZZ_ROUNDS ?? 3);
/** It moves every date that the other operations depend on; test/year moves the clock. */
const TURNS_THE_CLOCK = 'advanceTestClock';

const DRAWN = OPERATIONS.filter(({ id }) => id !== TURNS_THE_CLOCK);
const WITH_BODIES = DRAWN.filter(({ body, route }) => Object.keys(body).length > 0 && !route.upload);

let platform: Platform;
let auth: AuthUnderTest;
let estate: Estate;
let fire: Fire;
let known: Known;

test.before('an organization with one of everything', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: PAPER });
  auth = await runAuth({}, { database: platform.testDatabase });
  estate = await foundEstate(platform, auth.sql, 'Drawn');
  fire = lineTo(platform.url);
  known = { ids: new Map([...estate.ids, ['org', [estate.orgId]]]), today: testToday() };
});
test.after.always(() => auth?.close());

test.serial('a request that fits the document gets a response that it describes', async (t) => {
  const { found, count } = await drawFrom(DRAWN, fittingRequests);
  t.deepEqual(found, []);
  t.log(`${count} requests`);
});

test.serial('a body that the document forbids is refused by the name of a field, and no other is', async (t) => {
  const { found, count } = await drawFrom(WITH_BODIES, spoiledBodies);
  t.deepEqual(found, []);
  t.log(`${count} requests`);
});

test.serial('any path or query gets a response that the document describes', async (t) => {
  const { found, count } = await drawFrom(DRAWN, wildAddresses);
  t.deepEqual(found, []);
  t.log(`${count} requests`);
});

type Draw = (operation: Operation, known: Known) => fc.Arbitrary<Drawn>;

/** Calls all operations round by round, with different requests each time. */
async function drawFrom(operations: readonly Operation[], draw: Draw): Promise<{ found: string[]; count: number }> {
  const found: string[] = [];
  let count = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const faults = await breaches(operations, async (operation) => {
      count += 1;
      const [drawn] = fc.sample(draw(operation, known), { numRuns: 1, seed: SEED + round });
      const fault = drawn && faultOf(operation, drawn, await send(operation, drawn));
      return fault ? `${operation.id} in round ${round}: ${fault}\n${JSON.stringify(drawn)}` : null;
    });
    found.push(...faults);
  }
  return { found, count };
}

/** Sends a request as the caller with the most permissions. */
async function send({ method, pattern }: Operation, { path, query, body, headers }: Drawn) {
  const org = estate.orgId;
  const [policyId = ''] = estate.ids.get('pol') ?? [];
  const isPortal = pattern.startsWith('/v1/portal');
  const token = await platform.token(
    isPortal ? { role: 'policyholder', org, sub: policyId } : { role: 'superadmin', org },
  );
  const { headers: typed, body: text } = json(body);
  const all = [bearer(token), ...typed, ...Object.entries(headers)];
  return fire({ method, path: path + query, headers: all, body: text });
}
