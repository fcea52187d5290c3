// Files on claims: they download unchanged, for a quarter of an hour; a protected file exists only for users who may
// read it; a refused one leaves nothing behind.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Covered, covered } from './claim-calls.ts';

let platform: Platform;
let policy: Covered;
/** How far the API's clock is ahead, in milliseconds. */
let ahead = 0;

const ADJUSTER = 'usr_of_attachments';
const MAX_BYTES = 25 * 1024 * 1024;

test.before('a platform with a policy in force', async (t) => {
  platform = await startCheckedPlatform(t, { now: () => Date.now() + ahead });
  policy = await covered(platform);
});

const PDF = Buffer.from(`%PDF-1.7\n${'The floor was wet.\n'.repeat(5_000)}`);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function claimed(containsPhi = false): Promise<string> {
  const { id } = bodyOf(await policy.file({ containsPhi, cause: `${containsPhi} ${Math.random()}` }), 201);
  bodyOf(await policy.supervisor.post(`/v1/claims/${id}/assign`, { adjusterId: ADJUSTER }));
  return `/v1/claims/${id}/attachments`;
}

interface Sent {
  bytes?: Buffer;
  type?: string;
  name?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

function attach(by: TestClient, path: string, { bytes = PDF, type = 'application/pdf', ...rest }: Sent = {}) {
  const { name = 'Zürich report.pdf', fields = {}, headers = {} } = rest;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([Uint8Array.from(bytes)], { type }), name);
  return by.send('POST', path, form, { headers });
}

const inJson = (bytes: Buffer, more = {}) => {
  return { fileName: 'a.pdf', contentType: 'application/pdf', contentBase64: bytes.toString('base64'), ...more };
};

/** Downloads from a URL, without a credential. */
async function downloaded(downloadUrl: string) {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** What storage holds for a claim. */
function stored(path: string): string[] {
  const claimId = path.split('/')[3] ?? '';
  const folder = join(platform.providers.folder, 'docs', policy.house.orgId, 'claims', claimId);
  return existsSync(folder) ? readdirSync(folder) : [];
}

test('a file comes back to the byte, sent in a form or within JSON', async (t) => {
  const path = await claimed();
  const form = { fields: { kind: 'police_report', description: 'Of that night.' } };
  const sent = bodyOf(await attach(policy.supervisor, path, form), 201);
  t.like(sent, {
    ...{ fileName: 'Zürich report.pdf', contentType: 'application/pdf', size: PDF.length, sha256: sha256(PDF) },
    ...{ kind: 'police_report', description: 'Of that night.', containsPhi: false, duplicateOf: null },
  });
  const other = Buffer.from('%PDF-1.4 another');
  const json = bodyOf(await policy.supervisor.post(path, inJson(other)), 201);
  t.like(json, { fileName: 'a.pdf', size: other.length, sha256: sha256(other), kind: 'other', description: null });
  const { data } = bodyOf(await policy.supervisor.get(path));
  t.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [json.id, sent.id],
    'newest first',
  );
  for (const [attachment, bytes] of [
    [sent, PDF],
    [json, other],
  ] as const) {
    const file = await downloaded(attachment.downloadUrl);
    t.is(file.status, 200);
    t.deepEqual(file.bytes, bytes);
    t.is(file.headers.get('content-type'), 'application/pdf');
    t.is(file.headers.get('content-disposition'), `attachment; filename="${attachment.id}.pdf"`);
    t.is(file.headers.get('x-content-type-options'), 'nosniff');
    t.is(file.headers.get('cache-control'), 'no-store');
  }
  t.notRegex(Buffer.from(sent.downloadUrl.split('/').at(-1), 'base64url').toString(), /rich report/);
});

test('the same bytes again name the first file, and the same Idempotency-Key attaches once', async (t) => {
  const path = await claimed();
  const first = bodyOf(await attach(policy.supervisor, path), 201);
  const again = bodyOf(await attach(policy.supervisor, path, { name: 'other.pdf' }), 201);
  t.is(again.duplicateOf, first.id);
  const headers = { 'idempotency-key': 'once' };
  const once = await attach(policy.supervisor, path, { headers });
  const twice = await attach(policy.supervisor, path, { headers });
  t.is(twice.headers.get('idempotent-replayed'), 'true');
  t.is(bodyOf(twice, 201).id, bodyOf(once, 201).id);
  const different = await attach(policy.supervisor, path, { headers, bytes: Buffer.from('%PDF-1.7 x') });
  t.is(bodyOf(different, 409).error, 'idempotency_key_reused');
  t.is(bodyOf(await policy.supervisor.get(path)).data.length, 3);
});

