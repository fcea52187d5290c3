import test from 'ava';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { newId } from '../../../db/ids.ts';
import { businessDateAt } from '../../../domain/business-day.ts';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { DAYS_AHEAD, testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Billed, billedOn, refused } from './billed-invoice.ts';

const TODAY = testToday();

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const billed = (plan?: string) => billedOn(platform, plan);

const check = (amount: number, reference: string) => ({ amount, method: 'check', reference });
const invoiceOf = async (client: TestClient, id: string) => bodyOf(await client.get(`/v1/invoices/${id}`));
const policyOf = async ({ house, policyId }: Billed) =>
  bodyOf(await house.as('org_admin').get(`/v1/policies/${policyId}`));

/** The version of the invoice in an answer: the tag without the answer's hash. */
function versionOf(answer: TestResponse): string {
  const [tag] = /^"inv_\w+\.\d+/.exec(answer.headers.get('etag') ?? '') ?? [];
  if (tag === undefined) throw new Error(`no tag of an invoice: ${answer.headers.get('etag')}`);
  return tag;
}

test('an invoice is paid in parts until the balance is zero, and shows every part in its detail and in the list', async (t) => {
  const { billing, invoiceIds } = await billed();
  const [id = ''] = invoiceIds;
  const first = await billing.post(`/v1/invoices/${id}/pay`, check(1_000, 'Check 1001'));
  const payment = bodyOf(first, 201);
  t.regex(payment.id, /^pay_/);
  t.like(payment, { invoiceId: id, kind: 'manual', amount: 1_000, method: 'check', reference: 'Check 1001' });
  t.like(payment, { status: 'succeeded', unappliedAmount: 0, receivedDate: TODAY });
  t.like(await invoiceOf(billing, id), { status: 'partially_paid', paidAmount: 1_000, balance: 3_389.64 });

  const rest = { amount: 3_389.64, method: 'wire', reference: 'Wire 7', receivedDate: addDays(TODAY, -3) };
  const second = await billing.post(`/v1/invoices/${id}/pay`, rest);
  t.like(bodyOf(second, 201), { receivedDate: addDays(TODAY, -3) });
  t.is(businessDateAt(Date.parse(second.body.receivedAt), DAYS_AHEAD), TODAY, 'the instant of recording');
  const detail = await billing.get(`/v1/invoices/${id}`);
  t.is(versionOf(detail), versionOf(second));
  t.like(bodyOf(detail), { status: 'paid', paidAmount: 4_389.64, refundedAmount: 0, balance: 0, total: 4_389.64 });
  t.deepEqual(detail.body.payments, [payment, second.body]);
  const list = bodyOf(await billing.get('/v1/invoices', { query: { status: 'paid' } }));
  t.deepEqual(list.data, [detail.body]);
});

test('a payment that is too large, a duplicate, future-dated or by card is refused with the specific reason', async (t) => {
  const { billing, invoiceIds } = await billed();
  const path = `/v1/invoices/${invoiceIds[0]}/pay`;
  refused(t, await billing.post(path, check(4_389.65, 'Check 1')), 422, 'amount_exceeds_balance', {
    amount: 4_389.65,
    balance: 4_389.64,
  });
  const bad: [body: object, field: string, rule: string][] = [
    [{ ...check(1, 'Check 1'), receivedDate: addDays(TODAY, 1) }, 'receivedDate', 'max'],
    [{ ...check(1, 'Check 1'), receivedDate: addDays(TODAY, -367) }, 'receivedDate', 'min'],
    [check(10_000_000.01, 'Check 1'), 'amount', 'max'],
    [{ ...check(1, 'Check 1'), method: 'card' }, 'method', 'enum'],
    [check(0, 'Check 1'), 'amount', 'min'],
    [check(1.005, 'Check 1'), 'amount', 'format'],
    [{ amount: 1, method: 'check' }, 'reference', 'required'],
  ];
  for (const [body, field, rule] of bad) {
    refused(t, await billing.post(path, body), 400, 'validation_failed', { field, rule });
  }
  for (const operation of ['payment-intent', 'refund']) {
    const answer = await billing.post(`/v1/invoices/${invoiceIds[0]}/${operation}`, {
      amount: 10_000_000.01,
      ...(operation === 'refund' ? { reason: 'Too much.' } : {}),
    });
    refused(t, answer, 400, 'validation_failed', { field: 'amount', rule: 'max' });
  }
  bodyOf(await billing.post(path, check(1_000, 'Check 1')), 201);
  for (const reference of ['Check 1', 'Check\u200b 1', '\u2060Check\u00ad \u00a0 1\u3164']) {
    refused(t, await billing.post(path, check(1_000, reference)), 409, 'already_exists');
  }
  bodyOf(await billing.post(path, { ...check(1_000, 'Check 1'), method: 'ach' }), 201);
  bodyOf(await billing.post(path, check(2_389.64, 'Check 2')), 201);
  refused(t, await billing.post(path, check(0.01, 'Check 3')), 422, 'amount_exceeds_balance', { balance: 0 });
});

