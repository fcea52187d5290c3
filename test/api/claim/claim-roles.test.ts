// Every role against every operation on a claim, one with protected values and one without. Contract 2 gives the
// expected results, as written in test/attacks/contract-roles.ts.
import test from 'ava';
import { contractAllows, type RoleName } from '../../attacks/contract-roles.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { CLOSED, type Operation, pathOf } from '../../support/operations.ts';
import type { Platform } from '../../support/run-platform.ts';
import { VALID_BODIES } from '../../support/valid-bodies.ts';
import { type Covered, covered } from './claim-calls.ts';
import { ADJUSTER, claimPeople } from './claim-people.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const ON_A_CLAIM = CLOSED.filter(({ pattern }) => pattern.startsWith('/v1/claims/:id'));
/** Roles that read a claim's protected values. */
const SIGHTED = ['org_admin', 'claims_supervisor', 'claims_adjuster'];

test('every claim operation gives every role the response in the contract: the result, a file that does not exist, or 403', async (t) => {
  const policy = await covered(platform);
  const people = Object.entries(await claimPeople(platform, policy));
  for (const containsPhi of [false, true]) {
    const claim = await handled(policy, containsPhi);
    for (const operation of ON_A_CLAIM) {
      for (const [who, client] of people) {
        const status = await knock(operation, claim, who, client);
        const context = `${operation.method} ${operation.pattern} by ${who}, ${containsPhi ? 'protected' : 'open'}`;
        t.is(status, expected(operation, who, containsPhi), context);
      }
    }
  }
  t.log(`${ON_A_CLAIM.length} operations, ${people.length} people, two claims`);
});

/** A claim with an adjuster, a payment and a file; its ids by parameter name. */
async function handled({ supervisor, file }: Covered, containsPhi: boolean): Promise<Record<string, string>> {
  const { id } = bodyOf(await file({ containsPhi, cause: `A fall, ${containsPhi}` }), 201);
  bodyOf(await supervisor.post(`/v1/claims/${id}/investigate`, { adjusterId: ADJUSTER }));
  bodyOf(await supervisor.post(`/v1/claims/${id}/reserves`, { indemnity: 0, expense: 50, reason: 'Expert.' }), 201);
  const bill = { kind: 'expense', amount: 50, payee: 'Expert Office' };
  const payment = bodyOf(await supervisor.post(`/v1/claims/${id}/payments`, bill), 201);
  const report = { fileName: 'report.txt', contentType: 'text/plain', contentBase64: btoa('The floor was wet.') };
  const attachment = bodyOf(await supervisor.post(`/v1/claims/${id}/attachments`, report), 201);
  return { id, paymentId: payment.id, attachmentId: attachment.id };
}

/**
 * An allowed write has no effect: no operation knows its query, which is checked after the role's permission. The
 * claim itself refuses a stranger in the right role, with an otherwise valid body.
 */
async function knock(operation: Operation, claim: Record<string, string>, who: string, client: TestClient) {
  const { method, id } = operation;
  const path = pathOf(operation, claim);
  if (method === 'GET') return (await client.get(path)).status;
  const answer = isStranger(who)
    ? await client.post(path, VALID_BODIES[id]?.())
    : await client.post(`${path}?nobody=knows`);
  return answer.status;
}

const isStranger = (who: string) => who.startsWith('another');

function expected({ method, pattern }: Operation, who: string, containsPhi: boolean): number {
  if (isStranger(who) || !contractAllows(who as RoleName, method, pattern)) return 403;
  if (method !== 'GET') return 400;
  if (!containsPhi || SIGHTED.includes(who)) return 200;
  // Held payees are names.
  if (pattern.endsWith('/payee-holds')) return 403;
  return pattern.endsWith('/:attachmentId') ? 404 : 200;
}
