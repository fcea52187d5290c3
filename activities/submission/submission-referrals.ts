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
import { isShown, needsDecision } from '../../domain/authority/authority.ts';
import { clearedFlags } from '../../domain/authority/referral.ts';
import { withConditions } from '../../domain/authority/standing-approval.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { ensureQuoteStands, isQuoteExpired } from '../../domain/submission/quote.ts';
import { isOpen, nextSubmissionStatus, type SubmissionAction } from '../../domain/submission/submission.ts';
import { refusedMove } from '../../domain/transition.ts';
import { prepareQuotation } from '../../plans/submission/quotation.ts';
import { auditOf } from '../audit.ts';
import { answerQuestion, type Decided, decideOn, presentReferral, type Referred } from '../authority/referral-steps.ts';
import type { Deps } from '../context.ts';
import { type SubmissionStep, submissionCommand, submissionOutcome, supersedeOffer } from './submission-command.ts';

const REJECTED = 'The referral was rejected.';

/**
 * Refers an open submission to someone with more authority. Its state stays: flags alone decide what can be bound.
 * @throws DomainError forbidden, already_exists, invalid_state_transition
 */
export const openSubmissionReferral = (deps: Deps) =>
  submissionCommand<OpenReferralPayload, ReferredSubmission>(deps, 'openSubmissionReferral', async (step) => {
    const { em, command, submission, day } = step;
    if (!isOpen(submission.status)) throw refusedMove('submission', submission.status, 'refer', []);
    const { referralId: newId } = command.payload;
    const { offer, daFlags, referred } = await whatIsReferred(em, submission, newId, day.today);
    const referralId = await presentReferral(em, command, { submissionId: submission.id }, referred);
    if (offer && referralId === newId) offer.daFlags = daFlags;
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

/**
 * What a person refers: the quote that can be bound, or else the risk at today's price, with the flags that need a
 * decision. The approver needs authority for everything that the approval will clear.
 */
async function whatIsReferred(em: EntityManager, submission: Submission, referralId: string, today: BusinessDate) {
  const latest = submission.quoteId === null ? null : await latestQuote(em, submission.id);
  const offer = latest !== null && isOffered(latest, today) ? latest : null;
  const priced = await priceOf(em, submission, today);
  const { requestedLimitCents: limitCents, lineOfBusiness } = submission;
  const premiumCents = offer?.grossPremiumCents ?? priced?.price.premiumCents ?? null;
  const underContract = offer === null ? {} : { contractId: offer.daContractId };
  const daFlags = (offer?.daFlags ?? priced?.flags ?? []).map((flag) =>
    needsDecision(flag) ? { ...flag, referralId } : flag,
  );
  const referred: Referred = {
    ...{ today, figures: { limitCents, premiumCents, lineOfBusiness }, quoteId: offer?.id ?? null },
    judged: priced && { ...priced.judged, ...underContract, premiumCents },
    flags: daFlags.filter(isShown),
    requesters: latest === null ? [] : await requestersBefore(em, latest),
  };
  return { offer, daFlags, referred };
}

function isOffered({ status, expiresOn }: Quote, today: BusinessDate): boolean {
  return (status === 'quoted' || status === 'referred') && !isQuoteExpired(expiresOn, today);
}

/** The price referred by someone without the authority to quote it; null if no one could quote it now. */
async function priceOf(em: EntityManager, submission: Submission, today: BusinessDate) {
  try {
    return await prepareQuotation(em, submission, today);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The requesters a quote keeps once its referral has expired: the new one is about the same flags. */
async function requestersBefore(em: EntityManager, { daFlags }: Quote): Promise<string[]> {
  const earlierId = daFlags.find(needsDecision)?.referralId;
  const earlier = earlierId ? await findReferral(em, earlierId) : null;
  return earlier?.status === 'expired' ? earlier.requesters : [];
}

type Step = SubmissionStep<DecideReferralPayload>;

async function approve({ em, command, submission, day }: Step, { referral, clearance }: Decided): Promise<void> {
  const quote = referral.quoteId === null ? null : await latestQuote(em, submission.id);
  // An approval of a risk without a quote to bind carries over to the next quote.
  if (quote === null || quote.id !== referral.quoteId) return;
  // An expired quote cannot be bound. Once requoted, the same referral concerns the new quote.
  ensureQuoteStands(quote.expiresOn, day.today);
  if (submission.status === 'referred') submission.status = nextSubmissionStatus('referred', 'approve');
  const before = { status: quote.status };
  quote.daFlags = clearedFlags(quote.daFlags, clearance);
  quote.conditions = withConditions(quote.conditions, referral.conditions);
  quote.approvalId = referral.id;
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
