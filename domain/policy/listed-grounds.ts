// The grounds on which a state lets a carrier cancel a policy that is no longer new. Domain facts 2.3, 6.1.
import { daysBetween } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { CancellationTerms } from './cancellation.ts';
import type { CancellationReason } from './cancellation-words.ts';
import type { CoverageTerm } from './stack.ts';

/** A policy in force for no more days than this may be cancelled for any reason, with its state's notice. */
const NEW_POLICY_DAYS = 60;

/**
 * Our reason codes for listed grounds. Non-payment of premium is one everywhere.
 *
 * NY, Ins. Law 3426(c)(1): fraud or material misrepresentation in obtaining the policy or in a claim; acts and
 * omissions that materially increase the hazard. TX, Ins. Code 551.052(b): fraud in obtaining coverage, including
 * material misrepresentation; an increase in hazard within the insured's control; loss of the carrier's reinsurance.
 * Exceptions that only a regulator can trigger (insolvency, a violation of law) have no reason code.
 */
const LISTED_GROUNDS: Readonly<Record<string, readonly CancellationReason[]>> = {
  NY: ['non_payment', 'misrepresentation', 'fraud', 'increase_in_hazard'],
  TX: ['non_payment', 'misrepresentation', 'fraud', 'increase_in_hazard', 'loss_of_reinsurance'],
};

/** What decides which grounds a policy's age allows. */
interface PolicyAge {
  state: string;
  term: Pick<CoverageTerm, 'effectiveDate'>;
  /** First day of coverage; for a renewed policy, of its first term. */
  inForceSince: string;
  isRenewal: boolean;
  today: string;
}

/**
 * Refuses a carrier's cancellation for a reason that the policy's state does not list once the policy has been in
 * force for more than 60 days, judged on the day of the notice. A renewal term is past them from its first day. The
 * insured may cancel for any reason.
 * @throws DomainError not_ready with `{missing, blockers, state, reason, allowedReasons}`. Domain facts 6.1
 */
export function ensureListedGround(
  { reason, source }: Pick<CancellationTerms, 'reason' | 'source'>,
  policy: PolicyAge,
): void {
  const { state } = policy;
  const allowedReasons = Object.hasOwn(LISTED_GROUNDS, state) ? LISTED_GROUNDS[state] : undefined;
  if (source === 'insured' || allowedReasons === undefined || allowedReasons.includes(reason)) return;
  if (!isBeyondNew(policy)) return;
  const listed = allowedReasons.join(', ');
  throw new DomainError(
    'not_ready',
    `After ${NEW_POLICY_DAYS} days in force, a carrier may cancel in ${state} only for: ${listed}.`,
    { missing: [], blockers: ['REASON_NOT_LISTED'], state, reason, allowedReasons: [...allowedReasons] },
  );
}

function isBeyondNew({ term, inForceSince, isRenewal, today }: PolicyAge): boolean {
  if (today < term.effectiveDate) return false;
  return isRenewal || daysBetween(inForceSince, today) > NEW_POLICY_DAYS;
}
