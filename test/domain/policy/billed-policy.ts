// A policy's bills under random operations: paid, voided, reissued, endorsed, cancelled, reinstated, refunded. Tracks
// by part what the policy costs and what was returned, so that every cent can be accounted for.
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { NO_SPLIT, nextReturn } from '../../../domain/billing/ledger/returned-part.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumCents } from '../../../domain/money.ts';
import { moneyOn, type PlannedInvoice, planBillingChange } from '../../../domain/policy/billing-change.ts';
import type { ChangeAmounts, ChangeLine } from '../../../domain/policy/invoice-lines.ts';
import {
  addParts,
  linesOfParts,
  NO_PARTS,
  negativeParts,
  type Parts,
  partsOfChange,
  partsOfLines,
  totalOfParts,
} from '../../../domain/policy/parts.ts';
import { divideRefund } from '../../../domain/policy/refund-parts.ts';
import { type CancelledBilling, planReinstatementInvoices } from '../../../domain/policy/reinstatement-billing.ts';
import { type ChangeReturn, reissuedParts, unbilledParts } from '../../../domain/policy/unbilled.ts';
import { changed, invoiceOf } from './life-invoices.ts';

const TODAY = '2026-03-01';

/** An amount of the policy's cost; all parts have the same sign. */
export interface Cost {
  premiumCents: number;
  taxCents: number;
  stampingCents: number;
  feeCents: number;
}

export class BilledPolicy {
  written: Parts;
  invoices: PlannedInvoice[];
  returns: ChangeReturn[] = [];
  /** Refunds without a policy change, and refunds that failed. */
  besideCents = 0;
  #cancelled: { change: ChangeAmounts; billing: CancelledBilling } | null = null;
  readonly #byHand = new Set<string>();
  /** What policy changes took from each invoice. */
  readonly #composed = new Map<string, Parts>();

  constructor(first: Cost, installments: readonly Cost[]) {
    this.invoices = [first, ...installments].map((cost, index) =>
      invoiceOf(index + 1, `2026-0${index + 4}-01`, linesOfParts(cost, 'Premium')),
    );
    this.written = addParts(first, ...installments);
  }

  get unbilled(): Parts {
    return unbilledParts(this.written, { billed: this.billed, returns: this.returns });
  }

  get billed(): Parts {
    return addParts(...this.invoices.filter(({ voided }) => !voided).map(({ lines }) => partsOfLines(lines)));
  }

  get returned(): Parts {
    return addParts(...this.returns.map(({ composition }) => composition ?? NO_PARTS));
  }

  pay(number: number, percent: number): void {
    const invoice = this.#at(number);
    invoice.paidCents += Math.floor((invoiceBalance(invoice) * percent) / 100);
  }

  /** Voids by hand; an invoice with money on it stays. */
  makeVoid(number: number): boolean {
    const invoice = this.#at(number);
    if (invoice.voided || moneyOn(invoice) > 0) return false;
    this.#change(invoice.id, [], { voided: true });
    this.#byHand.add(invoice.id);
    return true;
  }

  /** Returns the parts rebilled; null when the invoice was not voided by hand, or the reissue is refused. */
  reissue(number: number, amountCents: number | null): Parts | null {
    const invoice = this.#at(number);
    if (!this.#byHand.has(invoice.id)) return null;
    try {
      const parts = reissuedParts(partsOfLines(invoice.lines), this.unbilled, amountCents);
      this.#byHand.delete(invoice.id);
      this.#bill(linesOfParts(parts, 'Premium'), invoice.dueDate);
      return parts;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'amount_exceeds_balance') return null;
      throw error;
    }
  }

