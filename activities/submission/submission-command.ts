/** A command on a submission: locks the row, reads the business date, reports the outcome. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../contracts/machinery/command.ts';
import type { SubmissionOutcome } from '../../contracts/submission.ts';
import type { Quote } from '../../db/entities/submission/quote.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import type { AuditFact } from '../../db/queries/platform/audit.ts';
import { lockSubmission, supersedeQuotes } from '../../db/queries/submission/submissions.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { auditOf, type Origin } from '../audit.ts';
import { commandActivity, type Deps } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';

/** An untouched open submission expires after this many days. Not in the specification. */
const UNTOUCHED_DAYS = 90;

export interface SubmissionStep<P> {
  em: EntityManager;
  command: Command<P>;
  /** Locked until the transaction ends. */
  submission: Submission;
  day: BusinessDay;
}

/** Builds the activity for a command on an existing submission. @throws DomainError not_found */
export function submissionCommand<P, R extends object>(
  deps: Deps,
  kind: string,
  work: (step: SubmissionStep<P>) => Promise<R>,
) {
  return commandActivity<P, Pick<SubmissionStep<P>, 'submission' | 'day'>, R>(deps, kind, {
    lock: async (em, id, { orgId }) => {
      // Sent together and executed in this order: while the lock waits, the clock may move.
      const [submission, day] = await Promise.all([lockSubmission(em, id), businessDay(em, orgId, deps.now())]);
      return submission && { submission, day };
    },
    work: async (em, command, locked) => {
      if (!locked) throw new DomainError('not_found', 'There is no such submission.');
      ensureExpected(command, locked.submission);
      return work({ em, command, ...locked });
    },
  });
}

/** The business date on which a submission touched today expires. */
export const expiryAfter = (today: BusinessDate): BusinessDate => addDays(today, UNTOUCHED_DAYS);

/**
 * A submission's state, as reported to its workflow and the caller; read after the flush, once the version is known.
 */
export function submissionOutcome(submission: Readonly<Submission>, day: BusinessDay): SubmissionOutcome {
  return {
    submissionId: submission.id,
    status: submission.status,
    version: submission.version,
    expiresOn: submission.expiresOn ?? expiryAfter(day.today),
    clockOffsetDays: day.clockOffsetDays,
  };
}

/**
 * Supersedes the submission's open offer, whose newest quote is `latest`.
 * @returns the audit row to write; null when no offer was open
 */
export async function supersedeOffer(
  em: EntityManager,
  origin: Origin,
  latest: Quote | null,
): Promise<AuditFact | null> {
  if (latest === null || (await supersedeQuotes(em, origin.entityId)) === 0) return null;
  const changes = auditedChanges({ status: latest.status }, { status: 'superseded' });
  return auditOf({ ...origin, entityId: latest.id }, 'quote:supersede', 'quote', changes);
}
