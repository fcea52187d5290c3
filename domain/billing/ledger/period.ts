// Months of the ledgers: which one closes next, and which one can be reopened. Domain facts 4.3.
import { addDays, type BusinessDate, lastDayOf, type Month, monthAfter } from '../../dates.ts';
import { DomainError, validationError } from '../../errors.ts';
import { refusedMove } from '../../transition.ts';

export const PERIOD_STATUSES = ['closed', 'reopened'] as const;
export type PeriodStatus = (typeof PERIOD_STATUSES)[number];

/**
 * Refuses to close a month that is not over, is already closed, or would leave an earlier one open; `lastClosed` is
 * the last closed month. Any month may be the first.
 * @throws DomainError invalid_state_transition with `{next}`, the month that closes next, and the month's `{lastDay}`
 */
export function ensureClosable(month: Month, lastClosed: Month | null, today: BusinessDate): void {
  const next = lastClosed === null ? null : monthAfter(lastClosed);
  const isClosed = lastClosed !== null && month <= lastClosed;
  if (!isClosed && (next === null || month === next) && lastDayOf(month) < today) return;
  const details = { month, next, lastDay: lastDayOf(month) };
  if (isClosed) throw refusedMove('ledger_period', 'closed', 'close', ['reopen'], details);
  const refusal = { resource: 'ledger_period', from: 'open', action: 'close', allowed: [], ...details };
  throw new DomainError('invalid_state_transition', whyNotYet(month, next), refusal);
}

function whyNotYet(month: Month, next: Month | null): string {
  if (next !== null && month > next) return `The month ${next} has to be closed before ${month}.`;
  return `The month ends on ${lastDayOf(month)} and can be closed from the day after.`;
}

/**
 * Refuses to reopen any month but the last closed one.
 * @throws DomainError invalid_state_transition with `{lastClosed}`
 */
export function ensureReopenable(month: Month, lastClosed: Month | null): void {
  if (month === lastClosed) return;
  const from = lastClosed !== null && month < lastClosed ? 'closed' : 'open';
  throw refusedMove('ledger_period', from, 'reopen', from === 'open' ? ['close'] : [], { month, lastClosed });
}

/**
 * Refuses a manual entry dated in a closed month: a date given by a person is never changed.
 * @throws DomainError validation_failed for field `date`, rule min, with the first open day
 */
export function ensureOpenDay(date: BusinessDate, lastClosed: Month | null): void {
  if (lastClosed === null || date > lastDayOf(lastClosed)) return;
  const min = addDays(lastDayOf(lastClosed), 1);
  throw validationError('date', 'min', `The books are closed for dates before ${min}. Use ${min} or later.`, { min });
}

/**
 * Refuses to post a manual entry whose month was closed after it was made.
 * @throws DomainError invalid_state_transition with `{date, closedThrough}`
 */
export function ensurePostable(date: BusinessDate, lastClosed: Month | null): void {
  if (lastClosed === null || date > lastDayOf(lastClosed)) return;
  const details = { date, closedThrough: lastDayOf(lastClosed) };
  throw refusedMove('journal', 'pending_approval', 'approve', ['reject'], details);
}
