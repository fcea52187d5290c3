// Rows whose workflow should be running. A missing one was lost and is restarted from its row.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { NoticeKind } from '../../../domain/notice/notice-kind.ts';
import type { ExpectedKind } from '../../../domain/platform/healing.ts';
import { LIVE_STATUSES } from '../../../domain/policy/policy.ts';
import { isOpen, SUBMISSION_STATUSES } from '../../../domain/submission/submission.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { OBSOLETE_ATTEMPT } from '../billing/payments.ts';
import { quoted } from '../quoted.ts';

export interface ExpectedRow {
  id: string;
  /** Set for a batch, which has its own; others are named after the row. */
  workflowId?: string;
  /** Set for a card attempt to cancel. */
  invoiceId?: string;
  /** Set for a notice: its kind, day and policy. */
  notice?: { policyId: string; kind: NoticeKind; on: BusinessDate; transactionId?: string };
}

/** Table and condition of each kind: open, in force or upcoming, running, or with an unfinished saga. */
const ROWS: Record<ExpectedKind, { from: string; where: string }> = {
  submission: { from: 'submissions', where: `status in (${quoted(SUBMISSION_STATUSES.filter(isOpen))})` },
  policy: { from: 'policies', where: `status in (${quoted(LIVE_STATUSES)})` },
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

/** Reads the next rows of a kind whose workflow should be running, by id; fewer than requested means the last page. */
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

const SAGA_END = {
  name: 'saga end',
  text: 'update payments set saga_ended_at = $3 where org_id = $1 and id = $2 and saga_ended_at is null',
};

/** Records when all follow-up steps of a payment or refund were done. */
export async function noteSagaEnd(em: EntityManager, paymentId: string, at: Date): Promise<void> {
  await preparedRows(em, SAGA_END, [organizationOf(em), paymentId, at]);
}
