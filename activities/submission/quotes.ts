/** Issues a quote: a new version with its price and flags. A refer flag opens a referral. Contract 3.1. */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { QuoteOutcome } from '../../contracts/submission.ts';
import { Referral } from '../../db/entities/authority/referral.ts';
import { Quote } from '../../db/entities/submission/quote.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { openReferralOf } from '../../db/queries/authority/referrals.ts';
import { type AuditFact, writeAudit } from '../../db/queries/platform/audit.ts';
import { latestQuote } from '../../db/queries/submission/submissions.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { type DaFlag, hasUncleared, isShown, needsDecision } from '../../domain/authority/authority.ts';
import { concernsSame, newReferralCalendar } from '../../domain/authority/referral-calendar.ts';
import type { JudgedRisk } from '../../domain/authority/standing-approval.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { nextSubmissionStatus } from '../../domain/submission/submission.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { quotedFacts, unpricedFacts } from '../../plans/authority/resource-facts.ts';
import { prepareQuotation, type Quotation } from '../../plans/submission/quotation.ts';
import { auditOf, type Origin } from '../audit.ts';
import { withdraw } from '../authority/referral-withdrawals.ts';
import { addRequester } from '../authority/requesters.ts';
import type { Deps } from '../context.ts';
import { expiryAfter, submissionCommand, submissionOutcome, supersedeOffer } from './submission-command.ts';

/**
 * Prices an open, complete submission. Supersedes earlier versions; an open referral moves to the new version.
 * @throws DomainError forbidden, not_ready, invalid_state_transition
 */
export const quoteSubmission = (deps: Deps) =>
  submissionCommand<Record<string, never>, QuoteOutcome>(deps, 'quoteSubmission', async (step) => {
    const { em, command, submission, day } = step;
    const judge = await judgeOf(em, command, 'submission:quote');
    judge(unpricedFacts(submission));
    const quotation = await prepareQuotation(em, submission, day.today);
    const { judged, conditions, approvalId } = quotation;
    judge(quotedFacts(submission, { ...quotation, premiumCents: quotation.price.premiumCents }));
    const isReferred = hasUncleared(quotation.flags, 'refer');
    const quoteId = newId('quote');
    const latest = await latestQuote(em, submission.id);
    const referred = await refer(em, command, { quoteId, flags: quotation.flags, judged, today: day.today });
    const superseded = await supersedeOffer(em, command, latest);
    const quoteVersion = (latest?.quoteVersion ?? 0) + 1;
    const before = { status: submission.status, quoteId: submission.quoteId };
    submission.status = nextSubmissionStatus(submission.status, isReferred ? 'refer' : 'quote');
    submission.quoteId = quoteId;
    submission.expiresOn = expiryAfter(day.today);
    await em.flush();

    const { flags } = referred;
    addQuote(em, submission, quotation, { quoteId, quoteVersion, flags, isReferred, conditions, approvalId });
    const { premiumCents } = quotation.price;
    const changes = auditedChanges(before, { status: submission.status, quoteId });
    writeAudit(em, auditOf(command, 'submission:quote', 'submission', { ...changes, quoteVersion, premiumCents }));
    for (const fact of [superseded, referred.auditFact]) if (fact) writeAudit(em, fact);
    return { ...submissionOutcome(submission, day), quoteId };
  });

interface QuoteFacts {
  quoteId: string;
  quoteVersion: number;
  flags: DaFlag[];
  isReferred: boolean;
  conditions: string[];
  approvalId: string | null;
}

function addQuote(em: EntityManager, submission: Submission, quotation: Quotation, facts: QuoteFacts): void {
  const { price, inputs, issuedOn, contract, rateTableId } = quotation;
  addRow(em, Quote, {
    id: facts.quoteId,
    submissionId: submission.id,
    quoteVersion: facts.quoteVersion,
    status: facts.isReferred ? 'referred' : 'quoted',
    grossPremiumCents: price.premiumCents,
    fees: price.fees,
    taxes: price.taxes,
    totalDueCents: price.totalDueCents,
    daFlags: facts.flags,
    conditions: facts.conditions,
    approvalId: facts.approvalId,
    worksheet: price.worksheet,
    installmentOptions: price.installmentOptions,
    issuedOn,
    expiresOn: price.expiresOn,
    daContractId: contract?.id ?? null,
    rateTableId,
    inputs,
  });
}

/** What a quote's referral is about. */
interface Referring {
  quoteId: string;
  flags: DaFlag[];
  judged: JudgedRisk;
  today: BusinessDate;
}

/** The quote's flags (refer flags carry the referral's id), and the audit row to write. */
interface Referred {
  flags: DaFlag[];
  auditFact: AuditFact | null;
}

/**
 * Opens a referral for refer flags that no approval has cleared, or moves the open one to the new quote. If there are
 * none, withdraws a referral opened by an earlier quote; one presented by a person stays and concerns the new quote.
 */
async function refer(
  em: EntityManager,
  origin: Origin,
  { quoteId, flags, judged, today }: Referring,
): Promise<Referred> {
  const open = await openReferralOf(em, { submissionId: origin.entityId });
  const referring = flags.filter(needsDecision);
  if (referring.length === 0) {
    if (open?.isPresented) {
      return { flags, auditFact: await moveOn(em, open, origin, { quoteId, flags: [], judged, today }) };
    }
    return { flags, auditFact: open && withdraw(open, origin) };
  }
  const referral = open ?? addRow(em, Referral, newReferral(origin, referring, today));
  const marked = flags.map((flag) => (needsDecision(flag) ? { ...flag, referralId: referral.id } : flag));
  // The decider sees the block flags beside the flags to decide on.
  const moved = { quoteId, flags: marked.filter(isShown), judged, today };
  return { flags: marked, auditFact: await moveOn(em, referral, origin, moved, open === null) };
}

/**
 * Points a referral at a new quote, which is its quoter's request too: with new figures its waiting period restarts.
 */
async function moveOn(
  em: EntityManager,
  referral: Referral,
  origin: Origin,
  { quoteId, flags, judged, today }: Referring,
  isNew = false,
): Promise<AuditFact> {
  const before = isNew ? null : recorded(referral);
  const { limitCents, premiumCents, lineOfBusiness } = judged;
  const figures = { limitCents, premiumCents, lineOfBusiness };
  const days = isNew || concernsSame(referral, figures) ? {} : newReferralCalendar(today);
  Object.assign(referral, { quoteId, flags, judged, ...figures, ...days });
  await addRequester(em, referral, origin.actor);
  const changes = auditedChanges(before, recorded(referral));
  const action = isNew ? 'referral:create' : 'referral:update';
  return auditOf({ ...origin, entityId: referral.id }, action, 'referral', changes);
}

function newReferral({ entityId, actor }: Origin, flags: DaFlag[], today: BusinessDate) {
  const reason = flags.map((flag) => flag.message).join(' ');
  const opened = { status: 'pending' as const, ...newReferralCalendar(today) };
  return { id: newId('referral'), submissionId: entityId, requestedBy: actor.id, reason, ...opened };
}

function recorded({ submissionId, quoteId, status, flags }: Referral): object {
  return { submissionId, quoteId, status, flags: flags.map(({ code }) => code) };
}
