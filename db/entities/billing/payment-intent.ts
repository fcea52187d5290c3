// An attempt to collect an invoice by card. The client secret is not stored; it is fetched from the processor.
import { defineEntity, p } from '@mikro-orm/core';
import type { AttemptCancellation } from '../../../domain/billing/card-attempts.ts';
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

export type PaymentIntentStatus = 'creating' | 'open' | 'succeeded' | 'failed' | 'cancelled';

const PaymentIntentSchema = defineEntity({
  name: 'PaymentIntent',
  tableName: 'payment_intents',
  properties: {
    id: idColumn('paymentIntent'),
    orgId: orgIdColumn(),
    invoiceId: p.text(),
    /** Counts the attempts on the invoice from 1. */
    attempt: p.integer(),
    amountCents: cents(),
    /** The processor's id; null until it has answered. */
    processorId: p.text().strictNullable(),
    status: code<PaymentIntentStatus>(),
    /** Whether it must be cancelled whatever its invoice owes, or an operator skipped that; otherwise null. */
    cancellation: code<AttemptCancellation>().nullable(),
    /** The setup whose card autopay charged; null for an attempt by a person. */
    autopaySetupId: p.text().nullable(),
    /** The business date on which autopay began the charge; if it was declined, the day of the decline. */
    autopayOn: businessDate().nullable(),
    /** The processor's code for why autopay's charge was declined. */
    failureCode: p.text().nullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class PaymentIntent extends PaymentIntentSchema.class {}
PaymentIntentSchema.setClass(PaymentIntent);
