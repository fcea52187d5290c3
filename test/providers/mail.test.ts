// Mail: as files where there is no server, and through a server that speaks SMTP.
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { createMail } from '../../providers/mail.ts';

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

test('with a server the mail is handed over by SMTP', async (t) => {
  const received: string[] = [];
  const server = await smtpServer(received);
  const { port } = server.address() as { port: number };
  const mail = createMail({ smtpUrl: `smtp://127.0.0.1:${port}`, ...SENDER, dataDir: '' });
  await mail.send(MAIL);
  await mail.close();
  server.close();
  const lines = received.join('');
  t.regex(lines, /MAIL FROM:<no-reply@bindery\.test>/);
  t.regex(lines, /RCPT TO:<insured@example\.test>/);
  t.regex(lines, /It is 042137\./);
});

test("an unavailable server is an error of the caller's e-mail, not of the process", async (t) => {
  const mail = createMail({ smtpUrl: 'smtp://127.0.0.1:1', ...SENDER, dataDir: '' });
  await t.throwsAsync(mail.send(MAIL));
  await mail.close();
});

/** Says yes to everything. */
function smtpServer(received: string[]): Promise<Server> {
  const talk = (socket: Socket) => {
    let inData = false;
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      received.push(text);
      if (inData) {
        if (!text.endsWith('\r\n.\r\n')) return;
        inData = false;
        socket.write('250 kept\r\n');
      } else if (/^DATA/i.test(text)) {
        inData = true;
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(text)) {
        socket.end('221 bye\r\n');
      } else socket.write('250 ok\r\n');
    });
    socket.on('error', () => {});
  };
  const server = createServer(talk);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