// Serial: the other tests download too, with a clock that is not ahead.
test.serial('an address expires after fifteen minutes, and an altered one never works', async (t) => {
  const path = await claimed();
  const { id, downloadUrl, expiresAt } = bodyOf(await attach(policy.supervisor, path), 201);
  const left = Date.parse(expiresAt) - Date.now();
  t.true(left > 800_000 && left <= 900_000, String(left));
  const [payload = '', signature = ''] = (downloadUrl.split('/').at(-1) ?? '').split('.');
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const longer = Buffer.from(JSON.stringify({ ...content, expiresAtMs: content.expiresAtMs + 1 })).toString(
    'base64url',
  );
  for (const token of [`${longer}.${signature}`, `${payload}.`, payload, `${payload}.${signature}x`, 'x']) {
    t.is((await downloaded(`${platform.url}/v1/downloads/${token}`)).status, 404, token);
  }
  ahead = 901_000;
  t.is((await downloaded(downloadUrl)).status, 404);
  ahead = 0;
  t.is((await downloaded(downloadUrl)).status, 200);
  const renewed = bodyOf(await policy.supervisor.get(`${path}/${id}`));
  t.like(renewed, { id, sha256: sha256(PDF) });
  t.is((await downloaded(renewed.downloadUrl)).status, 200);
});

test('a refused file leaves nothing: too large, empty, programs, pages, other types, unknown fields', async (t) => {
  const path = await claimed();
  const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MAX_BYTES)]);
  const refused: [Sent | object, number, string][] = [
    [{ bytes: large }, 413, 'payload_too_large'],
    [{ bytes: Buffer.alloc(0) }, 400, 'validation_failed'],
    [
      { bytes: Buffer.from('MZ\x90\0'), type: 'application/octet-stream', name: 'a.bin' },
      415,
      'unsupported_media_type',
    ],
    [{ bytes: Buffer.from('<html><script>'), type: 'text/plain', name: 'a.txt' }, 415, 'unsupported_media_type'],
    [{ bytes: Buffer.from('words'), type: 'application/pdf' }, 415, 'unsupported_media_type'],
    [{ fields: { owner: 'me' } }, 400, 'validation_failed'],
    [{ fields: { containsPhi: 'maybe' } }, 400, 'validation_failed'],
  ];
  for (const [sent, status, error] of refused) {
    t.is(bodyOf(await attach(policy.supervisor, path, sent), status).error, error);
  }
  const bodies: [object, string][] = [
    [{ fileName: 'a.pdf', contentType: 'application/pdf' }, 'contentBase64'],
    [inJson(PDF, { contentBase64: 'no!' }), 'contentBase64'],
    [inJson(PDF, { contentBase64: 7 }), 'contentBase64'],
    [inJson(PDF, { fileName: undefined }), 'fileName'],
    [inJson(PDF, { containsPhi: 'false' }), 'containsPhi'],
  ];
  for (const [body, field] of bodies) {
    t.is(bodyOf(await policy.supervisor.post(path, body), 400).details.field, field);
  }
  t.is(bodyOf(await policy.supervisor.post(path, inJson(large)), 413).error, 'payload_too_large');
  t.is(bodyOf(await policy.supervisor.post(path), 400).details.field, 'file');
  t.is((await policy.supervisor.send('POST', path, 'x', { headers: { 'content-type': 'text/plain' } })).status, 415);
  t.is(await cutOff(t, path), 400);
  t.deepEqual(stored(path), []);
  // The other tests send files too, and each file is briefly listed.
  await eventually(async () => readdirSync(join(platform.config.dataDir, 'incoming')).length === 0, {
    what: 'nothing to lie where files arrive',
  });
  t.deepEqual(bodyOf(await policy.supervisor.get(path)).data, []);
});

