// Which bytes the inbound providers' verifiers trust. The providers' own libraries and vectors are the oracles.
import { createHmac, randomBytes } from 'node:crypto';
import test from 'ava';
import { Webhook } from 'svix';
import { newId } from '../../db/ids.ts';
import { readEmailEvent } from '../../providers/inbound/email-events.ts';
import { readIdentityEvent } from '../../providers/inbound/identity-events.ts';
import { readSigningEvent } from '../../providers/inbound/signing-events.ts';
import { fc } from '../support/fixed/chance.ts';
import {
  fromBoldSign,
  fromDocumenso,
  fromDocuSign,
  fromGeneric,
  fromMailer,
  fromVerifier,
  inquiryEvent,
  mailEvent,
  type SignedRequest,
} from '../support/inbound-events.ts';
import { INBOUND_VARIABLES } from '../support/servers/providers.ts';
import { refusal } from './refusal.ts';

const NOW_SECONDS = 1_795_000_000;
const at = { atSeconds: NOW_SECONDS };
const nowMs = NOW_SECONDS * 1_000 + 999;
const PRODUCER = newId('producer');
/** At least this many per provider; a few of those drawn change nothing. */
const MUTATIONS = 1_000;

type Read = (request: SignedRequest, secrets?: readonly string[]) => unknown;

const readVerifier: Read = ({ body, headers }, secrets = [INBOUND_VARIABLES.IDENTITY_VERIFIER_WEBHOOK_SECRET]) =>
  readIdentityEvent({
    ...{ body: Buffer.from(body), signature: headers['persona-signature'], secrets, nowMs },
    field: 'Verifier-Signature',
  });

const readMailer: Read = ({ body, headers }, secrets = [INBOUND_VARIABLES.EMAIL_PROVIDER_WEBHOOK_SECRET]) =>
  readEmailEvent({
    ...{ body: Buffer.from(body), id: headers['svix-id'], timestamp: headers['svix-timestamp'] },
    ...{ signature: headers['svix-signature'], secrets, nowMs },
    named: (part) => `svix-${part}`,
  });

const readSignerOf =
  (provider: 'boldsign' | 'documenso'): Read =>
  ({ body, headers }, secrets = [INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET]) =>
    readSigningEvent({ body: Buffer.from(body), headers, provider, secrets, nowMs });

const readSigner = readSignerOf('boldsign');

/** One of the e-signature providers does not sign: its header is the secret. */
const DOCUMENSO = 'Documenso';

const CASES: [name: string, read: Read, make: (how?: object) => SignedRequest][] = [
  ['identity verifier', readVerifier, (how) => fromVerifier(inquiryEvent(PRODUCER), { ...at, ...how })],
  ['email provider', readMailer, (how) => fromMailer(mailEvent('email.sent', 'e1', 'a@b.test'), { ...at, ...how })],
  ['BoldSign', readSigner, (how) => fromBoldSign('Completed', 'd1', { ...at, ...how })],
  ['DocuSign', readSigner, (how) => fromDocuSign('envelope-completed', 'd1', { ...at, ...how })],
  ['generic', readSigner, (how) => fromGeneric('DOCUMENT_COMPLETED', 'd1', { ...at, ...how })],
  [DOCUMENSO, readSignerOf('documenso'), (how) => fromDocumenso('DOCUMENT_COMPLETED', 1, { ...at, ...how })],
];

for (const [name, read, make] of CASES) {
  test(`${name}: exactly five minutes are fresh, in both directions, and one second more is not`, (t) => {
    for (const [ageSeconds, code] of [
      [300, null],
      [301, 'validation_failed'],
      [-300, null],
      [-301, 'validation_failed'],
    ] as const) {
      const request = make({ atSeconds: NOW_SECONDS - ageSeconds });
      t.is(
        refusal(() => read(request)),
        code,
        `${ageSeconds} s`,
      );
    }
  });

  test(`${name}: without a secret nothing is accepted, nor under an empty one or another's`, (t) => {
    const request = make();
    const another =
      name === 'email provider' ? `whsec_${randomBytes(24).toString('base64')}` : 'somebody-else-0123456789';
    t.is(
      refusal(() => read(request, [])),
      'unauthenticated',
    );
    t.is(
      refusal(() => read(make({ secret: another }))),
      'unauthenticated',
    );
    if (name === 'email provider')
      t.is(
        refusal(() => read(request, ['whsec_'])),
        'unauthenticated',
      );
    t.is(
      refusal(() => read(request, [another])),
      'unauthenticated',
    );
    t.is(
      refusal(() => read(make({ secret: another }), [another])),
      null,
    );
  });

  test(`${name}: no mutation of a valid request is accepted`, (t) => {
    const request = make();
    const headers = Object.keys(request.headers).filter((key) => key !== 'content-type');
    const parts = name === DOCUMENSO ? headers : ['body', ...headers];
    const mutation = fc.record({
      part: fc.constantFrom(...parts),
      kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat'),
      where: fc.nat(),
      byte: fc.integer({ min: 1, max: 127 }),
    });
    let mutated = 0;
    fc.assert(
      fc.property(mutation, ({ part, kind, where, byte }) => {
        const text = part === 'body' ? request.body : (request.headers[part] ?? '');
        const changed = mutate(text, { kind, where, byte });
        if (changed === text || isSameToProvider(part, changed, text)) return;
        const sent =
          part === 'body'
            ? { ...request, body: changed }
            : { ...request, headers: { ...request.headers, [part]: changed } };
        mutated += 1;
        t.not(
          refusal(() => read(sent)),
          null,
          `${part}: ${changed}`,
        );
      }),
      { numRuns: 1.5 * MUTATIONS },
    );
    t.true(mutated >= MUTATIONS, `${mutated}`);
  });
}

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding);

