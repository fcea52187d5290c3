// The wording of documents: ours follows the line of business and the data entered, and an organization's own
// templates replace it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { answer } from '../../../scripts/ops/questions.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { templateForm } from '../../support/forms/template-forms.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured } from '../policy/policy-calls.ts';

const TODAY = testToday();
const HOLDER = {
  name: 'Harbor Landlord LLC',
  address: { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' },
};

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

const certify = (client: TestClient, policyId: string, changes: object = {}) =>
  client.post('/v1/coi/generate', { policyId, holder: HOLDER, ...changes });

test('an endorsement names a limit as the declarations do, and a notice gives the grounds as they were entered', async (t) => {
  const line = { lineOfBusiness: 'PL', effectiveDate: TODAY };
  const { client: underwriter, policyId } = await insured(platform, 'PAY_IN_FULL', line);
  const endorsed = { effectiveDate: TODAY, changes: { requestedLimit: 500_000 } };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/endorse`, endorsed), 201);
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/non-renew`, { reason: 'loss_ratio above 80%' }));
  const documents = () => allPages(underwriter, '/v1/documents', { entityType: 'policy', entityId: policyId });
  await eventually(async () => (await documents()).length === 3, { what: 'the documents' });
  const made = (await documents()) as unknown as { kind: string; downloadUrl: string }[];
  const pageOf = (wanted: string) => printed(made.find(({ kind }) => kind === wanted));
  t.regex(await pageOf('declarations'), /Each claim \$1,000,000/);
  t.regex(await pageOf('endorsement'), /Each claim \$1,000,000 \$500,000/);
  t.regex(await pageOf('non_renewal_notice'), /claim first made .* REASON loss_ratio above 80% If you have/);
});

test('an endorsement of commercial auto, which has a single limit, names no aggregate limit', async (t) => {
  const motor = { lineOfBusiness: 'CA', usdotNumber: '1234567', naicsCode: '484110', effectiveDate: TODAY };
  const policy = await insured(platform, 'PAY_IN_FULL', motor);
  const changes = { requestedLimit: 500_000 };
  bodyOf(await policy.change('endorse', { effectiveDate: TODAY, changes }), 201);
  const page = await printed(await documentOf(policy, 'endorsement'));
  t.regex(page, /Combined single limit \$1,000,000 \$500,000/);
  t.notRegex(page, /aggregate/i);
});

test('an endorsement lists additional insureds one below the other, whatever commas their names have', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const additionalInsureds = [{ name: 'Smith, Jones, LLC' }, { name: 'City of Austin' }];
  bodyOf(await policy.change('endorse', { effectiveDate: TODAY, changes: { additionalInsureds } }), 201);
  t.regex(await printed(await documentOf(policy, 'endorsement')), /none Smith, Jones, LLC; City of Austin/);
});

test('a policy has one MCS-90 that stands and an invoice one print, which names the insured of the invoice', async (t) => {
  const motor = { lineOfBusiness: 'CA', usdotNumber: '1234567', naicsCode: '484110', effectiveDate: TODAY };
  const policy = await insured(platform, 'PAY_IN_FULL', motor);
  const { client, policyId } = policy;
  const read = async (id: string) => bodyOf(await client.get(`/v1/documents/${id}`));
  const sheet = async () => bodyOf(await client.post(`/v1/policies/${policyId}/mcs90`, {}), 201).documentId;
  const [first, second] = [await sheet(), await sheet()];
  t.like(await read(second), { version: 2, supersedes: first });
  t.is((await read(first)).supersededBy, second);
  const together = await Promise.all([sheet(), sheet()]);
  const versions = (await Promise.all(together.map(read))).map(({ version }) => version);
  t.deepEqual(versions.sort(), [3, 4], 'of two at the same time one takes the place of the other');

  const billing = policy.house.as('billing_admin');
  const [invoice] = (await allPages(billing, '/v1/invoices', { policyId })) as unknown as Record<string, string>[];
  const print = async () => bodyOf(await billing.post(`/v1/invoices/${invoice?.id}/document`), 201);
  bodyOf(await policy.change('endorse', { effectiveDate: TODAY, changes: { insuredName: 'Renamed Lines LLC' } }), 201);
  const before = await print();
  t.true((await printed(before)).includes(`BILL TO ${invoice?.insuredName}`));
  bodyOf(await billing.post(`/v1/invoices/${invoice?.id}/pay`, { amount: 100, method: 'check', reference: '1' }), 201);
  t.like(await print(), { version: 2, supersedes: before.id });
  const name = /filename="([^"]*)"/.exec(
    (await fetch(`${platform.url}${new URL(before.downloadUrl).pathname}`)).headers.get('content-disposition') ?? '',
  );
  t.is(name?.[1], before.fileName);
});