test('a payment repeated under its Idempotency-Key is recorded once and returns the same response', async (t) => {
  const { billing, invoiceIds } = await billed();
  const path = `/v1/invoices/${invoiceIds[0]}/pay`;
  const options = { headers: { 'idempotency-key': 'first-check' } };
  const first = await billing.post(path, check(4_389.64, 'Check 1'), options);
  const again = await billing.post(path, check(4_389.64, 'Check 1'), options);
  t.is(first.status, 201, first.text);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.deepEqual(again.body, first.body);
  t.is((await invoiceOf(billing, invoiceIds[0] ?? '')).payments.length, 1);
});

test('money movements and voids are checked against the version that If-Match names', async (t) => {
  const { billing, invoiceIds } = await billed();
  const path = `/v1/invoices/${invoiceIds[0]}`;
  const seen = (await billing.get(path)).headers.get('etag') ?? '';
  const first = await billing.post(`${path}/pay`, check(1, 'Check 1'), { headers: { 'if-match': seen } });
  t.is(first.status, 201, first.text);
  const stale = { headers: { 'if-match': seen } };
  refused(t, await billing.post(`${path}/pay`, check(1, 'Check 2'), stale), 412, 'precondition_failed');
  refused(t, await billing.post(`${path}/void`, { reason: 'Mistake.' }, stale), 412, 'precondition_failed');
  refused(t, await billing.post(`${path}/refund`, { reason: 'Mistake.' }, stale), 412, 'precondition_failed');
});

test('eight simultaneous full payments record one, and seven exceed the balance', async (t) => {
  const { billing, invoiceIds } = await billed();
  const [id = ''] = invoiceIds;
  const racing = Array.from({ length: 8 }, (_, n) =>
    billing.post(`/v1/invoices/${id}/pay`, check(4_389.64, `Check ${n}`)),
  );
  const answers = await Promise.all(racing);
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422, 422, 422, 422, 422]);
  for (const answer of answers.filter(({ status }) => status === 422)) {
    refused(t, answer, 422, 'amount_exceeds_balance', { amount: 4_389.64, balance: 0 });
  }
  t.like(await invoiceOf(billing, id), { status: 'paid', paidAmount: 4_389.64 });
});

test('the amount of a void invoice is unbilled until it is billed again, once, under a new number', async (t) => {
  const of = await billed('MONTHLY_10');
  const { billing, invoiceIds, house } = of;
  const [first = '', second = ''] = invoiceIds;
  t.is((await policyOf(of)).unbilledAmount, 0);
  const before = await invoiceOf(billing, first);
  const answer = await billing.post(`/v1/invoices/${first}/void`, { reason: 'The wrong address.' });
  t.like(bodyOf(answer), { id: first, status: 'void', balance: 0, reissueOf: null, reissuedAs: null });
  t.is((await billing.get(`/v1/invoices/${first}`)).headers.get('etag'), answer.headers.get('etag'));
  // 399.00 of premium, plus the fee and taxes billed with the first installment.
  t.is((await policyOf(of)).unbilledAmount, 798.64);
  bodyOf(await billing.post(`/v1/invoices/${second}/void`, { reason: 'The wrong address.' }));
  t.is((await policyOf(of)).unbilledAmount, 1_197.64);
  t.is(bodyOf(await house.as('underwriter').get('/v1/policies')).data[0].unbilledAmount, 1_197.64);

  const again = bodyOf(await billing.post(`/v1/invoices/${first}/void`, { reason: 'Once more.', reissue: true }));
  const bill = await invoiceOf(billing, again.reissuedAs);
  const { lines, total, dueDate, installmentNumber, installmentCount, insuredName } = before;
  t.like(bill, { status: 'open', lines, total, balance: total, dueDate, issueDate: TODAY, reissueOf: first });
  t.like(bill, { installmentNumber, installmentCount, insuredName, reissuedAs: null, payments: [] });
  t.is(bill.invoiceNumber, `INV-${TODAY.slice(0, 4)}-000011`);
  t.is((await policyOf(of)).unbilledAmount, 399);
  t.is((await allPages(billing, '/v1/invoices', { status: 'void' })).length, 2);
});

