// A charge, refund or dispute movement as the card processor lists it: the record that card payments are checked
// against.
import { defineEntity, p } from '@mikro-orm/core';
import type { CardStatementLineKind } from '../../../domain/billing/card-statement.ts';
import { cents, code, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const CardStatementLineSchema = defineEntity({
  name: 'CardStatementLine',
  tableName: 'card_statement_lines',
  properties: {
    id: idColumn('cardStatementLine'),
    orgId: orgIdColumn(),
    /** The processor's id of the charge, the refund, or the transaction that moved a dispute's money. */
    processorId: p.text(),
    kind: code<CardStatementLineKind>(),
    intentId: p.text(),
    /** 0 for a refund that came to nothing. */
    amountCents: cents(),
    occurredAt: instant(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class CardStatementLine extends CardStatementLineSchema.class {}
CardStatementLineSchema.setClass(CardStatementLine);