/** How the providers sign a body. */
const SCHEMES: Record<string, (body: string, key: string | Buffer, id: string | undefined) => string> = {
  'time and v1': (body, key) => `t=${NOW_SECONDS},v1=${hmac(key, `${NOW_SECONDS}.${body}`, 'hex')}`,
  'time and s0': (body, key) => `t=${NOW_SECONDS}, s0=${hmac(key, `${NOW_SECONDS}.${body}`, 'hex')}`,
  message: (body, key, id) => `v1,${hmac(key, `${id}.${NOW_SECONDS}.${body}`, 'base64')}`,
  base64: (body, key) => hmac(key, body, 'base64'),
  hex: (body, key) => hmac(key, body, 'hex'),
};
const { IDENTITY_VERIFIER_WEBHOOK_SECRET, EMAIL_PROVIDER_WEBHOOK_SECRET, ESIGN_WEBHOOK_SECRET } = INBOUND_VARIABLES;
const mailKey = Buffer.from(EMAIL_PROVIDER_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

/** Two of the signers may also be set up to sign in plain hex. */
const TAKEN: Record<string, { key: string | Buffer; schemes: string[] }> = {
  'identity verifier': { key: IDENTITY_VERIFIER_WEBHOOK_SECRET, schemes: ['time and v1'] },
  'email provider': { key: mailKey, schemes: ['message'] },
  BoldSign: { key: ESIGN_WEBHOOK_SECRET, schemes: ['time and s0', 'hex'] },
  DocuSign: { key: ESIGN_WEBHOOK_SECRET, schemes: ['base64', 'hex'] },
  generic: { key: ESIGN_WEBHOOK_SECRET, schemes: ['hex'] },
};

test('a header takes the signature of its own scheme alone, even under the right secret', (t) => {
  for (const [name, read, make] of CASES) {
    const request = make();
    const header = Object.keys(request.headers).find((each) => each.endsWith('signature') || /-1$/.test(each));
    if (header === undefined) continue;
    const { key, schemes } = TAKEN[name] ?? { key: '', schemes: [] };
    for (const [scheme, sign] of Object.entries(SCHEMES)) {
      const signature = sign(request.body, key, request.headers['svix-id']);
      const sent = { ...request, headers: { ...request.headers, [header]: signature } };
      const refused = refusal(() => read(sent));
      t.is(refused, schemes.includes(scheme) ? null : 'unauthenticated', `${name}: ${scheme}`);
    }
  }
});

function mutate(text: string, { kind, where, byte }: { kind: string; where: number; byte: number }): string {
  const index = where % text.length;
  if (kind === 'cut') return text.slice(0, index) + text.slice(index + 1);
  if (kind === 'insert') return text.slice(0, index) + String.fromCharCode(byte) + text.slice(index);
  if (kind === 'repeat') return text.slice(0, index) + text;
  return text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ byte) + text.slice(index + 1);
}

/** By that scheme, spaces separate a list's signatures, and entries of other versions are ignored. */
function isSameToProvider(part: string, changed: string, text: string): boolean {
  const isList = part === 'svix-signature' && changed.split(' ').includes(text);
  // The single space in this header is optional.
  const isBlank = part === 'x-boldsign-signature' && changed.replace(' ', '') === text.replace(' ', '');
  return isList || isBlank;
}

test('the library of the email provider accepts and refuses the same events as we do', (t) => {
  const library = new Webhook(INBOUND_VARIABLES.EMAIL_PROVIDER_WEBHOOK_SECRET);
  const event = mailEvent('email.delivered', 'e1', 'a@b.test');
  const now = Math.floor(Date.now() / 1_000);
  const request = fromMailer(event, { atSeconds: now });
  const old = fromMailer(event, { atSeconds: now - 400 });
  const list = `v1a,AAAA v1,${Buffer.alloc(32).toString('base64')} ${request.headers['svix-signature']}`;
  const cases: [string, SignedRequest, boolean][] = [
    ['valid', request, true],
    ['one of several', { ...request, headers: { ...request.headers, 'svix-signature': list } }, true],
    ['stale', old, false],
    ['another body', { ...request, body: `${request.body} ` }, false],
    ['another id', { ...request, headers: { ...request.headers, 'svix-id': 'msg_other' } }, false],
  ];
  for (const [what, { body, headers }, isValid] of cases) {
    const ours = () =>
      readEmailEvent({
        ...{ body: Buffer.from(body), id: headers['svix-id'], timestamp: headers['svix-timestamp'] },
        ...{ signature: headers['svix-signature'], nowMs: Date.now() },
        secrets: [INBOUND_VARIABLES.EMAIL_PROVIDER_WEBHOOK_SECRET],
        named: (part) => `svix-${part}`,
      });
    t.is(refusal(ours) === null, isValid, what);
    if (isValid) t.notThrows(() => library.verify(body, headers), what);
    else t.throws(() => library.verify(body, headers), undefined, what);
  }
});

