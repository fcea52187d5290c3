// A process that dies after the commit of a change and before its answer. Contract 1 "Idempotency-Key".
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { ROUTES } from '../../../api/routes/index.ts';
import type { Database } from '../../../db/orm.ts';
import { testToday } from '../../support/fixed/today.ts';
import { type Spine, startSpine } from './spine-app.ts';

const TODAY = testToday();
const CONTRACT = { carrier: 'Pioneer Mutual', year: 2031, status: 'active', maxPolicyLimit: 1_000_000 };
const LIMITS = { maxPremium: 50_000, maxAnnualRevenue: 5_000_000, maxAnnualPremiumVolume: 1_500_000 };
const LINES = { linesOfBusiness: ['GL'], states: ['TX'], prohibitedNaics: [], referNaics: [] };
const CLEARANCE = { name: 'Sanctioned Test Company', entryIds: ['SAMPLE-0006'], reason: 'Somebody else.' };
const JOURNAL = {
  ...{ ledger: 'general', description: 'Bank fees.' },
  lines: [
    { account: 5010, debit: 12.5 },
    { account: 1030, credit: 12.5 },
  ],
};

let living: Spine;
/** Commits each call's change, then fails everything after it, like a process that has died. */
let dying: Spine;

test.before('two processes on one database', async (t) => {
  living = await startSpine(t, { deps: { routes: ROUTES } });
  const database = dyingAfterCommits(living.database);
  dying = await startSpine(t, { database: living.testDatabase, deps: { routes: ROUTES, database } });
});

function dyingAfterCommits(database: Database): Database {
  const transaction: Database['transaction'] = async (orgId, work) => {
    await database.transaction(orgId, work);
    throw new Error('The process is gone.');
  };
  return { ...database, transaction };
}

for (const [path, role, body] of [
  ['/v1/da-contracts', 'superadmin', { ...CONTRACT, ...LIMITS, ...LINES }],
  ['/v1/delegations', 'underwriter', { toUserId: 'usr_deputy', from: TODAY, to: TODAY }],
  ['/v1/ledger/entries', 'billing_admin', JOURNAL],
  ['/v1/producers', 'org_admin', { name: 'Lone Star Brokers', email: 'a@example.com', npn: '7654321' }],
  ['/v1/sanctions/clearances', 'compliance_officer', CLEARANCE],
  ['/v1/loss-funds/deposits', 'org_admin', { amount: 1000, reference: 'Wire 1' }],
] as const) {
  test(`the response of POST ${path} outlives the process that died before it could send it`, async (t) => {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const { carrier } = await living.thingOf(living.orgId);
    const sent = path === '/v1/loss-funds/deposits' ? { carrier, ...body } : body;
    const claims = { sub: `usr_${role}`, org: living.orgId };
    t.is((await dying.as(role, claims).post(path, sent, options)).status, 500);
    const answer = await living.as(role, claims).post(path, sent, options);
    t.is(answer.status, 201, answer.text);
    t.is(answer.headers.get('idempotent-replayed'), 'true');
    t.like(answer.body, { orgId: living.orgId });
    t.truthy(answer.body.id);
    const again = await living.as(role, claims).post(path, sent, options);
    t.is(again.text, answer.text);
  });
}
