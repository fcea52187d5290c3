// Disbursements: money owed back that leaves the trust by check or transfer, from when it is owed until the bank has
// paid it or nothing turns out to be owed. Contract 3.4 "Ledgers", account 2060.
import type { BusinessDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { type Cents, sumCents } from '../money.ts';
import { nextState, type TransitionTable } from '../transition.ts';

export const DISBURSEMENT_STATUSES = ['pending', 'issued', 'cleared', 'stopped', 'cancelled'] as const;
export type DisbursementStatus = (typeof DISBURSEMENT_STATUSES)[number];
export type DisbursementAction = 'issue' | 'clear' | 'stop' | 'cancel';

/** How it is paid: by numbered check, or by transfer with a reference. */
export const DISBURSEMENT_METHODS = ['check', 'transfer'] as const;
export type DisbursementMethod = (typeof DISBURSEMENT_METHODS)[number];

/** Why money is owed by check: it was not paid by card, or the card could not take the refund. */
export const DISBURSEMENT_CAUSES = ['refund', 'card_refund_failed'] as const;
export type DisbursementCause = (typeof DISBURSEMENT_CAUSES)[number];

/** A stopped check is owed again and can be reissued. What is cancelled before payment stays as unapplied cash. */
const MOVES: TransitionTable<DisbursementStatus, DisbursementAction> = {
  pending: { issue: 'issued', cancel: 'cancelled' },
  issued: { clear: 'cleared', stop: 'stopped' },
  cleared: {},
  stopped: { issue: 'issued', cancel: 'cancelled' },
  cancelled: {},
};

/**
 * If payments that it refunds were reversed, that much can only be cancelled: all of it (`cancelled`), or a part, with
 * the rest owed as before.
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

/** What is owed and what no longer is; `takenBackCents` is the part of the kept money that was taken back. */
interface DisbursementAmounts {
  amountCents: Cents;
  cancelledCents: Cents;
  keptCents: Cents;
  takenBackCents?: Cents;
}

/** A payment behind a disbursement: how much of it is refunded, and whether it was reversed as never good. */
export interface PaymentBehind {
  cents: Cents;
  isReversed: boolean;
}

/**
 * Returns what a disbursement no longer owes because payments behind it were never good. If 400.00 of a 700.00 refund
 * check came from a check that bounced, 300.00 is owed.
 */
export function owedNoMore(row: DisbursementAmounts, behind: readonly PaymentBehind[]): NotOwed {
  const { amountCents, cancelledCents } = row;
  const cents = Math.min(neverGoodLeft(row, behind), amountCents - cancelledCents);
  return { cents, isAll: cancelledCents + cents === amountCents };
}

/** Returns how much of the payments behind a disbursement was never good and is not yet cancelled or taken back. */
export function neverGoodLeft(row: DisbursementAmounts, behind: readonly PaymentBehind[]): Cents {
  return Math.max(neverGoodBalance(row, behind), 0);
}

/** The same; negative if more was cancelled or taken back than was never good, because a dispute was won after all. */
export function neverGoodBalance(
  { amountCents, cancelledCents, keptCents, takenBackCents = 0 }: DisbursementAmounts,
  behind: readonly PaymentBehind[],
): Cents {
  const bouncedCents = sumCents(behind.filter(({ isReversed }) => isReversed).map(({ cents }) => cents));
  return Math.min(bouncedCents, amountCents) - (cancelledCents - keptCents) - takenBackCents;
}

/** A part of a refund; `failedAt` is set once its card refund has failed. */
interface OwedPart {
  method: string;
  processorRefundId: string | null;
  failedAt?: number;
}

/**
 * Returns the parts of a refund that a disbursement owes: the card refund that failed, or everything that was not to
 * be refunded to a card by the processor.
 */
export function partsOwedBy<Part extends OwedPart>(
  { cause, processorRefundId }: { cause: string; processorRefundId: string | null },
  parts: readonly Part[],
): Part[] {
  if (cause !== 'refund') return parts.filter((part) => part.processorRefundId === processorRefundId);
  const isUnsent = (part: Part) => part.failedAt !== undefined && part.processorRefundId === null;
  return parts.filter((part) => part.method !== 'card' || isUnsent(part));
}

/** Returns what is owed, or what was owed if all of it was cancelled. */
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
 * Returns the day on which it is issued: the given one, or today. It can be neither before the money was owed
 * (`owedOn`) nor after today.
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
 * Refuses to pay before the ledger owes the money: the return's entry is not posted yet, and may need an operator.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureReturnPosted(isPosted: boolean): void {
  if (isPosted) return;
  const details = { missing: [], blockers: ['return_not_posted'] };
  throw new DomainError('not_ready', 'The refund behind this disbursement is not in the ledger yet.', details);
}
