import test, { type ExecutionContext } from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { organizationUuid } from '../../../domain/ids.ts';
import { allPages, bodyOf, bound, EFFECTIVE_DATE, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a bound policy reads with everything it was bound with', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const producerId = await house.addProducer();
  const contact = { insuredEmail: 'office@example.com', insuredPhone: '+1 512 555 0100' };
  const bind = await bound(client, { insuredName: 'Blue Door Diner', producerId, ...contact }, 'MONTHLY_10');
  const read = await client.get(`/v1/policies/${bind.policyId}`);
  t.is(read.status, 200);
  const { id, insuredId, fees, taxes, statuses, ...policy } = read.body;
  const { policyNumber, submissionId, quoteId, effectiveDate, expirationDate } = bind;
  t.is(id, bind.policyId);
  t.regex(insuredId, /^ins_/);
  t.like(policy, { policyNumber, submissionId, quoteId, effectiveDate, expirationDate, producerId, ...contact });
  t.like(policy, { orgId: house.orgId, insuredName: 'Blue Door Diner', naicsCode: '722511', state: 'TX' });
  t.like(policy, { lineOfBusiness: 'GL', limit: 1_000_000, aggregateLimit: 2_000_000, deductible: 0 });
  t.like(policy, { annualRevenue: 1_000_000, grossPremium: 3990, totalDue: 4389.64, installmentPlan: 'MONTHLY_10' });
  t.like(policy, { status: 'pending', renewalOf: null, renewalPolicyId: null, cancellation: null });
  t.deepEqual(policy.additionalInsureds, []);
  t.deepEqual(statuses, ['pending']);
  t.deepEqual(fees, [{ code: 'POLICY_FEE', amount: 195 }]);
  t.deepEqual(
    taxes.map(({ code, amount }: { code: string; amount: number }) => [code, amount]),
    [
      ['SL_TAX', 202.97],
      ['STAMPING_FEE', 1.67],
    ],
  );
  t.truthy(read.headers.get('etag'));
});

test('asOf shows the terms and the status of that day, and none outside the term', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { policyId, effectiveDate, expirationDate } = await bound(client);
  const path = `/v1/policies/${policyId}`;
  const now = bodyOf(await client.get(path));
  t.is(now.status, 'pending');
  for (const asOf of [effectiveDate, addDays(effectiveDate, 200), addDays(expirationDate, -1)]) {
    const then = bodyOf(await client.get(path, { query: { asOf } }));
    t.deepEqual(then, { ...now, status: 'active', statuses: ['active'] });
  }
  for (const asOf of [addDays(effectiveDate, -1), expirationDate, '1999-01-01']) {
    const outside = await client.get(path, { query: { asOf } });
    t.like(outside, { status: 422, body: { error: 'outside_policy_term' } });
    t.deepEqual(outside.body.details, { effectiveDate, expirationDate });
  }
  t.like(await client.get(path, { query: { asOf: 'yesterday' } }), {
    status: 400,
    body: { details: { field: 'asOf' } },
  });
});

test('one call reads everything that belongs together, with null for what the reader may not see', async (t) => {
  const house = await newHouse(platform);
  const [admin, underwriter] = [house.as('org_admin'), house.as('underwriter')];
  const { policyId, submissionId } = await bound(underwriter, {}, 'MONTHLY_10');
  const path = `/v1/policies/${policyId}`;
  const policy = bodyOf(await admin.get(path));
  const { data: newestFirst } = bodyOf(await admin.get('/v1/invoices', { query: { policyId } }));
  const byDueDate = newestFirst.toSorted((a: { dueDate: string }, b: { dueDate: string }) =>
    a.dueDate < b.dueDate ? -1 : 1,
  );

  t.deepEqual(bodyOf(await admin.get(path, { query: { expand: 'invoices' } })), { ...policy, invoices: byDueDate });
  t.is(bodyOf(await underwriter.get(path, { query: { expand: 'invoices' } })).invoices, null);

  const [first] = byDueDate;
  const withPolicy = { ...first, policy };
  t.deepEqual(bodyOf(await admin.get(`/v1/invoices/${first.id}`, { query: { expand: 'policy' } })), withPolicy);
  const query = { expand: 'policy', sort: 'dueDate', limit: 1 };
  t.deepEqual(bodyOf(await admin.get('/v1/invoices', { query })).data, [withPolicy]);

  const { quote } = bodyOf(await admin.get(`/v1/submissions/${submissionId}`));
  const unquoted = await submit(underwriter);
  const { data } = bodyOf(await admin.get('/v1/submissions', { query: { expand: 'quote' } }));
  t.deepEqual(
    data.map((each: { id: string; quote: unknown }) => [each.id, each.quote]),
    [
      [unquoted.id, null],
      [submissionId, quote],
    ],
  );
  t.like(await admin.get(path, { query: { expand: 'claims' } }), {
    status: 400,
    body: { details: { field: 'expand' } },
  });
});

