// Card processor payouts to the trust account, and what each one settles. Contract 3.4 "Ledgers".
import type { CardPayout } from '../../../../db/entities/billing/card-payout.ts';
import type { CardPayoutLine } from '../../../../db/entities/billing/card-payout-line.ts';
import {
  findCardPayout,
  listCardPayouts,
  listPayoutLines,
} from '../../../../db/queries/billing/card-payouts/card-payouts.ts';
import { isWhollyOwn } from '../../../../domain/billing/card-payout.ts';
import { toDollars } from '../../../../domain/money.ts';
import { allow, type Resource } from '../../../spine/access.ts';
import { route } from '../../../spine/route.ts';
import { pageToWire } from '../../../spine/schemas.ts';
import { instantToWire } from '../charges.wire.ts';
import {
  CardPayoutListQuery,
  CardPayoutPageSchema,
  CardPayoutParams,
  CardPayoutSchema,
  CardPayoutTransactionPageSchema,
  type CardPayoutTransactionWire,
  type CardPayoutWire,
  TransactionListQuery,
} from './card-payouts.schemas.ts';

const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;
const path = '/ledger/card-payouts';

const payoutResource: Resource<CardPayout> = {
  name: 'card_payout',
  load: findCardPayout,
  facts: ({ orgId }) => ({ orgId }),
};

const listPayouts = route({
  ...facts,
  method: 'get',
  path,
  operationId: 'listCardPayouts',
  summary: "List the card processor's payouts, newest first",
  description:
    "The processor pays out card collections, posted as debit 1010, credit 1110. Operating cash bears the processor's fees (5010, 1030), not the trust. A payout is recorded by its event, or by the next reconciliation.",
  access: allow('ledger:read'),
  query: CardPayoutListQuery,
  response: { status: 200, body: CardPayoutPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, status }, db }) =>
    pageToWire(await db.read((em) => listCardPayouts(em, { status }, { limit, cursor })), payoutToWire),
});

const getPayout = route({
  ...facts,
  method: 'get',
  path: `${path}/:id`,
  operationId: 'getCardPayout',
  summary: 'Read a payout of the card processor',
  description:
    'It shows the gross amount, the fees and the day on which the money arrives at the bank. Its transactions are a list of their own.',
  access: allow('ledger:read', payoutResource),
  params: CardPayoutParams,
  response: { status: 200, body: CardPayoutSchema },
  errors: [],
  handler: async ({ row }) => payoutToWire(row),
});

const listTransactions = route({
  ...facts,
  method: 'get',
  path: `${path}/:id/transactions`,
  operationId: 'listCardPayoutTransactions',
  summary: 'List the balance transactions that a payout settles',
  description:
    'Each one is a charge, a refund, a dispute or a fee that the payout settles. Their net amounts add up to the `net` of the payout.',
  access: allow('ledger:read', payoutResource),
  params: CardPayoutParams,
  query: TransactionListQuery,
  response: { status: 200, body: CardPayoutTransactionPageSchema },
  errors: [],
  handler: async ({ row, query, db }) =>
    pageToWire(await db.read((em) => listPayoutLines(em, row.id, query)), transactionToWire),
});

export const cardPayoutRoutes = [listPayouts, getPayout, listTransactions];

function payoutToWire(row: CardPayout): CardPayoutWire {
  const { id, orgId, processorPayoutId, status, arrivesOn, trace, lineCount, recordedOn, failedOn, version } = row;
  return {
    ...{ id, orgId, processorPayoutId, status, arrivesOn, trace, recordedOn, failedOn, version },
    gross: toDollars(row.grossCents),
    fees: toDollars(row.feeCents),
    net: toDollars(row.netCents),
    payoutAmount: isWhollyOwn(row) ? toDollars(row.payoutCents) : null,
    transactionCount: lineCount,
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

function transactionToWire(line: CardPayoutLine): CardPayoutTransactionWire {
  const { id, transactionId, type, sourceId, intentId, amountCents, feeCents, occurredAt } = line;
  return {
    ...{ id, transactionId, type, sourceId, paymentIntentId: intentId, occurredAt: instantToWire(occurredAt) },
    amount: toDollars(amountCents),
    fee: toDollars(feeCents),
    net: toDollars(amountCents - feeCents),
  };
}
