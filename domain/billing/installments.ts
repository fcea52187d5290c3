// How a policy's cost is spread over due dates. Contract 3.1 "Bind".
import { addMonths, type BusinessDate, maxDate } from '../dates.ts';
import { INSTALLMENT_MONTHS, type InstallmentPlan } from '../lines.ts';
import { type Cents, splitEvenly } from '../money.ts';

/** One installment; `amountCents` is the sum of its three parts. `number` counts from 1. */
export interface Installment {
  number: number;
  dueDate: BusinessDate;
  premiumCents: Cents;
  feeCents: Cents;
  taxCents: Cents;
  amountCents: Cents;
}

/**
 * Spreads premium, fee and tax over a plan. The premium is split evenly with the remainder on the first installment,
 * which also carries the whole fee and tax.
 *
 * Each installment falls due a whole number of months after `anchorDate`, the policy's effective date; months are
 * counted from the anchor, so the day of the month is kept where the month has it (31 Jan, 28 Feb, 31 Mar). Nothing
 * falls due before `notBefore`, the day of the bind (default: the anchor): the first due date is the later of the two,
 * and installments of a backdated policy whose day has passed are all due on the day of the bind. Contract 3.1.
 */
export function installmentSchedule(order: {
  plan: InstallmentPlan;
  premiumCents: Cents;
  feeCents: Cents;
  taxCents: Cents;
  anchorDate: BusinessDate;
  notBefore?: BusinessDate;
}): Installment[] {
  const { plan, anchorDate, notBefore = anchorDate } = order;
  const months = INSTALLMENT_MONTHS[plan];
  const premiums = splitEvenly(order.premiumCents, months.length);
  return months.map((month, index) => {
    const premiumCents = premiums[index] ?? 0;
    const feeCents = index === 0 ? order.feeCents : 0;
    const taxCents = index === 0 ? order.taxCents : 0;
    return {
      number: index + 1,
      dueDate: maxDate(addMonths(anchorDate, month), notBefore),
      premiumCents,
      feeCents,
      taxCents,
      amountCents: premiumCents + feeCents + taxCents,
    };
  });
}
