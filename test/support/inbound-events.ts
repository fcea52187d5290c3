// Events of the identity verifier, the email provider and the e-signature providers in their real shapes, and how each
// provider signs them. Written from the providers' documentation, independently of the code that verifies the
// signatures.
import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'svix';
import { INBOUND_VARIABLES } from './servers/providers.ts';

/** A request to one of the inbound paths. */
export interface SignedRequest {
  path: string;
  body: string;
  headers: Record<string, string>;
}

/** How a request is signed. Default: now, with the tests' secret. */
export interface Signing {
  atSeconds?: number;
  secret?: string;
}

const MS = 1_000;
const nowSeconds = () => Math.floor(Date.now() / MS);
const hmac = (secret: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(text).digest(encoding);
const json = { 'content-type': 'application/json' };

/** The identity verifier's event about an inquiry. */
export function inquiryEvent(referenceId: string | null, name = 'inquiry.completed', eventId = `evt_${randomUUID()}`) {
  const at = '2026-11-21T02:19:59.000Z';
  const attributes = { status: 'completed', 'reference-id': referenceId, 'completed-at': at };
  const payload = { data: { type: 'inquiry', id: 'inq_2CVZ4HyVg7qaboXz2PUHknAn', attributes }, included: [] };
  return { data: { type: 'event', id: eventId, attributes: { name, 'created-at': at, payload } } };
}

/** Signed by the identity verifier. */
export function fromVerifier(event: object, { atSeconds = nowSeconds(), secret }: Signing = {}): SignedRequest {
  const body = JSON.stringify(event);
  const key = secret ?? INBOUND_VARIABLES.IDENTITY_VERIFIER_WEBHOOK_SECRET;
  const signature = `t=${atSeconds},v1=${hmac(key, `${atSeconds}.${body}`, 'hex')}`;
  return { path: '/v1/webhooks/persona', body, headers: { ...json, 'persona-signature': signature } };
}

/** The email provider's event about an e-mail. */
export function mailEvent(type: string, emailId: string, to: string, extra: object = {}) {
  const at = '2026-11-21T02:00:00.000Z';
  const data = { created_at: at, email_id: emailId, from: 'no-reply@ins.test', to: [to], subject: 'Notice', ...extra };
  return { type, created_at: at, data };
}

/** Signed with the email provider's library, which takes no empty secret. */
export function fromMailer(
  event: object,
  { atSeconds = nowSeconds(), secret, id = `msg_${randomUUID()}` }: Signing & { id?: string } = {},
): SignedRequest {
  const body = JSON.stringify(event);
  const signature =
    secret === ''
      ? `v1,${hmac(secret, `${id}.${atSeconds}.${body}`, 'base64')}`
      : new Webhook(secret ?? INBOUND_VARIABLES.EMAIL_PROVIDER_WEBHOOK_SECRET).sign(id, new Date(atSeconds * MS), body);
  const headers = { ...json, 'svix-id': id, 'svix-timestamp': String(atSeconds), 'svix-signature': signature };
  return { path: '/v1/webhooks/resend', body, headers };
}

const SIGNING_PATH = '/v1/esign/webhook';
const esignSecret = (secret?: string) => secret ?? INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET;

/** Signed by BoldSign, whose neutral header is `x-provider-a-signature`. Null makes an event about no document. */
export function fromBoldSign(
  eventType: string,
  documentId: string | null,
  { atSeconds = nowSeconds(), secret, header = 'x-boldsign-signature' }: Signing & { header?: string } = {},
): SignedRequest {
  const event = { id: randomUUID(), created: atSeconds, eventType, environment: 'Test' };
  const data = documentId === null ? {} : { object: 'document', documentId, status: eventType };
  const body = JSON.stringify({ event, data });
  const signature = `t=${atSeconds}, s0=${hmac(esignSecret(secret), `${atSeconds}.${body}`, 'hex')}`;
  return { path: SIGNING_PATH, body, headers: { ...json, [header]: signature } };
}

/** Signed by DocuSign, whose neutral header is `x-provider-b-signature-1`. */
export function fromDocuSign(
  event: string,
  envelopeId: string,
  { atSeconds = nowSeconds(), secret, retryCount = 0 }: Signing & { retryCount?: number } = {},
): SignedRequest {
  const generatedDateTime = new Date(atSeconds * MS).toISOString().replace('Z', '4147Z');
  const body = JSON.stringify({ event, apiVersion: 'v2.1', retryCount, generatedDateTime, data: { envelopeId } });
  const signature = hmac(esignSecret(secret), body, 'base64');
  return { path: SIGNING_PATH, body, headers: { ...json, 'x-docusign-signature-1': signature } };
}

/** Signed as the specification says, under no brand. */
export function fromGeneric(
  event: string,
  documentId: string,
  { atSeconds = nowSeconds(), secret }: Signing = {},
): SignedRequest {
  const body = JSON.stringify({ event, documentId, createdAt: new Date(atSeconds * MS).toISOString() });
  const signature = hmac(esignSecret(secret), body, 'hex');
  return { path: SIGNING_PATH, body, headers: { ...json, 'x-webhook-signature': signature } };
}

/** Sent by Documenso, which does not sign: its header is the secret itself. */
export function fromDocumenso(
  event: string,
  documentId: number,
  { atSeconds = nowSeconds(), secret }: Signing = {},
): SignedRequest {
  const at = new Date(atSeconds * MS).toISOString();
  const payload = { id: documentId, envelopeId: `envelope_${documentId}`, title: 'policy.pdf', status: 'COMPLETED' };
  const body = JSON.stringify({ event, payload: { ...payload, recipients: [] }, createdAt: at });
  return { path: SIGNING_PATH, body, headers: { ...json, 'x-documenso-secret': esignSecret(secret) } };
}
