/** The referral of a submission: opened by a person, decided, answered. Contract 3.7, Domain facts 2.1. */

import type { EntityManager } from '@mikro-orm/postgresql';
import type {
  AnswerReferralPayload,
  DecideReferralPayload,
  OpenReferralPayload,
  ReferredSubmission,
} from '../../contracts/referral.ts';
import type { Quote } from '../../db/entities/submission/quote.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { findReferral } from '../../db/queries/authority/referrals.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { latestQuote } from '../../db/queries/submission/submissions.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import { clearedFlags } from '../../domain/authority/referral.ts';
import { type JudgedRisk, withConditions } from '../../domain/authority/standing-approval.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { ensureQuoteStands } from '../../domain/submission/quote.ts';
import { isOpen, nextSubmissionStatus, type SubmissionAction } from '../../domain/submission/submission.ts';
import { refusedMove } from '../../domain/transition.ts';
import { prepareQuotation } from '../../plans/submission/quotation.ts';
import { auditOf } from '../audit.ts';
import { answerQuestion, type Decided, decideOn, presentReferral } from '../authority/referral-steps.ts';
import type { Deps } from '../context.ts';
import { type SubmissionStep, submissionCommand, submissionOutcome, supersedeOffer } from './submission-command.ts';

const REJECTED = 'The referral was rejected.';

/**
 * Refers an open submission to somebody with more authority. Its state stays: flags alone decide what can be bound.
 * @throws DomainError forbidden, already_exists, invalid_state_transition
 */
export const openSubmissionReferral = (deps: Deps) =>
  submissionCommand<OpenReferralPayload, ReferredSubmission>(deps, 'openSubmissionReferral', async (step) => {
    const { em, command, submission, day } = step;
    if (!isOpen(submission.status)) throw refusedMove('submission', submission.status, 'refer', []);
    const quote = submission.quoteId === null ? null : await latestQuote(em, submission.id);
    const { requestedLimitCents: limitCents, lineOfBusiness } = submission;
    const judged = await pricedRisk(em, submission, day.today);
    const figures = judged ?? { limitCents, premiumCents: quote?.grossPremiumCents ?? null, lineOfBusiness };
    const undecided = quote === null ? null : await leftUndecided(em, quote, command.payload.referralId);
    const quoteId = quote?.grossPremiumCents === judged?.premiumCents ? (quote?.id ?? null) : null;
    const about = { limitCents: figures.limitCents, premiumCents: figures.premiumCents, lineOfBusiness };
    const referred = { today: day.today, figures: about, judged, quoteId, ...undecided?.referred };
    const referralId = await presentReferral(em, command, { submissionId: submission.id }, referred);
    if (quote && undecided && referralId === command.payload.referralId) quote.daFlags = undecided.daFlags;
    return { ...submissionOutcome(submission, day), referralId };
  });

/**
 * Decides on a submission's referral. An approval clears the flags of its quote, which can then be bound; a rejection
 * declines the submission.
 * @throws DomainError forbidden, precondition_failed, invalid_state_transition, quote_expired
 */
export const decideSubmissionReferral = (deps: Deps) =>
  submissionCommand<DecideReferralPayload, ReferredSubmission>(deps, 'decideSubmissionReferral', async (step) => {
    const { em, command, submission, day } = step;
    const { decision, referralId } = command.payload;
    const on = { today: day.today, at: new Date(deps.now()) };
    const decided = await decideOn(em, command, { submissionId: submission.id }, on);
    const { status } = submission;
    if (decision === 'approve') await approve(step, decided);
    if (decision === 'reject') await reject(step, decided);
    await em.flush();
    if (submission.status !== status) {
      const changes = auditedChanges({ status }, { status: submission.status });
      writeAudit(em, auditOf(command, `submission:${decision}`, 'submission', changes));
    }
    return { ...submissionOutcome(submission, day), referralId };
  });

/** Answers the question on a submission's referral. */
export const answerSubmissionReferral = (deps: Deps) =>
  submissionCommand<AnswerReferralPayload, ReferredSubmission>(deps, 'answerSubmissionReferral', async (step) => {
    const { em, command, submission, day } = step;
    await answerQuestion(em, command, { submissionId: submission.id }, new Date(deps.now()));
    return { ...submissionOutcome(submission, day), referralId: command.payload.referralId };
  });

/** The risk that somebody without the authority to quote it has decided on; null if nobody could quote it now. */
async function pricedRisk(em: EntityManager, submission: Submission, today: BusinessDate): Promise<JudgedRisk | null> {
  try {
    return (await prepareQuotation(em, submission, today)).judged;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * What a quote needs decided once its referral has expired: the new one is about the same flags, and remains the
 * request of those whose it was. Null where no refer flag stands.
 */
async function leftUndecided(em: EntityManager, quote: Quote, referralId: string) {
  const stands = ({ severity, clearedAt }: DaFlag) => severity === 'refer' && clearedAt === null;
  const isShown = ({ severity, clearedAt }: DaFlag) => severity !== 'info' && clearedAt === null;
  const earlierId = quote.daFlags.find(stands)?.referralId;
  const earlier = earlierId ? await findReferral(em, earlierId) : null;
  if (earlier?.status !== 'expired') return null;
  const { requesters } = earlier;
  const daFlags = quote.daFlags.map((flag) => (stands(flag) ? { ...flag, referralId } : flag));
  return { daFlags, referred: { quoteId: quote.id, flags: daFlags.filter(isShown), requesters } };
}

type Step = SubmissionStep<DecideReferralPayload>;

async function approve({ em, command, submission, day }: Step, { referral, clearance }: Decided): Promise<void> {
  if (submission.status === 'referred') submission.status = nextSubmissionStatus('referred', 'approve');
  const quote = submission.quoteId === null ? null : await latestQuote(em, submission.id);
  if (quote === null) return;
  // Nobody could bind what it clears. Quoted again, the same referral concerns the new quote.
  ensureQuoteStands(quote.expiresOn, day.today);
  const before = { status: quote.status };
  quote.daFlags = clearedFlags(quote.daFlags, clearance);
  quote.conditions = withConditions(quote.conditions, referral.conditions);
  if (referral.quoteId === quote.id) quote.approvalId = referral.id;
  if (quote.status === 'referred') quote.status = 'quoted';
  const changes = auditedChanges(before, { status: quote.status, clearedBy: clearance.clearedBy });
  writeAudit(em, auditOf({ ...command, entityId: quote.id }, 'quote:clear', 'quote', changes));
}

async function reject({ em, command, submission }: Step, { referral }: Decided): Promise<void> {
  const action: SubmissionAction = submission.status === 'referred' ? 'reject' : 'decline';
  submission.status = nextSubmissionStatus(submission.status, action);
  submission.declineReason = referral.notes ?? REJECTED;
  const latest = submission.quoteId === null ? null : await latestQuote(em, submission.id);
  const superseded = await supersedeOffer(em, command, latest);
  if (superseded) writeAudit(em, superseded);
}