test('the timeline begins with the new business: who did it, what it changed, what it billed', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const bind = await bound(client, { insuredName: 'Blue Door Diner' }, 'QUARTERLY_4');
  const { data, nextCursor } = bodyOf(await client.get(`/v1/policies/${bind.policyId}/timeline`));
  t.is(nextCursor, null);
  t.is(data.length, 1);
  const [transaction] = data;
  t.like(transaction, { type: 'new_business', status: 'issued', policyId: bind.policyId, before: null });
  t.like(transaction, { premiumChange: 3990, feeChange: 195, taxChange: 204.64, totalChange: 4389.64 });
  t.like(transaction, { grossPremiumAfter: 3990, effectiveDate: bind.effectiveDate, actor: { role: 'underwriter' } });
  t.like(transaction.after, { insuredName: 'Blue Door Diner', limit: 1_000_000, annualRevenue: 1_000_000 });
  const made = bind.invoices.map((invoice: { total: number }) => ({ ...invoice, change: invoice.total }));
  t.deepEqual(transaction.invoices, made);
});

test('the contact on file changes with the right version only, and the audit shows only which fields', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const { policyId } = await bound(client);
  const path = `/v1/policies/${policyId}`;
  const etag = (await client.get(path)).headers.get('etag') ?? '';
  const contact = { insuredEmail: 'new@example.com', insuredPhone: '+1 512 555 0123' };
  const changed = await client.patch(path, contact, { headers: { 'If-Match': etag } });
  t.is(changed.status, 200);
  t.like(changed.body, contact);
  const outdated = await client.patch(path, { insuredPhone: '+1 512 555 0124' }, { headers: { 'If-Match': etag } });
  t.is(outdated.status, 412);
  const read = await client.get(path);
  t.deepEqual(read.body, changed.body);
  t.is(read.headers.get('etag'), changed.headers.get('etag'));
  const audited = await platform.database.forOrg(house.orgId, (em) =>
    em.execute("select changes from audit_entries where action = 'policy:update'"),
  );
  const change = { before: null, after: 'withheld' };
  t.deepEqual(audited, [{ changes: { insuredEmail: change, insuredPhone: change } }]);
});

test('each filter of the list shows the policies it describes and no others', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const producerId = await house.addProducer();
  const later = addDays(EFFECTIVE_DATE, 20);
  const plain = await bound(client, { insuredName: 'Plain Bakery' });
  const florida = await bound(client, { insuredName: 'Palm Cafe', state: 'FL' });
  const auto = await bound(client, { insuredName: 'Road Haul', lineOfBusiness: 'CA', naicsCode: '484110' });
  const produced = await bound(client, { insuredName: 'Produced Bakery', producerId });
  const late = await bound(client, { insuredName: 'Later Diner', effectiveDate: later });
  const all = [late, produced, auto, florida, plain];
  const cases: [query: Record<string, string>, policies: { policyId: string }[]][] = [
    [{}, all],
    [{ status: 'pending' }, all],
    [{ status: 'cancelled' }, []],
    [{ state: 'FL' }, [florida]],
    [{ lineOfBusiness: 'CA' }, [auto]],
    [{ producerId }, [produced]],
    [{ insuredName: 'bakery' }, [produced, plain]],
    [{ q: 'palm' }, [florida]],
    [{ q: late.policyNumber }, [late]],
    [{ q: late.policyNumber.toLowerCase() }, [late]],
    [{ q: 'GL-FL-' }, [florida]],
    [{ effectiveFrom: later }, [late]],
    [{ effectiveTo: EFFECTIVE_DATE }, [produced, auto, florida, plain]],
    [{ expiringFrom: late.expirationDate, expiringTo: late.expirationDate }, [late]],
    [{ expiringTo: addDays(plain.expirationDate, -1) }, []],
    [{ orgId: house.orgId }, all],
  ];
  for (const [query, policies] of cases) {
    const { data } = bodyOf(await client.get('/v1/policies', { query }));
    t.deepEqual(
      data.map(({ id }: { id: string }) => id),
      policies.map(({ policyId }) => policyId),
      JSON.stringify(query),
    );
  }
  for (const limit of [1, 2, 5]) {
    const rows = await allPages(client, '/v1/policies', { limit });
    t.deepEqual(
      rows.map(({ id }) => id),
      all.map(({ policyId }) => policyId),
    );
  }
  t.is((await client.get('/v1/policies', { query: { colour: 'red' } })).status, 400);
});

