// The shapes of the card processor's payouts on the wire.
import { z } from 'zod';
import { CARD_PAYOUT_STATUSES } from '../../../../domain/billing/card-payout.ts';
import { idParam, instant, isoDate, pageOf, pageQuery, signedDollars } from '../../../spine/schemas.ts';

export const CardPayoutSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    processorPayoutId: z.string().meta({ examples: ['po_1PqX2eLkdIwHu7ix'] }),
    status: z.enum(CARD_PAYOUT_STATUSES).meta({
      description: '`failed`: the bank did not take it, and the processor has the money again.',
    }),
    gross: signedDollars.meta({ description: 'What was collected by card, less what was given back, in dollars.' }),
    fees: signedDollars.meta({
      description: 'What the processor kept. Operating cash puts it into the trust account.',
    }),
    net: signedDollars.meta({
      description: '`gross` less `fees`: what arrives in the bank account. Negative where the processor collects.',
    }),
    payoutAmount: signedDollars.meta({
      description: 'What the processor paid in all. It differs from `net` only where its account serves others too.',
    }),
    arrivesOn: isoDate,
    trace: z.string().nullable().meta({ description: "The bank's reference of the transfer, where it is known." }),
    transactionCount: z.number().int(),
    recordedOn: isoDate.meta({ description: 'The date of the ledger entries.' }),
    failedOn: isoDate.nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'CardPayout', description: "The organization's part of a payout of the card processor." });

const CardPayoutTransactionSchema = z
  .strictObject({
    id: z.string(),
    transactionId: z.string().meta({ description: "The id of the processor's balance transaction." }),
    type: z.string().meta({ examples: ['charge', 'refund', 'adjustment'] }),
    sourceId: z.string().nullable().meta({ description: 'The charge, refund, dispute or payout that caused it.' }),
    paymentIntentId: z.string().nullable(),
    amount: signedDollars,
    fee: signedDollars,
    net: signedDollars,
    occurredAt: instant,
  })
  .meta({ id: 'CardPayoutTransaction', description: 'A balance transaction that a payout settles.' });

export const CardPayoutPageSchema = pageOf('CardPayout', CardPayoutSchema);
export const CardPayoutTransactionPageSchema = pageOf('CardPayoutTransaction', CardPayoutTransactionSchema);
export const CardPayoutParams = z.strictObject({ id: idParam('cardPayout') });
export const CardPayoutListQuery = z.strictObject({ ...pageQuery, status: z.enum(CARD_PAYOUT_STATUSES).optional() });
export const TransactionListQuery = z.strictObject(pageQuery);
export type CardPayoutWire = z.output<typeof CardPayoutSchema>;
export type CardPayoutTransactionWire = z.output<typeof CardPayoutTransactionSchema>;
