// A carrier's appointment of a producer: its lifecycle, its scheduled end, and the notice to the state. Contract 3.7,
// domain facts 2.6.
import { addDays, type BusinessDate } from '../dates.ts';
import { validationError } from '../errors.ts';
import { actionsFrom, nextState, refusedMove, type TransitionTable } from '../transition.ts';
import { isSameCarrier } from './producer.ts';

export const APPOINTMENT_STATUSES = ['pending', 'active', 'suspended', 'terminated', 'expired', 'rejected'] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** Moves are named after the resulting status, which is what callers send. */
const APPOINTMENT_MOVES: TransitionTable<AppointmentStatus, AppointmentStatus> = {
  pending: { active: 'active', rejected: 'rejected', terminated: 'terminated' },
  active: { suspended: 'suspended', terminated: 'terminated', expired: 'expired' },
  suspended: { active: 'active', terminated: 'terminated', expired: 'expired' },
  terminated: {},
  expired: {},
  rejected: {},
};

/** NAIC model act, section 14: the notice of appointment must be filed within this time of the contract. */
const FILED_WITHIN_DAYS = 15;

/**
 * Returns the status after a change; without a move it stays the same. An ended appointment cannot be changed.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`
 */
export function changedAppointmentStatus(from: AppointmentStatus, to: AppointmentStatus = from): AppointmentStatus {
  if (isOver(from)) throw refusedMove('appointment', from, to === from ? 'update' : to, []);
  return from === to ? from : nextState(APPOINTMENT_MOVES, 'appointment', from, to);
}

/**
 * Warns about an appointment by a carrier that none of the organization's contracts names; null if one does. It is not
 * refused, since it may be recorded ahead of its contract.
 */
export function carrierWarning(carrier: string, contracted: readonly string[]): string | null {
  if (contracted.some((other) => isSameCarrier(other, carrier))) return null;
  const known = contracted.length === 0 ? 'There is none yet.' : `They name: ${[...new Set(contracted)].join(', ')}.`;
  return `No delegated-authority contract names the carrier ${carrier}, so the appointment allows no business yet. ${known}`;
}

/** Whether an appointment is final, so that another one may take its place. */
export function isOver(status: AppointmentStatus): boolean {
  return actionsFrom(APPOINTMENT_MOVES, status).length === 0;
}

/** The day on which an appointment ends automatically; null if it has no end date or is not in use. */
export function appointmentExpiry({ status, expirationDate }: AppointmentTerm): BusinessDate | null {
  return status === 'active' || status === 'suspended' ? expirationDate : null;
}

interface AppointmentTerm {
  status: AppointmentStatus;
  expirationDate: BusinessDate | null;
}

/** Refuses an end date that is not after the start date. @throws DomainError validation_failed */
export function ensureInOrder(effectiveDate: BusinessDate | null, expirationDate: BusinessDate | null): void {
  if (effectiveDate === null || expirationDate === null || effectiveDate < expirationDate) return;
  const message = `The appointment must expire after its effective date, ${effectiveDate}.`;
  throw validationError('expirationDate', 'min', message);
}

/**
 * The last day to file the notice of appointment with the state: 15 days from the contract, or from the application if
 * there is no contract yet. Null if none is filed: surplus lines are outside the act, and sandbox appointments are
 * never reported.
 */
export function appointmentFilingDue(facts: {
  surplusLines: boolean;
  effectiveDate: BusinessDate | null;
  today: BusinessDate;
  environmentIsSandbox: boolean;
}): BusinessDate | null {
  if (facts.surplusLines || facts.environmentIsSandbox) return null;
  return addDays(facts.effectiveDate ?? facts.today, FILED_WITHIN_DAYS);
}

/** The last day to renew an appointment: the day before it ends. Null without an end date, or in a sandbox. */
export function appointmentRenewalDue(facts: AppointmentTerm & { environmentIsSandbox: boolean }): BusinessDate | null {
  const expiresOn = appointmentExpiry(facts);
  return expiresOn === null || facts.environmentIsSandbox ? null : addDays(expiresOn, -1);
}
