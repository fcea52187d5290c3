// Whether a submission can be bound now: as advance information (readiness) and as a refusal at bind. Spec 4.4,
// Contract 3.1 "Quote-readiness", "Bind".
import { type DaFlag, ensureWithinAuthority } from '../authority/authority.ts';
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { ensureQuoteStands } from './quote.ts';
import { isOpen, nextSubmissionStatus, type SubmissionStatus } from './submission.ts';

export interface BindingReadiness {
  ready: boolean;
  missing: string[];
  blockers: string[];
}

/**
 * Lists what prevents a bind: missing fields by their wire names, and blockers, which are the codes of uncleared block
 * and refer flags, and `SUBMISSION_<STATUS>` for a submission that has ended. Contract 3.1.
 */
export function quoteReadiness(facts: {
  status: SubmissionStatus;
  missing: readonly string[];
  flags: readonly DaFlag[];
}): BindingReadiness {
  const { status, missing, flags } = facts;
  const standing = flags.filter((flag) => flag.severity !== 'info' && flag.clearedAt === null).map((flag) => flag.code);
  const blockers = [...(isOpen(status) ? [] : [`SUBMISSION_${status.toUpperCase()}`]), ...new Set(standing)];
  return { ready: missing.length === 0 && blockers.length === 0, missing: [...missing], blockers };
}

/**
 * Refuses a bind that is not allowed. `quote` is the newest quote with its current flags; the caller must recheck the
 * aggregate under a lock.
 * @throws DomainError quote_expired past the quote's last day (also when the submission expired with it);
 * invalid_state_transition for a submission that has ended; delegated_authority_exceeded with `{daFlags}` while
 * referred or with uncleared block or refer flags; not_ready with `{missing, blockers}` when it is not quoted. Contract
 * 3.1 "Bind".
 */
export function ensureBindable(facts: {
  status: SubmissionStatus;
  quote: { expiresOn: BusinessDate; daFlags: readonly DaFlag[] } | null;
  missing: readonly string[];
  today: BusinessDate;
}): void {
  const { status, quote, missing, today } = facts;
  if (status === 'expired' && quote !== null) ensureQuoteStands(quote.expiresOn, today);
  if (!isOpen(status)) nextSubmissionStatus(status, 'bind');
  if (status === 'referred') {
    throw new DomainError('delegated_authority_exceeded', 'The submission is awaiting a decision on its referral.', {
      daFlags: [...(quote?.daFlags ?? [])],
    });
  }
  if (status !== 'quoted' || quote === null) {
    throw new DomainError('not_ready', 'The submission has no quote to bind.', {
      missing: [...missing],
      blockers: ['NO_QUOTE'],
    });
  }
  ensureQuoteStands(quote.expiresOn, today);
  ensureWithinAuthority(quote.daFlags);
}
