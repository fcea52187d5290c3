// The current state of one policy term. Its transactions hold the history.
import { defineEntity, p } from '@mikro-orm/core';
import type { Address } from '../../../domain/address.ts';
import type { DelinquencyRecord } from '../../../domain/billing/delinquency-clock.ts';
import type { PolicyStatus } from '../../../domain/policy/policy.ts';
import type { StandingCancellation } from '../../../domain/policy/segments.ts';
import type { PolicyTerms } from '../../../domain/policy/transaction.ts';
import type { NonRenewal } from '../../../domain/renewal/non-renewal.ts';
import type { FeeCharge } from '../../../domain/submission/quote.ts';
import type { RatingInput } from '../../../domain/submission/rating.ts';
import type { SurplusLinesRate, TaxCharge } from '../../../domain/submission/taxes.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const PolicySchema = defineEntity({
  name: 'Policy',
  tableName: 'policies',
  properties: {
    id: idColumn('policy'),
    orgId: orgIdColumn(),
    /** `GL-TX-2026-000123`; unique in the installation. */
    policyNumber: p.text(),
    status: code<PolicyStatus>(),
    submissionId: p.text().strictNullable(),
    quoteId: p.text().strictNullable(),
    producerId: p.text().strictNullable(),
    insuredId: p.text(),
    insuredName: p.text(),
    insuredEmail: p.text().strictNullable(),
    insuredPhone: p.text().strictNullable(),
    insuredAddress: json<Address>().strictNullable(),
    /** Where the insured wants mail sent, if they have said so; the insured address is part of the policy terms. */
    contactAddress: json<Address>().strictNullable(),
    naicsCode: p.text(),
    state: p.text(),
    lineOfBusiness: p.text(),
    /** Per occurrence. */
    limitCents: cents(),
    aggregateLimitCents: cents(),
    deductibleCents: cents(),
    annualRevenueCents: cents(),
    effectiveDate: businessDate(),
    expirationDate: businessDate(),
    /** Written premium of the term, net of all transactions. */
    grossPremiumCents: cents(),
    fees: json<FeeCharge[]>(),
    taxes: json<TaxCharge[]>(),
    totalDueCents: cents(),
    installmentPlan: p.text(),
    additionalInsureds: json<PolicyTerms['additionalInsureds']>().onCreate(() => []),
    /** The conditions attached to the approvals of its terms. */
    conditions: json<string[]>().onCreate(() => []),
    usdotNumber: p.text().strictNullable(),
    renewalOf: p.text().strictNullable(),
    renewalPolicyId: p.text().strictNullable(),
    cancellation: json<StandingCancellation>().strictNullable(),
    /** The steps taken for unpaid premium; null if never past due. The invoices hold the unpaid amounts. */
    delinquency: json<DelinquencyRecord>().strictNullable(),
    daContractId: p.text().strictNullable(),
    /** The year whose authority the term uses. */
    daYear: p.integer().strictNullable(),
    /** The inputs of the premium. */
    ratingInputs: json<RatingInput>(),
    /** The rate table that rated it; null means its quote's. */
    rateTableId: p.text().strictNullable(),
    /** The state's tax rates on the effective date; they stay with the term. */
    surplusLinesRates: json<SurplusLinesRate>(),
    /** The standing notice of non-renewal; null if none. */
    nonRenewal: json<NonRenewal>().strictNullable(),
    boundAt: instant(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Policy extends PolicySchema.class {}
PolicySchema.setClass(Policy);
