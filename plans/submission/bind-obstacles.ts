// The obstacles to binding the latest quote now: its current flags, and a producer who cannot place new business. The
// bind reads the same under its locks, and rescreens the insured's name. Contract 3.1 "Quote-readiness".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Quote } from '../../db/entities/submission/quote.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { salesBlockers } from '../../domain/distribution/producer.ts';
import { isQuoteExpired } from '../../domain/submission/quote.ts';
import { isOpen } from '../../domain/submission/submission.ts';
import { stillCleared } from './approvals.ts';
import { authorityFor, flagsOf, riskOf } from './quotation.ts';
import { gapBefore, sellerOf } from './seller.ts';
import { isHeldForSanctions } from './uncleared-matches.ts';

export interface BindObstacles {
  flags: readonly DaFlag[];
  /** E.g. `PRODUCER_SUSPENDED`. */
  blockers: readonly string[];
}

/**
 * Reads a bind's obstacles; without an unexpired quote, or after the submission has ended, there are none beyond the
 * quote's flags.
 */
export async function bindObstacles(
  em: EntityManager,
  submission: Submission,
  quote: Quote | null,
  today: BusinessDate,
): Promise<BindObstacles> {
  const quoted = quote?.daFlags ?? [];
  const isPriced = quote !== null && quote.status !== 'superseded' && submission.missingFields.length === 0;
  if (!isPriced || !isOpen(submission.status) || isQuoteExpired(quote.expiresOn, today))
    return { flags: quoted, blockers: [] };
  const risk = riskOf(submission, await isHeldForSanctions(em, submission));
  const [{ contract, usedCents }, seller] = await Promise.all([authorityFor(em, risk), sellerOf(em, risk)]);
  const { appetite } = quote.inputs;
  const current = flagsOf(risk, {
    ...{ contract, usedCents, premiumCents: quote.grossPremiumCents, appetite, today },
    sellerGap: gapBefore(contract, seller),
  });
  const now = stillCleared(current, quote, contract);
  // If referred, it waits for a decision on the flags it was quoted with.
  const flags = submission.status === 'referred' ? [...quoted, ...now] : now;
  return { flags, blockers: seller === null ? [] : salesBlockers(seller.status) };
}
