// A priced offer: premium, fee, taxes, total, payment options and expiry. Spec 2.5, Contract 3.1.

import { installmentSchedule } from '../billing/installments.ts';
import { addDays, type BusinessDate, maxDate, minDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { QUOTE_VALIDITY_DAYS } from '../limits.ts';
import { INSTALLMENT_PLANS, type InstallmentPlan } from '../lines.ts';
import { type Cents, sumCents } from '../money.ts';
import { type Appetite, type RateTable, type RatingInput, type RatingStep, ratePremium } from './rating.ts';
import { type SurplusLinesRate, surplusLinesTaxes, type TaxCharge } from './taxes.ts';

/** A charge that is neither premium nor tax. */
export interface FeeCharge {
  code: 'POLICY_FEE';
  amountCents: Cents;
}

/** One way to pay, with every installment. */
export interface InstallmentOption {
  plan: InstallmentPlan;
  schedule: { number: number; dueDate: BusinessDate; amountCents: Cents }[];
}

/** The contents of a quote; money in cents, `expiresOn` the last business date on which it can be bound. */
export interface PricedQuote {
  premiumCents: Cents;
  fees: FeeCharge[];
  taxes: TaxCharge[];
  totalDueCents: Cents;
  worksheet: RatingStep[];
  installmentOptions: InstallmentOption[];
  expiresOn: BusinessDate;
}

/** A quote's inputs, stored with it: a later table version never changes them. */
export interface QuoteInputs {
  rating: RatingInput;
  appetite: Appetite;
  surplusLinesRates: SurplusLinesRate;
}

/**
 * Prices a risk: premium by the table, the table's policy fee once per term, taxes on both, and every plan's
 * installments as if bound on the day of issue. `totalDueCents` is the sum of the parts. Contract 3.1.
 */
export function priceQuote(order: {
  input: RatingInput;
  table: RateTable;
  rates: SurplusLinesRate;
  issuedOn: BusinessDate;
  effectiveDate: BusinessDate;
}): PricedQuote {
  const { input, table, rates, issuedOn, effectiveDate } = order;
  const { premiumCents, worksheet } = ratePremium(input, table);
  const feeCents = table.policyFeeCents;
  const fees: FeeCharge[] = feeCents === 0 ? [] : [{ code: 'POLICY_FEE', amountCents: feeCents }];
  const taxes = surplusLinesTaxes({ premiumCents, feeCents, lineOfBusiness: table.lineOfBusiness, rates });
  const taxCents = sumCents(taxes.map((tax) => tax.amountCents));
  const installmentOptions = INSTALLMENT_PLANS.map((plan) => ({
    plan,
    schedule: installmentSchedule({
      plan,
      premiumCents,
      feeCents,
      taxCents,
      anchorDate: effectiveDate,
      notBefore: issuedOn,
    }).map(({ number, dueDate, amountCents }) => ({ number, dueDate, amountCents })),
  }));
  return {
    premiumCents,
    fees,
    taxes,
    totalDueCents: sumCents([premiumCents, feeCents, taxCents]),
    worksheet,
    installmentOptions,
    expiresOn: quoteExpiry(issuedOn, effectiveDate),
  };
}

/**
 * Returns the last business date on which a quote can be bound: 30 days after issue or, if earlier, the effective
 * date, but never before issue. Contract 3.1 "A quote is good until".
 */
export function quoteExpiry(issuedOn: BusinessDate, effectiveDate: BusinessDate): BusinessDate {
  return minDate(addDays(issuedOn, QUOTE_VALIDITY_DAYS), maxDate(effectiveDate, issuedOn));
}

/** Whether a quote can no longer be bound on a business date; on its last day it still can. Contract 3.1. */
export function isQuoteExpired(expiresOn: BusinessDate, today: BusinessDate): boolean {
  return today > expiresOn;
}

/**
 * Refuses an action that needs a quote that can still be bound.
 * @throws DomainError quote_expired with `{expiresOn}`
 */
export function ensureQuoteStands(expiresOn: BusinessDate, today: BusinessDate): void {
  if (!isQuoteExpired(expiresOn, today)) return;
  throw new DomainError('quote_expired', `The quote expired on ${expiresOn}.`, { expiresOn });
}
