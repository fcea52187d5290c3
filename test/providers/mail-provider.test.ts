// E-mail through the email provider's HTTP API, against a server that speaks its protocol.
import test from 'ava';
import { Webhook } from 'svix';
import { createMail } from '../../providers/mail.ts';
import { type LocalEmailProvider, startEmailProvider } from '../../stand-ins/email-provider/server.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const KEY = 're_key-of-the-tests-0123456789';
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cy0wMTIzNDU2Nzg5';
const FROM = 'Bindery <no-reply@bindery.test>';
const MAIL = { to: 'insured@example.test', subject: 'Notice', text: 'Your policy ends.\n', messageId: 'n.1@bindery' };

let provider: LocalEmailProvider;

test.before('an email provider', async () => {
  provider = await startEmailProvider({ apiKey: KEY, webhookSecret: SECRET });
});

test.after.always('it is stopped', () => provider?.close());

const mailOf = (apiKey = KEY, smtpUrl: string | null = null) =>
  createMail({ smtpUrl, emailProvider: { apiKey, baseUrl: provider.url }, mailFrom: FROM, dataDir: '' });

test.serial('an e-mail goes to the provider and comes back with the id by which its events speak of it', async (t) => {
  const id = await mailOf().send(MAIL);
  const { to, ...taken } = provider.emails.get(id ?? '')!;
  t.deepEqual(to, [MAIL.to]);
  t.like(taken, { id, from: FROM, subject: MAIL.subject, text: MAIL.text });
  t.deepEqual(taken.headers, { 'Message-ID': '<n.1@bindery>' });
});

test.serial('the same e-mail sent again goes out once; those without an id are all their own', async (t) => {
  const mail = mailOf();
  const { messageId: _, ...anonymous } = MAIL;
  const before = provider.emails.size;
  const again = { ...MAIL, messageId: 'n.2@bindery' };
  t.is(await mail.send(again), await mail.send(again));
  t.not(await mail.send(anonymous), await mail.send(anonymous));
  t.is(provider.emails.size, before + 3);
});

test.serial('an e-mail that the provider rejects is an error that names no recipient', async (t) => {
  const before = provider.emails.size;
  const refused = await t.throwsAsync(mailOf('re_another-key-0123456789').send(MAIL));
  t.is(refused?.message, 'The email provider answered 401.');
  provider.failWith(503);
  const away = await t.throwsAsync(mailOf().send({ ...MAIL, messageId: 'n.3@bindery' }));
  provider.failWith(null);
  t.is(away?.message, 'The email provider answered 503.');
  t.is(provider.emails.size, before);
});

test.serial('a mail server that is set goes before the provider', async (t) => {
  const before = provider.emails.size;
  const mail = mailOf(KEY, 'smtp://127.0.0.1:1');
  await t.throwsAsync(mail.send({ ...MAIL, messageId: 'n.4@bindery' }), { code: 'ESOCKET' });
  await mail.close();
  t.is(provider.emails.size, before);
});

test.serial('the local provider signs its events as the published library verifies them', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const id = (await mailOf().send({ ...MAIL, messageId: 'n.5@bindery' })) ?? '';
  t.is(await provider.happen(id, 'email.delivered'), null);
  provider.deliverTo(receiver.url);
  const call = { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body: '{"type":"email.bounced"}' };
  const answer = await fetch(`${provider.url}/_control/emails/${id}`, call);
  t.deepEqual(await answer.json(), { delivered: 200 });
  const [{ headers, body, event }] = receiver.received as [(typeof receiver.received)[0]];
  t.notThrows(() => new Webhook(SECRET).verify(body, headers as Record<string, string>));
  t.like(event, { type: 'email.bounced', data: { email_id: id, to: [MAIL.to], bounce: { type: 'Permanent' } } });
});
