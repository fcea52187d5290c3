// Every operation that is checked against the caller's own authority, while an administrator revokes that authority:
// the calls stop at their commits, the authority is lowered, and whatever commits then is compared with the authority
// in effect by then.
import test from 'ava';
import pg from 'pg';
import type { Access } from '../../api/spine/access.ts';
import { addDays } from '../../domain/dates.ts';
import { type Action, type Actor, may } from '../../domain/permissions.ts';
import { type AuthUnderTest, runAuth } from '../auth/run-auth.ts';
import { eventually } from '../support/eventually.ts';
import { copyExpiring } from '../support/expiring.ts';
import { testToday } from '../support/fixed/today.ts';
import { bodyOf, bound, EFFECTIVE_DATE, type House, newHouse, quoted, submit } from '../support/house.ts';
import { CLOSED, pathOf } from '../support/operations.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';

const CALLS = 4;
/** Any number: the lock at which a race's calls wait before they commit. */
const GATE = 4_711_001;
const WIDE = { maxLimit: 1_000_000, maxPremium: 50_000 };
const NONE = { maxLimit: 1, maxPremium: 1 };

/** Makes rows that an operation can be called on, and returns their ids as `namedIn` reads them. */
type Prepare = (house: House, count: number) => Promise<string[]>;

/** Operation → rows in the right state, and a body that changes them. */
const SUBJECTS: Readonly<Record<string, { prepare: Prepare; body?: object }>> = {
  decideReferral: { prepare: each(referredQuote), body: { decision: 'approve' } },
  quoteSubmission: { prepare: each(async (house) => (await submit(house.as('underwriter'))).id) },
  bindSubmission: {
    prepare: each(async (house) => (await quoted(house.as('underwriter'))).submissionId),
    body: { installmentPlan: 'PAY_IN_FULL' },
  },
  endorsePolicy: {
    prepare: each(boundPolicy),
    body: { effectiveDate: EFFECTIVE_DATE, changes: { annualRevenue: 1_300_000 } },
  },
  voidEndorsement: { prepare: each(endorsedPolicy), body: { reason: 'It was a mistake.' } },
  cancelPolicy: { prepare: each(boundPolicy), body: { effectiveDate: EFFECTIVE_DATE, reason: 'flat_not_taken' } },
  reinstatePolicy: { prepare: each(policyToBeCancelled), body: {} },
  renewPolicy: { prepare: policiesThatExpire, body: {} },
  auditPolicy: { prepare: policiesThatHaveExpired, body: { actualRevenue: 1_300_000 } },
};

const BOUND_BY_AUTHORITY = CLOSED.filter(({ route: { access } }) => isHeldAgainstAuthority(access));

let platform: Platform;
let auth: AuthUnderTest;

test.before('a platform whose commits can be stopped', async (t) => {
  platform = await startPlatform(t);
  auth = await runAuth({}, { database: platform.testDatabase });
  await auth.sql.query(STOP_AT_COMMIT);
});
test.after.always(() => auth?.close());

test('the operations that are checked against an authority are known, and each can be raced', (t) => {
  t.true(BOUND_BY_AUTHORITY.length > 0);
  const unknown = BOUND_BY_AUTHORITY.filter(({ id }) => SUBJECTS[id] === undefined).map(({ id }) => id);
  t.deepEqual(unknown, [], 'test/attacks/raced-authority.test.ts has no rows for them');
});

for (const operation of BOUND_BY_AUTHORITY) {
  test.serial(`${operation.id}: nothing commits beyond the authority of that moment`, async (t) => {
    const house = await newHouse(platform);
    const { prepare, body } = SUBJECTS[operation.id] ?? { prepare: async () => [] };
    const ids = await prepare(house, CALLS + 1);
    const userId = await auth.createUser({
      email: `${operation.id.toLowerCase()}@example.com`,
      orgId: house.orgId,
      role: 'underwriter',
    });
    const give = async (limits: object) =>
      bodyOf(await house.as('org_admin').put(`/v1/users/${userId}/authority`, limits));
    const call = (id: string) => house.as('underwriter', userId).post(pathOf(operation, namedIn(id)), body);
    await give(WIDE);
    const [late = '', ...raced] = ids;
    const gate = await closeGate(platform.testDatabase.ownerUrl);
    const calls = raced.map(call);
    await gate.isReached();
    const lowered = give(NONE);
    await Promise.race([lowered, gate.isRelationWaitedFor()]);
    await gate.open();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    await lowered;
    t.true(
      statuses.some((status) => status < 300),
      `one had come as far as its commit: ${statuses}`,
    );
    t.true(
      statuses.every((status) => status < 300 || status === 403),
      `the others are refused: ${statuses}`,
    );
    t.is((await call(late)).status, 403, 'and so is who comes later');
    const { rows } = await auth.sql.query(
      // Referring a refused change requires no authority.
      "select action, entity_id, max_limit from attacked_commits where actor_id = $1 and action not in ('referral:create', 'referral:update')",
      [userId],
    );
    t.true(rows.length > 0);
    t.deepEqual(
      rows.filter((row) => Number(row.max_limit) < WIDE.maxLimit * 100),
      [],
    );
  });
}

