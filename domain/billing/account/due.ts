// What a policy's account asks for on a day: the amount that is past due, and the next one that falls due. Pure.
import { type BusinessDate, daysBetween } from '../../dates.ts';
import { type Cents, sumCents } from '../../money.ts';

/** What is still owed on an invoice, and its due date as it is now. */
export interface OwedInvoice {
  invoiceId: string;
  owedCents: Cents;
  dueDate: BusinessDate;
}

/** An amount with the day on which it falls due, or fell due first, and how many days that is away. */
interface DueAmount {
  cents: Cents;
  dueDate: BusinessDate;
  days: number;
}

/** Sums what is past due on a day, and what falls due next: all that is due on the first day from then on. */
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
