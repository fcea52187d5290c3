// What a refusal lists as allowed: each of these operations succeeds with some body, and all others are refused.
import test from 'ava';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Covered, covered } from './claim-calls.ts';
import { deposit, isPaid, paymentsOf } from './claim-money.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

type Step = (client: TestClient, path: string) => Promise<TestResponse | undefined>;

const post =
  (action: string, body?: object): Step =>
  (client, path) =>
    client.post(`${path}/${action}`, body);

const pay = (kind: 'indemnity' | 'expense', amount: number) => post('payments', { kind, amount, payee: 'Ada Guest' });
const close = (outcome?: string) => post('close', outcome === undefined ? {} : { outcome });
const reserve = (indemnity: number, expense: number) => post('reserves', { indemnity, expense, reason: 'Estimate.' });
const settle = (payee = 'Ada Guest') => post('settle', { amount: 1500, payee, approve: false });
const INVESTIGATE = post('investigate', {});
const APPROVE = post('settle/approve');
const DENY = post('deny', { reason: 'Excluded.' });

const voidPayment: Step = async (client, path) => {
  const answers: TestResponse[] = [];
  for (const { id } of await paymentsOf(client, path)) {
    const answer = await client.post(`${path}/payments/${id}/void`, { reason: 'Lost in the mail.' });
    if (answer.status < 300) return answer;
    answers.push(answer);
  }
  return answers[0];
};

/** The bodies to try for each operation: the smallest possible request. None where there is nothing to name. */
const ATTEMPTS: Readonly<Record<string, Step[]>> = {
  investigate: [INVESTIGATE],
  assign: [post('assign', { adjusterId: 'usr_adjuster' })],
  // Reserves that cover anything paid.
  reserve: [reserve(20_000, 20_000)],
  settle: [post('settle', { amount: 0.01, payee: 'Ada Guest' })],
  approve: [APPROVE],
  reject: [post('settle/reject', {})],
  pay: [pay('indemnity', 0.01), pay('expense', 0.01)],
  void: [voidPayment],
  recover: [post('recoveries', { kind: 'salvage', amount: 0.01 })],
  deny: [DENY],
  close: [close(), close('no_payment'), close('paid')],
  reopen: [post('reopen', { reason: 'New facts.' })],
};

/** The deductible is 1,000 dollars, so an indemnity reserve up to that amount can be settled, but not paid besides. */
const STATES: Readonly<Record<string, { steps: Step[]; allowed: string }>> = {
  'a new claim': { steps: [], allowed: 'assign close deny investigate reserve' },
  'a claim without a reserve': { steps: [INVESTIGATE], allowed: 'assign close deny reserve' },
  'a claim whose reserve is within the deductible': {
    steps: [INVESTIGATE, reserve(1000, 0)],
    allowed: 'assign close deny reserve settle',
  },
  'a claim with a reserve for expense': {
    steps: [INVESTIGATE, reserve(0, 100)],
    allowed: 'assign close deny pay reserve',
  },
  'a claim with a payment that is void': {
    steps: [INVESTIGATE, reserve(3000, 0), pay('indemnity', 2000), voidPayment],
    allowed: 'assign close deny pay reserve settle',
  },
  'a claim with an offer': {
    steps: [INVESTIGATE, reserve(1500, 0), settle()],
    allowed: 'approve assign deny pay reject reserve',
  },
  'a claim with an offer above its reserve': {
    steps: [INVESTIGATE, reserve(1500, 0), settle(), reserve(900, 0)],
    allowed: 'assign deny reject reserve',
  },
  'a claim with an offer to somebody on the sanctions list': {
    steps: [INVESTIGATE, reserve(1500, 0), settle('Sanctioned Test Company')],
    allowed: 'assign deny pay reject reserve',
  },
  'a settled claim whose payment waits': {
    steps: [INVESTIGATE, reserve(1500, 0), settle(), APPROVE],
    allowed: 'assign close void',
  },
  'a denied claim': { steps: [DENY], allowed: 'assign close' },
  'a closed claim without payment': { steps: [close('no_payment')], allowed: 'reopen' },
  'a closed claim whose payment waits': {
    steps: [INVESTIGATE, reserve(1500, 0), settle(), APPROVE, close()],
    allowed: 'reopen void',
  },
};

const IS_PAID: Step = async (client, path) => void (await isPaid(client, path, 1));

/** For a carrier whose fund can pay. */
const PAID_STATES: typeof STATES = {
  'a settled claim that is paid': {
    steps: [INVESTIGATE, reserve(1500, 0), settle(), APPROVE, IS_PAID],
    allowed: 'assign close recover void',
  },
  'a denied claim whose payment was recovered': {
    steps: [
      INVESTIGATE,
      reserve(0, 2),
      pay('expense', 2),
      IS_PAID,
      post('recoveries', { kind: 'salvage', amount: 2 }),
      DENY,
    ],
    allowed: 'assign close',
  },
  'a closed claim that is paid': {
    steps: [INVESTIGATE, reserve(1500, 0), settle(), APPROVE, IS_PAID, close()],
    allowed: 'recover reopen',
  },
};

async function brought({ file, house }: Covered, steps: readonly Step[]): Promise<string> {
  const path = `/v1/claims/${bodyOf(await file(), 201).id}`;
  for (const step of steps) {
    const answer = await step(house.as('org_admin'), path);
    if (answer !== undefined) bodyOf(answer, answer.status === 201 ? 201 : 200);
  }
  return path;
}

for (const [title, states, isFunded] of [
  ['while the loss fund is empty', STATES, false],
  ['once its payments have left', PAID_STATES, true],
] as const) {
  test(`a refusal names the operations that would succeed, and no other one does, ${title}`, async (t) => {
    const policy = await covered(platform, { deductible: 1000 });
    const admin = policy.house.as('org_admin');
    if (isFunded) bodyOf(await deposit(policy, 100_000, 'Wire 1'), 201);
    await Promise.all(
      Object.entries(states).map(async ([state, { steps, allowed }]) => {
        const path = await brought(policy, steps);
        const isClosed = bodyOf(await admin.get(path)).status === 'closed';
        const refusal = await (isClosed ? close('paid') : post('reopen', { reason: 'x' }))(admin, path);
        t.is(refusal?.status, 422, state);
        const named: string[] = refusal?.body.details.allowed;
        t.is([...named].sort().join(' '), allowed, state);
        for (const [operation, attempts] of Object.entries(ATTEMPTS)) {
          const isNamed = named.includes(operation);
          // A success changes the claim, except for its adjuster.
          const tried = isNamed && operation !== 'assign' ? await brought(policy, steps) : path;
          let isAccepted = false;
          for (const attempt of attempts) {
            if (!isAccepted) isAccepted = ((await attempt(admin, tried))?.status ?? 422) < 300;
          }
          t.is(isAccepted, isNamed, `${operation} of ${state}`);
        }
      }),
    );
  });
}
