// Documents as their callers see them: certificates and data sheets match the policy, policy documents come
// automatically, a page supplied by a caller reaches nothing, and anyone who may read a policy may read its documents.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { addDays, dayText } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured } from '../policy/policy-calls.ts';

let platform: Platform;
let policy: Insured;

const TODAY = testToday();
const HOLDER = {
  name: 'Harbor Landlord LLC',
  address: { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' },
};
const ADDRESS = { line1: '1 Main St', city: 'Dallas', state: 'TX', postalCode: '75201' };

test.before('a platform that prints, and a policy in force', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
  policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
});

/** Downloads a document without a credential. */
async function downloaded({ downloadUrl }: { downloadUrl: string }): Promise<Buffer> {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return Buffer.from(await answer.arrayBuffer());
}

const certify = (client: TestClient, policyId: string, changes: object = {}) =>
  client.post('/v1/coi/generate', { policyId, holder: HOLDER, ...changes });

const documentsOf = async (client: TestClient, entityId: string) =>
  (await allPages(client, '/v1/documents', { entityType: 'policy', entityId })) as never[];

test('a certificate states the coverage of the policy today, and anyone can check its number', async (t) => {
  const changes = { effectiveDate: TODAY, insuredAddress: ADDRESS };
  const { client: underwriter, policyId, house } = await insured(platform, 'PAY_IN_FULL', changes);
  const first = bodyOf(await certify(underwriter, policyId), 201);
  t.regex(first.certificateNumber, new RegExp(`^COI-${TODAY.slice(0, 4)}-\\d{6}-[2-9A-Z]{8}$`));
  const bytes = await downloaded(first);
  const text = await textOf(bytes);
  for (const part of [
    '$1,000,000',
    '$2,000,000',
    'Harbor Landlord LLC',
    '9 Pier Road',
    '1 Main St',
    dayText(TODAY),
    first.certificateNumber,
  ]) {
    t.true(text.includes(part), part);
  }
  const document = bodyOf(await underwriter.get(`/v1/documents/${first.documentId}`));
  t.is(document.sha256, createHash('sha256').update(bytes).digest('hex'));
  t.is(document.size, bytes.length);
  t.is(document.contentType, 'application/pdf');
  t.deepEqual([document.entityType, document.entityId, document.kind], ['policy', policyId, 'certificate']);
  const verify = (number: string) => platform.anonymous.get(`/v1/coi/${number}/verify`);
  t.deepEqual(bodyOf(await verify(first.certificateNumber)), {
    certificateNumber: first.certificateNumber,
    status: 'valid',
  });
  t.is((await verify('COI-2026-000001-AAAAAAAA')).status, 404);

  const second = bodyOf(
    await certify(underwriter, policyId, { holder: { ...HOLDER, name: ' harbor  LANDLORD llc' } }),
    201,
  );
  t.is(bodyOf(await verify(first.certificateNumber)).status, 'superseded');
  t.is(bodyOf(await verify(second.certificateNumber)).status, 'valid');
  const later = bodyOf(await underwriter.get(`/v1/documents/${second.documentId}`));
  t.like(later, { version: 2, supersedes: first.documentId, supersededBy: null });
  t.deepEqual([first.supersedes, second.supersedes], [null, first.id]);
  const query = { entityId: policyId, kind: 'certificate' };
  const documents = bodyOf(await underwriter.get('/v1/documents', { query })).data;
  t.deepEqual(
    documents.map(({ supersededBy }: Record<string, string>) => supersededBy),
    [null, second.documentId],
  );
  const listed = bodyOf(await house.as('auditor').get('/v1/certificates', { query: { policyId } })).data;
  t.deepEqual(
    listed.map((each: Record<string, string>) => [each.id, each.status, each.supersedes, each.supersededBy]),
    [
      [second.id, 'valid', first.id, null],
      [first.id, 'superseded', null, second.id],
    ],
  );
});

