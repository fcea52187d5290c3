// An insured's documents in the portal: those that exist, and those made on request.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { ordersOf } from '../../../db/queries/document/document-orders.ts';
import { keepDocument, type NewDocument } from '../../../db/queries/document/documents.ts';
import { addDays } from '../../../domain/dates.ts';
import { documentPath } from '../../../domain/document/document.ts';
import type { TestClient } from '../../support/client.ts';
import { allPages, bodyOf, bound } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { PAPER } from '../../support/printing/paper.ts';
import type { Platform } from '../../support/run-platform.ts';
import { foundNeighbourhood, type Neighbourhood } from './portal-calls.ts';

let platform: Platform;
let house: Neighbourhood['house'];
let today: string;
let first: Neighbourhood['first'];
let second: Neighbourhood['second'];
let neighbour: Neighbourhood['neighbour'];
let as: Neighbourhood['as'];

test.before('an insured with two terms, and a neighbour', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: PAPER });
  ({ house, today, first, second, neighbour, as } = await foundNeighbourhood(platform));
});

/** Puts a document into storage. */
async function keep(changes: Partial<NewDocument>): Promise<string> {
  const id = newId('document');
  const file = { fileName: 'paper.pdf', contentType: 'application/pdf', sizeBytes: 5, sha256: 'a'.repeat(64) };
  await platform.providers.storage.put(documentPath(house.orgId, id), '%PDF-', 'application/pdf');
  const made = { kind: 'declarations', templateVersion: 'declarations@3f9a01bc', createdBy: 'system' };
  const document = { id, ...made, ...file, ...changes };
  await platform.database.transaction(house.orgId, (em) => keepDocument(em, document));
  return id;
}

const BILL = `Content-Type: text/plain\r\n\r\nINVOICE
Invoice Number: 1042
Invoice Date: 2026-10-01
Bill To: Bindery
Total: $1,250.00
Amount Due: $1,250.00
Payment is due within 30 days. Please remit payment to Expert Office.
`;

/** Ingests a bill from someone who worked for us on a policy. */
async function received(entityType: string, entityId: string): Promise<string> {
  const content = { contentBase64: Buffer.from(BILL).toString('base64'), contentType: 'message/rfc822' };
  const body = { ...content, fileName: 'bill.eml', entityType, entityId };
  const { id, classification } = bodyOf(await house.as('org_admin').post('/v1/documents/ingest', body), 201);
  if (classification.type !== 'invoice') throw new Error(`It is taken for a ${classification.type}.`);
  return id;
}

test.serial(
  'documents that are made for an insured are theirs; internal ones and those of others are not there',
  async (t) => {
    const own = [
      await keep({ entityType: 'policy', entityId: first.policyId }),
      await keep({ entityType: 'invoice', entityId: second.invoiceId, kind: 'receipt' }),
    ];
    const hidden = [
      await keep({ entityType: 'policy', entityId: first.policyId, kind: 'inspection_report' }),
      await keep({ entityType: 'policy', entityId: first.policyId, containsPhi: true }),
      await keep({ entityType: 'policy', entityId: neighbour.policyId }),
      await keep({ entityType: 'invoice', entityId: neighbour.invoiceId, kind: 'receipt' }),
      await keep({ entityType: 'claim', entityId: neighbour.claimId }),
      await keep({}),
      await received('policy', first.policyId),
      await received('invoice', first.invoiceId),
    ];
    const client = as(second.policyId);
    const listed = await allPages(client, '/v1/portal/documents', { limit: 1 });
    const shown = listed.map(({ id }) => id);
    for (const id of own) {
      t.true(shown.includes(id));
      const { url, expiresAt } = bodyOf(await client.get(`/v1/portal/documents/${id}/download`));
      t.true(Date.parse(expiresAt) > Date.now());
      t.is((await platform.anonymous.get(new URL(url).pathname)).text, '%PDF-');
    }
    for (const id of hidden) {
      t.false(shown.includes(id));
      t.like(await client.get(`/v1/portal/documents/${id}/download`), { status: 404, body: { error: 'not_found' } });
    }
    const atHome = bodyOf(await client.get('/v1/portal/home')).documents;
    // Declarations arrive in the meantime, and none disappears: what the home page shows is in a list read later.
    const later = await allPages(client, '/v1/portal/documents', { limit: 100 });
    for (const document of atHome) {
      t.true(later.some(({ id }) => id === document.id));
      t.false(hidden.includes(document.id));
      t.false('createdBy' in document);
    }
    const stolen = await as(neighbour.policyId).get(`/v1/portal/documents/${own[0]}/download`);
    t.is(stolen.status, 404);
  },
);

