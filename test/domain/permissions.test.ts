// Who may do what. The table is written out a second time by role, and the whole decision a second time as plain
// questions; both must agree with the platform's own.
import test from 'ava';
import {
  ACTIONS,
  type Action,
  type Actor,
  denial,
  may,
  mayCoarse,
  producerOfNewSubmission,
  type ResourceFacts,
  ROLES,
  type Role,
  requiredScope,
  roleMay,
  SCOPES,
  type Visibility,
  visibility,
} from '../../domain/permissions.ts';
import { fc } from '../support/fixed/chance.ts';
import { anyActor, anyRow } from './any-permission.ts';

const READS = ACTIONS.filter((action) => action.endsWith(':read'));

const list = (text: string) => text.trim().split(/\s+/) as Action[];
const PLATFORM = list(`organization:create organization:read organization:update organization:operate
  payload:decode payload:encode`);

/** What each role may do, from Spec 5.8 and the contract. */
const BY_ROLE: Record<Role, Action[]> = {
  superadmin: ACTIONS.filter((action) => action !== 'portal:use'),
  org_admin: ACTIONS.filter(
    (action) => ![...PLATFORM, 'da_contract:create', 'da_contract:update', 'portal:use'].includes(action),
  ),
  platform_operator: list(`organization:create organization:read organization:update da_contract:read da_contract:create
    da_contract:tighten
    da_contract:update rate_table:read rate_table:write commission_schedule:read commission_schedule:write
    api_key:read api_key:manage audit:read flag:read test_clock:read permission:read payload:decode payload:encode`),
  finance_analyst: list(`document:read loss_fund:read ledger:read commission:read analytics:read receivables:read
    policy:read invoice:read refund:read disbursement:read commission_schedule:read
    permission:read commission_terms:read commission_statement:read remittance:read remittance:prepare bordereau:read`),
  compliance_officer:
    list(`document:read producer:create producer:read producer:update appointment:create appointment:read
    appointment:update filing:read filing:update sanctions:read sanctions:clear analytics:read
    receivables:read audit:read producer_member:read producer_member:manage permission:read
    bordereau:read bordereau:create`),
  underwriter:
    list(`submission:create submission:read submission:update submission:quote submission:bind submission:withdraw
    submission:decline policy:read policy:update policy:endorse policy:cancel policy:reinstate policy:renew
    policy:non_renew policy:audit policy:change_payment_plan policy:issue_mcs90 renewal:read document:read
    unfiled_document:read document_template:read document:ingest document:render coi:generate envelope:read
    envelope:create envelope:void producer:read appointment:read deal_room:create deal_room:read deal_room:post
    deal_room:close referral:create referral:read referral:decide da_contract:read rate_table:read permission:read
    delegation:create delegation:read delegation:end deal_room:mark_read deal_room:manage`),
  producer:
    list(`submission:create submission:read submission:update submission:quote submission:withdraw policy:read claim:read
    deal_room:read deal_room:post document:read producer:read appointment:read permission:read deal_room:mark_read
    commission_statement:read`),
  claims_adjuster:
    list(`claim:create claim:read claim:read_phi claim:investigate claim:reserve claim:settle claim:deny claim:close
    claim:reopen claim:attach policy:read document:read permission:read`),
  claims_supervisor: [
    ...ACTIONS.filter((action) => action.startsWith('claim:')),
    'policy:read',
    'document:read',
    'permission:read',
  ],
  billing_admin:
    list(`document:read invoice:read invoice:print invoice:collect invoice:record_payment invoice:void invoice:write_off invoice:refund refund:read refund:approve
    disbursement:read disbursement:manage loss_fund:read loss_fund:deposit ledger:read ledger:reconcile ledger:close
    journal:create commission:read policy:read policy:change_payment_plan billing_hold:read permission:read
    commission_statement:read
    remittance:read remittance:prepare remittance:decide receivables:read bordereau:read bordereau:create`),
  auditor: READS.filter((action) => !['organization:read', 'webhook:read', 'api_key:read'].includes(action)),
  policyholder: ['portal:use'],
};

