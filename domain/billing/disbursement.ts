// Disbursements: money owed back that leaves the trust by check or transfer, from the moment it is owed until the bank
// has paid it, or it turns out that nothing is owed. Contract 3.4 "Ledgers", account 2060.
import type { BusinessDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { type Cents, sumCents } from '../money.ts';
import { nextState, type TransitionTable } from '../transition.ts';

export const DISBURSEMENT_STATUSES = ['pending', 'issued', 'cleared', 'stopped', 'cancelled'] as const;
export type DisbursementStatus = (typeof DISBURSEMENT_STATUSES)[number];
export type DisbursementAction = 'issue' | 'clear' | 'stop' | 'cancel';

/** How it is paid: by a check with a number, or by a transfer with a reference. */
export const DISBURSEMENT_METHODS = ['check', 'transfer'] as const;
export type DisbursementMethod = (typeof DISBURSEMENT_METHODS)[number];

/** Why money is owed by check: it did not come by card, or the card could not take it back. */
export const DISBURSEMENT_CAUSES = ['refund', 'card_refund_failed'] as const;
export type DisbursementCause = (typeof DISBURSEMENT_CAUSES)[number];

/** A stopped check is owed again, and can be issued again. What is cancelled before it is paid out stays unapplied. */
const MOVES: TransitionTable<DisbursementStatus, DisbursementAction> = {
  pending: { issue: 'issued', cancel: 'cancelled' },
  issued: { clear: 'cleared', stop: 'stopped' },
  cleared: {},
  stopped: { issue: 'issued', cancel: 'cancelled' },
  cancelled: {},
};

/**
 * Where payments that it gives back turned out never to have been good, that much can only be cancelled: all of it
 * (`cancelled`), or a part, and the rest is owed as before.
 */
function movesWith({ cents, isAll }: NotOwed): typeof MOVES {
  if (cents === 0) return MOVES;
  const after = (status: 'pending' | 'stopped') => ({ cancel: isAll ? ('cancelled' as const) : status });
  return { ...MOVES, pending: after('pending'), stopped: after('stopped') };
}

/** The part of a disbursement that is no longer owed and not yet cancelled. */
export interface NotOwed {
  cents: Cents;
  isAll: boolean;
}

/** A payment behind a disbursement: how much of it is given back, and whether it was reversed as never good. */
export interface PaymentBehind {
  cents: Cents;
  isReversed: boolean;
}

/**
 * Returns what a disbursement owes no more, because payments behind it were never good. Of a check for 700.00, of which
 * 400.00 came by a check that bounced, 300.00 is owed.
 */
export function owedNoMore(
  { amountCents, cancelledCents, keptCents }: { amountCents: Cents; cancelledCents: Cents; keptCents: Cents },
  behind: readonly PaymentBehind[],
): NotOwed {
  const bouncedCents = sumCents(behind.filter(({ isReversed }) => isReversed).map(({ cents }) => cents));
  const neverGoodCents = Math.min(bouncedCents, amountCents) - (cancelledCents - keptCents);
  const cents = Math.max(Math.min(neverGoodCents, amountCents - cancelledCents), 0);
  return { cents, isAll: cancelledCents + cents === amountCents };
}

/** Returns what is owed, or was when all of it was cancelled. */
export function owedCents({ amountCents, cancelledCents }: { amountCents: Cents; cancelledCents: Cents }): Cents {
  return cancelledCents === amountCents ? amountCents : amountCents - cancelledCents;
}

/**
 * Returns the status that an action leads to.
 * @throws DomainError invalid_state_transition
 */
export function nextDisbursementStatus(
  from: DisbursementStatus,
  action: DisbursementAction,
  notOwed: NotOwed,
): DisbursementStatus {
  return nextState(movesWith(notOwed), 'disbursement', from, action);
}

/**
 * Returns the day on which it is issued: the given one, or today. It cannot be before the money was owed (`owedOn`) nor
 * after today.
 * @throws DomainError validation_failed for field `issuedOn`, rule min or max
 */
export function issueDay(given: BusinessDate | null, owedOn: BusinessDate, today: BusinessDate): BusinessDate {
  if (given === null) return today;
  if (given < owedOn) {
    throw validationError('issuedOn', 'min', 'issuedOn must not be before the day the money became owed.', {
      min: owedOn,
    });
  }
  if (given > today) {
    throw validationError('issuedOn', 'max', 'issuedOn must not be later than today.', { max: today });
  }
  return given;
}

/**
 * Refuses a number that a disbursement has been issued under, also the same one before it was stopped.
 * @throws DomainError already_exists with the id of that disbursement
 */
export function ensureReferenceIsFree(issued: { id: string } | null): void {
  if (issued === null) return;
  const details = { resource: 'disbursement', disbursementId: issued.id };
  throw new DomainError('already_exists', 'This check number or reference has already been used.', details);
}

/**
 * Refuses to pay before the ledger owes the money: its return waits for its entry, perhaps for an operator.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureReturnPosted(isPosted: boolean): void {
  if (isPosted) return;
  const details = { missing: [], blockers: ['return_not_posted'] };
  throw new DomainError('not_ready', 'The refund behind this disbursement is not in the ledger yet.', details);
}
