// Certificates of insurance: for which policies and holders, and whether they still hold later. Contract 3.5, domain
// facts 5.2.
import type { Address } from '../address.ts';
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { isInForce, type PolicyStatus } from '../policy/policy.ts';

export interface CertificateHolder {
  name: string;
  /** Where they are notified when the certificate ends. */
  email?: string | undefined;
  /** Structured, or as the holder writes it. */
  address:
    | string
    | { line1: string; line2?: string | null | undefined; city: string; state: string; postalCode: string };
}

/** What a caller requests on a certificate. */
export interface CertificateWish {
  holder: CertificateHolder;
  description?: string | undefined;
  additionalInsured?: boolean | undefined;
  waiverOfSubrogation?: boolean | undefined;
  /** Whether the holder is notified when the certificate no longer holds. */
  notifyHolder?: boolean | undefined;
}

/** What a certificate says about its policy's terms. */
export interface PrintedTerms {
  insured: { name: string; address?: Address | null };
  limits: readonly { cents: number }[];
  additionalInsured?: boolean;
  /** The day on which coverage ends by a notice of cancellation; null if there was none. */
  coverageEnds?: BusinessDate | null;
  /** The days without coverage within the term, oldest first. */
  gaps?: readonly Days[];
}

/** `to` excluded. */
interface Days {
  from: BusinessDate;
  to: BusinessDate;
}

/** A certificate's standing, for its holder. */
export type CertificateStanding = 'valid' | 'superseded' | 'cancelled' | 'expired';

/**
 * A key for the same holder at the same address, however both are written; a company may have several locations. A
 * migration writes the same keys (db/migrations/0226).
 */
export function holderKey({ name, address }: CertificateHolder): string {
  return `${nameKey(name)}\n${addressText(address)
    .toLowerCase()
    .replaceAll(/[\s,.;#-]+/g, ' ')
    .trim()}`;
}

function addressText(address: CertificateHolder['address']): string {
  if (typeof address === 'string') return address;
  const { line1, line2, city, state, postalCode } = address;
  return [line1, line2 ?? '', city, state, postalCode].join(' ');
}

function nameKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

/**
 * A policy whose cancellation was announced before its first day is not in force yet.
 * @throws DomainError document_not_applicable when the policy is not in force. Contract 3.5
 */
export function ensureInForce(
  { status, effectiveDate }: { status: PolicyStatus; effectiveDate: BusinessDate },
  today: BusinessDate,
  what = 'a certificate',
): void {
  if (isInForce(status) && effectiveDate <= today) return;
  const why = effectiveDate > today ? `The policy begins on ${effectiveDate}.` : `The policy is ${status}.`;
  throw notApplicable('policyId', `${why} Only a policy in force can have ${what}.`, { status, effectiveDate });
}

/**
 * A certificate never states more than the policy.
 * @throws DomainError document_not_applicable with the field that the policy does not carry
 */
export function ensureCarried(wish: CertificateWish, additionalInsureds: readonly { name: string }[]): void {
  if (wish.additionalInsured === true && !isNamedAmong(wish.holder, additionalInsureds)) {
    throw notApplicable('additionalInsured', 'The policy does not name the holder as an additional insured.');
  }
  if (wish.waiverOfSubrogation === true) {
    throw notApplicable('waiverOfSubrogation', 'The policy carries no waiver of subrogation.');
  }
}

/** Whether a policy names the holder as an additional insured. */
export function isNamedAmong(holder: CertificateHolder, additionalInsureds: readonly { name: string }[]): boolean {
  return additionalInsureds.some(({ name }) => nameKey(name) === nameKey(holder.name));
}

/**
 * Returns a certificate's standing given its policy's status: replaced by another one, policy ended, or the policy has
 * since changed.
 */
export function certificateStanding(
  { isReplaced, isOutdated }: { isReplaced: boolean; isOutdated: boolean },
  status: PolicyStatus,
): CertificateStanding {
  if (isReplaced) return 'superseded';
  if (!isInForce(status)) return status === 'cancelled' || status === 'lapsed' ? 'cancelled' : 'expired';
  return isOutdated ? 'superseded' : 'valid';
}

/** Whether two lists name the same days. */
export function areSameDays(one: readonly Days[], other: readonly Days[]): boolean {
  return (
    one.length === other.length && one.every(({ from, to }, at) => from === other[at]?.from && to === other[at].to)
  );
}

/** Whether two addresses are the same on paper. */
export function isSameAddress(one: Address | null, other: Address | null): boolean {
  return (one && addressText(one)) === (other && addressText(other));
}

/** The refusal of a document that does not apply to a policy. */
export function notApplicable(field: string, message: string, details: Record<string, unknown> = {}): DomainError {
  return new DomainError('document_not_applicable', message, { field, ...details });
}
