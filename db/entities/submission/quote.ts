// A priced offer for a submission. Its figures never change; a new price is a new quote.
import { defineEntity, p } from '@mikro-orm/core';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import type { FeeCharge, InstallmentOption, QuoteInputs } from '../../../domain/submission/quote.ts';
import type { RatingStep } from '../../../domain/submission/rating.ts';
import type { TaxCharge } from '../../../domain/submission/taxes.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

export type QuoteStatus = 'quoted' | 'referred' | 'accepted' | 'superseded';

const QuoteSchema = defineEntity({
  name: 'Quote',
  tableName: 'quotes',
  properties: {
    id: idColumn('quote'),
    orgId: orgIdColumn(),
    submissionId: p.text(),
    /** Counts the quotes of the submission from 1. */
    quoteVersion: p.integer(),
    status: code<QuoteStatus>(),
    grossPremiumCents: cents(),
    fees: json<FeeCharge[]>(),
    taxes: json<TaxCharge[]>(),
    totalDueCents: cents(),
    daFlags: json<DaFlag[]>(),
    worksheet: json<RatingStep[]>(),
    installmentOptions: json<InstallmentOption[]>(),
    issuedOn: businessDate(),
    /** Last business date on which it can be bound. */
    expiresOn: businessDate(),
    /** The conditions of its referral's approval. */
    conditions: json<string[]>().onCreate(() => []),
    /** The approved referral covering its figures. */
    approvalId: p.text().strictNullable(),
    daContractId: p.text().strictNullable(),
    rateTableId: p.text().strictNullable(),
    /** The inputs of the price. */
    inputs: json<QuoteInputs>(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Quote extends QuoteSchema.class {}
QuoteSchema.setClass(Quote);
