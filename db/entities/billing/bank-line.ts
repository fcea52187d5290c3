// A bank booking on the trust account, and how it was matched with the ledger.
import { defineEntity, p } from '@mikro-orm/core';
import type { MatchRule } from '../../../domain/billing/bank/matching.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const BankLineSchema = defineEntity({
  name: 'BankLine',
  tableName: 'bank_lines',
  properties: {
    id: idColumn('bankLine'),
    orgId: orgIdColumn(),
    bankStatementId: p.text(),
    /** The earlier statement's booking that this one repeats; a repeat is not counted anywhere. */
    repeatOf: p.text().strictNullable(),
    /** The bank's own id for the booking. */
    bankId: p.text().strictNullable(),
    bookedOn: businessDate(),
    /** Positive for money received. */
    amountCents: cents(),
    reference: p.text(),
    description: p.text(),
    /** Null while unmatched. */
    matchRule: code<MatchRule>().strictNullable(),
    /** The person who matched it. */
    matchedBy: p.text().strictNullable(),
    matchedAt: instant().strictNullable(),
    /** Withdrawn with its statement. */
    withdrawn: p.boolean().default(false),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class BankLine extends BankLineSchema.class {}
BankLineSchema.setClass(BankLine);
