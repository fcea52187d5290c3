/** Issues a quote: a new version with its price and flags; a refer flag opens a referral. Contract 3.1. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Quote } from '../db/entities/quote.ts';
import { Referral } from '../db/entities/referral.ts';
import type { Submission } from '../db/entities/submission.ts';
import { newId } from '../db/ids.ts';
import { writeAudit } from '../db/queries/audit.ts';
import { openReferralOf } from '../db/queries/referrals.ts';
import { latestQuote, supersedeQuotes } from '../db/queries/submissions.ts';
import { prepareQuotation, type Quotation } from '../db/quotation.ts';
import { auditedChanges } from '../domain/audit.ts';
import { type DaFlag, hasUncleared } from '../domain/authority.ts';
import { nextSubmissionStatus } from '../domain/submission.ts';
import { auditOf } from './audit.ts';
import type { Deps } from './context.ts';
import type { QuoteOutcome } from './messages.ts';
import { expiryAfter, submissionCommand, submissionOutcome } from './submission-command.ts';

/** Prices an open, complete submission. Earlier versions are superseded; a referral that is still open moves on to the new version. */
export const quoteSubmission = (deps: Deps) =>
  submissionCommand<Record<string, never>, QuoteOutcome>(deps, 'quoteSubmission', async (step) => {
    const { em, asked, submission, day } = step;
    const quotation = await prepareQuotation(em, submission, day.today);
    const isReferred = hasUncleared(quotation.flags, 'refer');
    const quoteId = newId('quote');
    const flags = await referFlags(em, submission, { quoteId, flags: quotation.flags, requestedBy: asked.actor.id });
    const quoteVersion = ((await latestQuote(em, submission.id))?.quoteVersion ?? 0) + 1;
    if (quoteVersion > 1) await supersedeQuotes(em, submission.id);
    const before = { status: submission.status, quoteId: submission.quoteId };
    submission.status = nextSubmissionStatus(submission.status, isReferred ? 'refer' : 'quote');
    submission.quoteId = quoteId;
    submission.expiresOn = expiryAfter(day.today);
    await em.flush();

    em.persist(quoteRow(em, submission, quotation, { quoteId, quoteVersion, flags, isReferred }));
    const { premiumCents } = quotation.price;
    const changes = auditedChanges(before, { status: submission.status, quoteId });
    writeAudit(em, auditOf(asked, 'submission:quote', 'submission', { ...changes, quoteVersion, premiumCents }));
    return { ...submissionOutcome(submission, day), quoteId };
  });

interface QuoteFacts {
  quoteId: string;
  quoteVersion: number;
  flags: DaFlag[];
  isReferred: boolean;
}

function quoteRow(em: EntityManager, submission: Submission, quotation: Quotation, facts: QuoteFacts): Quote {
  const { price, inputs, issuedOn, contractId, rateTableId } = quotation;
  return em.create(Quote, {
    id: facts.quoteId,
    submissionId: submission.id,
    quoteVersion: facts.quoteVersion,
    status: facts.isReferred ? 'referred' : 'quoted',
    grossPremiumCents: price.premiumCents,
    fees: price.fees,
    taxes: price.taxes,
    totalDueCents: price.totalDueCents,
    daFlags: facts.flags,
    worksheet: price.worksheet,
    installmentOptions: price.installmentOptions,
    issuedOn,
    expiresOn: price.expiresOn,
    daContractId: contractId,
    rateTableId,
    inputs: { ...inputs },
  });
}

interface ReferralFacts {
  quoteId: string;
  flags: DaFlag[];
  requestedBy: string;
}

/**
 * Opens the referral that refer flags ask for, or moves the open one to the new quote, and gives the flags with its id. Without refer
 * flags a referral that an earlier quote opened is taken back; one that a person opened stays.
 */
async function referFlags(em: EntityManager, submission: Submission, facts: ReferralFacts): Promise<DaFlag[]> {
  const { quoteId, flags, requestedBy } = facts;
  const open = await openReferralOf(em, { submissionId: submission.id });
  const referred = flags.filter((flag) => flag.severity === 'refer');
  if (referred.length === 0) {
    if (open?.quoteId) open.status = 'withdrawn';
    return flags;
  }
  const referral = open ?? em.create(Referral, newReferral(submission.id, requestedBy, referred), { persist: true });
  const marked = flags.map((flag) => (flag.severity === 'refer' ? { ...flag, referralId: referral.id } : flag));
  referral.quoteId = quoteId;
  referral.flags = marked.filter((flag) => flag.severity === 'refer');
  return marked;
}

function newReferral(submissionId: string, requestedBy: string, flags: DaFlag[]) {
  const reason = flags.map((flag) => flag.message).join(' ');
  return { id: newId('referral'), submissionId, requestedBy, reason, status: 'pending' as const };
}
