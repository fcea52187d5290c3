/**
 * Payments on claims. The row is written with the decision that owes it, in the same transaction; a saga takes the
 * money out of the carrier's loss fund. Locks: policy, claim, payment, fund. Contract 3.3, domain facts 4.2.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { ClaimPayPayload, RecoverPayload, VoidPaymentPayload } from '../../contracts/claim.ts';
import type { MoneyStep } from '../../contracts/machinery/saga.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { ClaimPayment } from '../../db/entities/claim/claim-payment.ts';
import { ClaimRecovery } from '../../db/entities/claim/claim-recovery.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { postEntry } from '../../db/queries/billing/ledger.ts';
import { findClaim } from '../../db/queries/claim/claims.ts';
import {
  carrierOf,
  carrierThatPaid,
  findClaimPayment,
  leftFor,
  lockClaimPayment,
} from '../../db/queries/claim/loss-funds.ts';
import { paymentAlike, recoveryAlike } from '../../db/queries/claim/money-alike.ts';
import { findPolicy, holdPolicy } from '../../db/queries/policy/policies.ts';
import { nextClaimStatus, voidedClaimStatus } from '../../domain/claim/claim.ts';
import {
  amountsOf,
  type ClaimPaymentKind,
  ensurePaymentVoidable,
  payableAmounts,
} from '../../domain/claim/claim-payment.ts';
import { borne, paid, recovered, takenDown, unpaid } from '../../domain/claim/figures.ts';
import { recoveryEntry } from '../../domain/claim/loss-fund.ts';
import { ensureUnheld, heldPayee } from '../../domain/claim/payee-hold.ts';
import { restated } from '../../domain/claim/settlement.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Cents, toDollars } from '../../domain/money.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { claimFacts } from '../../plans/authority/resource-facts.ts';
import { columnsOf, figuresOf, settledInAll } from '../../plans/claim/claim-figures.ts';
import { boundsOf } from '../../plans/claim/settlement-bounds.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { type Deps, transaction } from '../context.ts';
import { actOf, type ClaimStep, claimCommand, lockAfterPolicy } from './claim-command.ts';
import { record, shownFacts } from './claim-history.ts';
import { recoverIntoFund, takeFromFund, undoInFund } from './fund-movements.ts';
import { type ClaimPayeeRef, holdingPayee, holdRefused, screenedPayee } from './payee-holds.ts';

/** Writes the payment that a settlement or command owes; its saga starts once the step has returned. */
export async function owePayment(em: EntityManager, claim: Claim, owed: OwedPayment): Promise<string> {
  const policy = await findPolicy(em, claim.policyId);
  const carrier = await carrierOf(em, { daContractId: policy?.daContractId ?? null });
  const id = owed.id ?? newId('claimPayment');
  const { kind, cents, deductibleCents = 0, payeeId } = owed;
  addRow(em, ClaimPayment, {
    ...{ id, claimId: claim.id, policyId: claim.policyId, carrier, kind, payeeId },
    ...{ amountCents: cents, deductibleCents, status: 'pending', requestedCents: 0 },
  });
  return id;
}

interface OwedPayment {
  id?: string;
  kind: ClaimPaymentKind;
  cents: Cents;
  /** The deductible its settlement has taken. */
  deductibleCents?: Cents;
  payeeId: string;
}

/**
 * Pays a partial loss payment, or an expense, outside a settlement.
 * @throws DomainError forbidden, invalid_state_transition, already_exists with `{paymentId}` under the same reference,
 * reserve_too_low, limit_exhausted, not_ready for a payee on the sanctions list
 */
export const payClaim = (deps: Deps) =>
  holdingPayee(deps, 'payment', {
    command: claimCommand<ClaimPayPayload>(deps, 'payClaim', (step) => payPart(deps, step), lockAfterPolicy),
    payeeOf: async (_em, { payload }) => payload.paymentId,
  });