for (const role of ROLES) {
  test(`The role ${role} may do exactly what its line says`, (t) => {
    t.deepEqual(ACTIONS.filter((action) => roleMay(role, action)).sort(), [...BY_ROLE[role]].sort());
  });
}

test('The auditor writes nothing', (t) => {
  for (const action of ACTIONS) if (roleMay('auditor', action)) t.true(action.endsWith(':read'), action);
});

test('The scopes are those of the contract', (t) => {
  const resources =
    'submissions policies claims invoices documents webhooks producers deal-rooms referrals flags analytics events renewals';
  const expected = resources.split(' ').flatMap((resource) => [`${resource}:read`, `${resource}:write`]);
  t.deepEqual([...SCOPES].sort(), [...expected, 'coi:generate', 'documents:ingest', '*'].sort());
});

const USER: Actor = {
  ...{ kind: 'user', id: 'usr_1', role: 'org_admin', orgId: 'org_1', homeOrgId: 'org_1' },
  ...{ scopes: null, producerIds: [], authority: null },
};
const user = (role: Role, more: Partial<Actor> = {}): Actor => ({ ...USER, role, ...more });
const key = (...scopes: string[]): Actor => ({ ...USER, kind: 'api_key', id: 'key_1', scopes });
const MACHINE: Actor = { ...USER, kind: 'machine', id: 'machine', role: 'superadmin', homeOrgId: null };
const HERE: ResourceFacts = { orgId: 'org_1' };

test('A key with every scope may not approve, decide or administer', (t) => {
  const closed =
    list(`claim:approve claim:deny claim:pay loss_fund:deposit referral:decide delegation:create delegation:end refund:approve sanctions:clear audit:read user:read user:invite user:update authority:read
    authority:write api_key:read api_key:manage organization:create organization:read organization:update
    organization:operate da_contract:read da_contract:create da_contract:tighten da_contract:update rate_table:read
    rate_table:write
    commission_schedule:read commission_schedule:write test_clock:read test_clock:advance billing_hold:manage
    billing_hold:read ledger:reconcile ledger:close ledger:reopen
    journal:create journal:decide remittance:prepare remittance:decide
    payload:decode payload:encode portal:use
    flag:control producer_member:read producer_member:manage commission_terms:read commission_terms:write permission:read`);
  for (const actor of [key('*'), key(...SCOPES)]) {
    t.deepEqual(ACTIONS.filter((action) => !mayCoarse(actor, action)).sort(), [...closed].sort());
  }
  for (const action of closed) t.is(requiredScope(action), null, action);
});

test('A scope opens its own actions, write opens read, and nothing else', (t) => {
  t.true(mayCoarse(key('submissions:write'), 'submission:bind'));
  t.true(mayCoarse(key('submissions:write'), 'submission:read'));
  t.false(mayCoarse(key('submissions:read'), 'submission:create'));
  t.false(mayCoarse(key('submissions:write'), 'policy:read'));
  t.true(mayCoarse(key('invoices:read'), 'ledger:read'));
  t.true(mayCoarse(key('invoices:read'), 'commission:read'));
  t.true(mayCoarse(key('events:read'), 'event:read'));
  t.false(mayCoarse(key('documents:write'), 'document:ingest'));
  t.true(mayCoarse(key('documents:ingest'), 'document:ingest'));
  t.true(mayCoarse(key('coi:generate'), 'coi:generate'));
  t.false(mayCoarse(key(), 'submission:read'));
  t.is(requiredScope('submission:bind'), 'submissions:write');
  t.is(requiredScope('commission:read'), 'invoices:read');
});

test('The machine may do everything but use the portal, in the organization it names', (t) => {
  for (const action of ACTIONS) t.is(may(MACHINE, action, HERE), action !== 'portal:use', action);
  t.false(may(MACHINE, 'policy:read', { orgId: 'org_2' }));
  t.true(may({ ...MACHINE, orgId: '' }, 'organization:update', { orgId: 'org_2' }));
});

