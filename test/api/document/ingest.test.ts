import test from 'ava';
import { PDFDocument } from 'pdf-lib';
import { newId } from '../../../db/ids.ts';
import { keepDocument } from '../../../db/queries/document/documents.ts';
import { startLanguageModel } from '../../../stand-ins/language-model/server.ts';
import type { TestClient } from '../../support/client.ts';
import { fillableForm, RISK } from '../../support/forms/acord-forms.ts';
import { bodyOf, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from '../claim/claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const LOSSES = `LOSS RUN REPORT\t\t\tValuation date: 10/31/2026
Insured: Lone Star Bakery LLC
Policy number: GL-TX-2025-000007
Claim Number,Date of Loss,Description,Status,Paid,Reserve,Incurred
C-1001,04/10/2025,"Slip and fall, front door",Open,"$1,200.50","$3,000.00","$4,200.50"
C-1002,11/02/2023,Water damage,Closed,"$800.00",$0.00,$800.00
`;

const MAIL = `From: adjuster@example.com
Subject: Invoice 1042
Content-Type: text/plain

Invoice number: 1042
Invoice date: 10/01/2026
Due date: 10/31/2026
Amount due: $1,250.00
Please make checks payable to Expert Office. Thank you for your business.
`;

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');

const ingest = (client: TestClient, content: string | Uint8Array, facts: Record<string, string>) =>
  client.post('/v1/documents/ingest', { contentBase64: base64(content), ...facts });

test('a loss run is recognized by its words, and each of its claims is a row', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { id } = await submit(client);
  const owner = { entityType: 'submission', entityId: id };
  const { status, body } = await ingest(client, LOSSES, { fileName: 'losses.csv', contentType: 'text/csv', ...owner });
  t.is(status, 201);
  t.like(body, { needsReview: false, readFrom: 'text', classification: { type: 'loss_run' } });
  t.is(body.classification.alternatives.length, 3);
  t.like(body.extracted.losses[0], {
    ...{ claimNumber: 'C-1001', lossDate: '2025-04-10', description: 'Slip and fall, front door', status: 'open' },
    ...{ paid: 1200.5, reserved: 3000, incurred: 4200.5 },
  });
  t.deepEqual(body.extracted.totals, { count: 2, paid: 2000.5, reserved: 3000, incurred: 5000.5 });
  const kept = await client.get(`/v1/documents/${body.id}`);
  t.like(kept.body, { kind: 'loss_run', fileName: 'losses.csv', contentType: 'text/csv', ...owner });
});

test('a form is read by its fields, an e-mail by its words, a picture by its name alone', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(await fillableForm(RISK))], { type: 'application/pdf' }), 'form.pdf');
  const read = await client.send('POST', '/v1/documents/ingest', form);
  t.like(read.body, { needsReview: false, readFrom: 'form', classification: { type: 'acord_125' } });
  t.like(read.body.extracted, { insuredName: 'Lone Star Bakery LLC', annualRevenue: 1_250_000, lineOfBusiness: 'GL' });
  const unclear = await fillableForm({ ...RISK, CommercialStructure_AnnualRevenueAmount_A: 'about a million' });
  const partly = bodyOf(
    await ingest(client, unclear, { fileName: 'unclear.pdf', contentType: 'application/pdf' }),
    201,
  );
  t.true(partly.needsReview, 'an answer could not be read');
  t.like(partly.extracted.unread, [{ name: 'annualRevenue', page: 2 }]);
  const mail = await ingest(client, MAIL, { fileName: 'bill.eml', contentType: 'message/rfc822' });
  t.like(mail.body, { readFrom: 'text', classification: { type: 'invoice' } });
  t.like(mail.body.extracted, { invoiceNumber: '1042', invoiceDate: '2026-10-01', dueDate: '2026-10-31', total: 1250 });
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const seen = await ingest(client, picture, { fileName: 'police-report.png', contentType: 'image/png' });
  t.like(seen.body, { readFrom: 'name', needsReview: true, classification: { type: 'police_report' } });
});

test('the name of a file is kept without the folders that stand before it', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { id } = bodyOf(await ingest(client, LOSSES, { fileName: '../../loss run.csv', contentType: 'text/csv' }), 201);
  t.is(bodyOf(await client.get(`/v1/documents/${id}`)).fileName, 'loss run.csv');
});

test('a document takes the place of an earlier one of the same resource, once, and the earlier one stays', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const { id: entityId } = await submit(client);
  const named = { fileName: 'losses.csv', contentType: 'text/csv' };
  const owner = { entityType: 'submission', entityId };
  const { id: first } = bodyOf(await ingest(client, LOSSES, { ...named, ...owner }), 201);
  const { id: second } = bodyOf(await ingest(client, LOSSES, { ...named, supersedes: first }), 201);
  t.like(bodyOf(await client.get(`/v1/documents/${second}`)), { version: 2, supersedes: first, ...owner });
  t.like(bodyOf(await client.get(`/v1/documents/${first}`)), { version: 1, supersedes: null, supersededBy: second });
  const late = await ingest(client, LOSSES, { ...named, supersedes: first });
  t.like(late, { status: 409, body: { error: 'already_exists', details: { resource: 'document', id: second } } });
  const both = await Promise.all([1, 2].map(() => ingest(client, LOSSES, { ...named, supersedes: second })));
  t.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  const file = { ...named, sizeBytes: 1, sha256: '0'.repeat(64), createdBy: 'system' };
  const made = { id: newId('document'), kind: 'invoice', templateVersion: 'invoice@1', ...file };
  await platform.database.transaction(house.orgId, (em) => keepDocument(em, made));
  const other = { entityType: 'submission', entityId: (await submit(client)).id };
  const stranger = (await newHouse(platform)).as('underwriter');
  for (const [caller, wrong, field] of [
    [client, { supersedes: newId('document') }, 'supersedes'],
    [client, { supersedes: made.id }, 'supersedes'],
    [stranger, { supersedes: first }, 'supersedes'],
    [client, { supersedes: first, ...other }, 'entityId'],
    [client, { supersedes: first, ...owner, entityType: 'policy' }, 'entityType'],
  ] as const) {
    const { status, body } = await ingest(caller, LOSSES, { ...named, ...wrong });
    t.deepEqual([status, body.details?.field, body.details?.rule], [400, field, 'unknown_reference']);
  }
});

test('a key sees the documents of protected claims only with a scope for claims', async (t) => {
  const { house, file } = await covered(platform);
  const admin = house.as('org_admin');
  const { id } = bodyOf(await file({ containsPhi: true }), 201);
  const owner = { entityType: 'claim', entityId: id };
  const record = bodyOf(await ingest(admin, LOSSES, { fileName: 'a.csv', contentType: 'text/csv', ...owner }), 201);
  for (const [scopes, status, ids] of [
    [['documents:read'], 403, []],
    [['documents:read', 'claims:read'], 200, [record.id]],
  ] as const) {
    const { key } = bodyOf(await admin.post('/v1/api-keys', { name: 'A reader', scopes }), 201);
    const headers = { headers: { 'X-API-Key': key } };
    t.is((await platform.anonymous.get(`/v1/documents/${record.id}`, headers)).status, status);
    const { data } = bodyOf(await platform.anonymous.get('/v1/documents', headers));
    t.deepEqual(
      data.map((row: { id: string }) => row.id),
      ids,
    );
  }
});

test('every reading of a document of a protected claim leaves an audit row; one of an open claim leaves none', async (t) => {
  const { house, file } = await covered(platform);
  const [admin, supervisor] = [house.as('org_admin'), house.as('claims_supervisor')];
  const kept = async (containsPhi: boolean) => {
    const { id } = bodyOf(await file({ containsPhi, cause: `A fall, ${containsPhi}` }), 201);
    const owner = { entityType: 'claim', entityId: id };
    const { body } = await ingest(admin, LOSSES, { fileName: 'a.csv', contentType: 'text/csv', ...owner });
    return { claimId: id, documentId: body.id };
  };
  const reads = async (claimId: string) => {
    const { data } = bodyOf(await admin.get('/v1/audit', { query: { entity: claimId } }));
    return data
      .filter(({ action }: { action: string }) => action === 'claim:read_phi')
      .map(({ actor, changes }: { actor: { role: string }; changes: { field: string; after: unknown }[] }) => [
        actor.role,
        Object.fromEntries(changes.map(({ field, after }) => [field, after])),
      ])
      .filter(([, { fields }]: [string, { fields: string[] }]) => fields.includes('documents'));
  };
  const [hidden, open] = [await kept(true), await kept(false)];
  bodyOf(await supervisor.get(`/v1/documents/${hidden.documentId}`));
  bodyOf(await admin.get('/v1/documents', { query: { entityType: 'claim' } }));
  t.is((await house.as('auditor').get(`/v1/documents/${hidden.documentId}`)).status, 404);
  const read = { fields: ['documents'], documents: [hidden.documentId] };
  t.deepEqual(await reads(hidden.claimId), [
    ['org_admin', read],
    ['claims_supervisor', read],
  ]);
  bodyOf(await supervisor.get(`/v1/documents/${open.documentId}`));
  t.deepEqual(await reads(open.claimId), []);
});

test('a protected document exists only for those who read protected values, as a protected attachment does', async (t) => {
  const { house, file } = await covered(platform);
  const admin = house.as('org_admin');
  for (const containsPhi of [true, false]) {
    const { id: entityId } = bodyOf(await file({ containsPhi, cause: `A fall, ${containsPhi}` }), 201);
    const owner = { fileName: 'a.csv', contentType: 'text/csv', entityType: 'claim', entityId };
    const { id } = bodyOf(await ingest(admin, LOSSES, owner), 201);
    for (const [role, status] of [
      ['claims_supervisor', 200],
      ['auditor', containsPhi ? 404 : 200],
      ['compliance_officer', 403],
    ] as const) {
      const answer = await house.as(role).get(`/v1/documents/${id}`);
      t.is(answer.status, status, `${role}, ${containsPhi}`);
      const { data } = bodyOf(await house.as(role).get('/v1/documents'));
      t.is(
        data.some((row: { id: string }) => row.id === id),
        status === 200,
        role,
      );
    }
  }
});

test('a document that replaces a medical record is protected like it, whatever it is taken for', async (t) => {
  const { house, file } = await covered(platform);
  const [admin, auditor] = [house.as('org_admin'), house.as('auditor')];
  const { id: entityId } = bodyOf(await file({ containsPhi: false }), 201);
  const named = { fileName: 'medical record.txt', contentType: 'text/plain' };
  const text = 'Medical record. Patient: Jane Doe. Diagnosis: fracture. Treatment by the physician at the hospital.';
  const record = bodyOf(await ingest(admin, text, { ...named, entityType: 'claim', entityId }), 201);
  t.is(record.classification.type, 'medical_record');
  const corrected = { fileName: 'a.csv', contentType: 'text/csv', supersedes: record.id };
  const { id, classification } = bodyOf(await ingest(admin, LOSSES, corrected), 201);
  t.is(classification.type, 'loss_run');
  for (const document of [record.id, id]) t.is((await auditor.get(`/v1/documents/${document}`)).status, 404);
});

test('a medical record that belongs to nothing is protected as well', async (t) => {
  const house = await newHouse(platform);
  const text = 'Medical record. Patient: Jane Doe. Diagnosis: fracture. Treatment by the physician at the hospital.';
  const named = { fileName: 'record.txt', contentType: 'text/plain' };
  const { id } = bodyOf(await ingest(house.as('org_admin'), text, named), 201);
  t.is((await house.as('org_admin').get(`/v1/documents/${id}`)).status, 200);
  for (const role of ['auditor', 'underwriter']) t.is((await house.as(role).get(`/v1/documents/${id}`)).status, 404);
});

test('an invalid call is refused with the field at fault', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const wrong = async (body: Record<string, string>, field: string, rule: string) => {
    const answer = await client.post('/v1/documents/ingest', body);
    t.like(answer, { status: 400, body: { error: 'validation_failed', details: { field, rule } } }, answer.text);
  };
  const contentBase64 = base64('Office notes.');
  await wrong({}, 'contentBase64', 'required');
  await wrong({ contentBase64: '*not base64*' }, 'contentBase64', 'format');
  await wrong({ contentBase64, entityType: 'policy' }, 'entityId', 'required');
  await wrong({ contentBase64, entityId: newId('policy') }, 'entityType', 'required');
  await wrong({ contentBase64, entityType: 'horse', entityId: newId('policy') }, 'entityType', 'enum');
  await wrong({ contentBase64, entityType: 'policy', entityId: newId('policy') }, 'entityId', 'unknown_reference');
  const script = await PDFDocument.create();
  script.addPage();
  script.addJavaScript('greeting', 'app.alert(1)');
  const refused = await ingest(client, await script.save(), { fileName: 'a.pdf', contentType: 'application/pdf' });
  t.deepEqual([refused.status, refused.body.details], [422, { reason: 'contains_script' }]);
});

test('a type that is not accepted, or does not match the file, is refused as for an attachment', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  for (const contentType of ['application/pdf', 'application/x-sh']) {
    const { status, body } = await ingest(client, 'Office notes.', { fileName: 'notes.txt', contentType });
    t.deepEqual([status, body.error, body.details.declared], [415, 'unsupported_media_type', contentType]);
  }
});

test('the twenty-first document of a minute is refused, and other calls go on', async (t) => {
  const client = (await newHouse(platform)).as('underwriter', 'usr_in_a_hurry');
  const answers = [];
  for (let call = 0; call < 21; call++) answers.push(await client.post('/v1/documents/ingest', {}));
  t.deepEqual(new Set(answers.slice(0, 20).map(({ status }) => status)), new Set([400]));
  const last = answers.at(-1);
  t.is(last?.status, 429);
  t.is(last?.headers.get('x-ratelimit-limit'), '20');
  t.regex(last?.headers.get('retry-after') ?? '', /^\d+$/);
  t.is((await client.get('/v1/documents')).status, 200);
});

test('a document of a claim is read by us alone, whatever it is about', async (t) => {
  const apiKey = 'sk-ant-key-of-the-tests-0123456789';
  const model = await startLanguageModel({ apiKey });
  t.teardown(() => model.close());
  const variables = { AI_PROVIDER: 'anthropic', AI_API_KEY: apiKey, AI_BASE_URL: model.url, AI_MODEL: 'model-1' };
  const { house, file } = await covered(await startCheckedPlatform(t, { variables }));
  const admin = house.as('org_admin');
  await admin.put('/v1/flags/language_model', { value: true });
  const { id } = bodyOf(await file({ containsPhi: false }), 201);
  const bill = (owner = {}) => ingest(admin, MAIL, { fileName: 'bill.eml', contentType: 'message/rfc822', ...owner });
  bodyOf(await bill({ entityType: 'claim', entityId: id }), 201);
  t.is(model.calls.length, 0);
  bodyOf(await bill(), 201);
  t.is(model.calls.length, 1);
});

test('a language model reads along where one is set up, and its results are bounded by the document', async (t) => {
  const apiKey = 'sk-ant-key-of-the-tests-0123456789';
  const model = await startLanguageModel({ apiKey });
  t.teardown(() => model.close());
  const variables = { AI_PROVIDER: 'anthropic', AI_API_KEY: apiKey, AI_BASE_URL: model.url, AI_MODEL: 'model-1' };
  const reading = await startCheckedPlatform(t, { worker: false, variables: { ...variables, AI_CALLS_PER_DAY: '2' } });
  const house = await newHouse(reading);
  const client = house.as('underwriter');
  model.say({ input: { type: 'invoice', confidence: 0.9, values: { billTo: 'Expert Office', invoiceNumber: '999' } } });
  const bill = () => ingest(client, MAIL, { fileName: 'bill.eml', contentType: 'message/rfc822' });
  t.is((await bill()).body.extracted.billTo, undefined);
  t.is(model.calls.length, 0, 'without the consent of the organization');
  const consent = house.as('org_admin').put('/v1/flags/language_model', { value: true });
  t.is((await consent).status, 200);
  const { body } = await bill();
  t.like(body, { needsReview: true, classification: { type: 'invoice' } });
  t.like(body.extracted, { billTo: 'Expert Office', invoiceNumber: '1042', total: 1250 });
  await bill();
  t.is((await bill()).body.extracted.billTo, undefined);
  t.is(model.calls.length, 2);
  const audit = await house.as('org_admin').get('/v1/audit', { query: { entity: body.id } });
  t.deepEqual(
    bodyOf(audit).data.map(({ action, changes }: { action: string; changes: object }) => [action, changes]),
    [
      [
        'document:send_to_language_model',
        [
          { field: 'host', before: null, after: new URL(model.url).host },
          { field: 'model', before: null, after: 'model-1' },
        ],
      ],
    ],
  );
});
