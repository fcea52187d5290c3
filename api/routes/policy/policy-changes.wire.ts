// Maps policy changes between the wire and workflow commands, and plans to previews. Pure. Contract 1 "preview", 3.2.

import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import type { Cents } from '../../../domain/money.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import type { TermChanges } from '../../../domain/policy/transaction.ts';
import { billingEffects } from '../../../plans/policy/billing-effects.ts';
import type { ChangePlan } from '../../../plans/policy/change-plan.ts';
import type { RenewalPlan } from '../../../plans/renewal/renewal-plan.ts';
import { factsToWire } from '../billing/charges.wire.ts';
import { effectToWire } from './billing-effects.wire.ts';
import type { PolicyTransactionWire } from './policies.schemas.ts';
import { changesToWire } from './policies.wire.ts';
import type {
  RenewalPreviewWire,
  RenewalWire,
  TermChangesBody,
  TransactionPreviewWire,
} from './policy-changes.schemas.ts';

/** Only the changes that the caller sent, in cents and under the row's names. */
export function termChanges(body: TermChangesBody): TermChanges {
  const { requestedLimit, annualRevenue, deductible, insuredAddress, ...same } = body;
  const changes: TermChanges = { ...same };
  if (requestedLimit !== undefined) changes.limitCents = fromDollars(requestedLimit, 'changes.requestedLimit');
  if (annualRevenue !== undefined) changes.annualRevenueCents = fromDollars(annualRevenue, 'changes.annualRevenue');
  if (deductible !== undefined) changes.deductibleCents = fromDollars(deductible, 'changes.deductible');
  if (insuredAddress !== undefined) changes.insuredAddress = { ...insuredAddress, line2: insuredAddress.line2 ?? '' };
  return changes;
}

/** The change as if this actor issued it now; it has no id, since nothing was written. */
export function changePreviewToWire(
  policy: Policy,
  { plan, invoices, actor }: { plan: ChangePlan; invoices: readonly Invoice[]; actor: ActorRef },
): TransactionPreviewWire {
  return {
    id: null,
    documentId: null,
    ...planToWire(policy, plan, actor),
    policyId: policy.id,
    status: plan.isScheduled ? 'scheduled' : 'issued',
    reverses: plan.reverses ?? null,
    ...effectToWire(billingEffects(plan.billing, invoices), invoices),
    reapplied: plan.reapplied.map(({ transactionId, premiumChangeCents }) => ({
      transactionId,
      premiumChange: toDollars(premiumChangeCents),
    })),
    preview: true,
  };
}

/** The next term as if issued now; neither it nor its transaction has an id. */
export function renewalPreviewToWire(policy: Policy, plan: RenewalPlan, actor: ActorRef): RenewalPreviewWire {
  return {
    id: null,
    documentId: null,
    ...planToWire(policy, plan, actor),
    policyId: null,
    status: 'issued',
    reverses: null,
    triage: plan.triage,
    invoices: plan.installments.map(({ dueDate, amountCents }) => newInvoice(dueDate, amountCents)),
    credits: [],
    reapplied: [],
    renewalPolicyId: null,
    policyNumber: null,
    preview: true,
  };
}

/** The first transaction of a next term. */
export function renewalToWire(transaction: PolicyTransactionWire, next: Policy): RenewalWire {
  return { ...transaction, renewalPolicyId: next.id, policyNumber: next.policyNumber };
}

function planToWire({ orgId }: Policy, plan: ChangePlan | RenewalPlan, actor: ActorRef) {
  return {
    orgId,
    type: plan.type,
    effectiveDate: plan.effectiveDate,
    issuedAt: null,
    reason: plan.reason,
    changes: changesToWire(plan.changes),
    premiumChange: toDollars(plan.premiumChangeCents),
    feeChange: toDollars(plan.feeChangeCents),
    taxChange: toDollars(plan.taxChangeCents),
    totalChange: toDollars(plan.totalChangeCents),
    grossPremiumAfter: toDollars(plan.grossPremiumAfterCents),
    daFlags: plan.daFlags,
    actor,
    before: factsToWire(plan.before),
    after: factsToWire(plan.after),
  };
}

function newInvoice(dueDate: string, totalCents: Cents): TransactionPreviewWire['invoices'][number] {
  const total = toDollars(totalCents);
  return { id: null, invoiceNumber: null, dueDate, total, change: total };
}