test('a void invoice takes no money and is void once; billed again, that is the end of it', async (t) => {
  const { billing, invoiceIds } = await billed('MONTHLY_10');
  const path = `/v1/invoices/${invoiceIds[3]}`;
  bodyOf(await billing.post(`${path}/void`, { reason: 'Mistake.' }));
  const facts = { resource: 'invoice', from: 'void' };
  const twice = await billing.post(`${path}/void`, { reason: 'Mistake.' });
  refused(t, twice, 422, 'invalid_state_transition', { ...facts, action: 'void', allowed: ['reissue'] });
  const paid = await billing.post(`${path}/pay`, check(1, 'Check 1'));
  refused(t, paid, 422, 'invalid_state_transition', { ...facts, action: 'pay', allowed: ['reissue'] });
  const collected = await billing.post(`${path}/payment-intent`, {});
  refused(t, collected, 422, 'invalid_state_transition', { ...facts, action: 'payment_intent', allowed: ['reissue'] });
  refused(t, await billing.post(`${path}/retry`), 422, 'invalid_state_transition', { ...facts, action: 'retry' });
  bodyOf(await billing.post(`${path}/void`, { reason: 'Bill it.', reissue: true }));
  const third = await billing.post(`${path}/void`, { reason: 'Bill it.', reissue: true });
  refused(t, third, 422, 'invalid_state_transition', { ...facts, action: 'void', allowed: [] });
  const late = await billing.post(`${path}/pay`, check(1, 'Check 1'));
  refused(t, late, 422, 'invalid_state_transition', { ...facts, action: 'pay', allowed: [] });
});

test('a void with immediate reissue, repeated under its key, bills the invoice again once', async (t) => {
  const { billing, invoiceIds } = await billed('SEMI_ANNUAL_2');
  const path = `/v1/invoices/${invoiceIds[1]}/void`;
  const options = { headers: { 'idempotency-key': 'void-it' } };
  const answers = [1, 2].map(() => billing.post(path, { reason: 'Late.', reissue: true }, options));
  const [one, other] = await Promise.all(answers);
  const last = await billing.post(path, { reason: 'Late.', reissue: true }, options);
  const done = [one, other, last].filter((answer) => answer?.status === 200);
  t.true(done.length >= 2);
  t.is(new Set(done.map((answer) => answer?.body.reissuedAs)).size, 1);
  t.is((await allPages(billing, '/v1/invoices')).length, 3);
});

test('only one of eight simultaneous voids with reissue bills the invoice again', async (t) => {
  const { billing, invoiceIds } = await billed('SEMI_ANNUAL_2');
  const path = `/v1/invoices/${invoiceIds[1]}/void`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => billing.post(path, { reason: 'Late.', reissue: true })),
  );
  t.is(answers.filter(({ status }) => status === 200).length, 1);
  t.is((await allPages(billing, '/v1/invoices')).length, 3);
});

test('an invoice billed again after its due date is due today', async (t) => {
  const { house, billing, invoiceIds } = await billed('MONTHLY_10');
  const [id = ''] = invoiceIds;
  const { dueDate } = await invoiceOf(billing, id);
  const today = addDays(dueDate, 5);
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: today }));
  const { reissuedAs } = bodyOf(await billing.post(`/v1/invoices/${id}/void`, { reason: 'Lost.', reissue: true }));
  t.like(await invoiceOf(billing, reissuedAs), { status: 'open', dueDate: today, issueDate: today });
});

test('an invoice with money on it cannot be voided before that is refunded', async (t) => {
  const { billing, invoiceIds } = await billed('MONTHLY_10');
  const path = `/v1/invoices/${invoiceIds[1]}`;
  bodyOf(await billing.post(`${path}/pay`, check(100, 'Check 1')), 201);
  const voided = await billing.post(`${path}/void`, { reason: 'Mistake.' });
  refused(t, voided, 422, 'invoice_has_payments', { paidAmount: 100, refundedAmount: 0 });
  bodyOf(await billing.post(`${path}/refund`, { reason: 'Mistake.' }), 201);
  t.like(bodyOf(await billing.post(`${path}/void`, { reason: 'Mistake.' })), { status: 'void', balance: 0 });
});

test('a void is audited with its reason and its actor, as one row per invoice', async (t) => {
  const { house, billing, invoiceIds } = await billed('SEMI_ANNUAL_2');
  const [, id = ''] = invoiceIds;
  const { reissuedAs } = bodyOf(
    await billing.post(`/v1/invoices/${id}/void`, { reason: 'Billed twice.', reissue: true }),
  );
  const rows = await platform.database.forOrg(house.orgId, (em) =>
    em.find(AuditEntry, { action: 'invoice:void' }, { orderBy: { id: 'asc' } }),
  );
  t.deepEqual(
    rows.map(({ entityId, actorRole }) => [entityId, actorRole]),
    [
      [id, 'billing_admin'],
      [reissuedAs, 'billing_admin'],
    ],
  );
  t.is(rows[0]?.changes.reason as unknown, 'Billed twice.');
});

