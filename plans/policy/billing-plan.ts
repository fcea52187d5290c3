// What a policy change does to the current invoices, with refunds divided over those that hold the money.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment } from '../../db/entities/billing/payment.ts';
import {
  type Bill,
  billsOfPolicy,
  invoiceAmounts,
  invoicesOfPolicy,
  isReturnedPaymentFee,
} from '../../db/queries/billing/invoices.ts';
import { paymentsOf } from '../../db/queries/billing/payments.ts';
import { postedReturns } from '../../db/queries/billing/refunds.ts';
import { reissuesOf } from '../../db/queries/billing/void-invoices.ts';
import { foreseenAmounts, isDisputed } from '../../domain/billing/paid-again.ts';
import { RETURN_KINDS } from '../../domain/billing/payment.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Cents } from '../../domain/money.ts';
import {
  type BillingChange,
  type BillingPlan,
  byDueDate,
  moneyOn,
  type PlannedInvoice,
  planBillingChange,
} from '../../domain/policy/billing-change.ts';
import type { ChangeAmounts } from '../../domain/policy/invoice-lines.ts';
import {
  addParts,
  NO_PARTS,
  negativeParts,
  type Parts,
  partsOfLines,
  totalOfParts,
  writtenParts,
} from '../../domain/policy/parts.ts';
import { divideRefund } from '../../domain/policy/refund-parts.ts';
import { planReinstatementInvoices } from '../../domain/policy/reinstatement-billing.ts';
import { returnedParts } from '../../domain/policy/returned-parts.ts';
import { ensureDecided, returnedByChange } from '../../domain/policy/unbilled.ts';
import { type ChangeBilling, noBilling } from './change-plan.ts';
import type { PolicyLife } from './life.ts';

/** An invoice as a plan sees it, with its returns. */
export interface BilledInvoice extends PlannedInvoice {
  /** The transaction that made it. */
  transactionId: string;
  voidedBy: string | null;
  lines: {
    kind: 'premium' | 'fee' | 'tax' | 'credit';
    code: string;
    description: string;
    amountCents: Cents;
    transactionId?: string;
  }[];
  /** Completed and pending refunds and chargebacks, oldest first. */
  returns: Payment[];
  returned: Parts;
}

/** Plans the billing of a change in total due. */
export async function planBilling(
  em: EntityManager,
  life: PolicyLife,
  order: Pick<BillingChange, 'change' | 'effectiveDate' | 'description' | 'isBilledApart'>,
): Promise<ChangeBilling> {
  const invoices = await withReturns(em, await billsOfPolicy(em, life.policy.id));
  const { today, money } = life;
  const plan = planBillingChange({ ...order, today, invoices, written: writtenParts(money) });
  return {
    ...noBilling(),
    additions: plan.additions.map((addition) => ({ ...addition, dueDate: null })),
    credits: plan.credits,
    voids: plan.voids,
    exchanges: plan.exchanges,
    newInvoices: plan.newInvoices,
    refunds: refundsOf(plan, invoices),
    unclaimedCents: plan.unclaimedCents,
  };
}

/** Plans the billing of a reinstatement. `cancelled` is what the cancellation moved. */
export async function planReinstatementBilling(
  em: EntityManager,
  life: PolicyLife,
  order: { change: ChangeAmounts; cancelled: ChangeAmounts; cancellationId: string; effectiveDate: BusinessDate },
): Promise<ChangeBilling> {
  const { change, cancelled, cancellationId, effectiveDate } = order;
  const invoices = await billedInvoices(em, life.policy.id);
  const billing = await cancelledBilling(em, invoices, cancellationId);
  const { today } = life;
  const description = 'Reinstated premium';
  const plan = planReinstatementInvoices({ change, cancelled, billing, invoices, effectiveDate, today, description });
  return {
    ...noBilling(),
    additions: plan.restored,
    reopened: plan.reopened,
    newInvoices: plan.newInvoice === null ? [] : [plan.newInvoice],
    unclaimedCents: 0 - totalOfParts(plan.unbilled),
  };
}

/**
 * What a cancellation, or an endorsement that gave something back, did to the invoices, with its refunds.
 * @throws DomainError not_ready while a refund waits for approval
 */