test('a certificate or an MCS-90 with figures of the caller is marked as a specimen', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const render = (templateId: string) => client.post('/v1/documents/render-pdf', { templateId, data: {} });
  for (const templateId of ['certificate', 'mcs90']) {
    const [first, second] = [bodyOf(await render(templateId), 201), bodyOf(await render(templateId), 201)];
    t.regex(await printed(first), /SPECIMEN/, templateId);
    t.is(first.sha256, second.sha256, 'the same input gives the same file');
  }
  t.notRegex(await printed(bodyOf(await render('binder'), 201)), /SPECIMEN/);
});

test('no template of an organization can take the mark of a specimen off', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const page = '<h1>Certificate of {{ insured.name }}</h1>';
  const tricks = ['<!--', '<template>', '<style>body > *:not(h1) { display: none !important }</style>'];
  for (const trick of tricks) {
    bodyOf(await admin.put('/v1/document-templates/certificate', { html: `${page}${trick}` }));
    const order = { templateId: 'certificate', data: { insured: { name: 'Nobody LLC' } } };
    const text = await printed(bodyOf(await admin.post('/v1/documents/render-pdf', order), 201));
    t.regex(text, /Certificate of Nobody LLC/);
    t.regex(text, /SPECIMEN/, trick);
  }
});

test('a notice and an invoice name the insured of their day, and never a later name', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const { insuredName: is } = await policy.read();
  const changes = { insuredName: 'Successor Holdings LLC' };
  bodyOf(await policy.change('endorse', { effectiveDate: addDays(TODAY, 60), changes }), 201);
  bodyOf(await policy.change('cancel', { effectiveDate: addDays(TODAY, 30), reason: 'insured_request' }), 201);
  const print = policy.house.as('billing_admin').post(`/v1/invoices/${policy.invoices[0]?.id}/document`);
  for (const document of [await documentOf(policy, 'cancellation_notice'), bodyOf(await print, 201)]) {
    const page = await printed(document);
    t.true(page.includes(is), page);
    t.false(page.includes('Successor'), page);
  }
  t.true((await printed(await documentOf(policy, 'endorsement'))).includes('Successor Holdings LLC'));
});

test('an invoice, a statement and a notice for non-payment say where to pay once the organization has recorded it', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const { house, path } = policy;
  const billing = house.as('billing_admin');
  const invoice = `/v1/invoices/${policy.invoices[0]?.id}`;
  const bill = async () => printed(bodyOf(await billing.post(`${invoice}/document`), 201));
  const statement = async () => bodyOf(await billing.get(`${path}/statement`));
  t.notRegex(await bill(), /where to pay/i);
  t.false('paymentInstructions' in (await statement()));

  const paymentInstructions = ['Harbor Premium Trust', 'Lockbox 12, Austin, TX 78701'];
  const said = await platform.as('machine').patch(`/v1/organizations/${house.orgId}`, { paymentInstructions });
  t.deepEqual(bodyOf(said).paymentInstructions, paymentInstructions);
  const part = { amount: 100, method: 'check', reference: 'Part 1' };
  bodyOf(await billing.post(`${invoice}/pay`, part), 201);
  const where = /WHERE TO PAY Harbor Premium Trust Lockbox 12, Austin, TX 78701/;
  t.regex(await bill(), where);
  t.deepEqual((await statement()).paymentInstructions, paymentInstructions);
  await policy.advance(addDays(TODAY, 2));
  const cancellation = { effectiveDate: addDays(TODAY, 20), reason: 'non_payment' };
  bodyOf(await policy.change('cancel', cancellation), 201);
  t.regex(await printed(await documentOf(policy, 'cancellation_notice')), where);
});

