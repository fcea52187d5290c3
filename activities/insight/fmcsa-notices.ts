/**
 * The deadline to notify FMCSA that a motor carrier's coverage ends: a row from the day the end is decided, moved or
 * withdrawn with it. A person records the notice under FMCSA's reference. A sandbox has none. Contract 3.7 "Compliance
 * filings", Decision 0333.
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
 * Brings the open deadline in line with the term's end. An unchanged end needs nothing more: its notice has been
 * given, or is due.
 * @param endedOn the day the term was to end before the step; null if no end was set
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
  // An overdue one does not become timely because the end moves up.
  else if (dueDate > today || open.dueDate > today) {
    Object.assign(open, { transactionId, ...reopenedDeadline(open, dueDate) });
  }
}
