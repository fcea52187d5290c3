// What happens to an insured's money on its way in: paid by hand and by card, in part, twice, overpaid, applied
// elsewhere, never collected, or taken back by the bank.
import { addDays } from '../../domain/dates.ts';
import { eventually } from '../support/eventually.ts';
import { changePlan } from './deeds-of-policies.ts';
import type { Insured, InvoiceSeen } from './insured.ts';

const METHODS = ['check', 'ach', 'wire', 'cash'] as const;
/** By frequency: good, declined, good with a refund that fails. */
const UNDISTURBED_CARDS = [...Array.from({ length: 7 }, () => 'pm_card_visa'), 'pm_card_chargeDeclined'];
const CARDS = [...UNDISTURBED_CARDS, 'pm_card_refundFail', 'pm_card_refundFail'];

const LONGEST_STEP_DAYS = 90;
const LOOK_EVERY_MS = 100;
const RECORDED = 'select from payments where reference = $1';

const isOwed = ({ balance }: InvoiceSeen) => balance > 0;

export async function pay(insured: Insured): Promise<void> {
  const [invoice] = (await insured.invoices()).filter(isOwed);
  if (invoice !== undefined) await payInvoice(insured, invoice);
}

/** Pays what falls due before the next day of a life. */
export async function payAhead(insured: Insured): Promise<void> {
  const until = addDays(insured.today, LONGEST_STEP_DAYS);
  for (const { id, balance, dueDate } of (await insured.invoices()).filter(isOwed)) {
    if (dueDate > until) continue;
    const check = { amount: balance, method: 'check', reference: insured.nextReference('Check') };
    await insured.desk.send(`/invoices/${id}/pay`, check);
  }
}

async function payInvoice(insured: Insured, { id, balance }: InvoiceSeen): Promise<void> {
  const { dice } = insured;
  const isTooMuch = dice.percent(12);
  const amount = isTooMuch ? (Math.round(balance * 100) + 1 + dice.below(90_000)) / 100 : undefined;
  const part = dice.percent(30) ? insured.partOf(balance) : balance;
  await insured.desk.send(`/invoices/${id}/pay`, {
    ...{ amount: amount ?? part, method: dice.pick(METHODS), reference: insured.nextReference('Check') },
    ...(isTooMuch ? { unapplied: true } : {}),
  });
}

/** Sometimes a check meanwhile pays the same bill, or another payment plan replaces it. */
export async function payByCard(insured: Insured): Promise<void> {
  const { dice, desk, processor } = insured;
  const open = (await insured.invoices()).filter(isOwed);
  if (open.length === 0) return;
  const invoice = dice.pick(open);
  if (invoice.balance < 0.5) return;
  const amount = dice.percent(30) ? Math.max(0.5, insured.partOf(invoice.balance)) : invoice.balance;
  const begun = await desk.send(`/invoices/${invoice.id}/payment-intent`, { amount });
  if (begun === null) return;
  if (dice.percent(15)) await payInvoice(insured, invoice);
  if (dice.percent(10)) await changePlan(insured);
  const { paymentIntentId } = begun;
  const card = dice.pick(insured.isUndisturbed ? UNDISTURBED_CARDS : CARDS);
  const status = atProcessor(insured, `pays by ${card}`, () => processor.pay(paymentIntentId, card));
  if (status === 'succeeded') await untilPaid(insured, paymentIntentId);
  else if (dice.percent(60)) await retry(insured);
}

async function untilPaid(insured: Insured, intentId: string): Promise<void> {
  const isThere = async () => (await insured.rows.query(RECORDED, [intentId])).length > 0;
  await eventually(isThere, { what: `the card payment of ${insured.name}`, everyMs: LOOK_EVERY_MS });
}