test('Only a superadmin, or a platform operator with the tuple, acts in another organization', (t) => {
  const there = { orgId: 'org_2' };
  for (const role of ROLES) {
    const visitor = user(role, { orgId: 'org_2' });
    for (const action of ACTIONS) {
      const expected = role === 'superadmin' && action !== 'portal:use';
      t.is(may(visitor, action, there), expected, `${role} ${action}`);
    }
  }
  t.true(may(user('platform_operator', { orgId: 'org_2', operatorOf: ['org_2'] }), 'rate_table:write', there));
  t.true(may(user('platform_operator', { operatorOf: ['org_2'] }), 'organization:update', there));
  t.false(may(user('platform_operator'), 'organization:update', there));
  t.true(may(user('platform_operator'), 'organization:create', there));
});

test('A producer works on own submissions, quotes those that triage lets through, and never binds', (t) => {
  const producer = user('producer', { producerIds: ['prd_1', 'prd_2'] });
  const own = { ...HERE, producerId: 'prd_2' };
  t.true(may(producer, 'submission:create', own));
  t.true(may(producer, 'submission:read', own));
  t.true(may(producer, 'policy:read', own));
  t.true(may(producer, 'claim:read', own));
  t.false(may(producer, 'claim:read', { ...own, containsPhi: true }));
  t.false(may(producer, 'submission:read', { ...HERE, producerId: 'prd_3' }));
  t.false(may(producer, 'submission:create', { ...HERE, producerId: null }));
  t.false(may(producer, 'submission:bind', own));
  for (const [triageBand, expected] of [
    ['auto_quote', true],
    ['standard', true],
    ['refer', false],
    ['decline_recommended', false],
    [null, false],
    [undefined, false],
  ] as const) {
    t.is(may(producer, 'submission:quote', { ...own, triageBand }), expected, String(triageBand));
  }
  t.false(may(user('producer'), 'submission:read', own));
});

test('A producer who names no producer submits for their only one', (t) => {
  t.is(producerOfNewSubmission(user('producer', { producerIds: ['prd_1'] }), null), 'prd_1');
  t.is(producerOfNewSubmission(user('producer', { producerIds: ['prd_1'] }), 'prd_9'), 'prd_9');
  t.is(producerOfNewSubmission(user('producer', { producerIds: ['prd_1', 'prd_2'] }), undefined), null);
  t.is(producerOfNewSubmission(user('org_admin', { producerIds: ['prd_1'] }), undefined), null);
});

test('An adjuster sees assigned claims and their policies, a supervisor all of them', (t) => {
  const adjuster = user('claims_adjuster');
  t.true(may(adjuster, 'claim:reserve', { ...HERE, adjusterId: 'usr_1' }));
  t.true(may(adjuster, 'claim:read', { ...HERE, adjusterId: 'usr_1', containsPhi: true }));
  t.false(may(adjuster, 'claim:read', { ...HERE, adjusterId: 'usr_2' }));
  t.false(may(adjuster, 'claim:approve', { ...HERE, adjusterId: 'usr_1' }));
  t.true(may(adjuster, 'policy:read', { ...HERE, claimAdjusterIds: ['usr_2', 'usr_1'] }));
  t.false(may(adjuster, 'policy:read', HERE));
  t.true(may(adjuster, 'claim:create', HERE));
  t.true(may(user('claims_supervisor'), 'claim:approve', { ...HERE, adjusterId: 'usr_2', containsPhi: true }));
  t.false(may(user('auditor'), 'claim:read', { ...HERE, containsPhi: true }));
});