test('the published vectors of the identity verifier and of DocuSign hold', (t) => {
  const vector = 't=1700000000,v1=5125d9de9279d564db197b70a6c699dd005beb53dc22371dcaf347ac390940d7';
  const body = Buffer.from('{"a":1}');
  const signed = { body, signature: vector, secrets: ['wbhsec_test'], nowMs: 1_700_000_000_000, field: 'x' };
  // The signature is good, but the signed content is not an event.
  t.is(
    refusal(() => readIdentityEvent(signed)),
    'validation_failed',
  );
  t.is(
    refusal(() => readIdentityEvent({ ...signed, secrets: ['wbhsec_tess'] })),
    'unauthenticated',
  );
  const headers = { 'x-docusign-signature-1': 'qp4uNXX11wmLbKzNeQiIw21f22M0KnO62i1qUXR6hJQ=' };
  t.is(
    refusal(() => readSigningEvent({ body, headers, provider: 'docusign', secrets: ['secret'], nowMs })),
    'validation_failed',
  );
});

test('a signed event without a name, or with a document that no row can name, is refused as unusable', (t) => {
  const secret = INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET;
  for (const content of [
    ...[{}, { documentId: 'a' }, { event: { a: 1 }, documentId: 'a' }],
    ...[{ event: 'DOCUMENT_SENT', documentId: '' }],
  ]) {
    const body = JSON.stringify(content);
    const headers = { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') };
    t.is(
      refusal(() => readSigner({ path: '', body, headers })),
      'validation_failed',
      body,
    );
  }
});

test('either of two sets of the identity verifier proves an event while a secret is rotated', (t) => {
  const [old, current] = ['wbhsec_the-old-one', INBOUND_VARIABLES.IDENTITY_VERIFIER_WEBHOOK_SECRET];
  const event = inquiryEvent(PRODUCER);
  const sets = [fromVerifier(event, { ...at, secret: old }), fromVerifier(event, { ...at, secret: current })];
  const signatures = sets.map(({ headers }) => headers['persona-signature']);
  const request = (signature: string) => ({ ...fromVerifier(event, at), headers: { 'persona-signature': signature } });
  t.is(
    refusal(() => readVerifier(request(signatures.join(' ')))),
    null,
  );
  t.is(
    refusal(() => readVerifier(request(signatures.reverse().join(' ')))),
    null,
  );
  t.is(
    refusal(() => readVerifier(request(signatures.join(',')))),
    'unauthenticated',
  );
  t.is(
    refusal(() => readVerifier(request(`${signatures.join(' ')}  `))),
    'unauthenticated',
  );
});

test('the producer is found wherever the verifier puts the inquiry, and however it spells keys', (t) => {
  const inquiry = (key: string) => ({ type: 'inquiry', id: 'inq_1', attributes: { [key]: PRODUCER } });
  const event = (rest: object, payload: object) => ({
    data: { type: 'event', id: 'evt_1', attributes: { name: 'inquiry.completed', payload } },
    ...rest,
  });
  for (const shape of [
    event({}, { data: inquiry('reference-id') }),
    event({}, { data: { type: 'account' }, included: [{ type: 'template' }, inquiry('referenceId')] }),
    event({ included: [inquiry('reference_id')] }, {}),
  ]) {
    const read = readVerifier(fromVerifier(shape, at)) as { producerId: string; inquiryId: string };
    t.deepEqual([read.producerId, read.inquiryId], [PRODUCER, 'inq_1']);
  }
  for (const reference of [null, '', 'prd_1', 'usr_01h2xcejqtf2nbrexx3vqjhp41']) {
    const read = readVerifier(fromVerifier(inquiryEvent(reference), at)) as { producerId: string | null };
    t.is(read.producerId, null);
  }
});

test('an e-mail bounces for good unless the provider says that it may pass', (t) => {
  const bounced = (extra: object) =>
    readMailer(fromMailer(mailEvent('email.bounced', 'e1', 'a@b.test', extra), at)) as { isPermanentBounce: boolean };
  t.true(bounced({ bounce: { type: 'Permanent' } }).isPermanentBounce);
  t.true(bounced({ bounce: undefined }).isPermanentBounce);
  t.false(bounced({ bounce: { type: 'Transient' } }).isPermanentBounce);
  const contact = readMailer(
    fromMailer({ type: 'contact.created', created_at: '2026-11-21T02:00:00Z', data: { id: 1 } }, at),
  );
  t.like(contact, { type: 'contact.created', data: { to: [], subject: null }, emailId: null, headerId: null });
});
