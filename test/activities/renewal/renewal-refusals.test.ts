// What prevents a renewal, its effect on authority, notices of non-renewal, and how the old term ends.
import test from 'ava';
import type { RenewPayload } from '../../../contracts/policy.ts';
import { Relation } from '../../../db/entities/access/relation.ts';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { DaUsage } from '../../../db/entities/authority/da-usage.ts';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addCommissionSchedule, commissionScheduleOn } from '../../../db/queries/submission/rates.ts';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import { addDays } from '../../../domain/dates.ts';
import { addProducer } from '../../workflows/billing/billed.ts';
import type { Tenant } from '../../workflows/run-engine.ts';
import { prepareSteps, refused } from '../steps.ts';
import { allInForce, change, inForce, MONTHLY, policyOf, read, renew } from './renewal-steps.ts';

test('authority is checked under the lock: of two renewals with room for one, one is refused and leaves only a referral', async (t) => {
  const steps = await prepareSteps(t);
  const ids = await allInForce(steps, 2);
  await steps.database.transaction(steps.orgId, (em) =>
    em.nativeUpdate(DaContract, {}, { maxAnnualPremiumVolumeCents: 400_000 }),
  );
  const runs = await Promise.allSettled(ids.map((id) => renew(steps, id)));
  const lost = runs.findIndex(({ status }) => status === 'rejected');
  const [run] = runs.slice(lost);
  t.is(runs.filter(({ status }) => status === 'fulfilled').length, 1);
  const rejected = Promise.reject((run as PromiseRejectedResult).reason);
  const details = await refused(t, rejected, 'delegated_authority_exceeded');
  const [flag] = details.daFlags as DaFlag[];
  t.like(flag, { code: 'DA_AGGREGATE_EXCEEDED', limit: 4000, actual: 7980 });
  await read(steps, async (em) => {
    t.is(await em.count(Policy, {}), 3);
    t.is((await em.findOneOrFail(Policy, { id: ids[lost]! })).renewalPolicyId, null);
    t.is((await em.findOneOrFail(DaUsage, { usedCents: 399_000 })).usedCents, 399_000);
    t.is(await em.count(Event, { type: 'policy.renewed' }), 1);
    const referral = await em.findOneOrFail(Referral, {});
    t.like(referral, { policyId: ids[lost]!, status: 'pending', requestedBy: 'test-admin' });
    t.is(flag?.referralId, referral.id as string);
    t.is(await em.count(AuditEntry, { action: 'referral:create' }), 1);
  });
});

test('a renewal above the authority opens one referral however often it is requested, and goes through once that is approved', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const payload: RenewPayload = { effectiveDate: null, changes: { limitCents: 300_000_000 } };
  const command = steps.command(id, payload);
  for (const sent of [command, command, steps.command(id, payload)]) {
    const { daFlags } = await refused(t, steps.activities.renewPolicy(sent), 'delegated_authority_exceeded');
    t.like((daFlags as DaFlag[])[0], {
      code: 'DA_LIMIT_EXCEEDED',
      severity: 'refer',
      limit: 2_000_000,
      actual: 3_000_000,
    });
  }
  t.is(await read(steps, (em) => em.count(Referral, { policyId: id })), 1);
  t.is(await read(steps, (em) => em.count(Policy, {})), 1);

  await steps.database.transaction(steps.orgId, (em) =>
    em.nativeUpdate(Referral, {}, { status: 'approved', decidedBy: 'usr_x', decidedAt: new Date() }),
  );
  await refused(
    t,
    renew(steps, id, { ...payload, changes: { limitCents: 300_000_001 } }),
    'delegated_authority_exceeded',
  );
  const { transactionId } = await renew(steps, id, payload);
  const issued = await read(steps, (em) => em.findOneOrFail(PolicyTransaction, { id: transactionId }));
  t.like(issued.daFlags[0], { code: 'DA_LIMIT_EXCEEDED', clearedBy: 'usr_x' });
});

test('the calendar neither repeats a rejected referral nor replaces the request of a person; a person may', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const above: RenewPayload = { effectiveDate: null, changes: { limitCents: 300_000_000 } };
  const attempt = (kind: 'machine' | 'user', actorId: string) => {
    const actor = { kind, id: actorId, role: 'superadmin' } as const;
    const command = { ...steps.command(id, above), actor };
    return refused(t, steps.activities.renewPolicy(command), 'delegated_authority_exceeded');
  };
  const states = () =>
    read(steps, async (em) => (await em.find(Referral, {}, { orderBy: { id: 'asc' } })).map(({ status }) => status));
  await attempt('machine', 'calendar');
  await steps.database.transaction(steps.orgId, (em) => em.nativeUpdate(Referral, {}, { status: 'rejected' }));
  const { daFlags } = await attempt('machine', 'calendar');
  t.is((daFlags as DaFlag[])[0]?.referralId, null);
  t.deepEqual(await states(), ['rejected']);
  await attempt('user', 'usr_x');
  t.deepEqual(await states(), ['rejected', 'pending']);
  const endorse = {
    kind: 'endorse',
    payload: above,
    figures: { limitCents: 1, premiumCents: 1, premiumChangeCents: 1 },
  };
  await steps.database.transaction(steps.orgId, (em) =>
    em.nativeUpdate(Referral, { status: 'pending' }, { request: endorse as never }),
  );
  await attempt('machine', 'calendar');
  const open = await read(steps, (em) => em.findOneOrFail(Referral, { status: 'pending' }));
  t.deepEqual([open.request?.kind, open.requesters], ['endorse', ['usr_x']]);
});