test('An underwriter acts within their own authority, and a refusal above it says by how much', (t) => {
  const authority = { maxLimitCents: 100_000_000, maxPremiumCents: 1_000_000, linesOfBusiness: ['GL'] };
  const underwriter = user('underwriter', { authority });
  const risk = { ...HERE, limitCents: 100_000_000, premiumCents: 1_000_000, lineOfBusiness: 'GL' };
  t.is(denial(underwriter, 'submission:bind', risk), null);
  t.deepEqual(denial(underwriter, 'submission:bind', { ...risk, limitCents: 200_000_000 }), {
    ...{ permission: 'submission:bind', limit: 1_000_000, actual: 2_000_000 },
  });
  t.deepEqual(denial(underwriter, 'referral:decide', { ...risk, premiumCents: 1_000_001 }), {
    ...{ permission: 'referral:decide', limit: 10_000, actual: 10_000.01 },
  });
  t.deepEqual(denial(underwriter, 'policy:renew', { ...risk, lineOfBusiness: 'CA' }), { permission: 'policy:renew' });
  t.is(denial(underwriter, 'submission:read', { ...risk, limitCents: 200_000_000 }), null);
  t.is(denial(user('underwriter'), 'submission:bind', { ...risk, limitCents: 200_000_000 }), null);
  t.is(denial(user('org_admin', { authority }), 'submission:bind', { ...risk, limitCents: 200_000_000 }), null);
});

test('Nobody decides on their own referral', (t) => {
  for (const role of ['underwriter', 'org_admin', 'superadmin'] as const) {
    t.false(may(user(role), 'referral:decide', { ...HERE, requestedBy: 'usr_1' }));
    t.true(may(user(role), 'referral:decide', { ...HERE, requestedBy: 'usr_2' }));
  }
});

/** A document needs read access to what it belongs to, even for an administrator's key. */
function slowlyOpens({ kind, role, scopes }: Actor, action: Action): boolean {
  const resources = { policy: 'policies', claim: 'claims', bordereau: 'analytics', unfiled_document: 'documents' };
  const resource = resources[action.split(':')[0] as keyof typeof resources];
  const openers = ['*', `${resource}:read`, `${resource}:write`];
  return BY_ROLE[role].includes(action) && (kind !== 'api_key' || openers.some((scope) => scopes?.includes(scope)));
}

