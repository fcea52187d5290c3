/**
 * Steps that failed for good: a saga's raise an event; steps that an operator skips are audited. Spec 6.4 "Failure
 * escalation".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SkippedStep, StepFailure } from '../../contracts/machinery/saga.ts';
import { findInvoice } from '../../db/queries/billing/invoices.ts';
import { findPayment } from '../../db/queries/billing/payments.ts';
import { recordStepSkip } from '../../db/queries/billing/step-skips.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { type Deps, transaction } from '../context.ts';

/** A ledger out of step with the money is a priority-one incident. Spec 6.4. */
const LEDGER_STEPS = /ledger/;

/** Raises `financial.operation_failed` once for a step that failed and is waiting, and logs it. */
export const raiseStepFailure =
  (deps: Deps) =>
  (failure: StepFailure): Promise<void> => {
    const { orgId, alertId, entityType, step, message, workflowId, entityId } = failure;
    const priority = LEDGER_STEPS.test(step) ? 1 : 2;
    deps.logger.error(
      { orgId, entityId, step, workflowId, priority, reason: message },
      entityType === 'policy' ? 'a notice could not be sent and waits' : 'a money step failed and waits',
    );
    return transaction(deps, { kind: 'raiseStepFailure', orgId }, async (em) => {
      if ((await commandResult(em, alertId)) !== null) return;
      await raiseEvent(em, failure, new Date(deps.now()));
      saveCommand(em, alertId, 'raiseStepFailure', {});
    });
  };

async function raiseEvent(
  em: EntityManager,
  { entityType, step, message, workflowId, entityId }: StepFailure,
  at: Date,
): Promise<void> {
  const about = await factsOf(em, entityType, entityId);
  const facts = { severity: 'critical', requiresManualReview: true, operation: step, message, workflowId } as const;
  writeEvent(em, 'financial.operation_failed', { ...facts, ...about }, at);
}

function factsOf(em: EntityManager, entityType: StepFailure['entityType'], id: string) {
  switch (entityType) {
    case 'policy':
      return factsOfPolicy(em, id);
    case 'invoice':
      return factsOfInvoice(em, id);
    default:
      return factsOfPayment(em, id);
  }
}

async function factsOfPayment(em: EntityManager, paymentId: string) {
  const payment = await findPayment(em, paymentId);
  return { paymentId, invoiceId: payment?.invoiceId ?? null, reference: payment?.reference ?? null };
}

async function factsOfPolicy(em: EntityManager, policyId: string) {
  const policy = await findPolicy(em, policyId);
  return { paymentId: null, invoiceId: null, policyId, reference: policy?.policyNumber ?? null };
}

async function factsOfInvoice(em: EntityManager, invoiceId: string) {
  const invoice = await findInvoice(em, invoiceId);
  return { paymentId: null, invoiceId, policyId: invoice?.policyId ?? null, reference: invoice?.invoiceNumber ?? null };
}

/** Records that an operator skipped a step of a saga or of an entity's due work. */
export const auditStepSkipped =
  (deps: Deps) =>
  ({ orgId, entityType, entityId, step, operator, reason }: SkippedStep): Promise<void> =>
    transaction(deps, { kind: 'auditStepSkipped', orgId }, async (em) => {
      if (entityType === 'payment') {
        await recordStepSkip(em, { paymentId: entityId, step, operator, at: new Date(deps.now()) });
      }
      writeAudit(em, {
        actor: { kind: 'machine', id: operator, role: 'superadmin' },
        action: `${entityType}:skip_step`,
        entityType,
        entityId,
        changes: { step, reason: reason ?? null },
      });
    });