test("an organization's template uses only what its kind of document has, and is used from then on", async (t) => {
  const { client: underwriter, policyId, house } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const admin = house.as('org_admin');
  const put = (html: string) => admin.put('/v1/document-templates/certificate', { html });
  for (const [html, rule] of [
    ['<p>{{ secrets }}</p>', 'unknown_reference'],
    ['<p>{{ holder.phone }}</p>', 'unknown_reference'],
    ['{% if additionalInsured %}Y{% else %}{{ policy.insurer }}{% endif %}', 'unknown_reference'],
    ['{% for each in limits %}{{ each.amount }}{% endfor %}', 'unknown_reference'],
    ['{{ limits.first.cents | cash }}', 'format'],
    ['<script>x</script>', 'format'],
    ['<p onclick="x()">x</p>', 'format'],
    ['<scr{{ "ipt>x" | raw }}</scr{{ "ipt>" | raw }}', 'format'],
    ['<iframe src="https://example.com"></iframe>', 'format'],
    ['<img src="https://example.com/logo.png">', 'format'],
    ['<style>@import "x.css"; b { background: url(http://example.com/x) }</style>', 'format'],
    ['<a href="javascript:x()">x</a>', 'format'],
    ['{% include "another" %}', 'format'],
    ['<p>{% if %}</p>', 'format'],
  ] as const) {
    const refused = bodyOf(await put(html), 400);
    t.deepEqual(refused.details, { field: 'html', rule }, html);
  }
  const { names, templateVersion, html: ours } = bodyOf(await admin.get('/v1/document-templates/certificate'));
  const { documentId } = bodyOf(await certify(underwriter, policyId), 201);
  t.is(bodyOf(await underwriter.get(`/v1/documents/${documentId}`)).templateVersion, templateVersion);
  // The name is derived from the exact text and style, so a change gives another name.
  const style = readFileSync(new URL('../../../plans/document/templates/print.css', import.meta.url), 'utf8');
  const state = createHash('sha256')
    .update(ours + style)
    .digest('hex');
  t.is(templateVersion, `certificate@${state.slice(0, 8)}`);
  for (const name of ['policy.number', 'holder.address.city', 'limits[].cents', 'conditions[]', 'producer.email']) {
    t.true(names.includes(name), name);
  }
  t.is(
    bodyOf(await put('<p>Held by {{ holder.name }}: {{ certificate.number }}</p>')).templateVersion,
    'certificate@own-1',
  );
  const stored = bodyOf(await admin.get('/v1/document-templates/certificate'));
  t.is(stored.html, '<p>Held by {{ holder.name }}: {{ certificate.number }}</p>');
  const own = bodyOf(await certify(underwriter, policyId, { holder: { ...HOLDER, name: 'County' } }), 201);
  t.is(await printed(own), `Held by County: ${own.certificateNumber}`);
  t.is(bodyOf(await underwriter.get(`/v1/documents/${own.documentId}`)).templateVersion, 'certificate@own-1');
});

