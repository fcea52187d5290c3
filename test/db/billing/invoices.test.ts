import anyTest, { type TestFn } from 'ava';
import { invoicesOfPolicy, listInvoices } from '../../../db/queries/billing/invoices.ts';
import { INVOICE_STATUSES, invoiceStatus } from '../../../domain/billing/invoice.ts';
import { addOrganization, anInvoice, aPolicy, aTransaction, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const TODAY = '2026-03-15';
const ALL = { kind: 'all' } as const;

/** Every combination of amounts, marks and dates around the edges. */
const CASES = [0, 1, 10_000].flatMap((totalCents) =>
  [0, 1, 5_000, 9_999, 10_000, 10_001].flatMap((paidCents) =>
    [0, 1, paidCents - 1, paidCents].flatMap((refundedCents) =>
      [false, true].flatMap((voided) =>
        [false, true].flatMap((uncollectible) =>
          ['2026-03-14', TODAY, '2026-03-16'].map((dueDate) => ({
            ...{ totalCents, paidCents, refundedCents, refundedBeforePaidCents: 0, voided, uncollectible, dueDate },
          })),
        ),
      ),
    ),
  ),
);

test('the list by status holds exactly the invoices whose computed status it is', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const cases = CASES.filter(({ paidCents, refundedCents }) => refundedCents >= 0 && refundedCents <= paidCents);
  const expected = new Map<string, string>();
  await database.transaction(orgId, async (em) => {
    const transaction = aTransaction(em, aPolicy(em).id);
    for (const { voided, uncollectible, ...amounts } of cases) {
      const marks = { voidedAt: voided ? new Date() : null, uncollectibleAt: uncollectible ? new Date() : null };
      const { id } = anInvoice(em, transaction, { ...amounts, ...marks });
      expected.set(id, invoiceStatus({ ...amounts, voided, uncollectible }, TODAY));
    }
  });
  for (const status of INVOICE_STATUSES) {
    const page = await database.forOrg(orgId, (em) =>
      listInvoices(em, { visibility: ALL, status }, TODAY, { limit: cases.length }),
    );
    const wanted = [...expected].filter(([, value]) => value === status).map(([id]) => id);
    t.true(wanted.length > 0, status);
    t.deepEqual(page.data.map(({ id }) => id).toSorted(), wanted.toSorted(), status);
  }
});

test('invoices are found by policy, due date, number and name, and only those of the visible producers', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const ids = await database.transaction(orgId, async (em) => {
    const policy = aPolicy(em);
    const transaction = aTransaction(em, policy.id);
    const other = aTransaction(em, aPolicy(em).id);
    const first = anInvoice(em, transaction, { dueDate: '2026-04-01', producerId: 'prd_a', insuredName: 'Ämter & Co' });
    const second = anInvoice(em, transaction, { dueDate: '2026-05-01', producerId: 'prd_b' });
    const third = anInvoice(em, other, { dueDate: '2026-06-01' });
    return { policyId: policy.id, first: first.id, second: second.id, third: third.id, number: second.invoiceNumber };
  });
  const list = (filter: Omit<Parameters<typeof listInvoices>[1], 'visibility'>, visibility: object = ALL) =>
    database.forOrg(orgId, async (em) => {
      const page = await listInvoices(em, { visibility: visibility as typeof ALL, ...filter }, TODAY, { limit: 10 });
      return page.data.map(({ id }) => id);
    });
  t.deepEqual(await list({}), [ids.third, ids.second, ids.first]);
  t.deepEqual(await list({ policyId: ids.policyId }), [ids.second, ids.first]);
  t.deepEqual(await list({ dueFrom: '2026-05-01' }), [ids.third, ids.second]);
  t.deepEqual(await list({ dueTo: '2026-05-01' }), [ids.second, ids.first]);
  t.deepEqual(await list({ q: ids.number.toLowerCase() }), [ids.second]);
  t.deepEqual(await list({ q: 'ämter &' }), [ids.first]);
  t.deepEqual(await list({}, { kind: 'producers', producerIds: ['prd_a'] }), [ids.first]);
  t.deepEqual(await list({}, { kind: 'none' }), []);
  const ofPolicy = await database.forOrg(orgId, (em) => invoicesOfPolicy(em, ids.policyId));
  t.deepEqual(
    ofPolicy.map(({ id }) => id),
    [ids.first, ids.second],
  );
});
