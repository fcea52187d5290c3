/**
 * A term's deadline for notice of non-renewal: one row per term, kept in step with it. A sandbox has none. Contract
 * 3.7 "Compliance filings", Decision 0333.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Filing } from '../../db/entities/insight/filing.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { addRow } from '../../db/new-rows.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { reopenedDeadline } from '../../domain/insight/deadlines.ts';
import {
  NONRENEWAL_NOTICE,
  nonRenewalNoticeDue,
  nonRenewalNoticeStanding,
} from '../../domain/insight/nonrenewal-notice.ts';
import type { Deps } from '../context.ts';

/** A step on a term: its day, and who takes it. */
export interface TermStep extends Pick<Deps, 'environment'> {
  today: BusinessDate;
  actorId: string;
  /** The transaction of the step, if it issues one. */
  transactionId: string | null;
  /** It withdraws a notice of non-renewal. */
  takesBackNotice?: boolean;
}

const NOT_FILED = { filedOn: null, filedBy: null, reference: null } as const;

/** Adds a new term's deadline, unless its day has passed. */
export function addNonRenewalNotice(em: EntityManager, term: Policy, step: TermStep): void {
  const dueDate = nonRenewalNoticeDue(term);
  if (step.environment === 'sandbox' || dueDate < step.today) return;
  const { id: policyId, state } = term;
  addRow(em, Filing, { policyId, transactionId: step.transactionId, kind: NONRENEWAL_NOTICE, state, dueDate });
}

/** Brings the deadline in line with the term, whose policy is locked. A term that has none yet gets one now. */
export async function keepNonRenewalNotice(em: EntityManager, term: Policy, step: TermStep): Promise<void> {
  if (step.environment === 'sandbox') return;
  const filing = await em.findOne(Filing, { policyId: term.id, kind: NONRENEWAL_NOTICE });
  const standing = nonRenewalNoticeStanding(term);
  if (filing === null) {
    if (standing === 'open') addNonRenewalNotice(em, term, step);
    return;
  }
  // One recorded as sent stays so, whatever happens later, until the notice is withdrawn.
  if (filing.status === 'filed' && step.takesBackNotice !== true) return;
  if (standing === 'filed') {
    const { today: filedOn, actorId: filedBy, transactionId: reference } = step;
    Object.assign(filing, { status: 'filed', filedOn, filedBy, reference, nextStepOn: null });
    return;
  }
  const dueDate = nonRenewalNoticeDue(term);
  if (standing === 'open' && filing.status === 'open' && filing.dueDate === dueDate) return;
  const isOpen = standing === 'open' && dueDate >= step.today;
  if (isOpen) Object.assign(filing, { ...NOT_FILED, status: 'open', ...reopenedDeadline(filing, dueDate) });
  else Object.assign(filing, { ...NOT_FILED, status: 'withdrawn', nextStepOn: null });
}
