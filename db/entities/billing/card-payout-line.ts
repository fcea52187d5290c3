// A movement of the card processor's balance that a payout settled.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const CardPayoutLineSchema = defineEntity({
  name: 'CardPayoutLine',
  tableName: 'card_payout_lines',
  properties: {
    id: idColumn('cardPayoutLine'),
    orgId: orgIdColumn(),
    cardPayoutId: p.text(),
    /** The processor's id for the movement; unique in the organization. */
    transactionId: p.text(),
    type: p.text(),
    sourceId: p.text().strictNullable(),
    intentId: p.text().strictNullable(),
    amountCents: cents(),
    feeCents: cents(),
    occurredAt: instant(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class CardPayoutLine extends CardPayoutLineSchema.class {}
CardPayoutLineSchema.setClass(CardPayoutLine);