async function payPart(deps: Deps, step: ClaimStep<ClaimPayPayload>): Promise<void> {
  const { em, claim, command } = step;
  const { paymentId, kind, amountCents } = command.payload;
  (await judgeOf(em, command, 'claim:pay'))({
    ...claimFacts(claim),
    settlementCents: settledInAll(claim, amountCents),
  });
  const before = shownFacts(claim);
  claim.status = nextClaimStatus(claim.status, 'pay');
  ensureFirst('payment', await paymentAlike(em, { id: paymentId, claimId: claim.id, kind }));
  const amounts = payableAmounts(kind, amountCents, await boundsOf(em, claim));
  ensureUnheld(await screenedPayee(em, deps, { claimId: claim.id, payeeId: paymentId }));
  Object.assign(claim, columnsOf(paid(figuresOf(claim), amounts)));
  step.paymentIds.push(await owePayment(em, claim, { id: paymentId, kind, cents: amountCents, payeeId: paymentId }));
  record(em, claim, { act: actOf(step), action: 'pay', before });
}

/** Refuses a second payment or recovery under the same reference, naming the existing one's id. */
function ensureFirst(what: 'payment' | 'recovery', alikeId: string | null): void {
  if (alikeId === null) return;
  throw new DomainError('already_exists', `A ${what} with this reference already exists.`, { [`${what}Id`]: alikeId });
}

/**
 * Stops a waiting payment, or takes back one that was made: the claim no longer owes it, and the carrier request for
 * it is withdrawn unless the carrier has paid it or another payment needs it.
 * @throws DomainError forbidden, not_found, invalid_state_transition, amount_exceeds_balance below what was recovered
 */
export const voidClaimPayment = (deps: Deps) =>
  claimCommand<VoidPaymentPayload>(
    deps,
    'voidClaimPayment',
    async (step) => {
      const { em, claim, command, day } = step;
      const { paymentId, noteId } = command.payload;
      (await judgeOf(em, command, 'claim:pay'))(claimFacts(claim));
      const payment = await lockClaimPayment(em, paymentId);
      if (payment?.claimId !== claim.id) throw new DomainError('not_found', 'There is no such payment.');
      const before = shownFacts(claim);
      claim.status = voidedClaimStatus(claim.status, payment.status);
      ensurePaymentVoidable(payment.status);
      const left = { leftCents: await leftFor(em, claim.id), hasLeft: payment.status === 'paid' };
      await undoInFund(em, payment, day.today);
      Object.assign(payment, { status: 'void', voidedOn: day.today, voidNoteId: noteId });
      // None of that loss is paid, so no one has borne its deductible.
      const gross = borne(figuresOf(claim), -payment.deductibleCents);
      const figures = unpaid(gross, amountsOf(payment.kind, payment.amountCents), left);
      const hasEnded = claim.status === 'denied' || claim.status === 'closed';
      Object.assign(claim, columnsOf(hasEnded ? takenDown(figures) : figures));
      claim.deductibleTakenCents -= payment.deductibleCents;
      claim.settlement = restated(claim.settlement, claim);
      record(em, claim, { act: actOf(step), action: 'void', before, noteId });
    },
    lockAfterPolicy,
  );

/**
 * Books salvage or subrogation: it goes back into the fund and lowers the claim's incurred amount.
 * @throws DomainError forbidden, invalid_state_transition, already_exists with `{recoveryId}` under the same
 * reference, amount_exceeds_balance
 */
