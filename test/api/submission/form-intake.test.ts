import test from 'ava';
import type { RequestOptions, TestClient } from '../../support/client.ts';
import { type FormValues, fillableForm, printedForm, RISK, scannedForm } from '../../support/forms/acord-forms.ts';
import { newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const LIMITED: FormValues = { ...RISK, GeneralLiability_EachOccurrence_LimitAmount_A: '$1,000,000' };

const sendPdf = (client: TestClient, bytes: Uint8Array, { headers, ...options }: RequestOptions = {}) =>
  client.send('POST', '/v1/submissions', Buffer.from(bytes), {
    headers: { 'content-type': 'application/pdf', ...headers },
    ...options,
  });

function sendForm(client: TestClient, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'acord 125.pdf');
  return client.send('POST', '/v1/submissions', form);
}

test('a fillable form becomes a triaged submission that can be quoted, and is kept as its document', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const created = await sendForm(client, await fillableForm(LIMITED));
  t.is(created.status, 201, created.text);
  t.like(created.body, {
    ...{ status: 'triaged', missingFields: [], insuredName: 'Lone Star Bakery LLC', naicsCode: '722511' },
    ...{ annualRevenue: 1_250_000, requestedLimit: 1_000_000, effectiveDate: '2027-03-01', state: 'TX' },
    ...{ lineOfBusiness: 'GL', lossesLast5Years: 1, yearsInBusiness: 10, insuredPhone: '(512) 555-0100' },
  });
  const { id, intake } = created.body;
  const limit = intake.values.find(({ name }: { name: string }) => name === 'requestedLimit');
  const field = 'F[0].P3[0].GeneralLiability_EachOccurrence_LimitAmount_A[0]';
  t.deepEqual(limit, { name: 'requestedLimit', value: 1_000_000, page: 3, field, confidence: 0.99 });
  const documents = await client.get(`/v1/documents?entityType=submission&entityId=${id}`);
  t.is(documents.body.data.length, 1);
  t.like(documents.body.data[0], { id: intake.documentId, kind: 'acord_125', fileName: 'acord 125.pdf' });
  t.is((await client.post(`/v1/submissions/${id}/quote`)).status, 201);
});

test('a form without a limit is incomplete until somebody confirms the usual one', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const created = await sendPdf(client, await printedForm(RISK));
  t.is(created.status, 201, created.text);
  t.like(created.body, { status: 'incomplete', missingFields: ['requestedLimit'], requestedLimit: 1_000_000 });
  t.is(created.body.intake.source, 'text');
  const { id } = created.body;
  const early = await client.post(`/v1/submissions/${id}/quote`);
  t.is(early.status, 422);
  t.deepEqual(early.body.details.missing, ['requestedLimit']);
  const confirmed = await client.patch(`/v1/submissions/${id}`, { requestedLimit: 1_000_000 });
  t.like(confirmed.body, { status: 'triaged', missingFields: [] });
});

test('fields missing from a form are named, and the same risk sent twice is a likely duplicate', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { NamedInsured_NAICSCode_A: _code, ...poor } = LIMITED;
  const first = await sendPdf(client, await fillableForm(poor, 'older'));
  t.like(first.body, { status: 'incomplete', missingFields: ['naicsCode'] });
  const second = await sendPdf(client, await fillableForm(LIMITED));
  t.is(second.body.clearance.duplicateOf, first.body.id);
});

test('the same form under one Idempotency-Key is one submission', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const headers = { 'Idempotency-Key': 'one form' };
  const bytes = await fillableForm(LIMITED);
  const first = await sendPdf(client, bytes, { headers });
  const second = await sendPdf(client, bytes, { headers });
  t.deepEqual([first.status, second.status], [201, 201]);
  t.is(second.body.id, first.body.id);
  const other = await sendPdf(client, await fillableForm(RISK), { headers });
  t.is(other.body.error, 'idempotency_key_reused');
});

test('a file that cannot be read is refused with the reason, and nothing is kept', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const form = Buffer.from(await fillableForm(RISK));
  const refused = {
    not_a_pdf: Buffer.from('plain words'),
    truncated: form.subarray(0, 4_000),
    no_text: await scannedForm(),
  };
  for (const [reason, bytes] of Object.entries(refused)) {
    for (const send of [sendPdf, sendForm]) {
      const { status, body } = await send(client, bytes);
      t.deepEqual([status, body.error, body.details], [422, 'unreadable_document', { reason }]);
    }
  }
  t.deepEqual((await client.get('/v1/submissions')).body.data, []);
  t.deepEqual((await client.get('/v1/documents')).body.data, []);
});

test('the form of a producer who places no business is refused, and nothing is kept', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const producer = await house.asProducer(producerId);
  const bytes = await fillableForm(LIMITED);
  const keyed = { headers: { 'idempotency-key': 'before' } };
  const before = await sendPdf(producer, bytes, keyed);
  t.is(before.status, 201, before.text);
  const suspended = await house.as('compliance_officer').patch(`/v1/producers/${producerId}`, { status: 'suspended' });
  t.is(suspended.status, 200);
  const refused = await sendPdf(producer, bytes);
  t.like(refused, { status: 422, body: { error: 'not_ready', details: { blockers: ['PRODUCER_SUSPENDED'] } } });
  t.is((await sendPdf(producer, bytes, keyed)).body.id, before.body.id);
  t.is((await house.as('underwriter').get('/v1/documents')).body.data.length, 1);
});

test('a body of another type, size or shape is refused before anything is read', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const words = await client.send('POST', '/v1/submissions', 'words', { headers: { 'content-type': 'text/plain' } });
  t.is(words.status, 415);
  t.deepEqual(words.body.details.supported, ['application/json', 'multipart/form-data', 'application/pdf']);
  const huge = await sendPdf(client, Buffer.alloc(25 * 1_048_576 + 1, '%PDF-'));
  t.is(huge.status, 413);
  const extra = await sendForm(client, await fillableForm(RISK), { insuredName: 'Other' });
  t.like(extra.body, { error: 'validation_failed', details: { field: 'insuredName', rule: 'unknown_field' } });
  const empty = await sendForm(client, Buffer.alloc(0));
  t.like(empty.body, { error: 'validation_failed', details: { field: 'file', rule: 'min' } });
  const nothing = await sendPdf(client, Buffer.alloc(0));
  t.like(nothing, { status: 422, body: { error: 'unreadable_document' } }, nothing.text);
  const bodiless = await client.post('/v1/submissions');
  t.is(bodiless.body.details.rule, 'required');
  const reader = await sendPdf(house.as('auditor'), await fillableForm(RISK));
  t.is(reader.status, 403);
});