/** Downloads from the address that an operation returns, and returns what is known of its document. */
async function downloaded(client: TestClient, path: string, kind: string) {
  const { url, expiresAt } = bodyOf(await client.get(path));
  const lifetimeMs = Date.parse(expiresAt) - Date.now();
  const file = await platform.anonymous.get(new URL(url).pathname);
  const { data } = bodyOf(await client.get('/v1/portal/documents', { query: { kind } }));
  return { isPdf: file.text.startsWith('%PDF-'), lifetimeMs, ids: data.map(({ id }: { id: string }) => id) };
}

test.serial('a certificate is issued when none stands, and again when the terms have changed', async (t) => {
  const client = as(second.policyId);
  const path = `/v1/portal/policies/${first.policyId}/coi`;
  const issued = await downloaded(client, path, 'certificate');
  t.true(issued.isPdf);
  t.true(issued.lifetimeMs > 14 * 60_000 && issued.lifetimeMs <= 15 * 60_000);
  t.is(issued.ids.length, 1);
  const again = await Promise.all([1, 2].map(() => downloaded(client, path, 'certificate')));
  for (const { ids } of again) t.deepEqual(ids, issued.ids);
  const change = { effectiveDate: today, changes: { requestedLimit: 500_000 } };
  bodyOf(await house.as('underwriter').post(`/v1/policies/${first.policyId}/endorse`, change), 201);
  const [newest, ...earlier] = (await downloaded(client, path, 'certificate')).ids;
  t.deepEqual(earlier, issued.ids);
  t.not(newest, issued.ids[0]);
  const replaced = [
    [newest, null],
    [issued.ids[0], newest],
  ];
  for (const shown of [
    bodyOf(await client.get('/v1/portal/documents', { query: { kind: 'certificate' } })).data,
    bodyOf(await client.get('/v1/portal/home')).documents,
  ]) {
    const certificates = shown.filter(({ kind }: { kind: string }) => kind === 'certificate');
    t.deepEqual(
      certificates.map(({ id, supersededBy }: Record<string, string>) => [id, supersededBy]),
      replaced,
    );
  }
  const { data } = bodyOf(
    await house.as('underwriter').get('/v1/certificates', { query: { policyId: first.policyId } }),
  );
  t.deepEqual(
    data.map(({ documentId, status }: { documentId: string; status: string }) => [documentId, status]),
    [
      [newest, 'valid'],
      [issued.ids[0], 'superseded'],
    ],
  );
  t.like(await client.get(`/v1/portal/policies/${second.policyId}/coi`), {
    status: 422,
    body: { error: 'document_not_applicable' },
  });
});