test('a fillable PDF takes the place of a template, and documents name its version and hold its values', async (t) => {
  const { client: underwriter, policyId, house } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const admin = house.as('org_admin');
  const form = await templateForm();
  const kept = async (changes: object = {}) => {
    const file = { fileName: 'form-12.pdf', contentType: 'application/pdf', ...changes };
    const contentBase64 = Buffer.from(await form.save()).toString('base64');
    return bodyOf(await admin.post('/v1/documents/ingest', { contentBase64, ...file }), 201).id as string;
  };
  const documentId = await kept();
  const fields = { 'Holder.Name': '{{ holder.name }}', Number: '{{ certificate.number }}', Sent: 'yes' };
  const put = (body: object) => admin.put('/v1/document-templates/certificate', body);
  const ofPolicy = await kept({ entityType: 'policy', entityId: policyId });
  for (const [body, field, rule] of [
    [{ documentId }, 'fields', 'required'],
    [{ documentId, fields, html: '<p>x</p>' }, 'html', 'required'],
    [{ documentId: ofPolicy, fields }, 'documentId', 'unknown_reference'],
    [{ documentId, fields: { Missing: 'x' } }, 'fields.Missing', 'unknown_reference'],
    [{ documentId, fields: { Number: '{{ certificate.seal }}' } }, 'fields.Number', 'unknown_reference'],
  ] as const) {
    const { details } = bodyOf(await put(body), 400);
    t.deepEqual([details.field, details.rule], [field, rule], JSON.stringify(body));
  }
  t.like(bodyOf(await put({ documentId, fields })), { templateVersion: 'certificate@own-1', html: null, documentId });
  t.deepEqual(bodyOf(await admin.get('/v1/document-templates/certificate')).fields, fields);
  const made = bodyOf(await certify(underwriter, policyId), 201);
  t.regex(await printed(made), new RegExp(`FILED FORM 12 ?${HOLDER.name} ?${made.certificateNumber}`));
  t.is(bodyOf(await underwriter.get(`/v1/documents/${made.documentId}`)).templateVersion, 'certificate@own-1');
  const refused = bodyOf(await certify(underwriter, policyId, { holder: { ...HOLDER, name: 'บริษัท' } }), 422);
  const details = { field: 'Holder.Name', reason: 'unknown_letters' };
  t.deepEqual([refused.error, refused.details], ['document_not_applicable', details]);
});

test('a document that did not fit a form of the organization is made once its template is mended', async (t) => {
  const insuredName = 'บริษัท';
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY, insuredName });
  const admin = policy.house.as('org_admin');
  const contentBase64 = Buffer.from(await (await templateForm()).save()).toString('base64');
  const form = { contentBase64, fileName: 'form-12.pdf', contentType: 'application/pdf' };
  const documentId = bodyOf(await admin.post('/v1/documents/ingest', form), 201).id;
  const put = async (kind: string, body: object) => bodyOf(await admin.put(`/v1/document-templates/${kind}`, body));
  for (const kind of ['invoice', 'cancellation_notice']) {
    await put(kind, { documentId, fields: { 'Holder.Name': '{{ insured.name }}' } });
  }
  const print = () => policy.house.as('billing_admin').post(`/v1/invoices/${policy.invoices[0]?.id}/document`);
  t.is(bodyOf(await print(), 422).error, 'document_not_applicable');
  bodyOf(await policy.change('cancel', { effectiveDate: TODAY, reason: 'insured_request' }), 201);
  const refused = async () => {
    const listed = await answer(platform.database, 'documents');
    return listed.filter(({ of, why }) => of === policy.policyId && why === 'document_not_applicable');
  };
  await eventually(async () => (await refused()).length === 1, { what: 'the refusal of the notice' });
  t.like((await refused())[0], { kind: 'cancellation_notice', template: 'cancellation_notice@own-1' });
  for (const kind of ['invoice', 'cancellation_notice']) await put(kind, { html: '<p>{{ policy.number }}</p>' });
  t.is(bodyOf(await print(), 201).templateVersion, 'invoice@own-2');
  const { policyNumber } = await policy.read();
  t.is(await printed(await documentOf(policy, 'cancellation_notice')), policyNumber);
  t.deepEqual(await refused(), []);
});

/** Waits for the first document of a kind that a policy change ordered. */
async function documentOf({ client, policyId }: Insured, kind: string): Promise<{ downloadUrl: string }> {
  const of = { entityType: 'policy', entityId: policyId, kind };
  const documents = () =>
    allPages(client, '/v1/documents', of) as Promise<unknown> as Promise<{ downloadUrl: string }[]>;
  await eventually(async () => (await documents()).length > 0, { what: kind });
  return (await documents()).at(-1) as { downloadUrl: string };
}

/** Downloads a document and reads its text. */
async function printed({ downloadUrl }: { downloadUrl: string } = { downloadUrl: '' }): Promise<string> {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return textOf(Buffer.from(await answer.arrayBuffer()));
}