/**
 * While the gate is closed, every transaction that leaves an audit row waits at its end, and then records its actor's
 * current authority: the trigger is deferred, so nothing but the commit comes after it.
 */
const STOP_AT_COMMIT = `
create table attacked_commits (actor_id text, action text, entity_id text, max_limit bigint);
create function note_commit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from relations where subject_id = new.actor_id and relation = 'authority') then return null; end if;
  perform pg_advisory_xact_lock_shared(${GATE});
  insert into attacked_commits
    select new.actor_id, new.action, new.entity_id, (limits ->> 'maxLimitCents')::bigint from relations
    where subject_id = new.actor_id and relation = 'authority';
  return null;
end $$;
create constraint trigger note_commit after insert on audit_entries deferrable initially deferred
  for each row execute function note_commit();`;

/** Closes the gate until it is reopened. */
async function closeGate(ownerUrl: string) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [GATE]);
  const waiting = async (condition: string) => {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${condition}`;
    return (await client.query(sql)).rows.length > 0;
  };
  return {
    isReached: () => eventually(() => waiting("wait_event = 'advisory'"), { what: 'a call to reach its commit' }),
    isRelationWaitedFor: () =>
      eventually(() => waiting("query ~* 'pg_advisory_xact_lock\\(|into relations'"), {
        what: 'a lock of the authority',
      }),
    open: async () => {
      await client.query('select pg_advisory_unlock($1)', [GATE]);
      await client.end();
    },
  };
}

/** Returns whether an underwriter with almost no authority is refused what one without limits may do. */
function isHeldAgainstAuthority(access: Access): boolean {
  if (access.kind !== 'organization' || access.resource === null) return false;
  return (
    mayWith(access.action, null) &&
    !mayWith(access.action, { maxLimitCents: 1, maxPremiumCents: 1, linesOfBusiness: null })
  );
}

function mayWith(action: Action, authority: Actor['authority']): boolean {
  const orgId = 'org_here';
  const underwriter: Actor = {
    ...{ kind: 'user', id: 'usr_underwriter', role: 'underwriter', orgId, homeOrgId: orgId },
    ...{ scopes: null, producerIds: [], authority },
  };
  return may(underwriter, action, {
    orgId,
    limitCents: 2,
    premiumCents: 2,
    lineOfBusiness: 'GL',
    triageBand: 'standard',
  });
}

function each(make: (house: House) => Promise<string>): Prepare {
  return (house, count) => Promise.all(Array.from({ length: count }, () => make(house)));
}

async function boundPolicy(house: House): Promise<string> {
  return (await bound(house.as('underwriter'))).policyId;
}

async function referredQuote(house: House): Promise<string> {
  return (await quoted(house.as('underwriter'), { lossesLast5Years: 3 })).daFlags[0].referralId;
}

/** Returns the ids of a policy and its endorsement, joined. Voiding the endorsement raises what it lowered. */
async function endorsedPolicy(house: House): Promise<string> {
  const policyId = await boundPolicy(house);
  const change = { effectiveDate: EFFECTIVE_DATE, changes: { annualRevenue: 900_000 } };
  const { id } = bodyOf(await house.as('underwriter').post(`/v1/policies/${policyId}/endorse`, change), 201);
  return `${policyId}/${id}`;
}

function namedIn(ids: string): Record<string, string> {
  const [id = '', transactionId = ''] = ids.split('/');
  return { id, transactionId };
}

async function policyToBeCancelled(house: House): Promise<string> {
  const policyId = await boundPolicy(house);
  const change = { effectiveDate: addDays(EFFECTIVE_DATE, 73), reason: 'underwriting' };
  bodyOf(await house.as('underwriter').post(`/v1/policies/${policyId}/cancel`, change), 201);
  return policyId;
}

function policiesThatExpire(house: House, count: number): Promise<string[]> {
  return copiesOf(house, count, {});
}

function policiesThatHaveExpired(house: House, count: number): Promise<string[]> {
  const today = `'${testToday()}'::date`;
  const term = { effective_date: `(${today} - interval '1 year')::date`, expiration_date: today };
  return copiesOf(house, count, { ...term, status: "'expired'" });
}

async function copiesOf(house: House, count: number, columns: Record<string, string>): Promise<string[]> {
  const sourceId = await boundPolicy(house);
  const { ownerUrl } = platform.testDatabase;
  return copyExpiring({ ownerUrl, sourceId, today: testToday(), count, columns });
}
