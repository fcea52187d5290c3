/**
 * What claim payments do to their carrier's loss fund: they leave it, return to it, and request any shortfall. The
 * caller has locked the payment; the fund is locked here. Domain facts 4.2.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimPayment } from '../../db/entities/claim/claim-payment.ts';
import type { LossFund } from '../../db/entities/claim/loss-fund.ts';
import { entriesOf, postEntry } from '../../db/queries/billing/ledger.ts';
import {
  lockLossFund,
  lockRequestingPayments,
  lockWaitingPayment,
  waitingForFundCents,
} from '../../db/queries/claim/loss-funds.ts';
import { reversalOf } from '../../domain/billing/ledger/posting.ts';
import {
  claimPaymentEntry,
  missingRequest,
  needlessRequest,
  requestEntry,
  shortfall,
  withdrawalEntry,
} from '../../domain/claim/loss-fund.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Cents } from '../../domain/money.ts';

/**
 * Takes a pending payment out of the fund. The fund's shortfall for all waiting payments is requested from the
 * carrier, unless already requested. Returns the shortfall for this payment, in cents; 0 once it has left.
 */
export async function takeFromFund(em: EntityManager, payment: ClaimPayment, today: BusinessDate): Promise<Cents> {
  const fund = await lockLossFund(em, payment.carrier);
  const lackingCents = shortfall(fund, payment.amountCents);
  const waits = await waitingForFundCents(em, payment.carrier);
  await withdrawNeedless(em, fund, { waitingCents: waits, first: payment, today });
  if (lackingCents > 0) {
    request(em, fund, { payment, cents: missingRequest(fund, waits), today });
    return lackingCents;
  }
  fund.balanceCents -= payment.amountCents;
  await requestForOthers(em, fund, { payment, cents: missingRequest(fund, waits - payment.amountCents), today });
  postEntry(em, claimPaymentEntry(payment.amountCents), sourceOf(payment, today));
  Object.assign(payment, { status: 'paid', paidOn: today });
  return 0;
}

/** Reverses a payment's effect on the fund before it is marked void: its money, and the request for it. */
export async function undoInFund(em: EntityManager, payment: ClaimPayment, today: BusinessDate): Promise<void> {
  const fund = await lockLossFund(em, payment.carrier);
  const waits = await waitingForFundCents(em, payment.carrier);
  if (payment.status === 'paid') await giveBack(em, fund, payment, today);
  const others = payment.status === 'pending' ? waits - payment.amountCents : waits;
  await withdrawNeedless(em, fund, { waitingCents: others, first: payment, today });
}

/** Pays a recovery into the fund, which reduces the request to the carrier by the same amount. */
export async function recoverIntoFund(
  em: EntityManager,
  { carrier, cents, today }: { carrier: string; cents: Cents; today: BusinessDate },
): Promise<void> {
  const fund = await lockLossFund(em, carrier);
  fund.balanceCents += cents;
  await withdrawNeedless(em, fund, { waitingCents: await waitingForFundCents(em, carrier), first: null, today });
}

/**
 * Withdraws the part of the request that is no longer needed: from this payment first, then from others. One that
 * another step is working on is left alone: that step does the same.
 */
async function withdrawNeedless(em: EntityManager, fund: LossFund, { waitingCents, first, today }: Needless) {
  let left = needlessRequest(fund, waitingCents);
  if (left === 0) return;
  const others = await lockRequestingPayments(em, fund.carrier, first?.id ?? null);
  for (const payment of first === null ? others : [first, ...others]) {
    const cents = Math.min(left, payment.requestedCents);
    if (cents === 0) continue;
    const source = requestSource(payment, today);
    postEntry(em, withdrawalEntry(cents), { ...source, description: `Withdrawn: ${source.description}` });
    fund.requestedCents -= cents;
    payment.requestedCents -= cents;
    left -= cents;
  }
}

interface Needless {
  /** The payments still waiting for the fund. */
  waitingCents: Cents;
  first: ClaimPayment | null;
  today: BusinessDate;
}

interface Request {
  payment: ClaimPayment;
  cents: Cents;
  today: BusinessDate;
}

function request(em: EntityManager, fund: LossFund, { payment, cents, today }: Request): void {
  const source = requestSource(payment, today);
  postEntry(em, requestEntry(cents), { ...source, description: `Requested: ${source.description}` });
  fund.requestedCents += cents;
  payment.requestedCents += cents;
}

/** A payment may request and withdraw several times: each entry names the payment's version. */
function requestSource(payment: ClaimPayment, today: BusinessDate) {
  return { ...sourceOf(payment, today), sourceId: `${payment.id}:${payment.version}` };
}

/**
 * A waiting payment had counted on money that another has now taken: the shortfall is requested under the waiting one.
 * A payment whose own step is running requests it there.
 */
async function requestForOthers(em: EntityManager, fund: LossFund, { payment, cents, today }: Request): Promise<void> {
  const waiting = cents === 0 ? null : await lockWaitingPayment(em, payment);
  if (waiting !== null) request(em, fund, { payment: waiting, cents, today });
}

async function giveBack(em: EntityManager, fund: LossFund, payment: ClaimPayment, today: BusinessDate): Promise<void> {
  const source = sourceOf(payment, today);
  const posted = (await entriesOf(em, source)).find(({ entryType }) => entryType === 'claim_payment');
  const entry = claimPaymentEntry(payment.amountCents);
  if (entry !== null) {
    const reversesEntryId = posted?.id ?? null;
    postEntry(em, reversalOf(entry), { ...source, reversesEntryId, description: `Void: ${source.description}` });
  }
  fund.balanceCents += payment.amountCents;
}

function sourceOf({ id, claimId, policyId, kind }: ClaimPayment, date: BusinessDate) {
  const description = `Claim payment, ${kind}, ${claimId}`;
  return { sourceType: 'claim_payment', sourceId: id, date, policyId, description } as const;
}
