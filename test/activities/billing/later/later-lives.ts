// Lives whose events come days or months after the start: kept refunds, write-offs, a lapse, and the end of a term with
// and without a next one.
import { addYears } from '../../../../domain/dates.ts';
import { followed } from '../../policy/followed-payments.ts';
import { type InsuredLife, revenueFor } from '../../policy/insured-life.ts';

export type LaterName = 'kept' | 'unpaid' | 'divided' | 'replanned' | 'lapsed' | 'unrenewed' | 'renewed' | 'audited';

/** Days of a term of 365: overdue, noticed, lapsed; within the last 90; over; audited. */
const [OVERDUE, NOTICED, LAPSED, ENDING, OVER, AUDITED] = [1, 11, 21, 290, 365, 380];

/** All of them begin on the same day, so the clock passes for all when it passes for one. */
export async function liveOn(lives: Record<LaterName, InsuredLife>): Promise<void> {
  await keepRefund(lives.kept);
  await replan(lives.replanned);
  await lives.divided.pay(1, 400_000);
  for (const life of [lives.unrenewed, lives.renewed, lives.audited]) await life.pay(1);
  const { steps, policyId } = lives.lapsed;
  const { activities, orgId, command } = steps;
  for (const day of [OVERDUE, NOTICED, LAPSED]) {
    lives.lapsed.passTo(day);
    await activities.takeDelinquencyStep({ orgId, entityId: policyId, today: lives.lapsed.date(day) });
  }
  for (const life of [lives.unpaid, lives.divided]) {
    const [invoice] = await life.invoices();
    await activities.writeOffInvoice(command(invoice?.id ?? '', { reason: 'Out of business.' }));
  }
  lives.lapsed.passTo(ENDING);
  await activities.nonRenewPolicy(command(lives.unrenewed.policyId, { reason: 'Too many losses.' }));
  await activities.renewPolicy(command(lives.renewed.policyId, { effectiveDate: null, changes: {} }));
  lives.lapsed.passTo(OVER);
  for (const { policyId: entityId, start } of [lives.unrenewed, lives.renewed, lives.audited]) {
    await activities.expirePolicy({ orgId, entityId, today: addYears(start, 1) });
  }
  lives.lapsed.passTo(AUDITED);
  const actual = { actualRevenueCents: revenueFor(1_250_000), reason: 'Books of the year' };
  await activities.auditPolicy(command(lives.audited.policyId, actual));
}

/** What a cancellation owes back by check is kept on the insured's account. */
async function keepRefund(life: InsuredLife): Promise<void> {
  const { activities, command } = life.steps;
  await life.pay(1);
  await life.settle((await life.cancel(0, { method: 'pro_rata' })).refundIds);
  const [owed] = await life.disbursements();
  const { kept } = await activities.cancelDisbursement(command(owed?.id ?? '', { reason: 'Not to be paid.' }));
  await followed(life, kept ? [kept] : []);
}

async function replan(life: InsuredLife): Promise<void> {
  const payload = { installmentPlan: 'QUARTERLY_4', reason: 'The insured wishes so.' } as const;
  await life.steps.activities.changePaymentPlan(life.steps.command(life.policyId, payload));
}
