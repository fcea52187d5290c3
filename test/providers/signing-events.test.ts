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