test('a certificate never says more than the policy, and follows an endorsement', async (t) => {
  const { house, client: underwriter, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  for (const field of ['additionalInsured', 'waiverOfSubrogation']) {
    const refused = bodyOf(await certify(underwriter, policyId, { [field]: true }), 422);
    t.is(refused.error, 'document_not_applicable');
    t.is(refused.details.field, field);
  }
  const endorse = async (changes: object) =>
    bodyOf(await underwriter.post(`/v1/policies/${policyId}/endorse`, { effectiveDate: TODAY, changes }), 201);
  const standing = async ({ certificateNumber }: { certificateNumber: string }) =>
    bodyOf(await platform.anonymous.get(`/v1/coi/${certificateNumber}/verify`)).status;
  const before = bodyOf(await certify(underwriter, policyId, { holder: { ...HOLDER, name: 'City' } }), 201);
  await endorse({ deductible: 2_500 });
  t.is(await standing(before), 'valid');
  await endorse({ requestedLimit: 2_000_000, additionalInsureds: [{ name: HOLDER.name }] });
  t.is(await standing(before), 'superseded');
  const named = bodyOf(await certify(underwriter, policyId, { additionalInsured: true }), 201);
  await endorse({ additionalInsureds: [] });
  t.is(await standing(named), 'superseded');
  await endorse({ additionalInsureds: [{ name: HOLDER.name }] });
  const issued = bodyOf(await certify(underwriter, policyId, { additionalInsured: true }), 201);
  const text = await textOf(await downloaded(issued));
  t.true(text.includes('$2,000,000') && text.includes('$4,000,000'));
  t.false(text.includes('$1,000,000'));
  t.false(text.includes('NAIC number'));
  const operator = house.as('platform_operator');
  const [contract] = bodyOf(await operator.get('/v1/da-contracts')).data;
  bodyOf(await operator.patch(`/v1/da-contracts/${contract.id}`, { carrierNaicCode: '20443' }));
  const numbered = bodyOf(await certify(underwriter, policyId, { holder: { ...HOLDER, name: 'County' } }), 201);
  t.true((await textOf(await downloaded(numbered))).includes('NAIC number 20443'));
  const cancel = { effectiveDate: TODAY, reason: 'insured_request' };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/cancel`, cancel), 201);
  t.is(bodyOf(await certify(underwriter, policyId), 422).error, 'document_not_applicable');
  t.is(bodyOf(await platform.anonymous.get(`/v1/coi/${issued.certificateNumber}/verify`)).status, 'cancelled');
  const pending = await insured(platform);
  t.is(bodyOf(await certify(pending.client, pending.policyId), 422).details.status, 'pending');
  const announced = { effectiveDate: addDays(pending.effectiveDate, 60), reason: 'insured_request' };
  bodyOf(await pending.client.post(`/v1/policies/${pending.policyId}/cancel`, announced), 201);
  t.like(bodyOf(await certify(pending.client, pending.policyId), 422).details, {
    ...{ status: 'pending_cancellation', effectiveDate: pending.effectiveDate },
  });
});

test('a holder who opts in is notified of another certificate and of the cancellation, once each', async (t) => {
  const { client: underwriter, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const received = (email: string) => platform.providers.mails.filter(({ to }) => to === email);
  const holder = { ...HOLDER, email: `landlord-${policyId}@example.com` };
  const silent = { ...HOLDER, name: 'Silent City', email: `city-${policyId}@example.com` };
  const unreachable = bodyOf(await certify(underwriter, policyId, { notifyHolder: true }), 400);
  t.deepEqual([unreachable.details.field, unreachable.details.rule], ['holder.email', 'required']);
  const first = bodyOf(await certify(underwriter, policyId, { holder, notifyHolder: true }), 201);
  bodyOf(await certify(underwriter, policyId, { holder: silent }), 201);
  const second = bodyOf(await certify(underwriter, policyId, { holder, notifyHolder: true }), 201);
  await eventually(async () => received(holder.email).length === 1, { what: 'the news of the second certificate' });
  const cancel = { effectiveDate: TODAY, reason: 'insured_request' };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/cancel`, cancel), 201);
  await eventually(async () => received(holder.email).length === 2, { what: 'the news of the cancellation' });
  const [replaced, cancelled] = received(holder.email);
  t.is(replaced?.subject, `Certificate replaced: certificate ${first.certificateNumber}`);
  t.true(replaced?.text.includes(`Certificate ${second.certificateNumber} replaces it.`));
  t.is(cancelled?.subject, `Policy cancelled: certificate ${second.certificateNumber}`);
  t.true(cancelled?.text.includes(`Coverage ends at 12:01 a.m. on ${dayText(TODAY)}.`));
  t.deepEqual(received(silent.email), []);
});

