import anyTest, { type TestFn } from 'ava';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import { INVOICE_ORDERS } from '../../db/queries/billing/invoices.ts';
import { CLAIM_ORDERS } from '../../db/queries/claim/claims.ts';
import { NEWEST_FIRST, type Order, type Orders } from '../../db/queries/orders.ts';
import { cursorOf, type PageRequest } from '../../db/queries/pages.ts';
import { listPolicies, POLICY_ORDERS, type PolicyFilter } from '../../db/queries/policy/policies.ts';
import { listSubmissions, SUBMISSION_ORDERS, type SubmissionFilter } from '../../db/queries/submission/submissions.ts';
import type { Visibility } from '../../domain/permissions.ts';
import { addOrganization, aPolicy, aSubmission, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const ALL: Visibility = { kind: 'all' };

test('pages of a list are newest first and hold every row once, also when rows are added meanwhile', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.push(await database.transaction(orgId, async (em) => aSubmission(em).id));
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await database.forOrg(orgId, (em) => listSubmissions(em, { visibility: ALL }, { limit: 3, cursor }));
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    pages += 1;
    await database.transaction(orgId, async (em) => aSubmission(em));
  } while (cursor);
  t.is(pages, 3);
  t.deepEqual(seen, ids.toReversed());
});

test('a page that ends with the last row has no next cursor, and an empty list neither', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const list = (limit: number) => database.forOrg(orgId, (em) => listSubmissions(em, { visibility: ALL }, { limit }));
  t.deepEqual(await list(2), { data: [], nextCursor: null });
  await database.transaction(orgId, async (em) => {
    aSubmission(em);
    aSubmission(em);
  });
  t.is((await list(2)).nextCursor, null);
  t.not((await list(1)).nextCursor, null);
});

/** Each order that callers may choose, and the column behind its field. */
const INDEXED: [table: string, orders: Orders, columns: Record<string, string>][] = [
  [
    'policies',
    POLICY_ORDERS,
    { effectiveDate: 'effective_date', expirationDate: 'expiration_date', policyNumber: 'policy_number' },
  ],
  ['claims', CLAIM_ORDERS, { lossDate: 'loss_date', claimNumber: 'claim_number' }],
  ['invoices', INVOICE_ORDERS, { dueDate: 'due_date', invoiceNumber: 'invoice_number' }],
  ['submissions', SUBMISSION_ORDERS, { effectiveDate: "COALESCE(effective_date, 'infinity'::date)" }],
];

for (const [table, orders, columns] of INDEXED) {
  test(`each order of ${table} is read from an index of the organization`, async (t) => {
    const { database, orgId } = t.context;
    const rows = await database.forOrg(orgId, (em) =>
      em.execute<{ indexdef: string }[]>('select indexdef from pg_indexes where tablename = ?', [table]),
    );
    const indexes = rows.map(({ indexdef }) => indexdef);
    for (const field of Object.keys(orders)) {
      const start = `(org_id, ${columns[field]}`;
      t.true(
        indexes.some((index) => index.includes(start) && !index.includes(' WHERE ')),
        `${field}: ${start}`,
      );
    }
  });
}

const BY_DATE = { field: 'effectiveDate', kind: SUBMISSION_ORDERS.effectiveDate };

test('an order holds every row once in both directions, equal rows and rows without a value too, and stays while rows come and change', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const june = await database.transaction(orgId, async (em) => aSubmission(em, { effectiveDate: '2026-06-01' }).id);
  const none = await database.transaction(
    orgId,
    async (em) => aSubmission(em, { status: 'incomplete', effectiveDate: null }).id,
  );
  const may = await database.transaction(orgId, async (em) => aSubmission(em, { effectiveDate: '2026-05-01' }).id);
  const juneToo = await database.transaction(orgId, async (em) => aSubmission(em, { effectiveDate: '2026-06-01' }).id);
  const noneToo = await database.transaction(
    orgId,
    async (em) => aSubmission(em, { status: 'incomplete', effectiveDate: null }).id,
  );
  const read = async (sort: Order, between: () => Promise<unknown> = async () => {}): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const request: PageRequest = { limit: 1, cursor, sort };
      const page = await database.forOrg(orgId, (em) => listSubmissions(em, { visibility: ALL }, request));
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
      await between();
    } while (cursor);
    return seen;
  };
  const upwards = [may, june, juneToo, none, noneToo];
  t.deepEqual(await read({ ...BY_DATE, isDescending: false }), upwards);
  t.deepEqual(await read({ ...BY_DATE, isDescending: true }), upwards.toReversed());
  t.deepEqual(await read({ ...NEWEST_FIRST, isDescending: false }), [june, none, may, juneToo, noneToo]);
  // The row at the end of the first page moves to a place the list has already passed, and a new one appears there.
  const changed = await read({ ...BY_DATE, isDescending: false }, () =>
    database.transaction(orgId, async (em) => {
      aSubmission(em, { effectiveDate: '2026-01-01' });
      await em.execute(`update submissions set effective_date = '2026-01-02' where id = ?`, [may]);
    }),
  );
  t.deepEqual(changed, upwards);
});

