// Balance transactions: every movement of the processor's balance, with its fee.

import { textOf } from '../form.ts';
import { newId } from '../ids.ts';
import { type Call, secondsOf, type Work } from '../operation.ts';
import { badParameter } from '../problem.ts';
import { page } from '../reading/lists.ts';
import type { Answer, BalanceTransaction, Payout } from '../wire.ts';

/** 2.9 percent plus 30 cents on every charge; nothing else has a fee, and no fee is refunded. */
const FEE_PER_THOUSAND = 29;
const FEE_CENTS = 30;

interface Movement {
  type: BalanceTransaction['type'];
  /** Negative for outgoing money. */
  amount: number;
  currency: string;
  /** What moved it. */
  source: string | null;
  description?: string | null;
}

/** Stores a balance movement and returns its id. */
export function keepMovement(work: Work, { type, amount, currency, source, description = null }: Movement): string {
  const fee = type === 'charge' ? Math.round((amount * FEE_PER_THOUSAND) / 1000) + FEE_CENTS : 0;
  const created = secondsOf(work);
  const transaction: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    ...{ amount, fee, net: amount - fee, created, currency, description, source, type },
    available_on: created,
    exchange_rate: null,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Fees', type: 'stripe_fee' }],
    payout: null,
    reporting_category: type === 'stripe_fee' ? 'fee' : type,
    status: 'available',
  };
  work.store.save(transaction);
  return transaction.id;
}

const LIST = {
  url: '/v1/balance_transactions',
  kind: 'balance_transaction',
  filters: ['payout', 'source', 'type'],
} as const;

/** GET /v1/balance_transactions: like the real one, it refuses to list what a manual payout settles. */
export function listMovements(call: Call): Answer {
  const payoutId = textOf(call.form, 'payout');
  const payout = payoutId === null ? null : call.store.find<Payout>('payout', payoutId);
  if (payout !== null && !payout.automatic) {
    const message = 'Balance transaction history can only be filtered on automatic transfers, not manual.';
    throw badParameter('payout', message);
  }
  return page(call, LIST);
}

/** Movements not yet in a payout, newest first. */
export function unpaidMovements({ store }: Work): BalanceTransaction[] {
  return store.list<BalanceTransaction>('balance_transaction').filter(({ payout, type }) => {
    return payout === null && type !== 'payout';
  });
}
