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

/** What is owed, and what is not any more; `takenBackCents` is the part of the kept money that was taken back. */
interface DisbursementAmounts {
  amountCents: Cents;
  cancelledCents: Cents;
  keptCents: Cents;
  takenBackCents?: Cents;
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
export function owedNoMore(row: DisbursementAmounts, behind: readonly PaymentBehind[]): NotOwed {
  const { amountCents, cancelledCents } = row;
  const cents = Math.min(neverGoodLeft(row, behind), amountCents - cancelledCents);
  return { cents, isAll: cancelledCents + cents === amountCents };
}

/** Returns what payments behind a disbursement were never good for, and nobody has given up or taken back yet. */
export function neverGoodLeft(row: DisbursementAmounts, behind: readonly PaymentBehind[]): Cents {
  return Math.max(neverGoodBalance(row, behind), 0);
}

/** The same; negative where more was given up or taken back than was never good, since a dispute was won after all. */
export function neverGoodBalance(
  { amountCents, cancelledCents, keptCents, takenBackCents = 0 }: DisbursementAmounts,
  behind: readonly PaymentBehind[],
): Cents {
  const bouncedCents = sumCents(behind.filter(({ isReversed }) => isReversed).map(({ cents }) => cents));
  return Math.min(bouncedCents, amountCents) - (cancelledCents - keptCents) - takenBackCents;
}

/** A part of a refund; `failedAt` once a card does not take it back after all. */
interface OwedPart {
  method: string;
  processorRefundId: string | null;
  failedAt?: number;
}

/**
 * Returns the parts of a refund that a disbursement owes: the card refund that failed, or all that no card takes back
 * and the processor was not to give back.
 */
export function partsOwedBy<Part extends OwedPart>(
  { cause, processorRefundId }: { cause: string; processorRefundId: string | null },
  parts: readonly Part[],
): Part[] {
  if (cause !== 'refund') return parts.filter((part) => part.processorRefundId === processorRefundId);
  const isUnsent = (part: Part) => part.failedAt !== undefined && part.processorRefundId === null;
  return parts.filter((part) => part.method !== 'card' || isUnsent(part));
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
 * Refuses to pay before the ledger owes the money: its return waits for its entry, perhaps for an operator.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureReturnPosted(isPosted: boolean): void {
  if (isPosted) return;
  const details = { missing: [], blockers: ['return_not_posted'] };
  throw new DomainError('not_ready', 'The refund behind this disbursement is not in the ledger yet.', details);
}
