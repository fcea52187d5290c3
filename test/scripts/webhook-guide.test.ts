// The guide for receivers is correct: its programs accept genuine deliveries and refuse all others, and it names every
// event.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { CATALOGUED_EVENTS } from '../../api/openapi/event-catalogue.ts';
import { signedHeaders } from '../../providers/webhooks/signature.ts';
import { signingKey } from '../../providers/webhooks/signing-keys.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const SECRET = '5f'.repeat(32);
const BODY = Buffer.from('{"id":"evt_1","data":{"name":"Žižkov & Söhne","amount":12.50}}\n');
const { 'X-Service-Signature': signature = '' } = signedHeaders({
  ...{ deliveryUuid: '', eventId: 'evt_1', eventType: 'policy.bound', body: BODY, sentAt: 0 },
  ...{ key: signingKey(SECRET), previousKeys: [] },
});

interface Language {
  /** As its code block is labeled. */
  block: string;
  file: string;
  command: string;
  args: (file: string) => string[];
}

const LANGUAGES: Record<string, Language> = {
  Node: { block: 'js', file: 'verify.mjs', command: process.execPath, args: (file) => [file] },
  Python: { block: 'python', file: 'verify.py', command: 'python3', args: (file) => [file] },
  Go: { block: 'go', file: 'verify.go', command: 'go', args: (file) => ['run', file] },
  Java: { block: 'java', file: 'Verify.java', command: 'java', args: (file) => [file] },
  Shell: { block: 'bash', file: 'verify.sh', command: 'bash', args: (file) => [file] },
};

for (const [name, { block, file, command, args }] of Object.entries(LANGUAGES)) {
  test(`the program in ${name} accepts a delivery, and none that was changed or signed by others`, (t) => {
    if (spawnSync(command, ['--help']).error) {
      t.log(`there is no ${command} here`);
      t.pass();
      return;
    }
    const code = new RegExp(`### ${name}\n\n\`\`\`${block}\n(.*?)\`\`\``, 's').exec(GUIDE)?.[1];
    t.truthy(code);
    const folder = mkdtempSync(join(tmpdir(), 'bindery-guide-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, file), code ?? '');
    const verdict = (input: Buffer, header: string, secret = SECRET) =>
      spawnSync(command, [...args(join(folder, file)), header], {
        input,
        env: { ...process.env, WEBHOOK_SECRET: secret },
      }).status;
    t.is(verdict(BODY, signature), 0);
    t.is(verdict(BODY.subarray(1), signature), 1);
    t.is(verdict(BODY, signature.replace(/.$/, 'x')), 1);
    t.is(verdict(BODY, signature, '0'.repeat(64)), 1);
  });
}

test('the lines for a library give the event of a delivery, and of none that was changed or is old', (t) => {
  const lines = /### With a library\n.*?```js\n(.*?)```/s.exec(GUIDE)?.[1] ?? '';
  t.true(lines.includes('standardwebhooks'));
  const folder = mkdtempSync(join(tmpdir(), 'bindery-guide-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  const given = `import { readFileSync } from 'node:fs';
    const rawBody = readFileSync(0);
    const request = { headers: JSON.parse(process.argv[2]) };`;
  writeFileSync(join(folder, 'verify.mjs'), `${given}\n${lines}\nconsole.log(event.id);\n`);
  const verdict = (body: Buffer, ageSeconds = 0, secret = SECRET) => {
    const signed = signedHeaders({
      ...{ deliveryUuid: '', eventId: 'evt_1', eventType: 'policy.bound', body: BODY, previousKeys: [] },
      ...{ key: signingKey(SECRET), sentAt: Math.floor(Date.now() / 1_000) - ageSeconds },
    });
    // As a server in Node.js has them.
    const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
    const { stdout } = spawnSync(process.execPath, [join(folder, 'verify.mjs'), JSON.stringify(headers)], {
      input: body,
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    return stdout.toString().trim();
  };
  t.is(verdict(BODY), 'evt_1');
  t.is(verdict(BODY, 0, `whsec_${Buffer.from(SECRET).toString('base64')}`), 'evt_1');
  t.is(verdict(BODY.subarray(0, -1)), '');
  t.is(verdict(BODY, 400), '');
  t.is(verdict(BODY, 0, '0'.repeat(64)), '');
});

test('the guide names every event with the sentence of its catalogue', (t) => {
  for (const { type, summary } of CATALOGUED_EVENTS) t.true(GUIDE.includes(`| \`${type}\` | ${summary} |`), type);
});

test('the example of every event has the shape that the catalogue gives it', (t) => {
  for (const { type, envelope, example } of CATALOGUED_EVENTS) {
    t.true(envelope.safeParse(example).success, type);
    t.false(envelope.safeParse({ ...example, data: {} }).success, type);
  }
});

test('the signature is that of the vector: the key is the secret as text', (t) => {
  const headers = signedHeaders({
    ...{ deliveryUuid: 'u', eventId: 'e', eventType: 't', body: Buffer.from('{"a":1}'), sentAt: 0 },
    ...{ key: signingKey('0'.repeat(64)), previousKeys: [] },
  });
  t.is(headers['X-Service-Signature'], 'sha256=600fb3e0a82d8bf2f52eff79ee39e16108b244985069cfa3f4a130a409e63592');
});