test('a policy in a name newly on the sanctions list is not renewed', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  steps.find([{ entryId: 'x', name: 'Diner 1', program: 'TEST', score: 100 }]);
  const { daFlags } = await refused(t, renew(steps, id), 'delegated_authority_exceeded');
  t.is((daFlags as DaFlag[])[0]?.code, 'DA_SANCTIONS_REVIEW');
});

test('a renewal that takes the use of the authority above 85 percent raises an event', async (t) => {
  const steps = await prepareSteps(t);
  const ids = await allInForce(steps, 2);
  await steps.database.transaction(steps.orgId, (em) =>
    em.nativeUpdate(DaContract, {}, { maxAnnualPremiumVolumeCents: 900_000 }),
  );
  for (const id of ids) await renew(steps, id);
  const events = await read(steps, (em) => em.find(Event, { type: 'da.limit_approaching' }));
  t.is(events.length, 1);
  t.like(events[0]?.data, { limit: 9000, used: 7980, utilization: 7980 / 9000 });
});

test("a renewal counts in its producer's premium of 12 months", async (t) => {
  const steps = await prepareSteps(t);
  const producerId = await addProducer(steps as unknown as Tenant);
  await steps.database.transaction(steps.orgId, async (em) => {
    const { schedule } = (await commissionScheduleOn(em, 'GL', steps.today))!;
    const tiers = [
      { tier: 1, maxCents: 500_000, agentRate: '0.10' },
      { tier: 2, maxCents: null, agentRate: '0.12' },
    ];
    addCommissionSchedule(em, { effectiveFrom: steps.today, schedule: { ...schedule, tiers }, createdBy: 'test' });
  });
  // By the time of the renewals, which total 7,980.00, the binds are more than a year old.
  const [id, other] = await allInForce(steps, 2, { producerId, daysLeft: 1 });
  await renew(steps, id!);
  await renew(steps, other!);
  const tiers = await read(steps, async (em) => {
    const issued = await em.find(PolicyTransaction, {}, { orderBy: { id: 'asc' } });
    return issued.map(({ commission }) => commission?.tier);
  });
  t.deepEqual(tiers, [1, 1, 1, 1]);
  const submissionId = await steps.quoted({ producerId, effectiveDate: addDays(steps.today, 380) });
  const { policyId } = await steps.activities.bindPolicy(steps.command(submissionId, MONTHLY));
  const [third] = await read(steps, (em) => policyTransactions(em, policyId));
  t.is(third?.commission?.tier, 2);
  t.is(await read(steps, (em) => em.count(Relation, { relation: 'producer', subjectId: producerId })), 5);
});

test('notice of non-renewal needs the days of the state, is audited, and rules a renewal out', async (t) => {
  const steps = await prepareSteps(t);
  const [id, other] = await allInForce(steps, 2, { daysLeft: 60 });
  const nonRenew = (policyId: string) =>
    steps.activities.nonRenewPolicy(steps.command(policyId, { reason: 'Loss experience' }));
  t.like(await nonRenew(id!), { policyId: id!, status: 'active' });
  const again = await refused(t, nonRenew(id!), 'invalid_state_transition');
  t.like(again, { action: 'non_renew', allowed: ['endorse', 'cancel', 'withdraw_non_renewal'] });
  const nonRenewal = {
    reason: 'Loss experience',
    noticeDate: addDays((await policyOf(steps, id!)).expirationDate, -60),
  };
  t.deepEqual((await policyOf(steps, id!)).nonRenewal, nonRenewal);
  const rows = await read(steps, (em) => em.find(AuditEntry, { action: 'policy:non_renew' }));
  t.is(rows.length, 1);
  t.like(rows[0]?.changes, { nonRenewal: { before: null, after: nonRenewal } });
  const events = await read(steps, (em) => em.find(Event, { type: 'policy.non_renewed' }));
  t.is(events.length, 1);
  t.like(events[0]?.data, { policyId: id, ...nonRenewal });
  const details = await refused(t, renew(steps, id!), 'not_ready');
  t.deepEqual(details, { missing: [], blockers: ['NON_RENEWED'] });

  steps.passDays(1);
  const { expirationDate } = await policyOf(steps, other!);
  const late = await refused(t, nonRenew(other!), 'notice_period_not_met');
  t.deepEqual(late, { earliestDate: addDays(expirationDate, 1) });
  t.is((await policyOf(steps, other!)).nonRenewal, null);
});

test('a policy that has a next term is not marked as one that will not be renewed', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { renewal } = await renew(steps, id);
  const sent = steps.command(id, { reason: 'Changed our mind' });
  const details = await refused(t, steps.activities.nonRenewPolicy(sent), 'already_exists');
  t.deepEqual(details, { renewalPolicyId: renewal.policyId });
});

test('a policy with a next term is renewed at the end of its term, and any other expires', async (t) => {
  const steps = await prepareSteps(t);
  const [renewed, left, dropped] = await allInForce(steps, 3);
  const { renewal } = await renew(steps, renewed!);
  const given = await renew(steps, dropped!);
  await change(steps, given.renewal.policyId, { status: 'cancelled' });
  const { expirationDate } = await policyOf(steps, renewed!);
  steps.passDays(60);
  const end = (id: string) =>
    steps.activities.expirePolicy({ orgId: steps.orgId, entityId: id, today: expirationDate });
  t.is((await end(renewed!)).status, 'renewed');
  t.is((await policyOf(steps, renewed!)).renewalPolicyId, renewal.policyId);
  t.is((await end(left!)).status, 'expired');
  t.is((await end(dropped!)).status, 'expired');
  t.is((await policyOf(steps, dropped!)).renewalPolicyId, null);
  const again = await renew(steps, dropped!);
  t.like(await policyOf(steps, dropped!), { status: 'renewed', renewalPolicyId: again.renewal.policyId });
});
