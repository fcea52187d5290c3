// Who sees what of a claim with protected values: every role, every read operation, with and without them; and every
// place where a word could be left behind.
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import test from 'ava';
import pino from 'pino';
import { newId } from '../../../db/ids.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import type { Platform } from '../../support/run-platform.ts';
import { readableHistory } from '../../workflows/readable-history.ts';
import { type Covered, covered, notice } from './claim-calls.ts';
import { deposit, isPaid } from './claim-money.ts';
import { ADJUSTER, claimPeople } from './claim-people.ts';

let platform: Platform;
/** What the API, the worker and the database have logged, at the finest level. */
const logged: string[] = [];

test.before('a platform', async (t) => {
  const logger = pino({ level: 'trace' }, { write: (line) => logged.push(line) });
  platform = await startCheckedPlatform(t, { logger, pdf: startPress() });
});

const WORD = 'Quillfeather';
const PHONE = '+1 512 555 0187';
const reveals = (text: string) => [WORD, PHONE].some((each) => text.includes(each));
const PROTECTED = ['description', 'cause', 'reportedBy', 'lossLocation', 'claimant'];

/** Two claims are acknowledged, one is denied, one is settled. */
const LETTERS = 4;

/** A change in an audit row. */
interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

const emailOf = (policyId: string) => `${WORD}.${policyId}@example.com`;

/** A claim in which every text contains the word. */
async function worded(policy: Covered, containsPhi: boolean): Promise<string> {
  const { supervisor, policyId, today } = policy;
  bodyOf(await deposit(policy, 50, `Advance, ${containsPhi}`), 201);
  const sent = {
    ...{ policyId, lossDate: today, description: `${WORD} fell.`, containsPhi },
    cause: `A ${WORD} fall, ${containsPhi}`,
    ...{
      reportedBy: `Mr. ${WORD}`,
      lossLocation: `At ${WORD}'s`,
      claimant: { name: `Ada ${WORD}`, phone: PHONE, email: emailOf(policyId) },
    },
  };
  const { id } = bodyOf(await supervisor.post('/v1/claims', sent), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, { adjusterId: ADJUSTER, notes: `${WORD} was seen.` }));
  const reserves = { indemnity: 900, expense: 50, reason: `${WORD} broke an arm.` };
  bodyOf(await supervisor.post(`${path}/reserves`, reserves), 201);
  const offer = { amount: 100, payee: `Ada ${WORD}`, notes: `${WORD} agrees.`, approve: false };
  bodyOf(await supervisor.post(`${path}/settle`, offer), 201);
  const bill = { kind: 'expense', amount: 50, payee: `Dr. ${WORD}`, reference: `Bill of ${WORD}` };
  bodyOf(await supervisor.post(`${path}/payments`, bill), 201);
  await isPaid(supervisor, path, 1);
  const salvage = { kind: 'salvage', amount: 1, reference: `Shoe of ${WORD}` };
  bodyOf(await supervisor.post(`${path}/recoveries`, salvage), 201);
  const denial = { reason: `${WORD} was drunk.`, policyProvision: `The ${WORD} exclusion` };
  bodyOf(await supervisor.post(`${path}/deny`, denial));
  return id;
}

/** A protected claim, settled and paid. */
async function settled({ supervisor, file, policyId }: Covered): Promise<string> {
  const claimant = { name: `Ada ${WORD}`, email: emailOf(policyId) };
  const { id } = bodyOf(await file({ claimant, containsPhi: true, cause: `Another ${WORD} fall` }), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, {}));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity: 90, expense: 0, reason: `${WORD} limps.` }), 201);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 1, payee: `Ada ${WORD}`, notes: `${WORD} agrees.` }), 201);
  return id;
}

/** Roles that read a claim, and those of them that read its protected words. */
const READERS = ['org_admin', 'claims_supervisor', 'claims_adjuster', 'producer', 'auditor'];
const SIGHTED = ['org_admin', 'claims_supervisor', 'claims_adjuster'];

