// Whether certificates are still valid for their holders: one rule for number checks, for the list and for an insured
// who wants one. A certificate is valid as long as the policy says what is printed on it. Contract 3.5.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Certificate } from '../../db/entities/document/certificate.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { certificatesAfter } from '../../db/queries/document/certificates.ts';
import { ordersOf } from '../../db/queries/document/document-orders.ts';
import { findPolicies } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import {
  areSameDays,
  type CertificateStanding,
  certificateStanding,
  isNamedAmong,
  isSameAddress,
  type PrintedTerms,
} from '../../domain/document/certificate.ts';
import { termsOn } from '../../domain/policy/segments.ts';
import { type PolicyLife, readLife } from '../policy/life.ts';
import { announcedEnd, gapsNamed } from './certificate-facts.ts';
import { limitsOf } from './common-facts.ts';

/** Judges one organization's certificates on a day, by their ids. */
export async function standingsOf(
  em: EntityManager,
  certificates: readonly Readonly<Certificate>[],
  today: BusinessDate,
): Promise<Map<string, CertificateStanding>> {
  const superseded = await certificatesAfter(
    em,
    certificates.map(({ id }) => id),
  );
  const printed = await printedTerms(em, certificates);
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

/**
 * Whether the newest certificate of a holder is valid and names the pending cancellation, as one issued today would:
 * one from before the notice stays valid without it.
 */
export async function saysEverything(
  em: EntityManager,
  certificate: Readonly<Certificate>,
  policy: Readonly<Policy>,
  today: BusinessDate,
): Promise<boolean> {
  const says = (await printedTerms(em, [certificate])).get(certificate.documentId) ?? null;
  if (says === null) return false;
  const life = await readLife(em, policy, today);
  return stillSays(certificate, says, life) && (says.coverageEnds ?? null) === announcedEnd(life);
}

/** What certificates say, by their documents. */
async function printedTerms(
  em: EntityManager,
  certificates: readonly Readonly<Certificate>[],
): Promise<Map<string, PrintedTerms | null>> {
  const ids = certificates.map(({ documentId }) => documentId);
  return new Map((await ordersOf(em, ids)).map(({ id, facts }) => [id, facts as PrintedTerms | null]));
}

/** Whether the policy still says today what a certificate says. An ended policy's terms no longer change. */
function stillSays({ holder }: Readonly<Certificate>, printed: PrintedTerms, life: PolicyLife) {
  const { policy, stack, today } = life;
  // A notice that was withdrawn, paid off or replaced has another day, or none.
  if (printed.coverageEnds && printed.coverageEnds !== announcedEnd(life)) return false;
  if (!areSameDays(printed.gaps ?? [], gapsNamed(stack))) return false;
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
