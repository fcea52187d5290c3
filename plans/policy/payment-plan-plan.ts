// A payment plan change as it would be issued today: it moves no money, and rebills what is not yet due.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { holdsOfState } from '../../db/queries/billing/billing-holds.ts';
import { ensureOtherPlan, planRebilling, type RebillableInvoice } from '../../domain/billing/payment-plan.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import type { InstallmentPlan } from '../../domain/lines.ts';
import type { StackedTransaction } from '../../domain/policy/stack.ts';
import { type BilledInvoice, billedInvoices } from './billing-plan.ts';
import { type ChangePlan, noBilling, noMoney } from './change-plan.ts';
import { ensureAllowed, readLife } from './life.ts';

/**
 * Plans the change.
 * @throws DomainError invalid_state_transition; validation_failed for the present plan; not_ready with the blocker
 * BILLING_HOLD or NOTHING_TO_REBILL
 */
export async function planPaymentPlan(
  em: EntityManager,
  policy: Readonly<Policy>,
  { installmentPlan, reason }: { installmentPlan: InstallmentPlan; reason: string | null },
  today: BusinessDate,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  ensureAllowed(life, 'change_payment_plan');
  ensureOtherPlan(policy.installmentPlan, installmentPlan);
  await ensureNotHeld(em, policy, today);
  const invoices = (await billedInvoices(em, policy.id)).map((invoice) => rebillable(invoice, life.stack));
  const { effectiveDate: anchorDate } = policy;
  const changes = { installmentPlan, previousPlan: policy.installmentPlan as InstallmentPlan };
  const rebilling = planRebilling({ plan: installmentPlan, invoices, anchorDate, today });
  return {
    ...noMoney(life),
    ...{ type: 'payment_plan', effectiveDate: today, reason, changes },
    billing: { ...noBilling(), ...rebilling },
  };
}

/** While a state forbids collection, existing bills stay as they are. */
async function ensureNotHeld(em: EntityManager, { state }: Readonly<Policy>, today: BusinessDate): Promise<void> {
  const holds = await holdsOfState(em, state);
  const hold = holds.find(({ from, to }) => from <= today && today <= to);
  if (hold === undefined) return;
  const details = { missing: [], blockers: ['BILLING_HOLD'], holdUntil: hold.to };
  throw new DomainError('not_ready', 'A billing hold is in effect in the state of the policy.', details);
}

/** A line is billed for its own transaction, unless that began the term or only rebilled it. */
function rebillable(invoice: BilledInvoice, stack: readonly StackedTransaction[]): RebillableInvoice {
  const isOwn = (id: string) => stack.some((row) => row.id === id && !BILLING_ONLY.has(row.type));
  const lines = invoice.lines.map(({ transactionId = invoice.transactionId, ...line }) =>
    isOwn(transactionId) ? { ...line, transactionId } : line,
  );
  return { ...invoice, lines, hasReturns: invoice.returns.length > 0 };
}

const BILLING_ONLY: ReadonlySet<StackedTransaction['type']> = new Set(['new_business', 'renewal', 'payment_plan']);
