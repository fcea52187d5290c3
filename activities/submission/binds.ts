/**
 * Binds a quote in one transaction. It holds the lock on the authority's aggregate while it rechecks the flags and
 * writes the policy; `bind-rows.ts` lists the rows. Contract 3.1 "Bind".
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { BindOutcome, BindPayload } from '../../contracts/submission.ts';
import type { Quote } from '../../db/entities/submission/quote.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { commissionBasis } from '../../db/queries/billing/commission-basis.ts';
import { nextInvoiceNumbers, nextPolicyNumber } from '../../db/queries/platform/counters.ts';
import { findQuote } from '../../db/queries/submission/submissions.ts';
import { ensureWithinAuthority, withEarlierClearance } from '../../domain/authority/authority.ts';
import { type BusinessDate, yearOf } from '../../domain/dates.ts';
import { DomainError, validationError } from '../../domain/errors.ts';
import { INSTALLMENT_MONTHS } from '../../domain/lines.ts';
import { ensureBindable } from '../../domain/submission/bind.ts';
import { nextSubmissionStatus } from '../../domain/submission/submission.ts';
import { submissionFacts } from '../../plans/authority/resource-facts.ts';
import { appointedFor, flagsOf, type QuoteInputs, type Risk, riskOf } from '../../plans/submission/quotation.ts';
import type { BindAuthority } from '../authority/authority-use.ts';
import { lockAuthority, takeAuthority } from '../authority/authority-use.ts';
import { judgeOf } from '../authority/own-authority.ts';
import type { Deps } from '../context.ts';
import { newTermOutcome } from '../policy/policy-outcome.ts';
import { startingTerm } from '../policy/starting-term.ts';
import { persistBind } from './bind-rows.ts';
import { submissionCommand, submissionOutcome } from './submission-command.ts';

/**
 * Binds the named quote, or the latest.
 * @throws DomainError forbidden, validation_failed (unknown quote), invalid_state_transition, not_ready, quote_expired,
 * delegated_authority_exceeded
 */
export const bindPolicy = (deps: Deps) => startingTerm(deps, ({ policy }) => policy, bindRows(deps));

const bindRows = (deps: Deps) =>
  submissionCommand<BindPayload, BindOutcome>(deps, 'bindPolicy', async (step) => {
    const { em, command, submission, day } = step;
    const { installmentPlan } = command.payload;
    const quote = requireCurrent(submission, await quoteToBind(em, submission, command.payload.quoteId), day.today);
    const risk = await screenedRisk(deps, submission);
    const commission = await commissionBasis(em, { ...risk, on: day.today });
    const authority = await flagsUnderLock(em, risk, quote, day.today);
    const judge = await judgeOf(em, command, 'submission:bind');
    judge({ ...submissionFacts(submission), premiumCents: quote.grossPremiumCents });
    ensureWithinAuthority(authority.flags);
    const crossing = takeAuthority(authority, quote.grossPremiumCents);

    const policyId = newId('policy');
    submission.status = nextSubmissionStatus(submission.status, 'bind');
    submission.policyId = policyId;
    quote.status = 'accepted';
    await em.flush();

    // The counters come last: every bind in the series waits for them.
    const numbers = {
      invoiceNumbers: await nextInvoiceNumbers(em, yearOf(day.today), INSTALLMENT_MONTHS[installmentPlan].length),
      policyNumber: await nextPolicyNumber(em, {
        line: risk.lineOfBusiness,
        state: risk.state,
        year: yearOf(risk.effectiveDate),
      }),
    };
    const at = new Date(deps.now());
    const { environment } = deps;
    const decided = { command, submission, quote, risk, commission, authority, crossing, day, at, environment };
    const policy = persistBind(em, { ...decided, policyId, ...numbers });
    return {
      ...submissionOutcome(submission, day),
      quoteId: quote.id,
      policyId: policy.id,
      policy: newTermOutcome(em, policy, day),
    };
  });

async function quoteToBind(em: EntityManager, submission: Submission, quoteId: string | null): Promise<Quote | null> {
  const wanted = quoteId ?? submission.quoteId;
  if (wanted === null) return null;
  const quote = await findQuote(em, wanted);
  if (quote === null || quote.submissionId !== submission.id) {
    throw validationError('quoteId', 'unknown_reference', 'The submission has no such quote.');
  }
  return quote;
}

/** Refuses what needs no look at the authority. Authority flags are judged later, under the lock. */
function requireCurrent(submission: Submission, quote: Quote | null, today: BusinessDate): Quote {
  const { status, missingFields } = submission;
  const daFlags = status === 'referred' ? (quote?.daFlags ?? []) : [];
  ensureBindable({ status, quote: quote && { expiresOn: quote.expiresOn, daFlags }, missing: missingFields, today });
  if (quote === null) throw new TypeError('A quoted submission has a quote');
  if (quote.id !== submission.quoteId) {
    throw new DomainError('quote_expired', 'A later quote supersedes this one.', {
      quoteId: quote.id,
      latestQuoteId: submission.quoteId,
    });
  }
  return quote;
}

/** The risk with a fresh sanctions screen: the list may have grown since the quote. */
async function screenedRisk(deps: Deps, submission: Submission): Promise<Risk> {
  const matches = submission.insuredName === null ? [] : await deps.screening.screen(submission.insuredName);
  return { ...riskOf(submission), sanctionsHit: matches.length > 0 };
}

async function flagsUnderLock(
  em: EntityManager,
  risk: Risk,
  quote: Quote,
  today: BusinessDate,
): Promise<BindAuthority> {
  const producerAppointed = await appointedFor(em, risk);
  const authority = await lockAuthority(em, risk);
  const { contract, usage } = authority;
  const { appetite } = quote.inputs as unknown as QuoteInputs;
  const flags = flagsOf(risk, {
    contract,
    usedCents: usage?.usedCents ?? 0,
    premiumCents: quote.grossPremiumCents,
    appetite,
    producerAppointed,
    today,
  });
  return { ...authority, flags: flags.map((flag) => withEarlierClearance(flag, quote.daFlags)) };
}
