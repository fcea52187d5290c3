// The balance, and payouts of it to the bank account.
import { allowOnly } from '../form.ts';
import { newId } from '../ids.ts';
import { type Call, secondsOf, shown, type Work } from '../operation.ts';
import { missing, wrongState } from '../problem.ts';
import type { Answer, Payout } from '../wire.ts';
import { keepMovement, unpaidMovements } from './balance-transactions.ts';

const CURRENCY = 'usd';

/** GET /v1/balance */
export function readBalance(call: Call): Answer {
  allowOnly(call.form);
  const none = [{ amount: 0, currency: CURRENCY, source_types: { card: 0 } }];
  const amount = sumOf(call);
  const available = [{ amount, currency: CURRENCY, source_types: { card: amount } }];
  return shown({ object: 'balance', available, livemode: false, pending: none });
}

/** With `byHand` a person makes it, and the processor does not report what it settles. */
export interface PayoutOptions {
  byHand?: boolean | undefined;
  currency?: string | undefined;
}

/** Pays out the whole balance; it arrives immediately. */
export function payOut(work: Work, { byHand = false, currency = CURRENCY }: PayoutOptions = {}): Payout {
  const movements = unpaidMovements(work);
  const amount = sumOf(work);
  if (amount <= 0) throw wrongState('balance_insufficient', 'There is nothing on the balance.');
  const created = secondsOf(work);
  const id = newId('po');
  const payout: Payout = {
    ...{ id, object: 'payout', amount, arrival_date: created, automatic: !byHand, created, currency },
    balance_transaction: keepMovement(work, { type: 'payout', amount: -amount, currency, source: id }),
    ...{
      description: 'STRIPE PAYOUT',
      livemode: false,
      metadata: {},
      method: 'standard',
      status: 'paid',
      type: 'bank_account',
    },
  };
  for (const movement of movements) work.store.save({ ...movement, currency, payout: id });
  work.store.save(payout);
  work.emit('payout.paid', payout);
  return payout;
}

/** The processor charges a fee for the account itself. */
export function chargeAccountFee(work: Work, cents: number): void {
  keepMovement(work, { type: 'stripe_fee', amount: -cents, currency: CURRENCY, source: null, description: 'Billing' });
}

/** The bank rejects a paid payout: its money is back on the balance. */
export function failPayout(work: Work, payoutId: string): void {
  const payout = work.store.find<Payout>('payout', payoutId);
  if (payout === null) throw missing('payout', payoutId);
  if (payout.status !== 'paid') throw wrongState('payout_failed', `${payoutId} is ${payout.status}.`);
  const { amount, currency } = payout;
  keepMovement(work, { type: 'payout_failure', amount, currency, source: payoutId });
  const failed: Payout = { ...payout, status: 'failed' };
  work.store.save(failed);
  work.emit('payout.failed', failed, { status: 'paid' });
}

function sumOf(work: Work): number {
  return unpaidMovements(work).reduce((sum, { net }) => sum + net, 0);
}
