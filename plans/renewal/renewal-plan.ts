// A policy's next term as it would be issued today: dates, terms, price by the current tables, flags and commission.
// Shared by the step that writes it and the preview that does not; nothing here writes. Contract 3.2 "renew".

import type { EntityManager } from '@mikro-orm/postgresql';
import type { DaContract } from '../../db/entities/authority/da-contract.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { commissionBasis } from '../../db/queries/billing/commission-basis.ts';
import { type DaFlag, ensureWithinAuthority } from '../../domain/authority/authority.ts';
import { type AgreedFigures, figuresInDollars } from '../../domain/authority/referral.ts';
import type { CommissionTerms } from '../../domain/billing/commission.ts';
import { type Installment, installmentSchedule } from '../../domain/billing/installments.ts';
import { type BusinessDate, maxDate, yearOf } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import type { InstallmentPlan } from '../../domain/lines.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import type { CoverageTerm } from '../../domain/policy/stack.ts';
import type { PolicyMoney, PolicyTerms, PricedTerms, TermChanges } from '../../domain/policy/transaction.ts';
import { ensureRenewable, nextTerm } from '../../domain/renewal/renewal.ts';
import type { QuoteInputs } from '../../domain/submission/quote.ts';
import type { Triage } from '../../domain/submission/triage.ts';
import { withClearance } from '../authority/cleared-flags.ts';
import { changedTerms, termsOf } from '../policy/policy-terms.ts';
import { ensureRowAllows } from '../policy/row-moves.ts';
import { type Quotation, quoteRisk, type Risk } from '../submission/quotation.ts';
import { lossesBefore, triageOfNextTerm } from './renewal-triage.ts';
import { firstDayOfCoverage, openRenewalOf } from './term-chain.ts';

/** A requested renewal; a null date is the expiration date. */
export interface RenewalRequest {
  effectiveDate: BusinessDate | null;
  changes: TermChanges;
}

/** An unwritten renewal, with its transaction's figures; money in cents. */
export interface RenewalPlan {
  type: 'renewal';
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  reason: null;
  changes: TermChanges;
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  totalChangeCents: Cents;
  grossPremiumAfterCents: Cents;
  /** The old and the new terms, with their prices. */
  before: PricedTerms;
  after: PricedTerms;
  /** According to the policy's installment plan. */
  installments: Installment[];
  daFlags: DaFlag[];
  /** The next term's triage score, from known losses. Used for routing only; it decides nothing. */
  triage: Triage;
  contractId: string | null;
  /** Year whose authority the next term uses. */
  daYear: number;
  rateTableId: string;
  inputs: QuoteInputs;
  commission: CommissionTerms | null;
}

/** The basis for pricing and judging a next term. */
export interface RenewalFacts {
  term: CoverageTerm;
  today: BusinessDate;
  /** Whether a fresh screen found the insured's name on the sanctions list. Default false. */
  sanctionsHit?: boolean;
  /** The authority that governs the next term, if already read and locked. */
  authority?: LockedAuthority;
}

interface LockedAuthority {
  contract: Readonly<DaContract> | null;
  usage: { usedCents: Cents } | null;
}

/**
 * Plans a policy's next term as of today; writes nothing.
 * @throws DomainError as `renewalTerm` does, and delegated_authority_exceeded with `{daFlags}`
 */
export async function planRenewal(
  em: EntityManager,
  policy: Readonly<Policy>,
  request: RenewalRequest,
  today: BusinessDate,
): Promise<RenewalPlan> {
  const term = await renewalTerm(em, policy, request, today);
  const plan = await priceRenewal(em, policy, request, { term, today });
  ensureWithinAuthority(plan.daFlags, { requested: figuresInDollars(figuresReferred(plan)) });
  return plan;
}

/** A renewal's figures, as stored in a referral. */
export function figuresReferred({ after, grossPremiumAfterCents, premiumChangeCents }: RenewalPlan): AgreedFigures {
  return { limitCents: after.limitCents, premiumCents: grossPremiumAfterCents, premiumChangeCents };
}

/**
 * Checks that a policy can be renewed today, and returns the dates of the next term.
 * @throws DomainError invalid_state_transition, already_exists with `{renewalPolicyId}`, not_ready with `{earliestDate,
 * latestDate}` or, after notice of non-renewal, `{missing, blockers}`, outside_policy_term with `{earliestDate,
 * latestDate}`
 */
