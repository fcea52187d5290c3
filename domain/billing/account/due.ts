// What is payable on a policy's account on a day: the amount past due, and the next one to fall due. Pure.
import { type BusinessDate, daysBetween } from '../../dates.ts';
import { type Cents, sumCents } from '../../money.ts';

/** What is still owed on an invoice, and its current due date. */
export interface OwedInvoice {
  invoiceId: string;
  owedCents: Cents;
  dueDate: BusinessDate;
}

/** An amount with the day on which it falls due, or first fell due, and how many days away that is. */
interface DueAmount {
  cents: Cents;
  dueDate: BusinessDate;
  days: number;
}

/** Sums what is past due on a day, and what falls due next: everything due on the first due date from that day on. */
export function amountsDue(
  owed: readonly OwedInvoice[],
  today: BusinessDate,
): { pastDue: DueAmount | null; dueNext: DueAmount | null } {
  const late = owed.filter(({ dueDate }) => dueDate < today);
  const ahead = owed.filter(({ dueDate }) => dueDate >= today);
  const next = firstDay(ahead);
  return {
    pastDue: dueAmount(late, today),
    dueNext: dueAmount(
      ahead.filter(({ dueDate }) => dueDate === next),
      today,
    ),
  };
}

function dueAmount(owed: readonly OwedInvoice[], today: BusinessDate): DueAmount | null {
  const dueDate = firstDay(owed);
  if (dueDate === null) return null;
  const cents = sumCents(owed.map(({ owedCents }) => owedCents));
  return { cents, dueDate, days: Math.abs(daysBetween(today, dueDate)) };
}

function firstDay(owed: readonly OwedInvoice[]): BusinessDate | null {
  return owed.map(({ dueDate }) => dueDate).sort()[0] ?? null;
}
