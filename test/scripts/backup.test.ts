// The drill of docs/backup.md, with the commands that an operator types: everything except the backups is lost, and
// the platform resumes from a moment between two binds.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { addDays } from '../../domain/dates.ts';
import { notice } from '../api/claim/claim-calls.ts';
import { type TestClient, testClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { bodyOf } from '../support/house.ts';
import { type Installation, installation, start } from './installation.ts';
import { bareEnvironment, emptyFolder, runScript } from './run-script.ts';

/** A look requires running a script. */
const LOOK_EVERY_MS = 1_000;
const REPORT = Buffer.from(`%PDF-1.7\n${'The floor was wet.\n'.repeat(500)}`);

/** Runs a script that must succeed; returns its output. */
async function succeeds(
  t: ExecutionContext,
  { env }: Installation,
  script: string,
  ...args: string[]
): Promise<string> {
  const { code, stdout, stderr } = await runScript(`scripts/${script}.ts`, env, args);
  t.is(code, 0, `${script}: ${stdout}${stderr}`);
  return stdout;
}

function secretsOf({ dataDir }: Installation): Record<string, string> {
  return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
}

function apiOf(place: Installation): TestClient {
  const url = `http://127.0.0.1:${place.env.PORT}`;
  return testClient(url, async () => ({ 'x-api-key': secretsOf(place).demoApiKey ?? '' }));
}

interface Bound {
  policyId: string;
  policyNumber: string;
  orgId: string;
  invoices: { id: string; total: number }[];
}

async function bound(api: TestClient, insuredName: string): Promise<Bound> {
  const submission = {
    ...{ insuredName, naicsCode: '722511', state: 'TX', lineOfBusiness: 'GL', effectiveDate: testToday() },
    ...{ annualRevenue: 1_000_000, requestedLimit: 1_000_000, lossesLast5Years: 1 },
  };
  const { id, orgId } = bodyOf(await api.post('/v1/submissions', submission), 201);
  bodyOf(await api.post(`/v1/submissions/${id}/quote`), 201);
  return { orgId, ...bodyOf(await api.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'QUARTERLY_4' }), 201) };
}

/** Pays the first invoice and waits until it is booked. */
async function paid(api: TestClient, { invoices: [first] }: Bound): Promise<void> {
  const check = { amount: first?.total, method: 'check', reference: 'Check 1' };
  bodyOf(await api.post(`/v1/invoices/${first?.id}/pay`, check), 201);
  const isShared = async () => (await entriesOf(api)).length >= 3;
  await eventually(isShared, { what: 'the payment to be in the ledger' });
}

interface Entry {
  lines: { debit: number; credit: number }[];
}

async function entriesOf(api: TestClient): Promise<Entry[]> {
  return bodyOf(await api.get('/v1/ledger/entries', { query: { limit: 100 } })).data;
}

/** Files a claim with a report; returns its id. */
async function reported(api: TestClient, { policyId }: Bound): Promise<string> {
  const { id } = bodyOf(await api.post('/v1/claims', notice(policyId, testToday())), 201);
  const file = { fileName: 'report.pdf', contentType: 'application/pdf', contentBase64: REPORT.toString('base64') };
  bodyOf(await api.post(`/v1/claims/${id}/attachments`, file), 201);
  return id;
}

async function downloaded(api: TestClient, claimId: string): Promise<Buffer> {
  const { data } = bodyOf(await api.get(`/v1/claims/${claimId}/attachments`));
  return Buffer.from(await (await fetch(data[0].downloadUrl)).arrayBuffer());
}

async function advance(place: Installation, orgId: string, advanceTo: string): Promise<void> {
  const { API_SECRET } = secretsOf(place);
  const headers = { authorization: `Bearer ${API_SECRET}`, 'x-org-id': orgId };
  const machine = testClient(`http://127.0.0.1:${place.env.PORT}`, async () => headers);
  bodyOf(await machine.post('/v1/test-clock', { advanceTo }));
}

async function stop(running: Awaited<ReturnType<typeof start>>): Promise<void> {
  running.process.kill('SIGTERM');
  await running.ended;
}

test('the platform goes on from a moment between two binds after everything but the backups is lost', async (t) => {
  const empty = await installation();
  const place = { ...empty, env: bareEnvironment({ ...empty.env, BACKUP_DIR: emptyFolder() }) };
  const first = await start(t, place);
  const api = apiOf(place);
  const before = await bound(api, 'Bound before the base backup');
  await paid(api, before);
  const claimId = await reported(api, before);
  t.regex(
    await succeeds(t, place, 'backup'),
    /^Base backup .+: \d+ MiB, leads to any moment after 2.+\.\nDocuments copied: \d+\.$/m,
  );
  const kept = await bound(api, 'Bound after the base backup');
  const moment = new Date().toISOString();
  const lost = await bound(api, 'Bound after the moment');
  await succeeds(t, place, 'backup', '--files');
  await stop(first);
  rmSync(place.dataDir, { recursive: true });

  t.regex(
    await succeeds(t, place, 'restore', '--to', moment),
    new RegExp(`^Documents brought back: \\d+\\..+\n.+ as it was at ${moment};`),
  );
  const second = await start(t, place);
  t.is(bodyOf(await api.get(`/v1/policies/${before.policyId}`)).policyNumber, before.policyNumber);
  t.is(bodyOf(await api.get(`/v1/policies/${kept.policyId}`)).policyNumber, kept.policyNumber);
  t.is((await api.get(`/v1/policies/${lost.policyId}`)).status, 404, 'what came after the moment never happened');
  t.is(bodyOf(await api.get(`/v1/invoices/${before.invoices[0]?.id}`)).status, 'paid');
  t.deepEqual(await downloaded(api, claimId), REPORT);
  for (const { lines } of await entriesOf(api)) {
    const cents = (side: 'debit' | 'credit') => lines.reduce((sum, line) => sum + Math.round(line[side] * 100), 0);
    t.is(cents('debit'), cents('credit'));
  }
  // Scheduled healing may have started them first.
  t.regex(await succeeds(t, place, 'ops', 'heal'), / (1 workflow was|[023] workflows were) missing/);
  for (const id of [before.policyId, kept.policyId, claimId]) {
    const isRunning = async () => /^ {2}RUNNING$/m.test(await succeeds(t, place, 'ops', 'where', id));
    await eventually(isRunning, { what: `the workflow of ${id} to run`, everyMs: LOOK_EVERY_MS });
  }
  t.regex(await succeeds(t, place, 'audit-verify'), /\d+ chains fit\n$/);
  const again = await bound(api, 'Bound after the restore');
  t.is(again.policyNumber, lost.policyNumber, 'the counter goes on from the moment');
  await advance(place, kept.orgId, addDays(testToday(), 1));
  const { statuses } = bodyOf(await api.get(`/v1/policies/${kept.policyId}`));
  t.deepEqual(statuses, ['active', 'delinquent'], 'its first installment was due the day before');
  await stop(second);
});