test('every role reads what the contract gives it of a claim: nothing, the claim without its words, or all of it', async (t) => {
  const policy = await covered(platform);
  const clients = await claimPeople(platform, policy);
  // The search by claimant name finds an open claim, for roles that read it; it never finds a protected one.
  const found: string[] = [];
  for (const containsPhi of [false, true]) {
    const id = await worded(policy, containsPhi);
    if (!containsPhi) found.push(id);
    for (const [role, client] of Object.entries(clients)) {
      const seen = containsPhi ? SIGHTED.includes(role) : READERS.includes(role);
      const context = `${role}, ${containsPhi ? 'protected' : 'open'}`;
      for (const path of [`/v1/claims/${id}`, `/v1/claims/${id}/timeline`, `/v1/claims/${id}/payments`]) {
        const answer = await client.get(path);
        t.is(answer.status, READERS.includes(role) ? 200 : 403, `${context}: ${path}`);
        t.is(reveals(answer.text), seen, `${context}: ${path}`);
      }
      if (!READERS.includes(role)) continue;
      const claim = bodyOf(await client.get(`/v1/claims/${id}`));
      t.is(claim.redacted, !seen, context);
      t.like(claim, { status: 'denied', containsPhi, coverageFlags: [] });
      for (const field of PROTECTED) t.is(field in claim, seen, `${context}: ${field}`);
      for (const field of ['reason', 'policyProvision']) t.is(field in claim.denial, seen, `${context}: ${field}`);
      const [payment] = bodyOf(await client.get(`/v1/claims/${id}/payments`)).data;
      for (const field of ['payee', 'reference']) t.is(field in payment, seen, `${context}: ${field}`);
      for (const field of ['payee', 'notes']) t.is(field in claim.settlement, seen, `${context}: ${field}`);
      const list = await client.get('/v1/claims', { query: { q: claim.claimNumber } });
      t.is(bodyOf(list).data.length, 1, context);
      t.false(reveals(list.text), context);
      const named: { id: string }[] = bodyOf(await client.get('/v1/claims', { query: { q: WORD } })).data;
      t.deepEqual(
        named.map((each) => each.id),
        found,
        context,
      );
    }
  }
});

test('a repeated first notice returns the words only to those who may see them now, and each time is on record', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor, policyId, today } = policy;
  const adjuster = house.as('claims_adjuster', 'usr_filing');
  const sent = { ...notice(policyId, today), description: `${WORD} fell.`, containsPhi: true };
  const key = { headers: { 'Idempotency-Key': 'a notice' } };
  const first = await adjuster.post('/v1/claims', sent, key);
  const { id, ...filed } = bodyOf(first, 201);
  const readers = async () => {
    const { data } = bodyOf(await house.as('org_admin').get('/v1/audit', { query: { entity: id } }));
    return data
      .filter(({ action }: { action: string }) => action === 'claim:read_phi')
      .map(({ actor, changes }: { actor: { id: string }; changes: Change[] }) => [actor.id, changes[0]?.after]);
  };
  const read = ['usr_filing', [...PROTECTED, 'denial', 'settlement', 'heldPayees']];
  const again = await adjuster.post('/v1/claims', sent, key);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is(again.text, first.text);
  t.deepEqual(await readers(), [read, read]);
  bodyOf(await supervisor.post(`/v1/claims/${id}/assign`, { adjusterId: ADJUSTER }));
  const blind = await adjuster.post('/v1/claims', sent, key);
  t.is(blind.headers.get('idempotent-replayed'), 'true');
  t.false(blind.text.includes(WORD));
  const { description, cause, reportedBy, lossLocation, claimant, ...open } = filed;
  t.is(description, sent.description);
  t.deepEqual(bodyOf(blind, 201), { id, ...open, redacted: true });
  t.is((await readers()).filter(([reader]: string[]) => reader === 'usr_filing').length, 2);
});

