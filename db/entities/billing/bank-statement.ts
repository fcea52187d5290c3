// A bank statement for the trust account. Its bookings are in `bank_lines`.
import { defineEntity, p } from '@mikro-orm/core';
import type { StatementFormat } from '../../../domain/billing/bank/statement.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  orgIdColumn,
  updatedAtColumn,
} from '../../columns.ts';

const BankStatementSchema = defineEntity({
  name: 'BankStatement',
  tableName: 'bank_statements',
  properties: {
    id: idColumn('bankStatement'),
    orgId: orgIdColumn(),
    format: code<StatementFormat>(),
    /** The bank's number of the statement. */
    number: p.text().strictNullable(),
    /** The last four characters of the account; empty where the file does not name it. */
    account: p.text(),
    /** Of the whole account, so that a statement of another one is noticed. */
    accountHash: p.text().strictNullable(),
    fromDate: businessDate(),
    toDate: businessDate(),
    /** It has every booking from its first day to this one; null where nothing says so. */
    wholeUntil: businessDate().strictNullable(),
    openingCents: cents().strictNullable(),
    closingCents: cents().strictNullable(),
    /** Bookings in the file, and those of them that no earlier standing statement has. */
    lineCount: p.integer(),
    newLineCount: p.integer(),
    fileName: p.text().strictNullable(),
    /** Of the file, hexadecimal; unique in the organization among those that are not withdrawn. */
    sha256: p.text(),
    uploadedBy: p.text(),
    /** The person who has taken it out of everything. */
    withdrawnBy: p.text().strictNullable(),
    withdrawnAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class BankStatement extends BankStatementSchema.class {}
BankStatementSchema.setClass(BankStatement);