test('the machine secret reads the policies of the organization it names, by TypeID or UUID', async (t) => {
  const house = await newHouse(platform);
  const { policyId } = await bound(house.as('underwriter'));
  const machine = platform.as('machine');
  for (const orgId of [house.orgId, organizationUuid(house.orgId)]) {
    const named = bodyOf(await machine.get('/v1/policies', { query: { orgId } })).data;
    t.deepEqual(ids(named), [policyId]);
  }
});

test('a producer sees in lists exactly the policies they may read one by one', async (t) => {
  const house = await newHouse(platform);
  const [own, other] = [await house.addProducer('Own'), await house.addProducer('Other')];
  const client = house.as('underwriter');
  const mine = await bound(client, { producerId: own });
  const theirs = await bound(client, { producerId: other });
  const producer = await house.asProducer(own);
  t.deepEqual(ids(bodyOf(await producer.get('/v1/policies')).data), [mine.policyId]);
  await allowed(t, producer, mine.policyId, 200);
  await allowed(t, producer, theirs.policyId, 403);
  t.is((await producer.patch(`/v1/policies/${mine.policyId}`, { insuredPhone: '+1 512 555 0100' })).status, 403);
});

test('another organization has no such policy', async (t) => {
  const { policyId } = await bound((await newHouse(platform)).as('underwriter'));
  const stranger = (await newHouse(platform)).as('org_admin');
  await allowed(t, stranger, policyId, 404);
  t.is((await stranger.patch(`/v1/policies/${policyId}`, { insuredPhone: '+1 512 555 0100' })).status, 404);
  t.deepEqual(bodyOf(await stranger.get('/v1/policies')).data, []);
});

type Client = ReturnType<Platform['as']>;

async function allowed(t: ExecutionContext, client: Client, policyId: string, status: number) {
  for (const path of [`/v1/policies/${policyId}`, `/v1/policies/${policyId}/timeline`]) {
    t.is((await client.get(path)).status, status, path);
  }
}

function ids(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

test('a phone number of an insured must be valid on a submission and on a policy, however it is written', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { policyId } = await bound(client);
  const { id } = await submit(client);
  const paths = [`/v1/submissions/${id}`, `/v1/policies/${policyId}`];
  const numbers = ['+15125550100', '+44 20 7946 0958', '512-555-0100', '(512) 555-0100', '512.555.0100', '555-0100'];
  for (const path of paths) {
    for (const insuredPhone of [...numbers, '1 (512) 555-0100 ext. 12', '512/555-0100 x12', '5125550100 #9']) {
      t.is(bodyOf(await client.patch(path, { insuredPhone })).insuredPhone, insuredPhone);
    }
    for (const insuredPhone of ['none', '555', 'x12', '+1 512 555 0100 or 0101', '1234567890123456', '<b>5125550100']) {
      const details = { field: 'insuredPhone', rule: 'format' };
      t.like(await client.patch(path, { insuredPhone }), { status: 400, body: { details } }, insuredPhone);
    }
  }
});

test('a value that is no telephone number from before the rule is shown, can be sent back, and blocks no other change', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const { policyId } = await bound(client);
  const { id } = await submit(client);
  const insuredPhone = 'ask for Jo';
  for (const table of ['submissions', 'policies']) {
    await platform.database.transaction(house.orgId, (em) =>
      em.execute(`update ${table} set insured_phone = ? where id = ?`, [
        insuredPhone,
        table === 'policies' ? policyId : id,
      ]),
    );
  }
  for (const path of [`/v1/submissions/${id}`, `/v1/policies/${policyId}`]) {
    t.is(bodyOf(await client.get(path)).insuredPhone, insuredPhone);
    for (const kept of [{}, { insuredPhone }]) {
      const insuredEmail = `office${Object.keys(kept).length}@example.com`;
      t.like(bodyOf(await client.patch(path, { ...kept, insuredEmail })), { insuredPhone, insuredEmail });
    }
    const details = { field: 'insuredPhone', rule: 'format' };
    t.like(await client.patch(path, { insuredPhone: 'ask for Al' }), { status: 400, body: { details } });
    t.is(bodyOf(await client.patch(path, { insuredPhone: '555-0100' })).insuredPhone, '555-0100');
  }
});
