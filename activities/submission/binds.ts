/**
 * Binds a quote in one transaction. It holds the lock on the authority's aggregate while it rechecks the flags and
 * writes the policy; `bind-rows.ts` lists the rows. Contract 3.1 "Bind".
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { BindOutcome, BindPayload } from '../../contracts/submission.ts';
import type { DaContract } from '../../db/entities/authority/da-contract.ts';
import type { Referral } from '../../db/entities/authority/referral.ts';
import { Quote } from '../../db/entities/submission/quote.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { changeRow, readRow } from '../../db/plain-table.ts';
import { contractsOfYear } from '../../db/queries/authority/authority.ts';
import { plainOpenReferral } from '../../db/queries/authority/referrals.ts';
import { commissionBasis } from '../../db/queries/billing/commission-basis.ts';
import { holdSeller } from '../../db/queries/distribution/producers.ts';
import { nextInvoiceNumbers, nextPolicyNumber } from '../../db/queries/platform/counters.ts';
import { ensureWithinAuthority } from '../../domain/authority/authority.ts';
import { byPrecedence } from '../../domain/authority/governing-contract.ts';
import type { CommissionTerms } from '../../domain/billing/commission.ts';
import { type BusinessDate, yearOf } from '../../domain/dates.ts';
import { ensureSells, type Seller } from '../../domain/distribution/producer.ts';
import { DomainError, validationError } from '../../domain/errors.ts';
import { INSTALLMENT_MONTHS } from '../../domain/lines.ts';
import { ensureBindable } from '../../domain/submission/bind.ts';
import { nextSubmissionStatus } from '../../domain/submission/submission.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { quotedFacts } from '../../plans/authority/resource-facts.ts';
import { newTermOutcome } from '../../plans/policy/policy-outcome.ts';
import { stillCleared } from '../../plans/submission/approvals.ts';
import { flagsOf, type Risk, riskOf } from '../../plans/submission/quotation.ts';
import { gapBefore } from '../../plans/submission/seller.ts';
import type { BindAuthority } from '../authority/authority-use.ts';
import { lockUsageOf, takeAuthority } from '../authority/authority-use.ts';
import { withdrawPlain } from '../authority/referral-withdrawals.ts';
import type { Deps } from '../context.ts';
import { startingTerm } from '../policy/starting-term.ts';
import { persistBind } from './bind-rows.ts';
import { screenInsured } from './screened-insured.ts';
import { type SubmissionStep, submissionCommand, submissionOutcome } from './submission-command.ts';

/**
 * Binds the named quote, or the latest.
 * @throws DomainError forbidden, validation_failed (unknown quote), invalid_state_transition, not_ready, quote_expired,
 * delegated_authority_exceeded
 */
export const bindPolicy = (deps: Deps) => startingTerm(deps, ({ policy }) => policy, bindRows(deps));

const bindRows = (deps: Deps) =>
  submissionCommand<BindPayload, BindOutcome>(deps, 'bindPolicy', async (step) => {
    const { em, command, submission, day } = step;
    const basis = await readBasis(deps, step);
    const quote = requireCurrent(submission, basis.quote, day.today);
    if (basis.seller !== null) ensureSells(basis.seller.status);
    const risk = riskOf(submission, basis.isListed);
    const authority = await flagsUnderLock(em, risk, { ...basis, quote, today: day.today });
    const judge = await judgeOf(em, command, 'submission:bind');
    const { grossPremiumCents: premiumCents, approvalId } = quote;
    judge(quotedFacts(submission, { premiumCents, approvalId, flags: authority.flags }));
    ensureWithinAuthority(authority.flags);

    const policyId = newId('policy');
    const bound = { status: nextSubmissionStatus(submission.status, 'bind'), policyId };
    const installments = INSTALLMENT_MONTHS[command.payload.installmentPlan].length;
    const { lineOfBusiness: line, state, effectiveDate } = risk;
    // Sent together and executed in this order. The counters come last: every bind in the series waits for them.
    const [, crossing, changed, accepted, invoiceNumbers, policyNumber] = await Promise.all([
      basis.referral && withdrawPlain(em, basis.referral, command),
      takeAuthority(em, authority, quote.grossPremiumCents),
      changeRow(em, Submission, submission, bound),
      changeRow(em, Quote, quote, { status: 'accepted' }),
      nextInvoiceNumbers(em, yearOf(day.today), installments),
      nextPolicyNumber(em, { line, state, year: yearOf(effectiveDate) }),
    ]);
    const policy = persistBind(em, {
      ...{ command, submission: changed, quote: accepted, risk, authority, crossing, day },
      ...{ policyId, policyNumber, invoiceNumbers, commission: basis.commission },
      ...{ at: new Date(deps.now()), environment: deps.environment },
    });
    return {
      ...submissionOutcome(changed, day),
      quoteId: quote.id,
      policyId: policy.id,
      policy: newTermOutcome(em, policy, day),
    };
  });

