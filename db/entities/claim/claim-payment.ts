// A payment on a claim, from the carrier's loss fund. Who is paid is in claim-payee.ts, the
// reference in claim-reference.ts.
import { defineEntity, p } from '@mikro-orm/core';
import type { ClaimPaymentKind, ClaimPaymentStatus } from '../../../domain/claim/claim-payment.ts';
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

const ClaimPaymentSchema = defineEntity({
  name: 'ClaimPayment',
  tableName: 'claim_payments',
  properties: {
    id: idColumn('claimPayment'),
    orgId: orgIdColumn(),
    claimId: p.text(),
    policyId: p.text(),
    carrier: p.text(),
    kind: code<ClaimPaymentKind>(),
    amountCents: cents(),
    /** How much less it is than the loss: the part of the deductible taken by its settlement. */
    deductibleCents: cents().default(0),
    /** The settlement's payee id, or the payment's own. */
    payeeId: p.text(),
    status: code<ClaimPaymentStatus>(),
    /** Requested from the carrier because the fund was too small. */
    requestedCents: cents().default(0),
    paidOn: businessDate().strictNullable(),
    voidedOn: businessDate().strictNullable(),
    voidNoteId: p.text().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class ClaimPayment extends ClaimPaymentSchema.class {}
ClaimPaymentSchema.setClass(ClaimPayment);