test.serial(
  'a certificate follows each notice of cancellation, and each change of name, address or limit',
  async (t) => {
    const staff = house.as('underwriter');
    const { policyId } = await bound(staff, { effectiveDate: today });
    const path = `/v1/portal/policies/${policyId}/coi`;
    const change = async (name: string, body: object) =>
      bodyOf(await staff.post(`/v1/policies/${policyId}/${name}`, body), 201);
    const cancelled = (days: number) =>
      change('cancel', { effectiveDate: addDays(today, days), reason: 'insured_request' });
    const endorsed = (changes: object) => change('endorse', { effectiveDate: today, changes });
    const steps = [
      ...[() => cancelled(20), () => cancelled(10), () => change('reinstate', {}), () => cancelled(20)],
      // Under another name or at another address, the insured is another holder.
      ...[() => endorsed({ insuredName: 'Renamed LLC' }), () => endorsed({ requestedLimit: 500_000 })],
      () => endorsed({ insuredAddress: { line1: '2 Elm Street', city: 'Dallas', state: 'TX', postalCode: '75201' } }),
    ];
    let { ids } = await downloaded(as(policyId), path, 'certificate');
    for (const [step, make] of steps.entries()) {
      await make();
      const after = (await downloaded(as(policyId), path, 'certificate')).ids;
      t.is(after.length, ids.length + 1, `step ${step}: a new one`);
      t.deepEqual((await downloaded(as(policyId), path, 'certificate')).ids, after, `step ${step}: the same one again`);
      ids = after;
      const { data } = bodyOf(await staff.get('/v1/certificates', { query: { policyId } }));
      t.like(data[0], { documentId: ids[0], status: 'valid' }, `step ${step}`);
    }
  },
);

test.serial('an MCS-90 is for motor carriers with a USDOT number alone', async (t) => {
  t.like(await as(first.policyId).get(`/v1/portal/policies/${first.policyId}/mcs90`), {
    status: 422,
    body: { error: 'document_not_applicable', details: { field: 'lineOfBusiness' } },
  });
  const fleet = { lineOfBusiness: 'CA', naicsCode: '484110', effectiveDate: today };
  const [bare, numbered] = await Promise.all([
    bound(house.as('underwriter'), fleet),
    bound(house.as('underwriter'), { ...fleet, usdotNumber: '1234567' }),
  ]);
  t.like(await as(bare.policyId).get(`/v1/portal/policies/${bare.policyId}/mcs90`), {
    status: 422,
    body: { error: 'document_not_applicable', details: { field: 'usdotNumber' } },
  });
  const path = `/v1/portal/policies/${numbered.policyId}/mcs90`;
  const made = await downloaded(as(numbered.policyId), path, 'mcs90');
  t.true(made.isPdf);
  t.deepEqual((await downloaded(as(numbered.policyId), path, 'mcs90')).ids, made.ids);
  t.is(made.ids.length, 1);
});

test.serial('a data sheet made for the insured keeps the cargo of the one that staff issued', async (t) => {
  const fleet = { lineOfBusiness: 'CA', naicsCode: '484110', effectiveDate: today, usdotNumber: '1234567' };
  const { policyId } = await bound(house.as('underwriter'), fleet);
  const staff = house.as('underwriter');
  bodyOf(await staff.post(`/v1/policies/${policyId}/mcs90`, { cargo: 'oil' }), 201);
  const changes = { insuredName: 'Renamed Carrier LLC' };
  bodyOf(await staff.post(`/v1/policies/${policyId}/endorse`, { effectiveDate: today, changes }), 201);
  const { ids } = await downloaded(as(policyId), `/v1/portal/policies/${policyId}/mcs90`, 'mcs90');
  t.is(ids.length, 2, 'another one was made');
  const orders = await platform.database.forOrg(house.orgId, (em) => ordersOf(em, ids));
  t.deepEqual(
    orders.map(({ input }) => input.cargo),
    ['oil', 'oil'],
  );
});

test.serial('an invoice is printed once for how it stands', async (t) => {
  const path = `/v1/portal/invoices/${first.invoiceId}/download`;
  const made = await downloaded(as(second.policyId), path, 'invoice');
  t.true(made.isPdf);
  t.is(made.ids.length, 1);
  t.deepEqual((await downloaded(as(first.policyId), path, 'invoice')).ids, made.ids);
});
