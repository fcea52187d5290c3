/** Inputs and outputs of policy changes. Plain JSON; outputs are references and states, never documents. */
import type { BusinessDate } from '../domain/dates.ts';
import type { CancellationMethod, CancellationReason, CancellationSource } from '../domain/policy-life/cancellation.ts';
import type { AddressFields, PolicyOutcome } from './messages.ts';

/** Terms that an endorsement or a renewal may change, under the policy row's names; only the named ones change. */
export interface TermChanges {
  limitCents?: number;
  annualRevenueCents?: number;
  deductibleCents?: number;
  insuredName?: string;
  insuredAddress?: AddressFields | null;
  additionalInsureds?: { name: string }[];
}

export interface EndorsePayload {
  effectiveDate: BusinessDate;
  changes: TermChanges;
  reason: string | null;
}

/** A null source or method takes the contract's default. */
export interface CancelPayload {
  effectiveDate: BusinessDate;
  reason: CancellationReason;
  source: CancellationSource | null;
  method: CancellationMethod | null;
}

export interface ReinstatePayload {
  /** Null leaves no gap. */
  effectiveDate: BusinessDate | null;
  reason: string | null;
}

export interface RenewPayload {
  /** Null is the expiration date. */
  effectiveDate: BusinessDate | null;
  changes: TermChanges;
}

export interface NonRenewPayload {
  reason: string;
}

/** The occasions for a notice to the insured. */
export const NOTICE_KINDS = [
  'past_due',
  'notice',
  'move',
  'withdraw',
  'rescind',
  'lapse',
  'cancellation',
  'non_renewal',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A notice to a policy's insured; at most one of a kind per day. Its text is composed when it is sent. */
export interface Notice {
  kind: NoticeKind;
  on: BusinessDate;
}

/** A policy that will not be renewed. */
export interface NonRenewOutcome extends PolicyOutcome {
  /** Null when notice had already been given. */
  notice?: Notice | null;
}

/** An issued transaction, and the reserved refunds whose sagas must start. */
export interface PolicyChangeOutcome extends PolicyOutcome {
  transactionId: string;
  refundIds: string[];
  /** The notice to send to the insured; missing in outcomes that predate notices. */
  notice?: Notice | null;
}

/** The step taken for unpaid premium; `transactionId` is empty when it issues none. */
export interface DelinquencyOutcome extends PolicyChangeOutcome {
  /** Null when no step was taken. */
  notice: Notice | null;
}

/** The next term, whose workflow must start. */
export interface RenewOutcome extends PolicyChangeOutcome {
  renewal: PolicyOutcome;
}
