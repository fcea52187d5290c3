// A certificate's content: the policy as of today, and nothing that the policy does not say. Contract 3.5, domain
// facts 5.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type CertificateWish, ensureCarried, ensureInForce } from '../../domain/document/certificate.ts';
import { termsOn } from '../../domain/policy/segments.ts';
import { coverageGaps, standingCancellation } from '../../domain/policy/stack.ts';
import { type PolicyLife, readLife } from '../policy/life.ts';
import { coverageBasis, limitsOf, policyPageFacts, withoutBlank } from './common-facts.ts';
import { qrCodeOf } from './qr-code.ts';

/** The number of a certificate, how often it was issued, and where it can be checked. */
export interface CertificateIdentity {
  number: string;
  revision: number;
  verifyUrl: string;
}

/** @throws DomainError document_not_applicable for a policy that is not in force or lacks the requested coverage */
export async function ensureCertifiable(
  em: EntityManager,
  policy: Readonly<Policy>,
  wish: CertificateWish,
  today: BusinessDate,
) {
  const { status, stack } = await readLife(em, policy, today);
  ensureInForce({ status, effectiveDate: policy.effectiveDate }, today);
  const terms = { ...policy, ...termsOn(stack, today) };
  ensureCarried(wish, terms.additionalInsureds);
  return { ...terms, coverageEnds: announcedEnd({ status, stack }), gaps: gapsNamed(stack) };
}

/** The day on which an announced cancellation ends coverage; null if none is pending. */
export function announcedEnd({ status, stack }: Pick<PolicyLife, 'status' | 'stack'>): BusinessDate | null {
  return status === 'pending_cancellation' ? (standingCancellation(stack)?.effectiveDate ?? null) : null;
}

/** The days without coverage that a certificate names: the policy's dates alone would say more than is covered. */
export function gapsNamed(stack: PolicyLife['stack']): { from: BusinessDate; to: BusinessDate }[] {
  return coverageGaps(stack).map(({ from, to }) => ({ from, to }));
}

/** Reads a certificate's content; `terms` are those found by `ensureCertifiable`. */
export async function certificateFacts(
  em: EntityManager,
  policy: Readonly<Policy>,
  terms: Awaited<ReturnType<typeof ensureCertifiable>>,
  { wish, today, identity }: { wish: CertificateWish; today: BusinessDate; identity: CertificateIdentity },
) {
  const { number, revision, verifyUrl } = identity;
  const { holder, description = '', additionalInsured = false, waiverOfSubrogation = false } = wish;
  return {
    ...(await policyPageFacts(em, policy, terms)),
    issuedOn: today,
    certificate: { number, revision },
    coverageBasis: coverageBasis(policy.lineOfBusiness),
    limits: limitsOf(policy.lineOfBusiness, terms),
    holder: typeof holder.address === 'string' ? holder : { ...holder, address: withoutBlank(holder.address) },
    coverageEnds: terms.coverageEnds,
    gaps: terms.gaps,
    ...{ description, additionalInsured, waiverOfSubrogation, verifyUrl, qrCode: qrCodeOf(verifyUrl) },
  };
}
