// Changes the payment plan: what is not yet due is rebilled.
import { z } from 'zod';
import type { Command } from '../../../contracts/machinery/command.ts';
import { planPaymentPlan } from '../../../plans/policy/payment-plan-plan.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { longText } from '../../spine/schemas.ts';
import { InstallmentPlanSchema } from '../submission/quotes.schemas.ts';
import { policyResource } from './policies.ts';
import { change, type Plan, termChange } from './policy-changes.ts';

const PaymentPlanSchema = z
  .strictObject({ installmentPlan: InstallmentPlanSchema, reason: longText.optional() })
  .meta({ id: 'PaymentPlan' });

const changePaymentPlan = route({
  ...termChange,
  path: '/policies/:id/payment-plan',
  operationId: 'changePaymentPlan',
  summary: 'Change the payment plan of a policy',
  description:
    'Unpaid invoices that are not past due are voided; their amounts are billed again on the dates of the new plan, as if the policy had been bound on it: invoices that stay count toward its first installments. Installments whose due date has passed fall due with the first voided invoice, or on the next date of the plan if that is earlier. Fees and taxes are on the first new invoice; the policy costs the same. Invoices that are paid, partly paid, past due, written off, disputed or about to be refunded stay as they are. Open card attempts on voided invoices are cancelled; if such a payment still arrives, it is applied to the open invoices, earliest due date first, and any remainder stays unapplied. The next renewal has the new plan. `not_ready` names `BILLING_HOLD` or `NOTHING_TO_REBILL`.',
  access: allow('policy:change_payment_plan', policyResource),
  body: PaymentPlanSchema,
  errors: ['not_ready', 'invalid_state_transition'],
  handler: ({ body: { installmentPlan, reason = null }, lifecycle, ...call }) => {
    const payload = { installmentPlan, reason };
    const plan: Plan = (em, policy, today) => planPaymentPlan(em, policy, payload, today);
    const carryOut = (command: Command) => lifecycle.changePaymentPlan({ ...command, payload });
    return change(call, { permission: 'policy:change_payment_plan', action: null, plan, carryOut });
  },
});

export const paymentPlanRoutes = [changePaymentPlan];