test('money goes back in parts, those above 1,000 dollars marked for review, and never more than was paid', async (t) => {
  const { billing, invoiceIds } = await billed();
  const path = `/v1/invoices/${invoiceIds[0]}`;
  const nothing = await billing.post(`${path}/refund`, { reason: 'Mistake.' });
  refused(t, nothing, 422, 'refund_exceeds_paid', { refundable: 0 });
  bodyOf(await billing.post(`${path}/pay`, check(4_389.64, 'Check 1')), 201);

  const first = bodyOf(await billing.post(`${path}/refund`, { amount: 1_000, reason: 'Overcharged.' }), 201);
  t.like(first, {
    kind: 'refund',
    amount: -1_000,
    requiresManualReview: false,
    status: 'succeeded',
    reason: 'Overcharged.',
  });
  t.is(typeof first.reference, 'string');
  t.like(bodyOf(await billing.get(path)), { status: 'partially_refunded', refundedAmount: 1_000, balance: 0 });
  const more = await billing.post(`${path}/refund`, { amount: 3_389.65, reason: 'Overcharged.' });
  refused(t, more, 422, 'refund_exceeds_paid', { amount: 3_389.65, refundable: 3_389.64 });

  const rest = await billing.post(`${path}/refund`, { reason: 'Never needed.' });
  t.like(bodyOf(rest, 201), { amount: -3_389.64, requiresManualReview: true });
  const detail = await billing.get(path);
  t.is(versionOf(detail), versionOf(rest));
  t.like(bodyOf(detail), { status: 'refunded', paidAmount: 4_389.64, refundedAmount: 4_389.64, balance: 0 });
  t.deepEqual(
    detail.body.payments.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]),
    [
      ['manual', 4_389.64],
      ['refund', -1_000],
      ['refund', -3_389.64],
    ],
  );
});

test('only one of eight simultaneous full refunds is made', async (t) => {
  const { billing, invoiceIds } = await billed();
  const path = `/v1/invoices/${invoiceIds[0]}`;
  bodyOf(await billing.post(`${path}/pay`, check(4_389.64, 'Check 1')), 201);
  const racing = Array.from({ length: 8 }, () => billing.post(`${path}/refund`, { amount: 4_389.64, reason: 'All.' }));
  const answers = await Promise.all(racing);
  t.is(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) refused(t, answer, 422, 'refund_exceeds_paid');
  t.like(await invoiceOf(billing, invoiceIds[0] ?? ''), { status: 'refunded', refundedAmount: 4_389.64 });
});

test('only billing and administration move money; an API key needs the scope to write invoices', async (t) => {
  const { house, billing, invoiceIds } = await billed('MONTHLY_10');
  const path = `/v1/invoices/${invoiceIds[1]}`;
  const actions: [name: string, body: object | undefined, permission: string][] = [
    ['pay', check(1, 'Check 1'), 'invoice:record_payment'],
    ['void', { reason: 'No.' }, 'invoice:void'],
    ['write-off', { reason: 'No.' }, 'invoice:write_off'],
    ['refund', { reason: 'No.' }, 'invoice:refund'],
    ['payment-intent', {}, 'invoice:collect'],
    ['retry', undefined, 'invoice:collect'],
  ];
  for (const [name, body, permission] of actions) {
    for (const role of ['finance_analyst', 'auditor', 'underwriter', 'producer', 'claims_supervisor']) {
      refused(t, await house.as(role).post(`${path}/${name}`, body), 403, 'forbidden', { permission });
    }
    const stranger = (await newHouse(platform)).as('org_admin');
    t.is((await stranger.post(`${path}/${name}`, body)).status, 404);
    t.is((await billing.post(`/v1/invoices/${newId('invoice')}/${name}`, body)).status, 404);
  }
  const keyWith = async (scope: string) => {
    const body = { name: 'Billing', scopes: [scope] };
    const { key } = bodyOf(await house.as('org_admin').post('/v1/api-keys', body), 201);
    return platform.as({ apiKey: key });
  };
  const reader = await (await keyWith('invoices:read')).post(`${path}/pay`, check(1, 'Check 1'));
  refused(t, reader, 403, 'forbidden', { requiredScope: 'invoices:write' });
  bodyOf(await (await keyWith('invoices:write')).post(`${path}/pay`, check(1, 'Check 1')), 201);
});
