// A charge or a refund as the card processor lists it: the record that card payments are held against.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, code, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const CardStatementLineSchema = defineEntity({
  name: 'CardStatementLine',
  tableName: 'card_statement_lines',
  properties: {
    id: idColumn('cardStatementLine'),
    orgId: orgIdColumn(),
    /** The charge's or the refund's id at the processor. */
    processorId: p.text(),
    kind: code<'charge' | 'refund'>(),
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
