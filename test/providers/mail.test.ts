// E-mail: as files where there is no server, and through a server that speaks SMTP.
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import test from 'ava';
import { createMail } from '../../providers/mail.ts';
import { MailRefused } from '../../providers/mail-port.ts';
import { startSmtpServer } from '../support/servers/smtp.ts';

const MAIL = { to: 'insured@example.test', subject: 'Your code', text: 'It is 042137.\n' };
const FROM = 'Bindery <no-reply@bindery.test>';
const NO_PROVIDER = { apiKey: null, baseUrl: 'http://127.0.0.1:1' };
const SENDER = { mailFrom: FROM, emailProvider: NO_PROVIDER };

test("without a server each mail is a file that a mail program opens, for the owner's eyes", async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mail-'));
  const mail = createMail({ smtpUrl: null, ...SENDER, dataDir });
  await Promise.all([mail.send(MAIL), mail.send(MAIL)]);
  await mail.close();
  const folder = join(dataDir, 'mail');
  const files = readdirSync(folder);
  t.is(files.length, 2);
  t.true(files.every((name) => name.endsWith('.eml')));
  const path = join(folder, files[0] ?? '');
  const text = readFileSync(path, 'utf8');
  t.regex(text, /^From: Bindery <no-reply@bindery\.test>$/m);
  t.regex(text, /^To: insured@example\.test$/m);
  t.regex(text, /^Subject: Your code$/m);
  t.regex(text, /It is 042137\./);
  t.is(statSync(path).mode & 0o077, 0);
});

test('an address cannot smuggle in a header or another recipient', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mail-'));
  const mail = createMail({ smtpUrl: null, ...SENDER, dataDir });
  await mail.send({ ...MAIL, to: 'a@example.test\r\nBcc: evil@example.test', subject: 'Hi\r\nBcc: evil@example.test' });
  const [file = ''] = readdirSync(join(dataDir, 'mail'));
  const text = readFileSync(join(dataDir, 'mail', file), 'utf8');
  t.notRegex(text, /^Bcc:/m);
});

test('the mail goes by SMTP to the server that is set', async (t) => {
  const server = await startSmtpServer();
  const mail = createMail({ smtpUrl: server.url, ...SENDER, dataDir: '' });
  await mail.send(MAIL);
  await mail.close();
  await server.close();
  const lines = server.received.join('');
  t.regex(lines, /MAIL FROM:<no-reply@bindery\.test>/);
  t.regex(lines, /RCPT TO:<insured@example\.test>/);
  t.regex(lines, /It is 042137\./);
});

test("an unavailable server is an error of the caller's e-mail, not of the process", async (t) => {
  const mail = createMail({ smtpUrl: 'smtp://127.0.0.1:1', ...SENDER, dataDir: '' });
  await t.throwsAsync(mail.send(MAIL));
  await mail.close();
});

/** What a server replies to which command, and what that means for the e-mail and its address. */
const REFUSALS = [
  { to: 'RCPT', reply: `550 5.1.1 <${MAIL.to}>: no such mailbox`, isFinal: true, isAddressDead: true },
  { to: 'RCPT', reply: `553 ${MAIL.to} is no name here`, isFinal: true, isAddressDead: true },
  { to: 'RCPT', reply: `550 5.7.1 <${MAIL.to}>: relay access denied`, isFinal: true, isAddressDead: false },
  { to: 'RCPT', reply: `552 5.2.2 <${MAIL.to}>: mailbox full`, isFinal: true, isAddressDead: false },
  { to: 'RCPT', reply: `450 4.2.1 <${MAIL.to}>: greylisted`, isFinal: false },
  { to: 'RCPT', reply: `530 5.7.0 ${MAIL.to}: authenticate first`, isFinal: false },
  { to: 'DATA', reply: `554 5.6.0 no mail of this kind to ${MAIL.to}`, isFinal: true, isAddressDead: false },
  { to: 'DATA', reply: `452 4.3.1 no room for ${MAIL.to}`, isFinal: false },
  { to: 'MAIL', reply: `550 5.7.1 you may not write to ${MAIL.to}`, isFinal: false },
];

for (const { to, reply, isFinal, isAddressDead } of REFUSALS) {
  test(`the error for "${reply}" to ${to} repeats no address, and says whether it is final`, async (t) => {
    const server = await startSmtpServer({ replies: { [to]: reply } });
    const mail = createMail({ smtpUrl: server.url, ...SENDER, dataDir: '' });
    const error = await t.throwsAsync(mail.send(MAIL));
    await mail.close();
    await server.close();
    t.is(error instanceof MailRefused, isFinal);
    if (error instanceof MailRefused) t.is(error.isAddressDead, isAddressDead === true);
    t.regex(error.message, new RegExp(reply.slice(0, 3)));
    t.notRegex(inspect(error, { depth: 9, showHidden: true }), /example\.test/);
  });
}