/** A form that is cut off within its file. */
async function cutOff(t: ExecutionContext, path: string): Promise<number> {
  const token = await platform.token({ role: 'claims_supervisor', org: policy.house.orgId });
  const head = 'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf';
  return new Promise((resolve, reject) => {
    const sending = request(`${platform.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    });
    sending.on('response', async (answer) => {
      t.log(await text(answer));
      resolve(answer.statusCode ?? 0);
    });
    sending.on('error', reject);
    sending.end(`--x\r\n${head}\r\n\r\n%PDF-1.7\nhalf of it`);
  });
}

test('a protected file exists only for the supervisor, the adjuster of the claim and the administrator', async (t) => {
  const { house } = policy;
  const path = await claimed();
  const open = bodyOf(await attach(policy.supervisor, path), 201).id;
  const fields = { containsPhi: 'true', description: 'Quillfeather broke an arm.' };
  const adjuster = house.as('claims_adjuster', ADJUSTER);
  const upload = { fields, name: 'Quillfeather.pdf', headers: { 'idempotency-key': 'protected' } };
  const hidden = bodyOf(await attach(adjuster, path, upload), 201).id;
  for (const [role, sees] of [
    ...([
      ['org_admin', 2],
      ['claims_supervisor', 2],
      ['auditor', 1],
      ['compliance_officer', 0],
    ] as const),
    ...([
      ['finance_analyst', 0],
      ['billing_admin', 0],
      ['underwriter', 0],
    ] as const),
  ]) {
    const list = await house.as(role).get(path);
    t.is(list.status, sees === 0 ? 403 : 200, role);
    if (sees > 0) t.is(list.body.data.length, sees, role);
    t.is(list.text.includes('Quillfeather'), sees === 2, role);
    t.is((await house.as(role).get(`${path}/${hidden}`)).status, sees === 2 ? 200 : sees === 1 ? 404 : 403, role);
    t.is((await house.as(role).get(`${path}/${open}`)).status, sees === 0 ? 403 : 200, role);
  }
  t.is((await house.as('claims_adjuster', 'usr_another').get(path)).status, 403);
  t.is(bodyOf(await attach(house.as('auditor'), path), 403).error, 'forbidden');
  t.is(bodyOf(await attach(house.as('claims_adjuster', 'usr_another'), path), 403).error, 'forbidden');
  t.is(bodyOf(await attach(adjuster, path, upload), 201).fileName, upload.name);
  const claimId = path.split('/')[3] ?? '';
  const { data: rows } = bodyOf(
    await house.as('org_admin').get('/v1/audit', { query: { entity: claimId, limit: 100 } }),
  );
  const reads = rows.filter(({ action }: { action: string }) => action === 'claim:read_phi');
  t.true(
    reads.some((row: object) => JSON.stringify(row).includes(hidden)),
    'a reading names the file',
  );
  const repeated = reads.filter(({ actor }: { actor: { id: string } }) => actor.id === ADJUSTER);
  t.is(repeated.length, 1, 'so does a repeated upload, which shows its name again');
  t.false(JSON.stringify(rows).includes('Quillfeather'));
  for (const role of ['auditor', 'compliance_officer']) {
    const { text } = await house.as(role).get('/v1/audit', { query: { entity: claimId, limit: 100 } });
    t.deepEqual([text.includes(hidden), text.includes(open)], [false, true], role);
  }
});

test('a file names the protected one that it repeats only to readers of that one', async (t) => {
  const path = await claimed();
  const hidden = bodyOf(await attach(policy.supervisor, path, { fields: { containsPhi: 'true' } }), 201).id;
  const open = bodyOf(await attach(policy.supervisor, path), 201);
  t.is(open.duplicateOf, hidden);
  for (const [role, duplicateOf] of Object.entries({ claims_supervisor: hidden, auditor: null })) {
    const client = policy.house.as(role);
    t.is(bodyOf(await client.get(`${path}/${open.id}`)).duplicateOf, duplicateOf, role);
    const { data } = bodyOf(await client.get(path));
    t.is(data.find(({ id }: { id: string }) => id === open.id).duplicateOf, duplicateOf, role);
  }
});

test('a file on a protected claim is protected unless its sender says otherwise', async (t) => {
  const path = await claimed(true);
  t.true(bodyOf(await attach(policy.supervisor, path), 201).containsPhi);
  t.false(bodyOf(await attach(policy.supervisor, path, { fields: { containsPhi: 'false' } }), 201).containsPhi);
  t.is(bodyOf(await policy.house.as('auditor').get(path)).data.length, 1);
});

test('another claim or organization has no such file', async (t) => {
  const [path, other] = [await claimed(), await claimed()];
  const { id } = bodyOf(await attach(policy.supervisor, path), 201);
  t.is((await policy.supervisor.get(`${other}/${id}`)).status, 404);
  t.is((await platform.as('org_admin').get(`${path}/${id}`)).status, 404);
});