test('a likely duplicate of a protected claim is called so only to those who may see its words', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor, file } = policy;
  const [own, guessing] = ['usr_own', 'usr_guessing'].map((sub) => house.as('claims_adjuster', sub));
  const { id: original } = bodyOf(await file({ containsPhi: true }, own), 201);
  const unknown = { duplicateOf: null, coverageFlags: [] };
  const named = { duplicateOf: original, coverageFlags: ['possible_duplicate'] };
  const key = { headers: { 'Idempotency-Key': 'a guess' } };
  const sent = notice(policy.policyId, policy.today);
  const guess = bodyOf(await guessing!.post('/v1/claims', sent, key), 201);
  t.like(guess, unknown);
  const shownTo = async (client: TestClient, id: string) => {
    const { data } = bodyOf(await client.get('/v1/claims'));
    return [bodyOf(await client.get(`/v1/claims/${id}`)), data.find((claim: { id: string }) => claim.id === id)];
  };
  for (const seen of await shownTo(guessing!, guess.id)) t.like(seen, unknown);
  const timeline = await guessing!.get(`/v1/claims/${guess.id}/timeline`);
  t.false(timeline.text.includes('possible_duplicate'));
  for (const seen of await shownTo(house.as('auditor'), guess.id)) t.like(seen, unknown);
  t.false((await house.as('auditor').get('/v1/audit')).text.includes('possible_duplicate'));
  for (const seen of await shownTo(supervisor, guess.id)) t.like(seen, named);
  const filed = bodyOf(await own!.post('/v1/claims', sent, key), 201);
  t.like(filed, named);
  bodyOf(await supervisor.post(`/v1/claims/${original}/assign`, { adjusterId: 'usr_guessing' }));
  t.like(bodyOf(await own!.post('/v1/claims', sent, key), 201), { id: filed.id, ...unknown });
  for (const seen of await shownTo(guessing!, guess.id)) t.like(seen, named);
});

test('every read of protected values leaves an audit row that names the fields; one of an open claim leaves none', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor, file } = policy;
  const admin = house.as('org_admin');
  const reads = async (id: string) => {
    const { data } = bodyOf(await admin.get('/v1/audit', { query: { entity: id } }));
    return data
      .filter(({ action }: { action: string }) => action === 'claim:read_phi')
      .map(({ actor, changes }: { actor: { role: string }; changes: Change[] }) => [actor.role, changes[0]?.after]);
  };
  const fields = [...PROTECTED, 'denial', 'settlement', 'heldPayees'];
  const { id } = bodyOf(await file({ containsPhi: true }), 201);
  t.deepEqual(await reads(id), [['claims_supervisor', fields]]);
  bodyOf(await admin.get(`/v1/claims/${id}`));
  bodyOf(await supervisor.get(`/v1/claims/${id}/timeline`));
  bodyOf(await house.as('auditor').get(`/v1/claims/${id}`));
  bodyOf(await supervisor.get('/v1/claims'));
  t.deepEqual(await reads(id), [
    ['claims_supervisor', ['note']],
    ['org_admin', fields],
    ['claims_supervisor', fields],
  ]);
  const open = bodyOf(await file({ cause: 'Fire' }), 201);
  bodyOf(await admin.get(`/v1/claims/${open.id}`));
  t.deepEqual(await reads(open.id), []);
});

test('no protected word stays in events, audit, stored outcomes, kept responses, histories, search attributes or logs', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor } = policy;
  const id = await worded(policy, true);
  const claims = [id, await settled(policy)];
  const letters = () => platform.providers.mails.filter(({ to }) => to === emailOf(policy.policyId));
  await eventually(() => letters().length >= LETTERS, { what: 'the e-mails about all letters' });
  t.false(letters().some(({ subject, text }) => `${subject}${text.replace(`Ada ${WORD},`, '')}`.includes(WORD)));
  const headers = { 'Idempotency-Key': 'with a word' };
  bodyOf(await supervisor.post(`/v1/claims/${id}/close`, { notes: `${WORD} went home.` }, { headers }));
  // A refused request or a mere search leaves nothing anywhere either.
  const refused = [
    await supervisor.post(`/v1/claims/${id}/deny`, { reason: `${WORD} again.` }),
    await supervisor.post('/v1/claims', { description: WORD, [WORD]: WORD }),
    await supervisor.get('/v1/claims', { query: { q: WORD, [WORD]: WORD } }),
    await supervisor.get(`/v1/claims/${WORD}`),
  ];
  t.true(refused.every(({ status }) => status >= 400 && status < 500));
  bodyOf(await supervisor.get('/v1/claims', { query: { q: WORD } }));
  const rows = await platform.database.forOrg(house.orgId, async (em) => {
    const tables: { name: string }[] = await em.execute(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_name)
        where column_name = 'org_id' and table_type = 'BASE TABLE' and tables.table_schema = 'public' group by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await em.execute<{ n: number }[]>(
        `select count(*)::int as n from ${name} r where r::text ilike ? or r::text like ?`,
        [`%${WORD}%`, `%${PHONE}%`],
      );
      if ((row?.n ?? 0) > 0) found.push(name);
    }
    return found;
  });
  t.deepEqual(rows.toSorted(), ['claim_notes', 'claim_particulars', 'claim_payees', 'claim_references']);
  for (const workflowId of await workflowsOf(house.orgId, claims)) {
    const handle = platform.temporal.client.workflow.getHandle(workflowId);
    const history = await readableHistory(JSON.parse(historyToJSON(await handle.fetchHistory())));
    const texts = payloadsIn(history);
    t.true(
      texts.some((text) => text.includes(house.orgId)),
      'the payloads are read in clear',
    );
    t.false(texts.some(reveals));
    const { typedSearchAttributes, memo } = await handle.describe();
    t.false(reveals(JSON.stringify([typedSearchAttributes.getAll(), memo])));
  }
  const ofClaim = logged.filter((line) => line.includes('/v1/claims'));
  t.true(ofClaim.length > 0, 'requests are logged');
  t.deepEqual(logged.filter(reveals), []);
});