/** The same decision, slowly: one question after another, as the contract describes it. */
function slowMay(actor: Actor, action: Action, row: ResourceFacts): boolean {
  const isPlatformRow = action.startsWith('organization:');
  const isDecision = ['referral:decide', 'refund:approve', 'journal:decide', 'remittance:decide'].includes(action);
  if (isDecision && [row.requestedBy].flat().includes(actor.id)) return false;
  const isApprover = actor.kind !== 'machine' && actor.role === 'claims_supervisor' && action === 'claim:approve';
  if (isApprover && [row.requestedBy].flat().includes(actor.id)) return false;
  if (actor.kind === 'machine') return action !== 'portal:use' && (isPlatformRow || row.orgId === actor.orgId);
  if (actor.kind === 'api_key') {
    if (actor.orgId !== actor.homeOrgId || row.orgId !== actor.orgId) return false;
    const scope = requiredScope(action);
    const held = actor.scopes ?? [];
    if (scope === null) return false;
    const isReadOfWrite = scope.endsWith('read') && held.includes(scope.replace('read', 'write'));
    if (!held.includes(scope) && !held.includes('*') && !isReadOfWrite) return false;
  }
  if (!BY_ROLE[actor.role].includes(action)) return false;
  const tuples = actor.operatorOf ?? [];
  const readsClaims = actor.kind !== 'api_key' || /claims:|\*/.test(String(actor.scopes));
  const seesHealth = /^(superadmin|org_admin|claims_adjuster|claims_supervisor)$/.test(actor.role) && readsClaims;
  if (row.containsPhi === true && !seesHealth) return false;
  if (row.alsoNeeds !== undefined && !slowlyOpens(actor, row.alsoNeeds)) return false;
  if (actor.role === 'superadmin') return isPlatformRow || row.orgId === actor.orgId;
  if (actor.role === 'platform_operator') {
    if (actor.orgId !== actor.homeOrgId && !tuples.includes(actor.orgId)) return false;
    if (action === 'organization:create') return true;
    return isPlatformRow ? [actor.homeOrgId, ...tuples].includes(row.orgId) : row.orgId === actor.orgId;
  }
  if (actor.orgId !== actor.homeOrgId || row.orgId !== actor.orgId) return false;
  if (actor.role === 'org_admin') return true;
  const takesPart = row.participantIds?.includes(actor.id) === true;
  const observes = row.observerIds?.includes(actor.id) === true;
  if (action.startsWith('deal_room:') && action !== 'deal_room:create' && actor.role !== 'auditor') {
    const isReading = action === 'deal_room:read' || action === 'deal_room:mark_read';
    return takesPart && (isReading || !observes);
  }
  if (action === 'delegation:end') return takesPart && !observes;
  if (actor.role === 'producer') {
    if (!actor.producerIds.some((id) => id === row.producerId)) return false;
    return action !== 'submission:quote' || row.triageBand === 'auto_quote' || row.triageBand === 'standard';
  }
  if (actor.role === 'claims_adjuster' && action !== 'claim:create') {
    if (row.adjusterId !== actor.id && row.claimAdjusterIds?.includes(actor.id) !== true) return false;
  }
  const isBounded = ['claim:reserve', 'claim:approve', 'claim:pay'].includes(action);
  if (actor.role.startsWith('claims_') && isBounded && actor.authority !== null) {
    const { maxReserveCents, maxSettlementCents } = actor.authority;
    if ((row.reserveCents ?? 0) > (maxReserveCents ?? 1e9)) return false;
    if ((row.settlementCents ?? 0) > (maxSettlementCents ?? 1e9)) return false;
  }
  const bounded = list(`submission:quote submission:bind policy:endorse policy:cancel policy:reinstate policy:renew
    policy:audit referral:decide`);
  if (actor.role === 'underwriter' && actor.authority !== null && bounded.includes(action)) {
    const { maxLimitCents, maxPremiumCents, linesOfBusiness } = actor.authority;
    if ((row.limitCents ?? 0) > maxLimitCents || (row.premiumCents ?? 0) > maxPremiumCents) return false;
    if (linesOfBusiness && row.lineOfBusiness && !linesOfBusiness.includes(row.lineOfBusiness)) return false;
  }
  return true;
}

/** Pairs of an actor and a row, checked for every action. */
const RANDOM_QUESTIONS = 10_000;

test('The fast decision and the slow one agree on every actor, action and row', (t) => {
  fc.assert(
    fc.property(anyActor, anyRow, (actor, row) =>
      ACTIONS.every((action) => may(actor, action, row) === slowMay(actor, action, row)),
    ),
    { numRuns: RANDOM_QUESTIONS },
  );
  t.pass();
});

/** Whether a list with this visibility, limited to the call's organization, shows a row. */
function isShown(seen: Visibility, actor: Actor, action: Action, row: ResourceFacts): boolean {
  const isPlatformRow = action.startsWith('organization:');
  if (seen.kind === 'none' || (!isPlatformRow && row.orgId !== actor.orgId)) return false;
  if (seen.kind === 'producers') return seen.producerIds.some((id) => id === row.producerId);
  if (seen.kind === 'adjuster') {
    return row.adjusterId === seen.userId || row.claimAdjusterIds?.includes(seen.userId) === true;
  }
  if (seen.kind === 'participant') return row.participantIds?.includes(seen.userId) === true;
  return seen.kind === 'all' || seen.orgIds.includes(row.orgId);
}

test('Lists show exactly the rows that may be read one by one', (t) => {
  fc.assert(
    fc.property(anyActor, anyRow, (actor, { alsoNeeds: _, ...facts }) => {
      const row = { ...facts, containsPhi: false };
      return READS.every(
        (action) => isShown(visibility(actor, action), actor, action, row) === may(actor, action, row),
      );
    }),
    { numRuns: 2000 },
  );
  t.pass();
});
