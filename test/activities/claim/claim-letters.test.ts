// When claim letters go out, and what is reported when they do not.
import test from 'ava';
import type { Deps } from '../../../activities/context.ts';
import { makeDocument } from '../../../activities/document/make-document.ts';
import { newId } from '../../../db/ids.ts';
import { keepParticulars } from '../../../db/queries/claim/claim-words.ts';
import { findClaim } from '../../../db/queries/claim/claims.ts';
import { isUndeliverable, listSentMails } from '../../../db/queries/delivery/sent-mails.ts';
import { addDays } from '../../../domain/dates.ts';
import type { SubmissionValues } from '../../../domain/submission/submission.ts';
import { MailRefused } from '../../../providers/mail-port.ts';
import { createTypesetter } from '../../../providers/typesetting/typesetter.ts';
import { silentLogger } from '../../support/logger.ts';
import { attempt, prepareSteps, type Steps } from '../steps.ts';
import { bound, noted } from './claim-calls.ts';

const typesetter = createTypesetter();
test.after.always(() => typesetter.close());

const pdf: Deps['pdf'] = { render: async (html) => ({ bytes: Buffer.from(html), pages: 1 }) };

interface Notice {
  email: string | null;
  claimant?: string | null;
  containsPhi?: boolean;
  insured?: Partial<SubmissionValues>;
}

async function filed(steps: Steps, { email, claimant = 'Ada Guest', containsPhi = false, insured }: Notice) {
  const { activities, command, database, orgId, today } = steps;
  const policyId = await bound(steps, 0, { state: 'CA', ...insured });
  const claimId = newId('claim');
  const words = { description: 'A broken arm.', cause: newId('claim'), reportedBy: null, lossLocation: null };
  const by = { claimantName: claimant, claimantEmail: email, claimantPhone: null };
  await database.transaction(orgId, (em) => keepParticulars(em, { claimId, ...words, ...by }));
  await activities.fileClaim(command(claimId, { policyId, lossDate: today, estimatedAmountCents: null, containsPhi }));
  return claimId;
}

/** Prints a kind of letter as its workflow does. */
async function printed({ orgId, database, providers }: Steps, claimId: string, kind: string): Promise<string> {
  const [order] = await database.forOrg(orgId, (em) =>
    em.execute<{ id: string }[]>('select id from document_orders where entity_id = ? and kind = ?', [claimId, kind]),
  );
  const { id: documentId = '' } = order ?? {};
  const deps = { database, storage: providers.storage, logger: silentLogger, typesetter, pdf } as unknown as Deps;
  await attempt(1, () => makeDocument(deps)({ orgId, documentId }));
  return documentId;
}

const alerts = ({ orgId, database }: Steps) =>
  database.forOrg(orgId, (em) =>
    em.execute("select data from events where type = 'financial.operation_failed' order by id"),
  );

test('a letter that cannot go by e-mail raises an alert to post it, which repeats none of its contents', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, orgId, providers } = steps;
  const claims = [
    await filed(steps, { email: 'reached@example.com' }),
    await filed(steps, { email: null }),
    await filed(steps, { email: 'hidden@example.com', containsPhi: true }),
  ];
  for (const claimId of claims) {
    const documentId = await printed(steps, claimId, 'claim_acknowledgement');
    for (const _ of ['once', 'again']) await activities.notifyHolders({ orgId, documentId });
  }
  t.deepEqual(
    providers.mails.map(({ to, subject }) => [to, subject.split(':')[0]]),
    [
      ['reached@example.com', 'We have received your claim'],
      ['hidden@example.com', 'A letter about your claim'],
    ],
  );
  const raised = await alerts(steps);
  t.deepEqual(
    raised.map(({ data: { operation, message } }) => [
      operation,
      /: ([^:]*)\. Mail a paper copy today\.$/.exec(message)?.[1],
    ]),
    [
      ['letter.not_delivered', 'no e-mail address is on file'],
      ['letter.not_delivered', 'the claim is protected'],
    ],
  );
  t.notRegex(JSON.stringify(raised), /Ada|arm|hidden@/);
});

