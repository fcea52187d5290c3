// One policy change with its money, as issued. Rows are never altered; a reversal is a separate row.
import { defineEntity, p } from '@mikro-orm/core';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import type { CommissionTerms } from '../../../domain/billing/commission.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import type { TransactionFacts } from '../../../domain/policy/transaction.ts';
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
} from '../../columns.ts';
import type { StoredTriage } from '../submission/submission.ts';

const PolicyTransactionSchema = defineEntity({
  name: 'PolicyTransaction',
  tableName: 'policy_transactions',
  properties: {
    id: idColumn('policyTransaction'),
    orgId: orgIdColumn(),
    policyId: p.text(),
    producerId: p.text().strictNullable(),
    /** Counts the transactions of the policy from 1. */
    sequence: p.integer(),
    type: code<TransactionFacts['type']>(),
    effectiveDate: businessDate(),
    issuedAt: instant(),
    /** Business date of issue. */
    issuedOn: businessDate(),
    reason: p.text().strictNullable(),
    /** The endorsement that this one voids. */
    reverses: p.text().strictNullable(),
    changes: json<TransactionFacts['changes']>().onCreate(() => ({})),
    premiumChangeCents: cents(),
    feeChangeCents: cents(),
    taxChangeCents: cents(),
    totalChangeCents: cents(),
    grossPremiumAfterCents: cents(),
    before: json<NonNullable<TransactionFacts['before']>>().strictNullable(),
    after: json<TransactionFacts['after']>().strictNullable(),
    actor: json<ActorRef>(),
    reapplied: json<{ transactionId: string; premiumChangeCents: number }[]>().onCreate(() => []),
    /** The commission rates, fixed at issue; null without a schedule. */
    commission: json<CommissionTerms>().strictNullable(),
    daFlags: json<DaFlag[]>().onCreate(() => []),
    /** The triage of a renewal term at issue; null for every other type. */
    triage: json<StoredTriage>().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class PolicyTransaction extends PolicyTransactionSchema.class {}
PolicyTransactionSchema.setClass(PolicyTransaction);

/** A stored row, with its changes typed by transaction type: rows are written whole and never altered. */
export type IssuedTransaction = Omit<PolicyTransaction, keyof TransactionFacts> & TransactionFacts;
