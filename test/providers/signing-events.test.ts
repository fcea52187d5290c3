import test from 'ava';
import { readSigningEvent } from '../../providers/inbound/signing-events.ts';
import { fromBoldSign, fromDocuSign, fromGeneric, type SignedRequest } from '../support/inbound-events.ts';
import { INBOUND_VARIABLES } from '../support/servers/providers.ts';
import { refusal } from './refusal.ts';

const NOW_SECONDS = 1_795_000_000;
const at = { atSeconds: NOW_SECONDS };
const nowMs = NOW_SECONDS * 1_000 + 999;

const readSigner = ({ body, headers }: SignedRequest, secrets = [INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET]) =>
  readSigningEvent({ body: Buffer.from(body), headers, provider: 'boldsign', secrets, nowMs });

test('the second of the neutral headers takes hex as it takes base64', (t) => {
  const request = fromDocuSign('envelope-sent', 'd1', at);
  const inBase64 = request.headers['x-docusign-signature-1'] ?? '';
  const inHex = Buffer.from(inBase64, 'base64').toString('hex');
  const withSignature = (signature: string) => ({ ...request, headers: { 'x-provider-b-signature-1': signature } });
  for (const signature of [inBase64, inHex]) {
    t.is(
      refusal(() => readSigner(withSignature(signature))),
      null,
      signature,
    );
  }
  t.is(
    refusal(() => readSigner(withSignature(`${inHex.slice(0, -1)}${inHex.endsWith('0') ? '1' : '0'}`))),
    'unauthenticated',
  );
});

test('a request with the headers of several e-signature providers counts by the one that is set up', (t) => {
  const good = fromBoldSign('Completed', 'd1', at);
  const forged = { 'x-webhook-signature': '0'.repeat(64), 'x-provider-b-signature-1': 'A'.repeat(43).concat('=') };
  t.is(
    refusal(() => readSigner({ ...good, headers: { ...forged, ...good.headers } })),
    null,
  );
  t.is(
    refusal(() => readSigner({ ...good, headers: forged })),
    'unauthenticated',
  );
  const generic = fromGeneric('DOCUMENT_COMPLETED', 'd1', at);
  const both = { ...generic.headers, 'x-boldsign-signature': 't=1, s0=00' };
  t.is(
    refusal(() => readSigner({ ...generic, headers: both })),
    'unauthenticated',
  );
  const swapped = {
    'x-boldsign-signature': fromDocuSign('envelope-sent', 'd1', at).headers['x-docusign-signature-1'] ?? '',
  };
  t.is(
    refusal(() => readSigner({ ...fromDocuSign('envelope-sent', 'd1', at), headers: swapped })),
    'unauthenticated',
  );
});

test('the plain secret of one provider counts only where that provider is set up', (t) => {
  const body = Buffer.from(JSON.stringify({ event: 'DOCUMENT_SENT', createdAt: new Date(nowMs), payload: { id: 10 } }));
  const secret = INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET;
  const signed = { body, headers: { 'x-documenso-secret': secret }, secrets: [secret], nowMs };
  t.deepEqual(readSigningEvent({ ...signed, provider: 'documenso' }).externalIds, ['10']);
  t.is(
    refusal(() => readSigningEvent({ ...signed, provider: 'boldsign' })),
    'unauthenticated',
  );
  const empty = { ...signed, headers: { 'x-documenso-secret': '' }, secrets: [] };
  t.is(
    refusal(() => readSigningEvent({ ...empty, provider: 'documenso' })),
    'unauthenticated',
  );
});

test('a repetition of DocuSign is known by its id, and may be old', (t) => {
  const old = { atSeconds: NOW_SECONDS - 3_600 };
  const first = fromDocuSign('envelope-completed', 'd1', old);
  const again = fromDocuSign('envelope-completed', 'd1', { ...old, retryCount: 1 });
  t.is(
    refusal(() => readSigner(first)),
    'validation_failed',
  );
  const { eventId } = readSigner(again) as { eventId: string };
  const third = readSigner(fromDocuSign('envelope-completed', 'd1', { ...old, retryCount: 2 })) as { eventId: string };
  t.is(third.eventId, eventId);
});

test('while a secret is rotated, an event is proven by either signature of BoldSign and by any numbered one of DocuSign', (t) => {
  const [old, other] = ['esign_the-one-before-0123456789', '0'.repeat(64)];
  const boldSign = fromBoldSign('Completed', 'd1', { ...at, secret: old });
  const [time = '', signature = ''] = (boldSign.headers['x-boldsign-signature'] ?? '').split(', s0=');
  const docuSign = fromDocuSign('envelope-completed', 'd1', { ...at, secret: old });
  const proof = docuSign.headers['x-docusign-signature-1'] ?? '';
  const forged = Buffer.alloc(32).toString('base64');
  const numbered = (values: Record<string, string>) => ({ ...docuSign, headers: values });
  const headed = (value: string) => ({ ...boldSign, headers: { 'x-boldsign-signature': value } });
  const cases: [request: SignedRequest, code: string | null][] = [
    [headed(`${time}, s0=${other}, s1=${signature}`), null],
    [headed(`${time}, s0=${signature}, s1=${other}`), null],
    [headed(`${time}, s0=${other}, s1=${other}`), 'unauthenticated'],
    [headed(`${time}, s1=${signature}`), 'unauthenticated'],
    [numbered({ 'x-docusign-signature-1': forged, 'x-docusign-signature-2': proof }), null],
    [numbered({ 'x-docusign-signature-1': forged, 'x-docusign-signature-100': proof }), null],
    [numbered({ 'x-provider-b-signature-1': forged, 'x-provider-b-signature-7': proof }), null],
    [numbered({ 'x-docusign-signature-2': proof, 'x-provider-b-signature-2': forged }), 'unauthenticated'],
    [numbered({ 'x-docusign-signature-1': forged, 'x-docusign-signature-2': forged }), 'unauthenticated'],
    [numbered({ 'x-docusign-signature-1000': proof }), 'unauthenticated'],
  ];
  for (const [request, code] of cases) {
    t.is(
      refusal(() => readSigner(request, [old])),
      code,
      JSON.stringify(request.headers),
    );
  }
});
