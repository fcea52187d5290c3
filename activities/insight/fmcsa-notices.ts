/**
 * The deadline to tell FMCSA that coverage of a motor carrier ends: a row from the day on which the end is decided,
 * moved with it, and withdrawn with it. Somebody records the notice under FMCSA's reference. A sandbox has none.
 * Contract 3.7 "Compliance filings", Decision 0333.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Filing } from '../../db/entities/insight/filing.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { addRow } from '../../db/new-rows.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { reopenedDeadline } from '../../domain/insight/deadlines.ts';
import { FMCSA_NOTICE, fmcsaNoticeDue, motorCoverageEndsOn } from '../../domain/insight/fmcsa-notice.ts';
import type { TermStep } from './nonrenewal-notices.ts';

/**
 * Brings the open deadline in line with the end of the term. An end that stands as it did asks for nothing more: its
 * notice has been given, or is due.
 * @param endedOn the day on which the term would have ended before the step; null if nobody had ended it
 */
export async function keepFmcsaNotice(
  em: EntityManager,
  term: Policy,
  { environment, today, transactionId }: TermStep,
  endedOn: BusinessDate | null,
): Promise<void> {
  const endsOn = motorCoverageEndsOn(term);
  if (environment === 'sandbox' || endsOn === endedOn) return;
  const { id: policyId, state, effectiveDate } = term;
  const filings = await em.find(Filing, { policyId, kind: FMCSA_NOTICE });
  const open = filings.find(({ status }) => status === 'open') ?? null;
  const dueDate = endsOn && fmcsaNoticeDue({ endsOn, effectiveDate }, today);
  if (dueDate === null) {
    if (open !== null) Object.assign(open, { status: 'withdrawn', nextStepOn: null });
    return;
  }
  if (open === null) addRow(em, Filing, { policyId, transactionId, kind: FMCSA_NOTICE, state, dueDate });
  // One that is overdue does not become timely by an end that comes sooner.
  else if (dueDate > today || open.dueDate > today) {
    Object.assign(open, { transactionId, ...reopenedDeadline(open, dueDate) });
  }
}