test("a letter to a claimant without an address is to be posted, and the insured's copy says whose claim it is", async (t) => {
  const steps = await prepareSteps(t);
  const { activities, command, orgId, database, providers } = steps;
  const insured = { insuredName: 'Cactus Diner LLC', insuredEmail: 'cactus@insured.example' };
  const claimId = await filed(steps, { email: null, insured });
  const noteId = await noted(steps, claimId, 'Wear and tear is excluded.');
  await activities.denyClaim(command(claimId, { noteId }));
  const documentId = await printed(steps, claimId, 'claim_denial');
  for (const _ of ['once', 'again']) await activities.notifyHolders({ orgId, documentId });
  t.is(providers.mails.length, 1);
  const [copy] = providers.mails;
  t.is(copy?.to, insured.insuredEmail);
  t.regex(copy?.subject ?? '', /^Copy of our letter to Ada Guest: CLM-/);
  t.regex(
    copy?.text ?? '',
    /^Cactus Diner LLC,\n\nThis is a copy of our letter to Ada Guest about their claim under your policy \S+\.\n\nAda Guest,\n\nWe are denying your claim[\s\S]*Wear and tear/,
  );
  t.is((await alerts(steps)).length, 1);
  const [mail] = await database.forOrg(orgId, (em) =>
    em.execute('select provider_id from sent_mails where claim_id = ?', [claimId]),
  );
  const event = { type: 'email.bounced', createdAt: null, emailId: mail?.provider_id, headerId: null };
  await activities.recordEmailEvent({
    ...{ ...event, messageId: newId('event'), isPermanentBounce: true },
    data: { to: [insured.insuredEmail], subject: null },
  });
  t.is((await alerts(steps)).length, 1, 'the letter is to be posted once, whatever comes of its copy');
});

test('a letter on a claim by the insured, or by nobody else, goes to the insured as theirs; a protected one has no copy', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, orgId, providers } = steps;
  const insured = { insuredName: 'Cactus Diner LLC', insuredEmail: 'cactus@insured.example' };
  for (const notice of [
    { claimant: null },
    { claimant: 'CACTUS DINER' },
    { claimant: 'Ada Guest', containsPhi: true },
  ]) {
    const documentId = await printed(
      steps,
      await filed(steps, { email: null, insured, ...notice }),
      'claim_acknowledgement',
    );
    await activities.notifyHolders({ orgId, documentId });
  }
  t.is(providers.mails.length, 2);
  for (const { to, subject, text } of providers.mails) {
    t.is(to, insured.insuredEmail);
    t.regex(subject, /^We have received your claim/);
    t.regex(text, /^Cactus Diner LLC,/);
  }
  t.is((await alerts(steps)).length, 1);
});

test('a letter that bounces is to be posted, its address takes no more mail, and the notices of the policy name none', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, orgId, database } = steps;
  const claimId = await filed(steps, { email: 'gone@example.com' });
  const documentId = await printed(steps, claimId, 'claim_acknowledgement');
  await activities.notifyHolders({ orgId, documentId });
  const [mail] = await database.forOrg(orgId, (em) =>
    em.execute('select policy_id, kind, provider_id from sent_mails where claim_id = ?', [claimId]),
  );
  t.is(mail?.kind, 'claim_acknowledgement');
  const event = { type: 'email.bounced', createdAt: null, emailId: mail?.provider_id, headerId: null };
  const bounced = {
    ...{ ...event, messageId: newId('event'), isPermanentBounce: true },
    data: { to: ['gone@example.com'], subject: null },
  };
  for (const _ of ['once', 'again']) t.like(await activities.recordEmailEvent(bounced), { outcome: 'suppressed' });
  const raised = await alerts(steps);
  t.is(raised.length, 1);
  t.regex(raised[0]?.data.message, /the e-mail bounced permanently\. Mail a paper copy today\.$/);
  await database.forOrg(orgId, async (em) => {
    t.true(await isUndeliverable(em, 'gone@example.com'));
    t.deepEqual((await listSentMails(em, mail?.policy_id, { limit: 10 })).data, []);
  });
});