export async function renewalTerm(
  em: EntityManager,
  policy: Readonly<Policy>,
  request: Pick<RenewalRequest, 'effectiveDate'>,
  today: BusinessDate,
): Promise<CoverageTerm> {
  await ensureRowAllows(em, policy, 'renew', today);
  const renewalPolicyId = await openRenewalOf(em, policy.id);
  if (renewalPolicyId !== null) {
    throw new DomainError('already_exists', 'The policy already has a renewal term.', { renewalPolicyId });
  }
  if (policy.nonRenewal !== null) {
    throw new DomainError('not_ready', 'Notice of non-renewal has been given for the policy.', {
      missing: [],
      blockers: ['NON_RENEWED'],
    });
  }
  ensureRenewable(policy.expirationDate, today);
  const anchorDate = await firstDayOfCoverage(em, policy.id);
  return nextTerm(policy, { anchorDate, effectiveDate: request.effectiveDate ?? undefined });
}

/** Prices a next term with known dates, and lists its flags with the authority used so far; refuses none of them. */
export async function priceRenewal(
  em: EntityManager,
  policy: Readonly<Policy>,
  { changes }: Pick<RenewalRequest, 'changes'>,
  facts: RenewalFacts,
): Promise<RenewalPlan> {
  const { term, today } = facts;
  const terms = changedTerms(policy, changes);
  const risk = {
    ...nextRisk(policy, terms, facts),
    lossesLast5Years: await lossesBefore(em, policy, term.effectiveDate),
  };
  // A late renewal also uses tables that took effect after the old term ended.
  const tableOn = maxDate(today, term.effectiveDate);
  const { authority } = facts;
  const locked = authority && { contract: authority.contract, usedCents: authority.usage?.usedCents ?? 0 };
  const quotation = await quoteRisk(em, risk, { today, tableOn, newBusiness: false, authority: locked });
  const { lineOfBusiness, producerId } = policy;
  return {
    type: 'renewal',
    ...{ effectiveDate: term.effectiveDate, expirationDate: term.expirationDate },
    ...{ reason: null, changes },
    ...figuresOf(quotation),
    before: termsOf(policy),
    after: { ...terms, ...priceOf(quotation) },
    installments: installmentsOf(policy, quotation, facts),
    daFlags: await withClearance(em, policy.id, quotation.flags, []),
    triage: await triageOfNextTerm(em, policy, { risk, quotation, today }),
    contractId: quotation.contract?.id ?? null,
    daYear: yearOf(term.effectiveDate),
    rateTableId: quotation.rateTableId,
    inputs: quotation.inputs,
    commission: await commissionBasis(em, { lineOfBusiness, producerId, on: today }),
  };
}

function nextRisk(policy: Readonly<Policy>, terms: PolicyTerms, facts: RenewalFacts): Risk {
  const { naicsCode, state, lineOfBusiness, producerId, ratingInputs } = policy;
  return {
    ...ratingInputs,
    ...{ naicsCode, state, lineOfBusiness, producerId },
    annualRevenueCents: terms.annualRevenueCents,
    requestedLimitCents: terms.limitCents,
    deductibleCents: terms.deductibleCents,
    effectiveDate: facts.term.effectiveDate,
    sanctionsHit: facts.sanctionsHit ?? false,
    duplicateOf: null,
  };
}

function priceOf({ price }: Quotation): PolicyMoney {
  const { premiumCents: grossPremiumCents, fees, taxes, totalDueCents } = price;
  return { grossPremiumCents, fees, taxes, totalDueCents };
}

function figuresOf({ price }: Quotation) {
  return {
    premiumChangeCents: price.premiumCents,
    feeChangeCents: sumCents(price.fees.map((fee) => fee.amountCents)),
    taxChangeCents: sumCents(price.taxes.map((tax) => tax.amountCents)),
    totalChangeCents: price.totalDueCents,
    grossPremiumAfterCents: price.premiumCents,
  };
}

function installmentsOf(
  { installmentPlan }: Readonly<Policy>,
  quotation: Quotation,
  { term, today }: RenewalFacts,
): Installment[] {
  const { premiumChangeCents, feeChangeCents, taxChangeCents } = figuresOf(quotation);
  return installmentSchedule({
    plan: installmentPlan as InstallmentPlan,
    premiumCents: premiumChangeCents,
    feeCents: feeChangeCents,
    taxCents: taxChangeCents,
    anchorDate: term.effectiveDate,
    notBefore: today,
  });
}
