// The shapes of the card processor's payouts on the wire.
import { z } from 'zod';
import { CARD_PAYOUT_STATUSES } from '../../../../domain/billing/card-payout.ts';
import {
  externalId,
  idParam,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  signedDollars,
} from '../../../spine/schemas.ts';

export const CardPayoutSchema = z
  .strictObject({
    id: idReference('cardPayout'),
    orgId: idReference('organization'),
    processorPayoutId: externalId.meta({ examples: ['po_1PqX2eLkdIwHu7ix'] }),
    status: z.enum(CARD_PAYOUT_STATUSES).meta({
      description: '`failed`: the bank rejected it, and the money is back at the processor.',
    }),
    gross: signedDollars.meta({ description: 'Card collections less money given back to cards, in dollars.' }),
    fees: signedDollars.meta({
      description: 'The fees of the processor. Operating cash pays them into the trust account.',
    }),
    net: signedDollars.meta({
      description:
        '`gross` less `fees`: the amount that arrives in the bank account. Negative when the processor debits the account.',
    }),
    payoutAmount: signedDollars.nullable().meta({
      description:
        'The whole amount of the payout, which equals `net`. It is null when the payout includes money of others who share the account at the processor.',
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
    id: idReference('cardPayoutLine'),
    transactionId: externalId.meta({ description: "The id of the processor's balance transaction." }),
    type: z.string().meta({ examples: ['charge', 'refund', 'adjustment'] }),
    sourceId: externalId.nullable().meta({ description: 'The charge, refund, dispute or payout that caused it.' }),
    paymentIntentId: externalId.nullable(),
    amount: signedDollars,
    fee: signedDollars,
    net: signedDollars,
    occurredAt: instant,
  })
  .meta({ id: 'CardPayoutTransaction', description: 'A balance transaction that a payout settles.' });

export const CardPayoutPageSchema = pageSchema('CardPayout', CardPayoutSchema);
export const CardPayoutTransactionPageSchema = pageSchema('CardPayoutTransaction', CardPayoutTransactionSchema);
export const CardPayoutParams = z.strictObject({ id: idParam('cardPayout') });
export const CardPayoutListQuery = z.strictObject({ ...pageQuery, status: z.enum(CARD_PAYOUT_STATUSES).optional() });
export const TransactionListQuery = z.strictObject(pageQuery);
export type CardPayoutWire = z.output<typeof CardPayoutSchema>;
export type CardPayoutTransactionWire = z.output<typeof CardPayoutTransactionSchema>;