test('the transactions of a policy have one document each, which comes by itself', async (t) => {
  const { client: underwriter, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const changes = { deductible: 5000 };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/endorse`, { effectiveDate: TODAY, changes }), 201);
  const cancel = { effectiveDate: TODAY, reason: 'insured_request' };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/cancel`, cancel), 201);
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/reinstate`, {}), 201);
  const kinds = ['cancellation_notice', 'declarations', 'endorsement', 'reinstatement_notice'];
  await eventually(async () => (await documentsOf(underwriter, policyId)).length === kinds.length, {
    what: 'the documents',
  });
  const made: { id: string; kind: string; downloadUrl: string }[] = await documentsOf(underwriter, policyId);
  t.deepEqual(made.map(({ kind }) => kind).sort(), kinds);
  const timeline = bodyOf(await underwriter.get(`/v1/policies/${policyId}/timeline`)).data;
  const named = timeline.map(({ documentId }: { documentId: string }) => documentId);
  t.deepEqual(made.map(({ id }) => id).sort(), named.sort());
  const pageOf = (wanted: string) => downloaded(made.find(({ kind }) => kind === wanted) as never).then(textOf);
  const notice = await pageOf('cancellation_notice');
  t.true(notice.includes('As you requested') && notice.includes('At the request of the insured.'), notice);
  t.true((await pageOf('reinstatement_notice')).includes('Coverage continues without interruption.'));
  t.regex(await pageOf('endorsement'), /number 1\b/i);
  const declarations = await textOf(await downloaded(made.find(({ kind }) => kind === 'declarations') as never));
  for (const part of ['$3,990.00', '$195.00', '$202.97', '$1.67', '$4,389.64'])
    t.true(declarations.includes(part), part);
});

test('an invoice has one document for each of its versions, and each of its payments a receipt', async (t) => {
  const { house, invoiceId } = await insuredWithInvoice();
  const print = () => house.as('billing_admin').post(`/v1/invoices/${invoiceId}/document`);
  const first = bodyOf(await print(), 201);
  t.is(bodyOf(await print(), 201).id, first.id);
  t.true((await textOf(await downloaded(first))).includes('Balance due $4,389.64'));
  const payment = { amount: 4389.64, method: 'check', reference: '1001' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoiceId}/pay`, payment), 201);
  const paid = bodyOf(await print(), 201);
  t.not(paid.id, first.id);
  const receipts = () => allPages(house.as('auditor'), '/v1/documents', { entityId: invoiceId, kind: 'receipt' });
  await eventually(async () => (await receipts()).length > 0, { what: 'the receipt' });
  const [{ invoiceNumber }] = bodyOf(await house.as('auditor').get('/v1/invoices')).data;
  const [receipt, ...others] = (await receipts()) as unknown as { downloadUrl: string; entityType: string }[];
  t.deepEqual([receipt?.entityType, others], ['invoice', []]);
  t.regex(
    await textOf(await downloaded(receipt as { downloadUrl: string })),
    new RegExp(`Invoice ${invoiceNumber} .* Reference 1001 Method Check Amount \\$4,389.64`),
  );
  const settled = await textOf(await downloaded(paid));
  t.true(settled.includes('Balance due $0.00') && !settled.includes('with your payment'), settled);

  const [{ id }] = bodyOf(await house.as('billing_admin').get(`/v1/invoices/${invoiceId}`)).payments;
  bodyOf(await house.as('billing_admin').post(`/v1/payments/${id}/reverse`, { reason: 'nsf' }), 201);
  const bounced = await textOf(await downloaded(bodyOf(await print(), 201)));
  t.regex(bounced, /Paid \$4,389.64 Check 1001 returned -\$4,389.64 Balance due \$4,389.64/);
});

test('an invoice says that a refund is still to be paid out until its check is issued, and then that it was refunded', async (t) => {
  const { house, invoiceId } = await insuredWithInvoice();
  const billing = house.as('billing_admin');
  const payment = { amount: 4389.64, method: 'check', reference: '1001' };
  bodyOf(await billing.post(`/v1/invoices/${invoiceId}/pay`, payment), 201);
  bodyOf(await billing.post(`/v1/invoices/${invoiceId}/refund`, { amount: 600, reason: 'Goodwill.' }), 201);
  const print = async () => bodyOf(await billing.post(`/v1/invoices/${invoiceId}/document`), 201);
  const owed = await print();
  t.regex(await textOf(await downloaded(owed)), /Paid \$4,389.64 Refund to be paid out \$600.00 Balance due \$0.00/);
  t.is((await print()).id, owed.id);

  const [{ id }] = bodyOf(await billing.get('/v1/disbursements', { query: { invoiceId } })).data;
  const issue = () => billing.post(`/v1/disbursements/${id}/issue`, { checkNumber: '2001' });
  await eventually(async () => (await issue()).status === 200, { what: 'the check' });
  const issued = await textOf(await downloaded(await print()));
  t.regex(issued, /Paid \$4,389.64 Refunded \$600.00 Balance due \$0.00/);
  t.false(issued.includes('to be paid out'), issued);
});

