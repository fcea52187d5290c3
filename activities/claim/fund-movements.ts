/**
 * What payments on claims do to the loss fund of their carrier: they leave it, come back to it, and request what it
 * lacks. The payment is locked before, the fund is locked here. Domain facts 4.2.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimPayment } from '../../db/entities/claim/claim-payment.ts';
import type { LossFund } from '../../db/entities/claim/loss-fund.ts';
import { entriesOf, postEntry } from '../../db/queries/billing/ledger.ts';
import { lockLossFund, lockWaitingPayment, waitingCents } from '../../db/queries/claim/loss-funds.ts';
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
 * Takes a pending payment out of the fund. What the fund lacks for everything that waits is requested of the carrier,
 * unless it has been already. Answers what the fund lacks for this payment, in cents; 0 when it has left.
 */
export async function takeFromFund(em: EntityManager, payment: ClaimPayment, today: BusinessDate): Promise<Cents> {
  const fund = await lockLossFund(em, payment.carrier);
  const lackingCents = shortfall(fund, payment.amountCents);
  const waits = await waitingCents(em, payment.carrier);
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

/** Undoes what a payment has done to the fund, before it is marked as void: its money, and a request not yet met. */
export async function undoInFund(em: EntityManager, payment: ClaimPayment, today: BusinessDate): Promise<void> {
  const fund = await lockLossFund(em, payment.carrier);
  const waits = await waitingCents(em, payment.carrier);
  if (payment.status === 'paid') await giveBack(em, fund, payment, today);
  const others = payment.status === 'pending' ? waits - payment.amountCents : waits;
  const needlessCents = needlessRequest(fund, { requestedCents: payment.requestedCents, waitingCents: others });
  const source = sourceOf(payment, today);
  postEntry(em, withdrawalEntry(needlessCents), { ...source, description: `Withdrawn: ${source.description}` });
  fund.requestedCents -= needlessCents;
  payment.requestedCents -= needlessCents;
}

interface Request {
  payment: ClaimPayment;
  cents: Cents;
  today: BusinessDate;
}

function request(em: EntityManager, fund: LossFund, { payment, cents, today }: Request): void {
  const { id, requestedCents } = payment;
  const source = sourceOf(payment, today);
  // Others may have used what there was: a payment that requests again does so under what it has requested before.
  const sourceId = requestedCents === 0 ? id : `${id}:${requestedCents}`;
  postEntry(em, requestEntry(cents), { ...source, sourceId, description: `Requested: ${source.description}` });
  fund.requestedCents += cents;
  payment.requestedCents += cents;
}

/**
 * A payment that waits had counted on what another one has taken now: what they lack together is requested under it.
 * One whose own step is under way requests it by itself.
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