test('a letter that the mail server refuses for good is to be posted, and only a dead address takes no more mail', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, orgId, database, providers } = steps;
  const addresses = { dead: 'dead@example.com', wary: 'wary@example.com' };
  providers.mail.send = async ({ to }) => {
    throw new MailRefused('refused', { isAddressDead: to === addresses.dead });
  };
  for (const email of Object.values(addresses)) {
    const documentId = await printed(steps, await filed(steps, { email }), 'claim_acknowledgement');
    for (const _ of ['once', 'again']) await activities.notifyHolders({ orgId, documentId });
  }
  const raised = await alerts(steps);
  t.is(raised.length, 2);
  for (const { data } of raised)
    t.regex(data.message, /: the mail server refused the e-mail permanently\. Mail a paper/);
  await database.forOrg(orgId, async (em) => {
    t.true(await isUndeliverable(em, addresses.dead));
    t.false(await isUndeliverable(em, addresses.wary));
    t.deepEqual(await em.execute('select id from sent_mails where claim_id is not null'), []);
  });
});

test('a letter whose template cannot be printed raises the alert once; one that still waits for a printer raises none', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, database, orgId, providers } = steps;
  const claimId = await filed(steps, { email: 'unprinted@example.com' });
  const [order] = await database.forOrg(orgId, (em) =>
    em.execute<{ id: string }[]>('select id from document_orders where entity_id = ?', [claimId]),
  );
  const { id: documentId = '' } = order ?? {};
  await activities.notifyHolders({ orgId, documentId });
  t.deepEqual(await alerts(steps), []);
  await database.transaction(orgId, (em) =>
    em.execute("update document_orders set failure = 'validation_failed' where id = ?", [documentId]),
  );
  for (const _ of ['once', 'again']) await activities.notifyHolders({ orgId, documentId });
  t.deepEqual(providers.mails, []);
  const raised = await alerts(steps);
  t.is(raised.length, 1);
  t.regex(raised[0]?.data.message, /its template cannot be printed\. Mail a paper copy today\.$/);
});

test('a status letter is not sent once the claim is decided, nor after somebody has sent one', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, command, orgId, providers } = steps;
  const [decided, recorded, open] = [
    await filed(steps, { email: 'decided@example.com' }),
    await filed(steps, { email: 'recorded@example.com' }),
    await filed(steps, { email: 'open@example.com' }),
  ];
  // Forty days to decide, and another thirty to the first letter, which is written the day before.
  const [writtenOn, postedOn] = [addDays(steps.today, 69), addDays(steps.today, 71)];
  steps.passDays(69);
  const letters: string[] = [];
  for (const claimId of [decided, recorded, open]) {
    await activities.turnClaimClocks({ orgId, entityId: claimId, today: writtenOn });
    letters.push(await printed(steps, claimId, 'claim_status'));
  }
  const noteId = await noted(steps, decided, 'Wear and tear is excluded.');
  await activities.denyClaim(command(decided, { noteId }));
  await activities.recordStatusLetter(command(recorded, { noteId: null, sentOn: writtenOn }));
  // The mail server was away: the open claim's letter goes out late, and is recorded all the same.
  steps.passDays(2);
  await activities.turnClaimClocks({ orgId, entityId: open, today: postedOn });
  for (const documentId of letters) await activities.notifyHolders({ orgId, documentId });
  t.deepEqual(
    providers.mails.map(({ to }) => to),
    ['open@example.com'],
  );
  t.deepEqual(await alerts(steps), []);
  const letterOf = async (claimId: string) =>
    steps.database.forOrg(orgId, async (em) => (await findClaim(em, claimId))?.clocks.claim_status);
  t.like(await letterOf(open), { sentOn: postedOn, dueDate: addDays(postedOn, 30) });
  t.like(await letterOf(recorded), { sentOn: writtenOn, dueDate: addDays(writtenOn, 30) });
});
