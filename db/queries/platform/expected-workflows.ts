// Rows whose workflow should be running: expectedWorkflows. What is missing among them was lost and is started again
// from its row.
import type { EntityManager } from '@mikro-orm/postgresql';
import { IN_FORCE_STATUSES } from '../../../domain/billing/delinquency-clock.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { NoticeKind } from '../../../domain/notice/notice-kind.ts';
import { isOpen, SUBMISSION_STATUSES } from '../../../domain/submission/submission.ts';
import { organizationOf } from '../../scope.ts';
import { OBSOLETE_ATTEMPT } from '../billing/payments.ts';
import { quoted } from '../quoted.ts';

/** In the order in which they are looked through. */
export const EXPECTED_KINDS = [
  ...([
    'submission',
    'policy',
    'claim',
    'appointment',
    'envelope',
    'claim_payment',
    'batch',
    'bordereau',
    'trust_run',
    'payment',
    'refund',
    'attempt_cancellation',
    'notice',
  ] as const),
] as const;
export type ExpectedKind = (typeof EXPECTED_KINDS)[number];

export interface ExpectedRow {
  id: string;
  /** Of a batch, which has one of its own; others are named after the row. */
  workflowId?: string;
  /** Of a card attempt to cancel. */
  invoiceId?: string;
  /** Of a notice: its kind, its day and its policy. */
  notice?: { policyId: string; kind: NoticeKind; on: BusinessDate; transactionId?: string };
}

/** Table and condition of each kind: what is open, in force or to come, running, or not at the end of its saga. */
const ROWS: Record<ExpectedKind, { from: string; where: string }> = {
  submission: { from: 'submissions', where: `status in (${quoted(SUBMISSION_STATUSES.filter(isOpen))})` },
  policy: { from: 'policies', where: `status in (${quoted(IN_FORCE_STATUSES)})` },
  claim: { from: 'claims', where: "status <> 'closed'" },
  appointment: { from: 'appointments', where: "status in ('active', 'suspended') and expiration_date is not null" },
  envelope: {
    from: 'signing_envelopes',
    where: "(next_step_on is not null or (status = 'completed' and signed_document_id is null))",
  },
  claim_payment: { from: 'claim_payments', where: "status = 'pending'" },
  batch: { from: 'renewal_batches', where: "status = 'running'" },
  bordereau: { from: 'bordereaux', where: "status = 'running'" },
  trust_run: { from: 'trust_reconciliations', where: "status = 'running'" },
  payment: { from: 'payments', where: "saga_ended_at is null and kind in ('card', 'manual', 'application')" },
  refund: { from: 'payments', where: "saga_ended_at is null and kind in ('refund', 'chargeback', 'reversal')" },
  attempt_cancellation: { from: 'payment_intents', where: OBSOLETE_ATTEMPT },
  notice: { from: 'due_notices', where: 'true' },
};

/** What the workflow is started with besides the row's id. */
const FACTS: Partial<Record<ExpectedKind, string>> = {
  batch: ', workflow_id as "workflowId"',
  attempt_cancellation: ', invoice_id as "invoiceId"',
  notice: `, json_strip_nulls(json_build_object(
    'policyId', policy_id, 'kind', kind, 'on', on_date, 'transactionId', transaction_id)) as notice`,
};

/**
 * Reads the next rows of a kind whose workflow should be running, in the order of their ids; fewer than requested are
 * the last.
 */
export function expectedWorkflows(
  em: EntityManager,
  kind: ExpectedKind,
  { after, limit }: { after: string; limit: number },
): Promise<ExpectedRow[]> {
  const { from, where } = ROWS[kind];
  const facts = FACTS[kind] ?? '';
  return em.execute<ExpectedRow[]>(
    `select id${facts} from ${from} where org_id = ? and id > ? and ${where} order by id limit ?`,
    [organizationOf(em), after, limit],
  );
}

/** Keeps when all that follows from a payment or a refund had been done. */
export async function noteSagaEnd(em: EntityManager, paymentId: string, at: Date): Promise<void> {
  await em.execute('update payments set saga_ended_at = ? where org_id = ? and id = ? and saga_ended_at is null', [
    at,
    organizationOf(em),
    paymentId,
  ]);
}
