// What certificates are worth to who holds them: one rule for those who check a number, for the list and for the
// insured who wants one. A certificate stands as long as the policy says what is printed on it. Contract 3.5.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Certificate } from '../../db/entities/document/certificate.ts';
import { certificatesAfter } from '../../db/queries/document/certificates.ts';
import { ordersOf } from '../../db/queries/document/document-orders.ts';
import { findPolicies } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import {
  type CertificateStanding,
  certificateStanding,
  isNamedAmong,
  isSameAddress,
  type PrintedTerms,
} from '../../domain/document/certificate.ts';
import { termsOn } from '../../domain/policy/segments.ts';
import { type PolicyLife, readLife } from '../policy/life.ts';
import { limitsOf } from './common-facts.ts';

/** Judges certificates of one organization on a day, by their ids. */
export async function standingsOf(
  em: EntityManager,
  certificates: readonly Readonly<Certificate>[],
  today: BusinessDate,
): Promise<Map<string, CertificateStanding>> {
  const superseded = await certificatesAfter(
    em,
    certificates.map(({ id }) => id),
  );
  const orders = await ordersOf(
    em,
    certificates.map(({ documentId }) => documentId),
  );
  const printed = new Map(orders.map(({ id, facts }) => [id, facts as PrintedTerms | null]));
  const policies = await findPolicies(em, [...new Set(certificates.map(({ policyId }) => policyId))]);
  const lives = new Map<string, PolicyLife>();
  for (const policy of policies) lives.set(policy.id, await readLife(em, policy, today));
  return new Map(
    certificates.map((certificate) => {
      const life = lives.get(certificate.policyId);
      const says = printed.get(certificate.documentId) ?? null;
      const isOutdated = life !== undefined && says !== null && !stillSays(certificate, says, life);
      const isReplaced = superseded.has(certificate.id);
      return [certificate.id, certificateStanding({ isReplaced, isOutdated }, life?.status ?? 'expired')];
    }),
  );
}

/** Whether the policy says today what a certificate says. A policy that has ended says nothing else any more. */
function stillSays({ holder }: Readonly<Certificate>, printed: PrintedTerms, { policy, stack, today }: PolicyLife) {
  if (today < policy.effectiveDate || today >= policy.expirationDate) return true;
  const terms = { ...policy, ...termsOn(stack, today) };
  const limits = limitsOf(policy.lineOfBusiness, terms);
  const sameLimits =
    limits.length === printed.limits.length &&
    limits.every(({ cents }, index) => cents === printed.limits[index]?.cents);
  const stillNamed = printed.additionalInsured !== true || isNamedAmong(holder, terms.additionalInsureds);
  const { name, address } = printed.insured;
  const sameAddress = address === undefined || isSameAddress(address, terms.insuredAddress);
  return sameLimits && stillNamed && sameAddress && name === terms.insuredName;
}