async function insuredWithInvoice() {
  const { house, policyId } = await insured(platform, 'PAY_IN_FULL');
  const [invoice] = bodyOf(await house.as('billing_admin').get('/v1/invoices', { query: { policyId } })).data;
  return { house, invoiceId: invoice.id as string };
}

test('a page from a caller reaches nothing and runs no script', async (t) => {
  let calls = 0;
  const server = createServer((_, answer) => {
    calls += 1;
    answer.end('Reached');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const inside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const html = `<html><head><link rel="stylesheet" href="${inside}/a.css"><meta http-equiv="refresh" content="0;url=${inside}/b">
    </head><body><script>document.body.append('Scripted')</script><iframe src="file:///etc/passwd"></iframe>
    <iframe src="${inside}/c"></iframe><img src="${inside}/d.png" onerror="document.title='Scripted'"><object data="${inside}/e"></object>
    <style>@import url(${inside}/f.css); body { background: url(${inside}/g.png) }</style><p>Dear {{ name }}</p></body></html>`;
  t.teardown(() => server.close());
  const render = (body: object, headers = {}) => policy.client.post('/v1/documents/render-pdf', body, { headers });
  const document = bodyOf(await render({ html, data: { name: '<b>Ada</b>' }, fileName: 'letter' }), 201);
  t.deepEqual([document.kind, document.fileName, document.entityType], ['rendered', 'letter.pdf', null]);
  const bytes = await downloaded(document);
  const text = await textOf(bytes);
  t.true(text.includes('Dear <b>Ada</b>'));
  t.false(/Scripted|root:|Reached/.test(text));
  t.is(calls, 0);
  const again = bodyOf(await render({ html, data: { name: '<b>Ada</b>' } }), 201);
  t.is(again.sha256, document.sha256);
  const keyed = { accept: 'application/pdf', 'idempotency-key': 'a page' };
  const files = [await render({ html: '<h1>One</h1>' }, keyed), await render({ html: '<h1>One</h1>' }, keyed)];
  for (const file of files) {
    t.is(file.status, 200);
    t.is(file.headers.get('content-type'), 'application/pdf');
    t.true(file.text.startsWith('%PDF-'));
  }
  const named = await render({ html: '<p>x</p>', fileName: 'café (1)' }, { accept: 'application/pdf' });
  const disposition = `attachment; filename="caf_ (1).pdf"; filename*=UTF-8''caf%C3%A9%20%281%29.pdf`;
  t.is(named.headers.get('content-disposition'), disposition);
  const styled = bodyOf(await render({ html: '<p>A {{ style }} house</p>', data: { style: 'Victorian' } }), 201);
  t.true((await textOf(await downloaded(styled))).includes('A Victorian house'));
  t.is(bodyOf(await render({ html: '<p>{{ x' }), 400).details.field, 'html');
  t.is((await render({ html: '{% include "/etc/passwd" %}' })).status, 400);
  t.is(bodyOf(await render({ html: '{{ x | nofilter }}' }), 400).details.field, 'html');
  t.is(bodyOf(await render({ html: '<p>x</p>', fileName: '../../etc/passwd' }), 201).fileName, 'passwd.pdf');
  t.is((await render({ templateId: 'none' })).status, 400);
  t.is((await render({ html: '<p style="break-after:page">x</p>'.repeat(300) })).status, 413);
  t.is((await render({ html: '<div style="height:99999999px">x</div>' })).status, 422);
});

test('a person who may read a policy may read its documents', async (t) => {
  const { client: underwriter, policyId, house } = policy;
  const { documentId } = bodyOf(await certify(underwriter, policyId, { holder: { ...HOLDER, name: 'City' } }), 201);
  const path = `/v1/documents/${documentId}`;
  for (const role of ['org_admin', 'auditor', 'billing_admin', 'finance_analyst', 'claims_supervisor']) {
    t.is((await house.as(role).get(path)).status, 200, role);
  }
  for (const role of ['compliance_officer', 'claims_adjuster', 'producer']) {
    t.is((await house.as(role).get(path)).status, 403, role);
    t.deepEqual(bodyOf(await house.as(role).get('/v1/documents')).data, [], role);
  }
  t.is((await platform.as('org_admin').get(path)).status, 404);
});
