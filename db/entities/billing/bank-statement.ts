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
    /** The bank's number for the statement. */
    number: p.text().strictNullable(),
    /** The last four characters of the account; empty if the file does not give it. */
    account: p.text(),
    /** Hash of the whole account number, to detect a statement of another account. */
    accountHash: p.text().strictNullable(),
    fromDate: businessDate(),
    toDate: businessDate(),
    /** The statement has every booking from its first day through this one; null if it does not say. */
    wholeUntil: businessDate().strictNullable(),
    openingCents: cents().strictNullable(),
    closingCents: cents().strictNullable(),
    /** Bookings in the file, and how many of them no earlier standing statement has. */
    lineCount: p.integer(),
    newLineCount: p.integer(),
    fileName: p.text().strictNullable(),
    /** Of the file, hexadecimal; unique in the organization among statements not withdrawn. */
    sha256: p.text(),
    uploadedBy: p.text(),
    /** The person who withdrew it. */
    withdrawnBy: p.text().strictNullable(),
    withdrawnAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class BankStatement extends BankStatementSchema.class {}
BankStatementSchema.setClass(BankStatement);
