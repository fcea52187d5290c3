// The life of a submission: its states, what each allows, and which fields make it complete. Spec 2.4, 3.5, Contract
// 3.1.
import type { Address } from '../address.ts';
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import { actionsFrom, nextState, type TransitionTable } from '../transition.ts';

export const SUBMISSION_STATUSES = [
  'received',
  'incomplete',
  'triaged',
  'quoted',
  'referred',
  'bound',
  'declined',
  'withdrawn',
  'expired',
  'not_taken',
] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

export const SUBMISSION_ACTIONS = [
  'complete',
  'correct',
  'update_contact',
  'quote',
  'refer',
  'approve',
  'reject',
  'bind',
  'withdraw',
  'decline',
  'expire',
  'lose',
] as const;
export type SubmissionAction = (typeof SUBMISSION_ACTIONS)[number];

const ENDINGS = { withdraw: 'withdrawn', decline: 'declined', expire: 'expired' } as const;

/**
 * What each submission state allows. `correct` changes a fact that affects triage, rating or authority, so earlier
 * quotes and referrals no longer apply and the submission is triaged again; `update_contact` changes anything else.
 * `refer` is a quote with a refer flag. Contract 3.1.
 */
const SUBMISSION_TRANSITIONS: TransitionTable<SubmissionStatus, SubmissionAction> = {
  received: { complete: 'triaged', correct: 'received', update_contact: 'received', ...ENDINGS },
  incomplete: { complete: 'triaged', correct: 'incomplete', update_contact: 'incomplete', ...ENDINGS },
  triaged: { correct: 'triaged', update_contact: 'triaged', quote: 'quoted', refer: 'referred', ...ENDINGS },
  quoted: {
    correct: 'triaged',
    update_contact: 'quoted',
    quote: 'quoted',
    refer: 'referred',
    bind: 'bound',
    lose: 'not_taken',
    ...ENDINGS,
  },
  referred: {
    correct: 'triaged',
    update_contact: 'referred',
    quote: 'quoted',
    refer: 'referred',
    approve: 'quoted',
    reject: 'declined',
    ...ENDINGS,
  },
  bound: {},
  declined: {},
  withdrawn: {},
  expired: {},
  not_taken: {},
};

/** The fields of Spec 2.4 that a submission must have before it can be triaged, by their names on the wire. */
const REQUIRED_SUBMISSION_FIELDS = [
  'insuredName',
  'naicsCode',
  'annualRevenue',
  'requestedLimit',
  'effectiveDate',
  'state',
  'lineOfBusiness',
] as const;
export type RequiredSubmissionField = (typeof REQUIRED_SUBMISSION_FIELDS)[number];

/** The optional fields that count toward a submission's completeness. Contract 3.1. */
const OPTIONAL_SUBMISSION_FIELDS = [
  'producerId',
  'insuredEmail',
  'insuredPhone',
  'insuredAddress',
  'deductible',
  'lossesLast5Years',
  'yearsInBusiness',
  'usdotNumber',
  'description',
] as const;

/** A submission's facts, in cents and business dates. Null means "not known"; the first seven make it complete. */
export interface SubmissionValues {
  insuredName: string | null;
  naicsCode: string | null;
  annualRevenueCents: Cents | null;
  requestedLimitCents: Cents | null;
  effectiveDate: BusinessDate | null;
  state: string | null;
  lineOfBusiness: string | null;
  producerId: string | null;
  insuredEmail: string | null;
  insuredPhone: string | null;
  insuredAddress: Address | null;
  deductibleCents: Cents | null;
  lossesLast5Years: number | null;
  yearsInBusiness: number | null;
  usdotNumber: string | null;
  description: string | null;
}

/** What is known of a submission; `intake` is what was read from the form it came on. */
export type SubmissionFields = Partial<SubmissionValues> & {
  intake?: { assumed: readonly RequiredSubmissionField[] } | null;
};

const CONTACT_PROPERTIES = new Set(['insuredEmail', 'insuredPhone', 'insuredAddress', 'description', 'usdotNumber']);

const KEPT_AS = {
  annualRevenue: 'annualRevenueCents',
  requestedLimit: 'requestedLimitCents',
  deductible: 'deductibleCents',
} as const;

/** Returns the state that an action leads to. @throws DomainError invalid_state_transition. Spec 7.2, Contract 1. */
export function nextSubmissionStatus(from: SubmissionStatus, action: SubmissionAction): SubmissionStatus {
  return nextState(SUBMISSION_TRANSITIONS, 'submission', from, action);
}

/** Lists the actions a submission allows in a state. */
export function allowedActions(status: SubmissionStatus): SubmissionAction[] {
  return actionsFrom(SUBMISSION_TRANSITIONS, status);
}

/** Whether a submission is still open: not bound and not ended. */
export function isOpen(status: SubmissionStatus): boolean {
  return allowedActions(status).length > 0;
}

/**
 * Names the required fields that are missing, by their names on the wire; an empty text counts as missing, and so does
 * an assumed value until it is confirmed. Contract 3.1.
 */
export function missingFields(fields: SubmissionFields): RequiredSubmissionField[] {
  const assumed = fields.intake?.assumed ?? [];
  return REQUIRED_SUBMISSION_FIELDS.filter((name) => assumed.includes(name) || !isGiven(fields, name));
}

/** Lists what is still assumed after changes: a field named in them is confirmed, even with the same value. */
export function stillAssumed(
  assumed: readonly RequiredSubmissionField[],
  changes: SubmissionFields,
): RequiredSubmissionField[] {
  return assumed.filter((name) => !Object.hasOwn(changes, propertyOf(name)));
}

/** Counts the required and optional fields given: triage's measure of completeness. */
export function completeness(fields: SubmissionFields): { given: number; of: number } {
  const names = [...REQUIRED_SUBMISSION_FIELDS, ...OPTIONAL_SUBMISSION_FIELDS];
  return { given: names.filter((name) => isGiven(fields, name)).length, of: names.length };
}

/**
 * Returns which action a correction is, from the properties that actually changed: `correct` when one affects triage,
 * rating or authority, otherwise `update_contact`, which leaves a quote valid.
 */
export function correctionAction(changedProperties: readonly string[]): 'correct' | 'update_contact' {
  return changedProperties.every((name) => CONTACT_PROPERTIES.has(name)) ? 'update_contact' : 'correct';
}

/**
 * Refuses to quote a submission that is incomplete or no longer open.
 * @throws DomainError not_ready with `{missing, blockers}` for an incomplete one, invalid_state_transition for an ended
 * one. Contract 3.1 "Quote".
 */
export function ensureQuotable(status: SubmissionStatus, fields: SubmissionFields): void {
  if (isOpen(status) && (status === 'incomplete' || status === 'received')) {
    throw new DomainError('not_ready', 'The submission is not complete.', {
      missing: missingFields(fields),
      blockers: [],
    });
  }
  nextSubmissionStatus(status, 'quote');
}

function isGiven(fields: SubmissionFields, name: string): boolean {
  const value = fields[propertyOf(name) as keyof SubmissionFields];
  return value !== undefined && value !== null && value !== '';
}

function propertyOf(name: string): string {
  return Object.hasOwn(KEPT_AS, name) ? KEPT_AS[name as keyof typeof KEPT_AS] : name;
}
