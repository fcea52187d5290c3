// An installation without a Chromium: documents are refused with the reason, nothing else is affected, and once a
// browser is there, every ordered document is made, once.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { browserBinary } from '../../../providers/pdf/browser-binary.ts';
import { createPdfEngine } from '../../../providers/pdf/pdf-engine.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const TODAY = testToday();
const CACHE = join(homedir(), '.cache', 'bindery');
const HOLDER = { name: 'Harbor Landlord LLC', address: '9 Pier Road, Austin, TX 78701' };

test('documents return 503 with the reason without a Chromium, and policies are bound and paid as ever', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'no-browser-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chromium');
  const said: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => said.push(JSON.parse(line).msg) });
  const pdf = createPdfEngine({ path, cacheDir: CACHE, retryMs: 200 }, logger);
  t.teardown(() => pdf.close());
  await eventually(() => said.length > 0, { what: 'a word about the missing browser at the start' });
  t.is(said[0], 'no Chromium runs here: documents are answered with 503; CHROMIUM_PATH names one');

  const platform = await startCheckedPlatform(t, { pdf });
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const { client, house, policyId } = policy;
  await pay(policy);
  t.is((await policy.read()).status, 'active');
  bodyOf(await policy.change('endorse', { effectiveDate: TODAY, changes: { deductible: 2_500 } }), 201);

  const headers = { 'idempotency-key': 'a certificate' };
  const certify = () => client.post('/v1/coi/generate', { policyId, holder: HOLDER }, { headers });
  const print = () => house.as('billing_admin').post(`/v1/invoices/${policy.invoices[0]?.id}/document`);
  for (const document of [certify, print, () => client.post('/v1/documents/render-pdf', { html: '<p>x</p>' })]) {
    const refused = await document();
    t.is(bodyOf(refused, 503).error, 'service_unavailable');
    t.regex(bodyOf(refused, 503).message, /no browser is (running|available)/i);
    t.true(Number(refused.headers.get('retry-after')) > 0);
  }
  t.deepEqual(bodyOf(await client.get('/v1/documents')).data, []);
  const [{ documentId: ordered }] = await policy.timeline();
  t.deepEqual(bodyOf(await client.get(`/v1/documents/${ordered}`), 404).details, { reason: 'being_made' });
  const stranger = (await newHouse(platform)).as('underwriter');
  t.deepEqual(
    bodyOf(await stranger.get(`/v1/documents/${ordered}`), 404).details,
    {},
    'nothing about an order of others',
  );
  t.is((await platform.anonymous.get('/readyz')).status, 200);

  await symlink(await browserBinary({ path: null, cacheDir: CACHE }), path);
  await eventually(async () => pdf.isReady, { what: 'the browser' });
  const { certificateNumber, documentId } = bodyOf(await certify(), 201);
  t.true(certificateNumber.includes('-000001-'), 'the refused attempts have taken no number');
  const listed = bodyOf(await client.get('/v1/certificates', { query: { policyId } })).data;
  t.deepEqual(
    listed.map((each: { documentId: string }) => each.documentId),
    [documentId],
  );
  const kinds = async () => {
    const made = (await allPages(client, '/v1/documents', { entityId: policyId })) as { id: string; kind: string }[];
    return made.map(({ kind }) => kind).sort();
  };
  await eventually(async () => (await kinds()).length === 3, { what: 'the documents of the policy' });
  t.deepEqual(await kinds(), ['certificate', 'declarations', 'endorsement']);
});
