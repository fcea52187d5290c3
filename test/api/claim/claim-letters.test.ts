// Letters about a claim make themselves with the steps that owe them.
import test from 'ava';
import { addDays, dayText } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from './claim-calls.ts';

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

interface Letter {
  id: string;
  kind: string;
  downloadUrl: string;
}

const lettersOf = async (client: TestClient, entityId: string) =>
  (await allPages(client, '/v1/documents', { entityType: 'claim', entityId })) as unknown as Letter[];

const made = (client: TestClient, claimId: string, kinds: string[]) =>
  eventually(
    async () => {
      const letters = await lettersOf(client, claimId);
      return kinds.every((kind) => letters.some((each) => each.kind === kind)) && letters;
    },
    { what: kinds.join(', ') },
  );

async function textFor(letters: readonly Letter[], wanted: string): Promise<string> {
  const { downloadUrl = '' } = letters.find(({ kind }) => kind === wanted) ?? {};
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return textOf(Buffer.from(await answer.arrayBuffer()));
}

const mailsTo = (email: string) => platform.providers.mails.filter(({ to }) => to === email);

const notice = (email: string) => ({ claimant: { name: 'Ada Guest', email } });

test('a notice is acknowledged and a denial gives its reason, each by one dated letter that the claimant also gets by e-mail', async (t) => {
  const { file, supervisor, today } = await covered(platform);
  const { id, claimNumber } = bodyOf(await file(notice('denied@example.com')), 201);
  const path = `/v1/claims/${id}`;
  const denial = { reason: 'Wear and tear is excluded.', policyProvision: 'Exclusion j' };
  bodyOf(await supervisor.post(`${path}/deny`, denial, { headers: { 'Idempotency-Key': 'deny-1' } }));
  bodyOf(await supervisor.post(`${path}/deny`, denial, { headers: { 'Idempotency-Key': 'deny-1' } }));
  const letters = await made(supervisor, id, ['claim_acknowledgement', 'claim_denial']);
  t.is(letters.length, 2);
  const acknowledged = await textFor(letters, 'claim_acknowledgement');
  for (const part of [claimNumber, dayText(today), `by ${dayText(addDays(today, 30))}`])
    t.true(acknowledged.includes(part));
  const denied = await textFor(letters, 'claim_denial');
  for (const part of [claimNumber, dayText(today), denial.reason, denial.policyProvision])
    t.true(denied.includes(part));
  await eventually(() => mailsTo('denied@example.com').length === 2, { what: 'both e-mails' });
  const mail = mailsTo('denied@example.com').find(({ subject }) => subject.startsWith('Decision'));
  t.regex(mail?.text ?? '', /^Ada Guest,[\s\S]*Reason: Wear and tear is excluded\./);
  const { data } = bodyOf(await supervisor.get(`${path}/timeline`));
  const shown = data.flatMap(({ action, changes }: { action: string; changes: { letter?: { after: string } } }) =>
    changes.letter === undefined ? [] : [[action, changes.letter.after]],
  );
  const idOf = (wanted: string) => letters.find(({ kind }) => kind === wanted)?.id;
  t.deepEqual(shown, [
    ['file', idOf('claim_acknowledgement')],
    ['deny', idOf('claim_denial')],
  ]);
});

test('the letters of a protected claim are protected too, and their e-mails reveal nothing about it', async (t) => {
  const { file, supervisor, house } = await covered(platform);
  const { id } = bodyOf(await file({ ...notice('hidden@example.com'), containsPhi: true }), 201);
  bodyOf(await supervisor.post(`/v1/claims/${id}/deny`, { reason: 'No treatment of the knee was found.' }));
  const letters = await made(supervisor, id, ['claim_acknowledgement', 'claim_denial']);
  t.true((await textFor(letters, 'claim_denial')).includes('No treatment of the knee was found.'));
  t.deepEqual(await lettersOf(house.as('auditor'), id), []);
  t.is((await house.as('auditor').get(`/v1/documents/${letters[0]?.id}`)).status, 404);
  await eventually(() => mailsTo('hidden@example.com').length === 2, { what: 'both e-mails' });
  for (const { subject, text } of mailsTo('hidden@example.com')) {
    t.true(subject.startsWith('A letter about your claim'));
    t.notRegex(text, /knee|deny|denied|Reason/);
  }
  const kept = await platform.database.forOrg(house.orgId, (em) =>
    em.execute("select kind, facts::text ~ 'knee|Ada' as worded from document_orders where entity_id = ?", [id]),
  );
  t.deepEqual(
    kept.map(({ worded }) => worded),
    [false, false],
    'the words stay with the claim',
  );
  const rendered = bodyOf(
    await house.as('org_admin').post('/v1/documents/render-pdf', { templateId: 'claim_denial', data: {} }),
    201,
  );
  t.is((await house.as('auditor').get(`/v1/documents/${rendered.id}`)).status, 404, 'a letter of no claim');
});

test('an approved settlement is confirmed with the deductible and the amount paid', async (t) => {
  const { file, supervisor } = await covered(platform, { deductible: 1000 });
  const { id } = bodyOf(await file(notice('settled@example.com')), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, {}));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity: 9000, expense: 0, reason: 'Estimate.' }), 201);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 6000, payee: 'Ada Guest' }), 201);
  const text = await textFor(await made(supervisor, id, ['claim_settlement']), 'claim_settlement');
  for (const part of ['$6,000.00', '$1,000.00', '$5,000.00', 'Ada Guest']) t.true(text.includes(part), part);
});

test('a claim still open after its decision date gets a status letter before it is due, and the sending is recorded', async (t) => {
  const { file, supervisor, today, advance } = await covered(platform, { state: 'CA' });
  const { id } = bodyOf(await file(notice('open@example.com')), 201);
  const path = `/v1/claims/${id}`;
  // Forty days to decide, and thirty more to the first letter, which is written the day before.
  await advance(addDays(today, 69));
  const letters = await made(supervisor, id, ['claim_status']);
  const text = await textFor(letters, 'claim_status');
  t.true(text.includes(dayText(addDays(today, 69))));
  t.false(text.includes(dayText(addDays(today, 40))), 'the day of the decision has passed');
  const sent = async () => bodyOf(await supervisor.get(path)).statusLetterSentOn === addDays(today, 69);
  await eventually(sent, { what: 'the letter to be noted as sent' });
  t.is(bodyOf(await supervisor.get(path)).statusLetterBy, addDays(today, 99));
  await advance(addDays(today, 72));
  const { data } = bodyOf(await supervisor.get(`${path}/timeline?limit=100`));
  t.false(
    data.some(({ changes }: { changes: { missed?: { after: string } } }) => changes.missed?.after === 'claim_status'),
  );
  t.is((await lettersOf(supervisor, id)).filter(({ kind }) => kind === 'claim_status').length, 1);
});
