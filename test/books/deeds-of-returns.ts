// What happens to an insured's money on its way back, and to invoices issued by mistake.
import { atProcessor } from './deeds-of-money.ts';
import type { Insured } from './insured.ts';

export async function refund(insured: Insured): Promise<void> {
  if (!insured.isRefundedByHand) return;
  const paid = (await insured.invoices()).filter((each) => each.paidAmount > each.refundedAmount);
  if (paid.length === 0) return;
  const { id, paidAmount, refundedAmount } = insured.dice.pick(paid);
  const amount = insured.dice.percent(70) ? { amount: insured.partOf(paidAmount - refundedAmount) } : {};
  await insured.desk.send(`/invoices/${id}/refund`, { reason: 'Asked for.', ...amount });
}

/** Refunds at the processor itself. */
export async function refundAtProcessor(insured: Insured): Promise<void> {
  if (!insured.isRefundedByHand) return;
  const cards = (await insured.payments()).filter(({ kind }) => kind === 'card');
  if (cards.length === 0) return;
  const { reference, amount } = insured.dice.pick(cards);
  const cents = Math.round(insured.partOf(amount) * 100);
  atProcessor(insured, `refunds ${cents}`, () => insured.processor.refund(reference, cents));
}

/** Voids an invoice, rebills it immediately or later, or rebills an already void one. */
export async function voidInvoice(insured: Insured): Promise<void> {
  const { dice, desk } = insured;
  const all = await insured.invoices();
  const some = all.filter(
    ({ status, paidAmount, refundedAmount }) => status === 'void' || paidAmount === refundedAmount,
  );
  if (some.length === 0) return;
  const { id, status } = dice.pick(some);
  await desk.send(`/invoices/${id}/void`, { reason: 'A mistake.', reissue: status === 'void' || dice.percent(60) });
}

/** Someone else decides on a pending refund. */
export async function decideRefund(insured: Insured): Promise<void> {
  const { dice, desk } = insured;
  for (const policy of await insured.policies()) {
    const { data } = await desk.read(`/refunds?status=pending_approval&policyId=${policy.id}`);
    for (const { id } of data) {
      // A rejected refund for a policy change leaves its amount on the books for someone to decide about.
      const isRejected = insured.isRefundedByHand && dice.percent(20);
      if (isRejected) await desk.approve(`/refunds/${id}/reject`, { reason: 'No.' });
      else await desk.approve(`/refunds/${id}/approve`);
    }
  }
}

export async function moveDisbursement(insured: Insured): Promise<void> {
  const { dice, desk } = insured;
  const data = [];
  for (const policy of await insured.policies()) {
    data.push(...(await desk.read(`/disbursements?policyId=${policy.id}`)).data);
  }
  const moving = data.filter(({ status }: { status: string }) => status !== 'cleared');
  if (moving.length === 0) return;
  const { id, status } = dice.pick<{ id: string; status: string }>(moving);
  if (status !== 'issued') {
    const checkNumber = insured.nextReference('Our check');
    await desk.send(`/disbursements/${id}/issue`, { checkNumber });
  } else if (dice.percent(40)) await desk.send(`/disbursements/${id}/stop`, { reason: 'Lost.' });
  else await desk.send(`/disbursements/${id}/clear`);
}