  /** A goodwill refund. */
  refund(number: number, percent: number): void {
    const invoice = this.#at(number);
    const cents = Math.floor((moneyOn(invoice) * percent) / 100);
    if (invoice.voided || cents === 0) return;
    const isPaid = invoiceBalance(invoice) === 0;
    if (isPaid)
      invoice.returned = addParts(
        invoice.returned ?? NO_PARTS,
        proportional(invoice, this.#composedOf(invoice.id), cents),
      );
    else invoice.refundedBeforePaidCents += cents;
    invoice.refundedCents += cents;
    this.besideCents += cents;
  }

  endorse(cost: Cost): void {
    this.#move(amountsOf(cost));
  }

  /** Returns a share of premium and taxes, and the fee only if everything is returned. */
  cancel(percent: number, isRefunded: boolean): void {
    if (this.#cancelled !== null) return;
    const { premiumCents, taxCents, stampingCents, feeCents } = this.written;
    const part = (cents: number) => 0 - Math.floor((cents * percent) / 100);
    const change = amountsOf({
      ...{ premiumCents: part(premiumCents), taxCents: part(taxCents), stampingCents: part(stampingCents) },
      feeCents: percent === 100 ? -feeCents : 0,
    });
    this.#cancelled = { change, billing: this.#move(change, isRefunded) };
  }

  reinstate(): void {
    if (this.#cancelled === null) return;
    const { change: cancelled, billing } = this.#cancelled;
    this.#cancelled = null;
    const change = amountsOf(negativeParts(partsOfChange(cancelled)));
    const order = { change, cancelled, billing, invoices: this.invoices, effectiveDate: TODAY, today: TODAY };
    const plan = planReinstatementInvoices({ ...order, description: 'Reinstated' });
    for (const each of plan.reopened) {
      this.#change(each.invoiceId, each.creditLines, { voided: false, dueDate: each.dueDate });
    }
    for (const each of plan.restored) this.#change(each.invoiceId, each.addedLines, { dueDate: each.dueDate });
    if (plan.newInvoice !== null) this.#bill(plan.newInvoice.lines, plan.newInvoice.dueDate);
    this.written = addParts(this.written, partsOfChange(change));
  }

  #move(change: ChangeAmounts, isRefunded = true): CancelledBilling {
    const order = { change, effectiveDate: TODAY, today: TODAY, invoices: this.invoices, written: this.written };
    const plan = planBillingChange({ ...order, description: 'Change' });
    for (const { invoiceId, addedLines } of plan.additions) this.#change(invoiceId, addedLines);
    for (const { invoiceId, creditLines } of plan.credits) this.#change(invoiceId, creditLines);
    for (const { invoiceId } of plan.voids) this.#change(invoiceId, [], { voided: true });
    for (const { invoiceId, lines } of plan.exchanges) this.#change(invoiceId, lines);
    for (const { lines, dueDate } of plan.newInvoices) this.#bill(lines, dueDate);
    this.written = addParts(this.written, partsOfChange(change));
    const refunded = this.#giveBack(plan.refund, isRefunded);
    return { voidedIds: plan.voids.map(({ invoiceId }) => invoiceId), credits: plan.credits, refunded };
  }

  #giveBack(refund: Parts, isRefunded: boolean): Parts {
    const holding = this.invoices.filter((each) => !each.voided && moneyOn(each) > 0);
    const refundable = holding.map((each) => {
      const parts = addParts(partsOfLines(each.lines), negativeParts(each.returned ?? NO_PARTS));
      return { id: each.id, heldCents: moneyOn(each), parts };
    });
    const divided = divideRefund(refund, refundable);
    const cents = sumCents(divided.map(({ amountCents }) => amountCents));
    if (!isRefunded) {
      this.besideCents += cents;
      return NO_PARTS;
    }
    for (const { invoiceId, amountCents, composition } of divided) {
      const invoice = holding.find(({ id }) => id === invoiceId);
      if (invoice === undefined) throw new Error('A refund of an unknown invoice');
      invoice.refundedCents += amountCents;
      invoice.returned = addParts(invoice.returned ?? NO_PARTS, composition);
      this.#composed.set(invoiceId, addParts(this.#composedOf(invoiceId), composition));
      this.returns.push({ cents: amountCents, composition });
    }
    return addParts(...divided.map(({ composition }) => composition));
  }

  #composedOf(invoiceId: string): Parts {
    return this.#composed.get(invoiceId) ?? NO_PARTS;
  }

  #at(number: number): PlannedInvoice {
    const invoice = this.invoices[number % this.invoices.length];
    if (invoice === undefined) throw new Error('A policy has an invoice');
    return invoice;
  }

  #bill(lines: ChangeLine[], dueDate: string): void {
    this.invoices.push(invoiceOf(this.invoices.length + 1, dueDate, lines));
  }

  #change(id: string, lines: readonly ChangeLine[], given: Partial<PlannedInvoice> = {}): void {
    this.invoices = changed(this.invoices, id, lines, given);
  }
}

function amountsOf({ premiumCents, taxCents, stampingCents, feeCents }: Cost): ChangeAmounts {
  const taxes = [
    { code: 'SL_TAX', amountCents: taxCents },
    { code: 'STAMPING_FEE', amountCents: stampingCents },
  ];
  return { premiumCents, fees: [{ code: 'POLICY_FEE', amountCents: feeCents }], taxes };
}

function proportional({ lines, returned = NO_PARTS }: PlannedInvoice, composed: Parts, cents: number): Parts {
  const split = ({ premiumCents, ...others }: Parts) => ({ ...NO_SPLIT, ...others, carrierCents: premiumCents });
  const { carrierCents, taxCents, stampingCents, feeCents } = nextReturn(
    split(partsOfLines(lines)),
    { returned: split(returned), composed: split(composed) },
    cents,
  );
  return { premiumCents: carrierCents, taxCents, stampingCents, feeCents };
}

/** The sum of the positive differences between parts. */
export function excessCents(one: Parts, other: Parts): number {
  const { premiumCents, taxCents, stampingCents, feeCents } = addParts(one, negativeParts(other));
  return sumCents([premiumCents, taxCents, stampingCents, feeCents].map((cents) => Math.max(cents, 0)));
}

/** The amount billed, less what was returned, plus what is still unbilled. */
export function accountedFor(policy: BilledPolicy): Parts {
  return addParts(policy.billed, negativeParts(policy.returned), policy.unbilled);
}

/** In cents. */
export function unbilledCents(policy: BilledPolicy): number {
  return totalOfParts(policy.unbilled);
}