test('a cursor that was not made in an order is refused by it', async (t) => {
  const { database, orgId } = t.context;
  const id = newId('submission');
  const cursor = (...parts: string[]) => Buffer.from(parts.join('\n')).toString('base64url');
  const list = (at: string, sort: Order) =>
    database.forOrg(orgId, (em) => listSubmissions(em, { visibility: ALL }, { limit: 1, cursor: at, sort }));
  const order = { ...BY_DATE, isDescending: false };
  const bad = [cursor(id), cursor('2026-02-30', id), cursor(`'`, id), cursor('', id), cursor('2026-02-01', '', id)];
  for (const at of bad) {
    t.like(await t.throwsAsync(list(at, order), undefined, at), { details: { field: 'cursor' } });
  }
  t.like(await t.throwsAsync(list(cursor('2026-02-01', id), NEWEST_FIRST)), { details: { field: 'cursor' } });
  await t.notThrowsAsync(list(cursor('2026-02-01', id), order));
  await t.notThrowsAsync(list(cursor('infinity', id), order));
});

test('a cursor that no list gave is refused for the field cursor', async (t) => {
  const { database, orgId } = t.context;
  const good = cursorOf(newId('submission'));
  const bad = ['x', '%00', good.slice(0, -1), `${good}=`, `${good} `, cursorOf(`sub_'or true--`), cursorOf('sub_')];
  for (const cursor of bad) {
    const refused = database.forOrg(orgId, (em) => listSubmissions(em, { visibility: ALL }, { limit: 1, cursor }));
    const error = await t.throwsAsync(refused, undefined, cursor);
    t.like(error, { code: 'validation_failed', details: { field: 'cursor' } });
  }
  await t.notThrowsAsync(
    database.forOrg(orgId, (em) => listSubmissions(em, { visibility: ALL }, { limit: 1, cursor: good })),
  );
});

test('each filter of submissions keeps exactly the rows it names, and filters add up', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const ids = await database.transaction(orgId, async (em) => {
    const producer = em.create(Producer, { id: newId('producer'), name: 'A producer', status: 'active' });
    const old = new Date('2026-01-10T12:00:00.000Z');
    return {
      producer: producer.id,
      plain: aSubmission(em).id,
      produced: aSubmission(em, { producerId: producer.id, state: 'FL' }).id,
      cyber: aSubmission(em, { lineOfBusiness: 'CYBER', status: 'quoted', insuredName: '100% Safe_Data \\ Ltd' }).id,
      old: aSubmission(em, { createdAt: old }).id,
    };
  });
  const list = (filter: Omit<SubmissionFilter, 'visibility'>, visibility: Visibility = ALL) =>
    database.forOrg(orgId, async (em) => {
      const page = await listSubmissions(em, { visibility, ...filter }, { limit: 10 });
      return page.data.map(({ id }) => id);
    });
  t.deepEqual(await list({}), [ids.old, ids.cyber, ids.produced, ids.plain]);
  t.deepEqual(await list({ status: 'quoted' }), [ids.cyber]);
  t.deepEqual(await list({ producerId: ids.producer }), [ids.produced]);
  t.deepEqual(await list({ lineOfBusiness: 'GL', state: 'TX' }), [ids.old, ids.plain]);
  t.deepEqual(await list({ q: 'safe_data' }), [ids.cyber]);
  t.deepEqual(await list({ q: '100%' }), [ids.cyber]);
  t.deepEqual(await list({ q: 'a \\ l' }), [ids.cyber]);
  t.deepEqual(await list({ q: '_' }), [ids.cyber]);
  t.deepEqual(await list({ q: "'" }), []);
  t.deepEqual(await list({ createdBefore: new Date('2026-01-10T12:00:00.000Z') }), []);
  t.deepEqual(await list({ createdBefore: new Date('2026-01-10T12:00:00.001Z') }), [ids.old]);
  t.deepEqual(await list({ createdFrom: new Date('2026-01-10T12:00:00.001Z') }), [ids.cyber, ids.produced, ids.plain]);
  t.deepEqual(await list({}, { kind: 'producers', producerIds: [ids.producer] }), [ids.produced]);
  t.deepEqual(await list({}, { kind: 'producers', producerIds: [] }), []);
  t.deepEqual(await list({ producerId: ids.producer }, { kind: 'producers', producerIds: ['prd_other'] }), []);
  t.deepEqual(await list({}, { kind: 'none' }), []);
});

test('each filter of policies keeps exactly the rows it names', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const [early, late] = await database.transaction(orgId, async (em) => [
    aPolicy(em, {
      effectiveDate: '2026-01-01',
      expirationDate: '2027-01-01',
      insuredName: 'Früh Café',
      status: 'expired',
    }),
    aPolicy(em, { effectiveDate: '2026-06-01', expirationDate: '2027-06-01', state: 'FL', lineOfBusiness: 'CP' }),
  ]);
  const list = (filter: Omit<PolicyFilter, 'visibility'>) =>
    database.forOrg(orgId, async (em) => {
      const page = await listPolicies(em, { visibility: ALL, ...filter }, '2026-01-01', { limit: 10 });
      return page.data.map(({ id }) => id);
    });
  t.deepEqual(await list({}), [late?.id, early?.id]);
  t.deepEqual(await list({ effectiveFrom: '2026-01-02' }), [late?.id]);
  t.deepEqual(await list({ effectiveTo: '2026-01-01' }), [early?.id]);
  t.deepEqual(await list({ expiringFrom: '2027-01-01', expiringTo: '2027-05-31' }), [early?.id]);
  t.deepEqual(await list({ insuredName: 'CAFÉ' }), [early?.id]);
  t.deepEqual(await list({ status: 'expired' }), [early?.id]);
  t.deepEqual(await list({ state: 'FL', lineOfBusiness: 'CP' }), [late?.id]);
  t.deepEqual(await list({ q: early?.policyNumber.toLowerCase() }), [early?.id]);
  t.deepEqual(await list({ q: late?.policyNumber.slice(-6) }), [late?.id]);
  t.deepEqual(await list({ q: 'früh' }), [early?.id]);
});