/** What a bind is based on, besides the locked submission. */
interface Basis {
  /** The named quote, or the latest; null if there is none. */
  quote: Readonly<Quote> | null;
  commission: CommissionTerms | null;
  /** Those for the year of the effective date. */
  contracts: Readonly<DaContract>[];
  /** Locked until the commit, so they cannot be suspended meanwhile. Null without a producer. */
  seller: Seller | null;
  /** One presented by a person and still undecided: a bind settles it. */
  referral: Readonly<Referral> | null;
  /** Whether the insured resembles a listed party, and nobody has cleared the name. */
  isListed: boolean;
}

/** Reads the basis in one round trip, and locks the seller. @throws DomainError validation_failed (unknown quote) */
async function readBasis(deps: Deps, { em, command, submission, day }: SubmissionStep<BindPayload>): Promise<Basis> {
  const { insuredName, producerId, lineOfBusiness, state, effectiveDate } = submission;
  const wanted = command.payload.quoteId ?? submission.quoteId;
  const isRisk = producerId !== null && state !== null && lineOfBusiness !== null && effectiveDate !== null;
  const [quote, commission, contracts, seller, referral, matches] = await Promise.all([
    wanted === null ? null : readRow(em, Quote, wanted),
    commissionBasis(em, { producerId, lineOfBusiness, on: day.today }),
    contractsOfYear(em, effectiveDate === null ? null : yearOf(effectiveDate)),
    isRisk ? holdSeller(em, { producerId, state, lineOfBusiness, date: effectiveDate }) : null,
    plainOpenReferral(em, submission.id),
    screenInsured(em, deps, insuredName),
  ]);
  if (wanted !== null && quote?.submissionId !== submission.id) {
    throw validationError('quoteId', 'unknown_reference', 'The submission has no such quote.');
  }
  return { quote, commission, contracts, seller, referral, isListed: matches.length > 0 };
}

/** Refuses what can be refused without reading the authority. Authority flags are judged later, under the lock. */
function requireCurrent(
  submission: Readonly<Submission>,
  quote: Readonly<Quote> | null,
  today: BusinessDate,
): Readonly<Quote> {
  const { status, missingFields } = submission;
  const daFlags = status === 'referred' ? (quote?.daFlags ?? []) : [];
  ensureBindable({ status, quote: quote && { expiresOn: quote.expiresOn, daFlags }, missing: missingFields, today });
  if (quote === null) throw new TypeError('A quoted submission has a quote');
  if (quote.id !== submission.quoteId) {
    throw new DomainError('quote_expired', 'A later quote has superseded this one. Bind the latest quote.', {
      quoteId: quote.id,
      latestQuoteId: submission.quoteId,
    });
  }
  return quote;
}

async function flagsUnderLock(
  em: EntityManager,
  risk: Risk,
  { contracts, quote, seller, today }: Basis & { quote: Readonly<Quote>; today: BusinessDate },
): Promise<BindAuthority> {
  const [governing = null] = byPrecedence(contracts, risk);
  const authority = await lockUsageOf(em, governing, risk.effectiveDate);
  const { contract, usage } = authority;
  const { appetite } = quote.inputs;
  const flags = flagsOf(risk, {
    contract,
    usedCents: usage?.usedCents ?? 0,
    premiumCents: quote.grossPremiumCents,
    appetite,
    sellerGap: gapBefore(contract, seller),
    today,
  });
  return { ...authority, flags: stillCleared(flags, quote, contract) };
}