/** Tries a card again that was declined, or an invoice that was never tried. */
export async function retry(insured: Insured): Promise<void> {
  const open = (await insured.invoices()).filter(isOwed);
  if (open.length === 0) return;
  const declined = open.filter(({ lastPaymentError }) => lastPaymentError !== null);
  const { id } = insured.dice.pick(declined.length > 0 ? declined : open);
  const begun = await insured.desk.send(`/invoices/${id}/retry`);
  if (begun === null) return;
  const { paymentIntentId } = begun;
  const status = atProcessor(insured, 'pays again', () => insured.processor.pay(paymentIntentId));
  if (status === 'succeeded') await untilPaid(insured, paymentIntentId);
}

export async function reverse(insured: Insured): Promise<void> {
  if (insured.isUndisturbed) return;
  const { dice, desk } = insured;
  const manual = (await insured.payments()).filter(({ kind, status }) => kind === 'manual' && status === 'succeeded');
  if (manual.length === 0) return;
  const reason = dice.pick(['nsf', 'stopped', 'error'] as const);
  const fee = reason !== 'error' && dice.percent(40) ? { fee: 25 } : {};
  await desk.send(`/payments/${dice.pick(manual).id}/reverse`, { reason, ...fee });
}

export async function dispute(insured: Insured): Promise<void> {
  if (insured.isUndisturbed) return;
  const { dice, processor } = insured;
  const cards = (await insured.payments()).filter(({ kind }) => kind === 'card');
  if (cards.length === 0) return;
  const { reference, amount } = dice.pick(cards);
  const cents = Math.round(amount * 100);
  const part = dice.percent(25) ? 1 + dice.below(cents) : undefined;
  const isInquiry = dice.percent(15);
  const id = atProcessor(insured, `disputes ${part ?? 'all'} of ${cents}`, () =>
    processor.dispute(reference, part, { isInquiry }),
  );
  if (id !== null) insured.disputes.add(id);
}

/** Submits evidence to the bank, or the bank decides. */
export async function decideDispute(insured: Insured): Promise<void> {
  const { dice, disputes, processor } = insured;
  if (disputes.size === 0) return;
  const id = dice.pick([...disputes]);
  if (dice.percent(20)) {
    atProcessor(insured, 'sends evidence', () => processor.updateDispute(id));
    return;
  }
  const outcome = dice.pick(['won', 'lost'] as const);
  atProcessor(insured, `is decided: ${outcome}`, () => processor.closeDispute(id, outcome));
  disputes.delete(id);
}

export async function applyUnapplied(insured: Insured): Promise<void> {
  const { dice, desk } = insured;
  const [held] = await unappliedOf(insured);
  const open = (await insured.invoices()).filter(isOwed);
  if (held === undefined || open.length === 0) return;
  const invoiceId = dice.pick(open).id;
  const amount = dice.percent(40) ? { amount: insured.partOf(held.unappliedAmount) } : {};
  await desk.send(`/unapplied-cash/${held.paymentId}/apply`, { invoiceId, ...amount });
}

export async function returnUnapplied(insured: Insured): Promise<void> {
  const [held] = await unappliedOf(insured);
  if (held === undefined) return;
  const amount = insured.dice.percent(40) ? { amount: insured.partOf(held.unappliedAmount) } : {};
  await insured.desk.send(`/unapplied-cash/${held.paymentId}/return`, { reason: 'Too much.', ...amount });
}

async function unappliedOf(insured: Insured): Promise<{ paymentId: string; unappliedAmount: number }[]> {
  const found = [];
  for (const { id } of await insured.policies()) {
    found.push(...(await insured.desk.read(`/unapplied-cash?policyId=${id}`)).data);
  }
  return found;
}

/** Attempts by a customer or a bank; the processor refuses what it would not do. */
export function atProcessor<T>(insured: Insured, what: string, happens: () => T): T | null {
  try {
    const result = happens();
    insured.desk.note(`at the processor: ${what} → ${result}`);
    if (result !== 'requires_payment_method') insured.desk.count(`processor ${what.split(' ')[0]}`);
    return result;
  } catch (error) {
    insured.desk.note(`at the processor: ${what} → refused, ${(error as Error).message}`);
    return null;
  }
}
