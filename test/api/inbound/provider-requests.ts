// A valid request of each inbound provider, and the same under other headers and signatures.
import { newId } from '../../../db/ids.ts';
import { processorId, sign, succeeded } from '../../support/card-events.ts';
import {
  fromBoldSign,
  fromDocuSign,
  fromGeneric,
  fromMailer,
  fromVerifier,
  inquiryEvent,
  mailEvent,
  type SignedRequest,
  type Signing,
} from '../../support/inbound-events.ts';

/** When they are sent. */
export const NOW_SECONDS = 1_795_000_000;
export const at = { atSeconds: NOW_SECONDS };
export const PRODUCER = newId('producer');

/** What each provider's secret was before it was replaced. */
export const REPLACED = {
  IDENTITY_VERIFIER_WEBHOOK_SECRET_PREVIOUS: 'wbhsec_the-one-before-0123456789',
  EMAIL_PROVIDER_WEBHOOK_SECRET_PREVIOUS: `whsec_${Buffer.alloc(24, 3).toString('base64')}`,
  ESIGN_WEBHOOK_SECRET_PREVIOUS: 'esign_the-one-before-0123456789',
  CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS: 'whsec_the-one-before-0123456789',
};

/** Each provider with a valid request; the neutral header instead of its own. */
export const PROVIDERS: [name: string, make: (how?: Signing) => SignedRequest, neutral: Record<string, string>][] = [
  [
    'identity verifier',
    (how) => fromVerifier(inquiryEvent(PRODUCER), { ...at, ...how }),
    { 'persona-signature': 'verifier-signature' },
  ],
  [
    'email provider',
    (how) => fromMailer(mailEvent('email.sent', 'e1', 'a@b.test'), { ...at, ...how }),
    { 'svix-id': 'message-id', 'svix-timestamp': 'message-timestamp', 'svix-signature': 'message-signature' },
  ],
  [
    'provider A',
    (how) => fromBoldSign('Completed', 'd1', { ...at, ...how }),
    { 'x-boldsign-signature': 'x-provider-a-signature' },
  ],
  [
    'provider B',
    (how) => fromDocuSign('envelope-completed', newId('envelope'), { ...at, ...how }),
    { 'x-docusign-signature-1': 'x-provider-b-signature-1' },
  ],
  ['generic', (how) => fromGeneric('DOCUMENT_COMPLETED', newId('envelope'), { ...at, ...how }), {}],
  ['card processor', fromCards, {}],
];

function fromCards(how?: Signing): SignedRequest {
  const event = succeeded({ intentId: processorId('pi'), amountCents: 12_345 });
  return { path: '/v1/webhooks/stripe', ...sign(JSON.stringify(event), { ...at, ...how }) };
}

/** With other names for some of its headers. */
export function renamed(request: SignedRequest, names: Record<string, string>): SignedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [names[name] ?? name, value]);
  return { ...request, headers: Object.fromEntries(headers) };
}

/** The header of its signature. */
export const signatureHeader = ({ headers }: SignedRequest) =>
  Object.keys(headers).find((name) => /signature/.test(name)) ?? '';

/** The other provider's request, under this one's header. Where they share a secret, with this one's body. */
export const signedBy = (other: SignedRequest, request: SignedRequest): SignedRequest => ({
  ...withSignature(request, other.headers[signatureHeader(other)]),
  body: other.path === request.path ? request.body : other.body,
});

/** With another signature. */
export const withSignature = (request: SignedRequest, signature: string | undefined): SignedRequest => ({
  ...request,
  headers: { ...request.headers, [signatureHeader(request)]: signature ?? '' },
});
