import test from 'ava';
import { type Actor, denial, may, type ResourceFacts, type Role } from '../../../domain/permissions.ts';

const USER: Actor = {
  ...{ kind: 'user', id: 'usr_1', role: 'org_admin', orgId: 'org_1', homeOrgId: 'org_1' },
  ...{ scopes: null, producerIds: [], authority: null },
};
const user = (role: Role, more: Partial<Actor> = {}): Actor => ({ ...USER, role, ...more });
const HERE: ResourceFacts = { orgId: 'org_1' };

test('Nobody but an administrator approves their own settlement', (t) => {
  const own = { ...HERE, requestedBy: 'usr_1' };
  t.false(may(user('claims_supervisor'), 'claim:approve', own));
  t.true(may(user('claims_supervisor'), 'claim:approve', { ...HERE, requestedBy: 'usr_2' }));
  for (const role of ['org_admin', 'superadmin'] as const) t.true(may(user(role), 'claim:approve', own));
});

test('A refusal beyond the own authority on claims gives limit and amount in dollars; limits of policies do not count', (t) => {
  const authority = { maxLimitCents: 1, maxPremiumCents: 1, linesOfBusiness: [], maxReserveCents: 1_000_000 };
  const mine = { ...HERE, adjusterId: 'usr_1', lineOfBusiness: 'GL', limitCents: 2 };
  for (const role of ['claims_adjuster', 'claims_supervisor'] as const) {
    const handler = user(role, { authority: { ...authority, maxSettlementCents: 500_000 } });
    t.is(denial(handler, 'claim:reserve', { ...mine, reserveCents: 1_000_000 }), null);
    const beyond = { permission: 'claim:reserve' as const, limit: 10_000, actual: 10_000.01 };
    t.deepEqual(denial(handler, 'claim:reserve', { ...mine, reserveCents: 1_000_001 }), beyond);
    // An offer waits for someone who may approve it.
    t.is(denial(handler, 'claim:settle', { ...mine, settlementCents: 500_001 }), null);
  }
  const supervisor = user('claims_supervisor', { authority: { ...authority, maxSettlementCents: 500_000 } });
  for (const action of ['claim:approve', 'claim:pay'] as const) {
    t.is(denial(supervisor, action, { ...mine, settlementCents: 500_000 }), null);
    t.like(denial(supervisor, action, { ...mine, settlementCents: 500_001 }), { limit: 5000, actual: 5000.01 });
    t.is(denial(user('claims_supervisor', { authority }), action, { ...mine, settlementCents: 500_001 }), null);
  }
  const admin = user('org_admin', { authority });
  t.is(denial(admin, 'claim:reserve', { ...mine, reserveCents: 1_000_001 }), null);
});
