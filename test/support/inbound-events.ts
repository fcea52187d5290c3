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
  const times = { 'created-at': '2026-11-21T02:10:00.000Z', 'completed-at': at };
  const attributes = { status: 'completed', 'reference-id': referenceId, ...times };
  const verification = { type: 'verification/government-id', id: 'ver_1' };
  const relationships = { verifications: { data: [verification] } };
  const payload = {
    data: { type: 'inquiry', id: 'inq_2CVZ4HyVg7qaboXz2PUHknAn', attributes, relationships },
    included: [{ ...verification, attributes: { status: 'passed' } }],
  };
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
  const mail = { email_id: emailId, message_id: `<${emailId}@ins.test>`, from: 'Ins <no-reply@ins.test>', to: [to] };
  const bounce = { message: 'The mailbox does not exist.', type: 'Permanent', subType: 'General' };
  const rest = type === 'email.bounced' ? { bounce, ...extra } : extra;
  return { type, created_at: at, data: { created_at: at, ...mail, subject: 'Notice', ...rest } };
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
  const data = documentId === null ? {} : boldSignDocument(documentId, eventType, atSeconds);
  const body = JSON.stringify({ event, data });
  const signature = `t=${atSeconds}, s0=${hmac(esignSecret(secret), `${atSeconds}.${body}`, 'hex')}`;
  return { path: SIGNING_PATH, body, headers: { ...json, [header]: signature } };
}

function boldSignDocument(documentId: string, status: string, atSeconds: number) {
  const signer = { signerEmail: 's@signer.test', status, declineMessage: null, lastActivityDate: atSeconds };
  const dates = { createdDate: atSeconds - 600, expiryDate: atSeconds + 2_592_000 };
  const document = { object: 'document', documentId, messageTitle: 'Policy', status, signerDetails: [signer] };
  return { ...document, ...dates, revokeMessage: null, metaData: {} };
}

/** Signed by DocuSign, whose neutral header is `x-provider-b-signature-1`. */
export function fromDocuSign(
  event: string,
  envelopeId: string,
  { atSeconds = nowSeconds(), secret, retryCount = 0 }: Signing & { retryCount?: number } = {},
): SignedRequest {
  const generatedDateTime = new Date(atSeconds * MS).toISOString().replace('Z', '4147Z');
  const [accountId, userId] = ['0c6bd2f2-9f0a-4f1c-8a51-5d0f8f9a1b11', '6f2c5b7e-3b0e-4ad9-9d55-1f4b3f0c2d22'];
  const uri = `/restapi/v2.1/accounts/${accountId}/envelopes/${envelopeId}`;
  const facts = { event, apiVersion: 'v2.1', uri, retryCount, configurationId: 10_430_604, generatedDateTime };
  const body = JSON.stringify({ ...facts, data: { accountId, userId, envelopeId } });
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
  const names = { id: documentId, envelopeId: `envelope_${documentId}`, externalId: null, title: 'policy.pdf' };
  const times = { createdAt: at, updatedAt: at, completedAt: at };
  const signer = { id: 50, email: 's@signer.test', name: 'S', role: 'SIGNER', signingStatus: 'SIGNED', signedAt: at };
  const payload = { ...names, status: 'COMPLETED', source: 'DOCUMENT', teamId: 1, ...times, recipients: [signer] };
  const webhookEndpoint = `https://api.test${SIGNING_PATH}`;
  const body = JSON.stringify({ event, payload, createdAt: at, webhookEndpoint });
  return { path: SIGNING_PATH, body, headers: { ...json, 'x-documenso-secret': esignSecret(secret) } };
}
