// The events published to tenants: their names and the shape of `data`. Spec 6.1, Contract 3.6.
import type { BusinessDate } from './dates.ts';

/** The event names. `claim.opened` is only an alias for subscribing to `claim.filed`. Spec 6.1, Contract 3.6. */
export const EVENT_TYPES = [
  'policy.bound',
  'policy.endorsed',
  'policy.cancelled',
  'policy.renewed',
  'policy.audited',
  'claim.filed',
  'claim.reserved',
  'claim.settled',
  'claim.closed',
  'payment.received',
  'payment.failed',
  'invoice.paid',
  'da.limit_approaching',
  'compliance.deadline_approaching',
  'financial.operation_failed',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Subscription aliases. */
export const EVENT_ALIASES: Readonly<Record<string, EventType>> = { 'claim.opened': 'claim.filed' };

/** Every name a subscription or the filter of `GET /events` may use; `*` subscribes to all of them. */
export const SUBSCRIBABLE_EVENTS: readonly string[] = [...EVENT_TYPES, ...Object.keys(EVENT_ALIASES), '*'];

/** `data` of `policy.bound`; money in dollars. Spec 6.1. */
export interface PolicyBoundData {
  policyId: string;
  policyNumber: string;
  grossPremium: number;
  effectiveDate: BusinessDate;
}

/** `data` of `da.limit_approaching`; `limit` and `used` in dollars, `utilization` a fraction. Contract 3.6. */
export interface DaLimitApproachingData {
  contractId: string;
  utilization: number;
  limit: number;
  used: number;
}

/** `data` of `compliance.deadline_approaching`. Contract 3.6. */
export interface ComplianceDeadlineData {
  filingId: string;
  kind: string;
  state: string;
  dueDate: BusinessDate;
  daysLeft: number;
}

/** `data` of `payment.received`, `payment.failed` and `invoice.paid`; `amount` in dollars. Contract 3.6. */
export interface InvoiceMoneyData {
  invoiceId: string;
  invoiceNumber: string;
  policyId: string;
  amount: number;
  reference: string;
  status: string;
  /** Only for a failed payment. Contract 3.4. */
  severity?: 'warning';
  /** Why the payment failed. */
  code?: string | null;
}

/** `data` of `financial.operation_failed`: a person must review it. Spec 6.4. */
export interface FinancialFailureData {
  severity: 'critical';
  requiresManualReview: true;
  /** What failed, e.g. `ledger.split`. */
  operation: string;
  message: string;
  paymentId?: string | null;
  invoiceId?: string | null;
  reference?: string | null;
  /** In dollars, where an amount is concerned. */
  amount?: number;
  /** The workflow that waits for an operator, if any. */
  workflowId?: string | null;
}

/** The shape of `data` for events with a fixed one; others carry any plain JSON. */
export interface EventData {
  'policy.bound': PolicyBoundData;
  'payment.received': InvoiceMoneyData;
  'payment.failed': InvoiceMoneyData;
  'invoice.paid': InvoiceMoneyData;
  'financial.operation_failed': FinancialFailureData;
  'da.limit_approaching': DaLimitApproachingData;
  'compliance.deadline_approaching': ComplianceDeadlineData;
}

/** The type of `data` for an event name. */
export type DataOf<T extends EventType> = T extends keyof EventData ? EventData[T] : Record<string, unknown>;

/** Resolves a subscribable name to its event, or null for a name that is no event (`*` included). */
export function eventTypeOf(name: string): EventType | null {
  const alias = Object.hasOwn(EVENT_ALIASES, name) ? EVENT_ALIASES[name] : undefined;
  return alias ?? EVENT_TYPES.find((type) => type === name) ?? null;
}
