/** What the changes of a policy are asked and answer. Plain JSON; answers are references and states, never documents. */
import type { BusinessDate } from '../domain/dates.ts';
import type { CancellationMethod, CancellationReason, CancellationSource } from '../domain/policy-life/cancellation.ts';
import type { AddressFields, PolicyOutcome } from './messages.ts';

/** Terms that an endorsement or a renewal may change, under the names of the policy's row; only the named ones change. */
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

/** Source and method are by the contract's defaults where they are null. */
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

/** What the insured is told of. */
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

/** A mail to the insured of a policy; one of a kind is sent on a day. What it says is read when it is sent. */
export interface Notice {
  kind: NoticeKind;
  on: BusinessDate;
}

/** A policy that will not be renewed. */
export interface NonRenewOutcome extends PolicyOutcome {
  /** Null when that had been announced before. */
  notice?: Notice | null;
}

/** A transaction that was issued, and the refunds whose sagas are to be started: their rows are reserved. */
export interface PolicyChangeOutcome extends PolicyOutcome {
  transactionId: string;
  refundIds: string[];
  /** Of what the insured is to be told by mail; missing in an outcome from before he was. */
  notice?: Notice | null;
}

/** What was done about unpaid premium; `transactionId` is empty where that issues none. */
export interface DelinquencyOutcome extends PolicyChangeOutcome {
  /** Null when nothing was done. */
  notice: Notice | null;
}

/** The next term, whose workflow is to be started. */
export interface RenewOutcome extends PolicyChangeOutcome {
  renewal: PolicyOutcome;
}