export const recoverClaim = (deps: Deps) =>
  claimCommand<RecoverPayload>(
    deps,
    'recoverClaim',
    async (step) => {
      const { em, claim, command, day } = step;
      const { recoveryId, kind, amountCents } = command.payload;
      (await judgeOf(em, command, 'claim:pay'))(claimFacts(claim));
      const before = shownFacts(claim);
      claim.status = nextClaimStatus(claim.status, 'recover');
      ensureFirst('recovery', await recoveryAlike(em, { id: recoveryId, claimId: claim.id, kind }));
      Object.assign(claim, columnsOf(recovered(figuresOf(claim), amountCents, await leftFor(em, claim.id))));
      // Money goes back to the fund it came from; the contract may by now name another carrier.
      const carrier = await carrierThatPaid(em, claim.id);
      const row = { id: recoveryId, claimId: claim.id, carrier, kind, amountCents, receivedOn: day.today };
      addRow(em, ClaimRecovery, row);
      await recoverIntoFund(em, { carrier, cents: amountCents, today: day.today });
      postEntry(em, recoveryEntry(amountCents), {
        ...{ sourceType: 'claim_recovery', sourceId: recoveryId, date: day.today, policyId: claim.policyId },
        description: `Recovery on claim ${claim.claimNumber}`,
      });
      record(em, claim, { act: actOf(step), action: 'recover', before });
    },
    lockAfterPolicy,
  );

/**
 * Takes a payment out of the carrier's fund, once. A shortfall is requested from the carrier, and the step fails until
 * there is enough, and while the payee is held.
 * @throws ApplicationFailure not_ready
 */
export const payFromLossFund =
  (deps: Deps) =>
  async ({ orgId, entityId }: MoneyStep): Promise<void> => {
    for (;;) {
      const stop = await transaction(deps, { kind: 'payFromLossFund', orgId }, (em) => takeOut(em, deps, entityId));
      if (stop === null) return;
      if (stop.held === null) throw notReady(lackingMessage(stop.lackingCents));
      // If cleared meanwhile, only payments then waiting were retried: try this one again.
      if (await holdRefused(deps, { orgId, ...stop.held }, 'payout')) throw notReady(heldPayee().message);
    }
  };

/** Why a payment stops: a held payee, or the fund's shortfall. */
type Stop = { held: ClaimPayeeRef } | { held: null; lackingCents: Cents };

async function takeOut(em: EntityManager, deps: Deps, paymentId: string): Promise<Stop | null> {
  const payment = await lockAfterItsPolicy(em, paymentId);
  if (payment === null) throw new DomainError('not_found', 'There is no such payment.');
  if (payment.status !== 'pending') return null;
  const payee = { claimId: payment.claimId, payeeId: payment.payeeId };
  if ((await screenedPayee(em, deps, payee)).length > 0) return { held: payee };
  const { today } = await businessDay(em, payment.orgId, deps.now());
  const lackingCents = await takeFromFund(em, payment, today);
  return lackingCents === 0 ? null : { held: null, lackingCents };
}

function lackingMessage(lackingCents: Cents): string {
  const lack = `The loss fund is short by ${toDollars(lackingCents)} dollars.`;
  return `${lack} Record the carrier's deposit, then retry.`;
}

function notReady(message: string): ApplicationFailure {
  return ApplicationFailure.create({ message, type: 'not_ready', nonRetryable: true });
}

/**
 * Locks a payment after its policy, since the ledger entry refers to the policy, and a command on the claim holds the
 * policy while it waits for the payment.
 */
async function lockAfterItsPolicy(em: EntityManager, paymentId: string): Promise<ClaimPayment | null> {
  const found = await findClaimPayment(em, paymentId);
  if (found === null) return null;
  await holdPolicy(em, found.policyId);
  return lockClaimPayment(em, paymentId);
}

/** Reads a payment for a saga that starts from its row; null when there is none. */
export const readClaimPayment =
  (deps: Deps) =>
  ({ orgId, entityId }: MoneyStep): Promise<{ claimNumber: string; status: string } | null> =>
    transaction(deps, { kind: 'readClaimPayment', orgId }, async (em) => {
      const payment = await findClaimPayment(em, entityId);
      const claim = payment && (await findClaim(em, payment.claimId));
      return payment && { claimNumber: claim?.claimNumber ?? '', status: payment.status };
    });
