// Verifies a person's identity through Persona's HTTP API.
import { DomainError } from '../../domain/errors.ts';
import type { IdentityVerifier } from '../ports.ts';
import { callProvider, jsonOf, providerUnavailable } from '../provider-call.ts';

const PROVIDER = 'The identity verifier';
const ID = /^[\w-]{1,255}$/;
/** Statuses that refuse the request itself: the inquiry is over, or the template is unknown. */
const REFUSALS = [400, 404, 410, 422];

export interface IdentityVerifierSettings {
  /** Null if none is configured: anything that needs one is refused as unavailable. */
  apiKey: string | null;
  /** Origin, without a path. */
  baseUrl: string;
  /** The template of an inquiry, as configured at the verifier. */
  templateId: string;
}

/** Builds the adapter. Without a key every method throws `service_unavailable`. */
export function createIdentityVerifier(settings: IdentityVerifierSettings): IdentityVerifier {
  const { apiKey, baseUrl, templateId } = settings;
  if (apiKey === null) {
    const refuse = async () => {
      throw providerUnavailable(PROVIDER);
    };
    return { startInquiry: refuse, continueInquiry: refuse };
  }
  /** Null if the verifier refuses. */
  const post = async (path: string, idempotencyKey: string, body: object): Promise<Answer | null> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': idempotencyKey };
    const call = { provider: PROVIDER, url: new URL(path, baseUrl), method: 'POST', headers, body } as const;
    const response = await callProvider({ ...call, also: REFUSALS });
    return response.ok ? ((await jsonOf(PROVIDER, response)) as Answer) : null;
  };
  const continueInquiry: IdentityVerifier['continueInquiry'] = async ({ idempotencyKey, inquiryId }) => {
    const linked = await post(`/api/v1/inquiries/${inquiryId}/generate-one-time-link`, idempotencyKey, {});
    if (linked === null) return null;
    const url = linked.meta?.['one-time-link'];
    return { inquiryId, url: typeof url === 'string' ? url : null };
  };
  return {
    continueInquiry,
    startInquiry: async ({ idempotencyKey, producerId }) => {
      const attributes = { 'inquiry-template-id': templateId, 'reference-id': producerId };
      const created = await post('/api/v1/inquiries', idempotencyKey, { data: { attributes } });
      const inquiryId = created?.data?.id;
      if (typeof inquiryId !== 'string' || !ID.test(inquiryId)) {
        throw new DomainError('service_unavailable', `${PROVIDER} has not said what it calls the inquiry.`);
      }
      const linked = await continueInquiry({ idempotencyKey: `${idempotencyKey}-link`, inquiryId });
      return linked ?? { inquiryId, url: null };
    },
  };
}

interface Answer {
  data?: { id?: unknown };
  meta?: Record<string, unknown>;
}