/** The workflows of claims, their payments and their letters. */
async function workflowsOf(orgId: string, claims: string[]): Promise<string[]> {
  const rows = await platform.database.forOrg(orgId, (em) =>
    em.execute<{ kind: string; id: string }[]>(
      `select 'claim-payment' as kind, id from claim_payments where claim_id in (?)
        union all select 'document', id from document_orders where entity_id in (?)`,
      [claims, claims],
    ),
  );
  return [...claims.map((id) => ({ kind: 'claim', id })), ...rows].map(({ kind, id }) => `${kind}/${orgId}/${id}`);
}

/** The data of all payloads in a readable history. */
function payloadsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data, metadata } = value as { data?: unknown; metadata?: unknown };
  if (typeof data === 'string' && metadata) return [Buffer.from(data, 'base64').toString()];
  return Object.values(value).flatMap(payloadsIn);
}

test('every caller can check what they may do, and the result matches the calls themselves', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const [own, stranger] = [await house.asProducer(producerId), await house.asProducer()];
  const { policyId } = await bound(house.as('underwriter'), { producerId });
  const loss = {
    policyId,
    lossDate: bodyOf(await house.as('org_admin').get('/v1/test-clock')).date,
    description: 'Fire.',
  };
  const { id: claimId } = bodyOf(await house.as('claims_supervisor').post('/v1/claims', loss), 201);
  const ask = async (client: TestClient, action: string, resource?: string) =>
    bodyOf(await client.post('/v1/permissions/check', { action, ...(resource ? { resource } : {}) })).allowed;
  for (const [client, isOwn] of [
    [own, true],
    [stranger, false],
  ] as const) {
    for (const [action, resource] of [
      ['claim:read', claimId],
      ['policy:read', policyId],
      ['producer:read', producerId],
    ] as const) {
      const path = `/v1/${action.split(':')[0]}s/${resource}`.replace('policys', 'policies');
      t.is(await ask(client, action, resource), isOwn);
      t.is((await client.get(path)).status, isOwn ? 200 : 403);
    }
    t.false(await ask(client, 'policy:cancel', policyId));
    t.true(await ask(client, 'claim:read'));
  }
  const adjuster = newId('user');
  bodyOf(await house.as('claims_supervisor').post(`/v1/claims/${claimId}/investigate`, { adjusterId: adjuster }));
  for (const [sub, isTheirs] of [
    [adjuster, true],
    [newId('user'), false],
  ] as const) {
    const client = house.as('claims_adjuster', sub);
    t.is(await ask(client, 'policy:read', policyId), isTheirs);
    t.is((await client.get(`/v1/policies/${policyId}`)).status, isTheirs ? 200 : 403);
  }
  const unknown = await own.post('/v1/permissions/check', { action: 'claim:read', resource: newId('claim') });
  t.like(unknown, { status: 400, body: { details: { field: 'resource', rule: 'unknown_reference' } } });
  const foreign = (await newHouse(platform)).as('org_admin');
  const elsewhere = await foreign.post('/v1/permissions/check', { action: 'claim:read', resource: claimId });
  t.is(elsewhere.status, 400);
});
