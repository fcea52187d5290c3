// What voiding an endorsement does to the current invoices: its charges or returns are undone on the invoices that
// have them, and the rest is planned like any other change. Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import { maxDate } from '../../domain/dates.ts';
import { additionalPremiumDue, planBillingChange } from '../../domain/policy/billing-change.ts';
import { type ChangeAmounts, type ChangeLine, sumOfLines, totalOf } from '../../domain/policy/invoice-lines.ts';
import {
  addParts,
  amountsOfParts,
  negativeParts,
  PART_NAMES,
  type Parts,
  partsOfChange,
  partsOfLines,
  totalOfParts,
  writtenParts,
} from '../../domain/policy/parts.ts';
import { planReinstatementInvoices } from '../../domain/policy/reinstatement-billing.ts';
import { joinPlans, takeLinesBack } from '../../domain/policy/void-billing.ts';
import { type BilledInvoice, billedInvoices, cancelledBilling, refundsOf } from './billing-plan.ts';
import { type ChangeBilling, noBilling } from './change-plan.ts';
import type { PolicyLife } from './life.ts';

/** A void: what it moves, what the voided endorsement moved, and its day. */
export interface VoidOrder {
  change: ChangeAmounts;
  voided: ChangeAmounts;
  voidedId: string;
  effectiveDate: string;
}

/** Plans the billing of a void. */
export async function planVoidBilling(em: EntityManager, life: PolicyLife, order: VoidOrder): Promise<ChangeBilling> {
  const invoices = await billedInvoices(em, life.policy.id);
  return totalOf(order.voided) > 0 ? chargeTakenBack(life, invoices, order) : returnUndone(em, life, invoices, order);
}

/** The endorsement charged premium. */
function chargeTakenBack(life: PolicyLife, invoices: readonly BilledInvoice[], order: VoidOrder): ChangeBilling {
  const { change, voidedId, effectiveDate } = order;
  const { today, money } = life;
  const endorsed = invoices.map((invoice) => ({ ...invoice, endorsed: endorsedParts(invoice, voidedId) }));
  const wanted = negativeParts(partsOfChange(change));
  const first = takeLinesBack(wanted, endorsed, 'Return premium');
  const plan = planBillingChange({
    change: amountsOfParts(negativeParts(addParts(wanted, negativeParts(first.taken)))),
    ...{ effectiveDate, today, invoices: first.invoices, description: descriptionOf(change) },
    written: addParts(writtenParts(money), negativeParts(first.taken)),
  });
  const { exchanges, newInvoices, unclaimedCents } = plan;
  return {
    ...noBilling(),
    additions: plan.additions.map((addition) => ({ ...addition, dueDate: null })),
    ...joinPlans(first.plan, plan),
    ...{ exchanges, newInvoices, unclaimedCents, refunds: refundsOf(plan, first.invoices) },
  };
}

/** The endorsement returned premium. */
async function returnUndone(
  em: EntityManager,
  life: PolicyLife,
  invoices: readonly BilledInvoice[],
  { change, voided, voidedId, effectiveDate }: VoidOrder,
): Promise<ChangeBilling> {
  const { today, money } = life;
  const [charged, returned] = [partsOfChange(change), negativeParts(partsOfChange(voided))];
  const undone = smaller(charged, returned);
  const restored = planReinstatementInvoices({
    ...{ change: amountsOfParts(undone), cancelled: voided, invoices, effectiveDate, today },
    billing: await cancelledBilling(em, invoices, voidedId),
    description: 'Additional premium',
  });
  const { reopened, restored: additions, newInvoice, unbilled } = restored;
  const plan = planBillingChange({
    change: amountsOfParts(addParts(charged, negativeParts(undone))),
    ...{ effectiveDate, today, description: descriptionOf(change) },
    invoices: invoices.map((invoice) => restoredInvoice(invoice, { reopened, additions })),
    written: addParts(writtenParts(money), undone),
  });
  const dueDate = additionalPremiumDue(effectiveDate, today);
  const lines = [...(newInvoice?.lines ?? []), ...plan.newInvoices.flatMap((made) => made.lines)];
  return {
    ...noBilling(),
    ...{ reopened, credits: plan.credits, voids: plan.voids, exchanges: plan.exchanges },
    additions: [...additions, ...plan.additions.map((addition) => ({ ...addition, dueDate: null }))],
    newInvoices: lines.length === 0 ? [] : [{ dueDate, lines }],
    refunds: refundsOf(plan, invoices),
    unclaimedCents: plan.unclaimedCents - totalOfParts(unbilled),
  };
}

/** What an endorsement bills on an invoice: all original lines of its own invoice, and its lines on others. */
function endorsedParts({ lines, transactionId }: BilledInvoice, voidedId: string): Parts {
  const own = transactionId === voidedId ? undefined : voidedId;
  return partsOfLines(lines.filter((line) => line.transactionId === own));
}

function restoredInvoice(
  invoice: BilledInvoice,
  { reopened, additions }: Pick<ChangeBilling, 'reopened' | 'additions'>,
): BilledInvoice {
  const again = reopened.find(({ invoiceId }) => invoiceId === invoice.id);
  const more = additions.find(({ invoiceId }) => invoiceId === invoice.id);
  const lines: ChangeLine[] = [...(again?.creditLines ?? []), ...(more?.addedLines ?? [])];
  return {
    ...invoice,
    voided: invoice.voided && again === undefined,
    dueDate: maxDate(invoice.dueDate, again?.dueDate ?? more?.dueDate ?? invoice.dueDate),
    totalCents: invoice.totalCents + sumOfLines(lines),
    lines: [...invoice.lines, ...lines],
  };
}

/** The smaller of two amounts per part, and zero if either is negative. */
function smaller(one: Readonly<Parts>, other: Readonly<Parts>): Parts {
  const least = { ...one };
  for (const part of PART_NAMES) least[part] = Math.max(Math.min(one[part], other[part]), 0);
  return least;
}

function descriptionOf(change: ChangeAmounts): string {
  return totalOf(change) < 0 ? 'Return premium' : 'Additional premium';
}
