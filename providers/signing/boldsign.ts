// Sends documents for signature through BoldSign's HTTP API.
import { DomainError, notSetUp } from '../../domain/errors.ts';
import { type EnvelopeEnd, hasEnvelopeEnded, reportedStatus } from '../../domain/signing/envelope.ts';
import type { SigningOrder, SigningService } from '../ports.ts';
import { callProvider, jsonOf, providerUnavailable } from '../provider-call.ts';

const PROVIDER = 'The e-signature provider';
const ID = /^[\w-]{1,255}$/;
/** The document is finished or gone, or the provider does not accept such a call now. */
const REFUSED = [400, 404, 422];

export interface SigningSettings {
  /** Null if none is configured: anything that needs one is refused as unavailable. */
  apiKey: string | null;
  /** Origin, without a path. */
  baseUrl: string;
  /** Envelopes can only be created at this provider. */
  provider: string;
}

/** Builds the adapter. Without a key every method throws `service_unavailable`. */
export function createSigningService({ apiKey, baseUrl, provider }: SigningSettings): SigningService {
  if (apiKey === null || provider !== 'boldsign') return NOT_SET_UP;
  const headers = { 'x-api-key': apiKey };
  const call = (method: 'GET' | 'POST', path: string, query: Record<string, string>, rest = {}) =>
    callProvider({ provider: PROVIDER, url: addressOf(baseUrl, path, query), method, headers, ...rest });
  const endOf = async (documentId: string): Promise<EnvelopeEnd | null> => {
    const answer = await call('GET', '/v1/document/properties', { documentId }, { also: [404] });
    // A document that is gone can no longer be signed.
    return answer.ok ? endIn(await jsonOf(PROVIDER, answer)) : 'voided';
  };
  return {
    isSetUp: true,
    create: async (order) => {
      const earlier = await call('GET', '/v1/document/list', { Page: '1', Labels: order.envelopeId });
      const found = firstOf(await jsonOf(PROVIDER, earlier));
      if (found !== null) return { externalId: found };
      const created = await call('POST', '/v1/document/send', {}, { body: toBody(order) });
      return { externalId: idIn(await jsonOf(PROVIDER, created)) };
    },
    remind: async (documentId) => {
      const answer = await call('POST', '/v1/document/remind', { documentId }, { body: {}, also: REFUSED });
      return answer.ok ? null : endOf(documentId);
    },
    callBack: async (documentId, message) => {
      const answer = await call('POST', '/v1/document/revoke', { documentId }, { body: { message }, also: REFUSED });
      const end = answer.ok ? 'voided' : await endOf(documentId);
      if (end === null) throw providerUnavailable(PROVIDER);
      return end;
    },
    signedFile: async (documentId) => {
      const file = await call('GET', '/v1/document/download', { documentId });
      return new Uint8Array(await file.arrayBuffer());
    },
  };
}

function addressOf(baseUrl: string, path: string, query: Record<string, string>): URL {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Fields are laid out in two columns, from the foot of the first page upwards: there is room for 20. */
const ROWS = 10;

function boundsOf(index: number): object {
  return { X: 50 + 250 * Math.floor(index / ROWS), Y: 700 - 60 * (index % ROWS), Width: 200, Height: 40 };
}

/** Our id is sent as a label, to find the document by, and as metadata, which its events carry. */
function toBody({ envelopeId, fileName, contentType, file, signers, expiresInDays }: SigningOrder): object {
  return {
    Title: fileName,
    Signers: signers.map(({ name, email }, index) => ({
      ...{ Name: name, EmailAddress: email, SignerType: 'Signer' },
      FormFields: [
        {
          ...{ Id: `signature-${index + 1}`, FieldType: 'Signature', PageNumber: 1, IsRequired: true },
          Bounds: boundsOf(index),
        },
      ],
    })),
    Files: [`data:${contentType};base64,${Buffer.from(file).toString('base64')}`],
    ExpiryDays: expiresInDays,
    Labels: [envelopeId],
    MetaData: { envelopeId },
  };
}

function firstOf(answer: unknown): string | null {
  const [first] = (answer as { result?: unknown[] } | null)?.result ?? [];
  return first === undefined ? null : idIn(first);
}

/** A document's final status uses the same words as its events. */
function endIn(answer: unknown): EnvelopeEnd | null {
  const word = (answer as { status?: unknown }).status;
  const status = typeof word === 'string' ? reportedStatus(word) : null;
  return status !== null && hasEnvelopeEnded(status) ? status : null;
}

function idIn(answer: unknown): string {
  const id = (answer as { documentId?: unknown } | null)?.documentId;
  if (typeof id === 'string' && ID.test(id)) return id;
  throw new DomainError('service_unavailable', `${PROVIDER} has sent no id for the document.`);
}

const refuse = async (): Promise<never> => {
  throw notSetUp('e-signature provider');
};

const NOT_SET_UP: SigningService = {
  ...{ isSetUp: false, create: refuse, remind: refuse, callBack: refuse, signedFile: refuse },
};