export async function cancelledBilling(em: EntityManager, invoices: readonly BilledInvoice[], cancellationId: string) {
  const voided = invoices.filter((each) => each.voided);
  const reissued = await reissuesOf(
    em,
    voided.map(({ id }) => id),
  );
  const voidedIds = voided.filter(({ voidedBy }) => voidedBy === cancellationId).map(({ id }) => id);
  // The invoice that rebills a void one has its lines.
  const credits = invoices
    .filter(({ id }) => !reissued.has(id))
    .map(({ id, lines }) => ({
      invoiceId: id,
      creditLines: lines.filter(({ transactionId }) => transactionId === cancellationId),
    }))
    .filter(({ creditLines }) => creditLines.length > 0);
  const refunds = invoices
    .flatMap(({ returns }) => returns)
    .filter(({ policyTransactionId }) => policyTransactionId === cancellationId);
  ensureDecided(refunds.every(({ status }) => status !== 'pending_approval'));
  const returns = refunds.map(({ appliedCents, composition }) => ({ cents: -appliedCents, composition }));
  return { voidedIds: voidedIds.filter((id) => !reissued.has(id)), credits, refunded: returnedByChange(returns) };
}

/**
 * Reads a policy's invoices except returned payment fees, which are not part of its cost. A reserved refund counts as
 * returned, and money a bank holds for now as unpaid: it is credited like a debt, whatever the bank decides. So is the
 * part of a reserved refund that must be paid again; the rest is off the invoice's parts.
 */
export async function billedInvoices(em: EntityManager, policyId: string): Promise<BilledInvoice[]> {
  return withReturns(em, await invoicesOfPolicy(em, policyId));
}

/** Reads what was returned of an invoice's allocated money, by part. */
export async function returnedOf(em: EntityManager, invoice: Bill): Promise<Parts> {
  const [billed] = await withReturns(em, [invoice]);
  return billed?.returned ?? { ...NO_PARTS };
}

async function withReturns(em: EntityManager, invoices: readonly Bill[]): Promise<BilledInvoice[]> {
  const rows = invoices.filter((row) => !isReturnedPaymentFee(row));
  const payments = await paymentsOf(
    em,
    rows.map(({ id }) => id),
  );
  const returnIds = payments.filter(isReturn).map(({ id }) => id);
  const posted = await postedReturns(em, returnIds);
  return rows.map((row) => {
    const { id, installmentNumber, lines, voidedBy, transactionId } = row;
    const returns = payments.filter((each) => each.invoiceId === id && isReturn(each));
    const { amounts, paidAgain } = foreseenAmounts(invoiceAmounts(row), returns);
    const kept = returns.filter((each) => !isDisputed(each));
    const returned = returnedParts(
      lines,
      kept.map((each) => ({
        composition: each.composition,
        cents: -each.appliedCents - (paidAgain.get(each) ?? each.beforePaidCents),
        posted: posted.get(each.id) ?? null,
      })),
    );
    return {
      ...amounts,
      ...{ id, transactionId, installmentNumber, lines: [...lines], voidedBy, returns, returned },
      disputed: row.disputed,
      firstDueDate: row.firstDueDate ?? null,
    };
  });
}

function isReturn({ kind, status }: Payment): boolean {
  return RETURN_KINDS.some((each) => each === kind) && status !== 'failed';
}

/** The last due gives first, as with credits; each in its state after the plan. */
export function refundsOf(plan: BillingPlan, invoices: readonly BilledInvoice[]): ChangeBilling['refunds'] {
  const holding = byDueDate(invoices)
    .reverse()
    .filter((invoice) => !invoice.voided && moneyOn(invoice) > 0);
  const refundable = holding.map((invoice) => {
    const { id, lines, returned } = invoice;
    const moved = [
      ...plan.exchanges.filter(({ invoiceId }) => invoiceId === id).flatMap((each) => each.lines),
      ...plan.credits.filter(({ invoiceId }) => invoiceId === id).flatMap(({ creditLines }) => creditLines),
    ];
    const parts = addParts(partsOfLines([...lines, ...moved]), negativeParts(returned));
    return { id, heldCents: moneyOn(invoice), parts };
  });
  return divideRefund(plan.refund, refundable);
}
