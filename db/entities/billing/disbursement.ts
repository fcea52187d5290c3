// Money the trust owes back by check or transfer: a refund of money that did not come by card, or that the card could
// not take back.
import { defineEntity, p } from '@mikro-orm/core';
import type {
  DisbursementCause,
  DisbursementMethod,
  DisbursementStatus,
} from '../../../domain/billing/disbursement.ts';
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

const DisbursementSchema = defineEntity({
  name: 'Disbursement',
  tableName: 'disbursements',
  properties: {
    id: idColumn('disbursement'),
    orgId: orgIdColumn(),
    /** The return that it pays. */
    refundId: p.text(),
    /** Null for money that matches no invoice. */
    invoiceId: p.text().strictNullable(),
    policyId: p.text().strictNullable(),
    /** The insured's name; null for money that matches no invoice. */
    payee: p.text().strictNullable(),
    cause: code<DisbursementCause>(),
    /** The card refund that failed. */
    processorRefundId: p.text().strictNullable(),
    amountCents: cents(),
    /** The part no longer owed: the payments it returns were never good, or it was kept. */
    cancelledCents: cents().default(0),
    /** The part of that kept with us as unapplied money. */
    keptCents: cents().default(0),
    status: code<DisbursementStatus>().default('pending'),
    owedOn: businessDate(),
    /** Of the last issue, as are the following fields; null before the first. */
    method: code<DisbursementMethod>().strictNullable(),
    /** The check number, or the name of the transfer. */
    reference: p.text().strictNullable(),
    /** Number of times issued; each issue has its own ledger entry. */
    issues: p.integer().default(0),
    /** The number or reference of each issue, keyed from 1: a stopped check keeps its number. */
    issuedAs: json<Record<string, string>>().onCreate(() => ({})),
    issuedOn: businessDate().strictNullable(),
    clearedOn: businessDate().strictNullable(),
    stoppedOn: businessDate().strictNullable(),
    stopReason: p.text().strictNullable(),
    cancelledOn: businessDate().nullable(),
    cancelReason: p.text().nullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Disbursement extends DisbursementSchema.class {}
DisbursementSchema.setClass(Disbursement);
