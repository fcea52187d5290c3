// One organization's part of a card processor payout to the trust account. What it settles is in `card_payout_lines`.
import { defineEntity, p } from '@mikro-orm/core';
import type { CardPayoutStatus } from '../../../domain/billing/card-payout.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const CardPayoutSchema = defineEntity({
  name: 'CardPayout',
  tableName: 'card_payouts',
  properties: {
    id: idColumn('cardPayout'),
    orgId: orgIdColumn(),
    /** Unique in the organization. */
    processorPayoutId: p.text(),
    status: code<CardPayoutStatus>(),
    arrivesOn: businessDate(),
    /** The bank's reference for the transfer. */
    trace: p.text().strictNullable(),
    /** Collected less returned. */
    grossCents: cents(),
    feeCents: cents(),
    /** Gross less fees. */
    netCents: cents(),
    /** What the processor paid in total, to all organizations. */
    payoutCents: cents(),
    lineCount: p.integer(),
    recordedOn: businessDate(),
    failedOn: businessDate().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class CardPayout extends CardPayoutSchema.class {}
CardPayoutSchema.setClass(CardPayout);
