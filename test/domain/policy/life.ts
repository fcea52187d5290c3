// A policy that goes through random events under the product's rules: it endorses, cancels, reinstates, pays, misses
// payments and falls behind, and updates its stack, invoices and row step by step, as the platform does.

import { type DelinquencyStep, nextDelinquencyStep } from '../../../domain/billing/delinquency.ts';
import { installmentSchedule } from '../../../domain/billing/installments.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { addDays, type BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { INSTALLMENT_PLANS } from '../../../domain/lines.ts';
import { sumCents } from '../../../domain/money.ts';
import { type NewInvoice, type PlannedInvoice, planBillingChange } from '../../../domain/policy/billing-change.ts';
import {
  type CancellationTerms,
  cancellationTerms,
  ensureCancellable,
  premiumReturn,
  takesEffectAtOnce,
} from '../../../domain/policy/cancellation.ts';
import { type Endorsement, priceEndorsement } from '../../../domain/policy/endorsement.ts';
import type { ChangeAmounts, ChangeLine } from '../../../domain/policy/invoice-lines.ts';
import { addParts, NO_PARTS, negativeParts, type Parts, totalOfParts } from '../../../domain/policy/parts.ts';
import { POLICY_TRANSITIONS, type PolicyAction, type PolicyStatus } from '../../../domain/policy/policy.ts';
import { ensureEarnedPremiumPaid, reinstatementFigures } from '../../../domain/policy/reinstatement.ts';
import { type CancelledBilling, planReinstatementInvoices } from '../../../domain/policy/reinstatement-billing.ts';
import {
  type Cancellation,
  coverageGaps,
  type StackedTransaction,
  standingCancellation,
  waitingCancellation,
} from '../../../domain/policy/stack.ts';
import { taxChange, taxesOwed } from '../../../domain/policy/tax-change.ts';
import type { TaxCharge } from '../../../domain/submission/taxes.ts';
import { changed, costOf, feeOf, giveBack, invoiceOf, line, taxLine } from './life-invoices.ts';
import { rate, type Terms } from './life-model.ts';
import { type Given, newBusiness, type RowOf, row, TEXAS } from './rows.ts';

/** Draws whole numbers below a bound; the same for the same seed. */
export type Draw = (below: number) => number;

export class Life {
  readonly term: { effectiveDate: BusinessDate; expirationDate: BusinessDate };
  readonly stack: StackedTransaction[] = [];
  readonly firstTerms: Terms;
  invoices: PlannedInvoice[];
  today: BusinessDate;
  /** The row, updated by additions only. */
  status: PolicyStatus;
  writtenCents: number;
  feeCents = 25_000;
  taxes: TaxCharge[];
  lastTerms: Terms;
  /** Refunds that failed. */
  owedCents = 0;
  /** Amounts refunded or due for refund, by part, less what a reinstatement left in place. */
  backParts: Parts = { ...NO_PARTS };
  noticeSentOn: BusinessDate | null = null;
  remindedUntil: BusinessDate | null = null;
  readonly steps: { today: BusinessDate; step: DelinquencyStep }[] = [];
  private readonly draw: Draw;
  private readonly amounts = new Map<string, ChangeAmounts>();
  private billing: CancelledBilling = { voidedIds: [], credits: [], refunded: NO_PARTS };

  constructor(draw: Draw, effectiveDate: BusinessDate, expirationDate: BusinessDate) {
    this.draw = draw;
    this.term = { effectiveDate, expirationDate };
    this.today = addDays(effectiveDate, draw(30) - 20);
    this.firstTerms = { annualRevenueCents: 10_000_000 + draw(200_000_000), limitCents: 100_000_000 };
    this.lastTerms = this.firstTerms;
    this.writtenCents = rate(this.firstTerms);
    this.taxes = taxesOwed(TEXAS, { premiumCents: this.writtenCents, feeCents: this.feeCents });
    this.status = this.today < effectiveDate ? 'pending' : 'active';
    const first = newBusiness(this.writtenCents, { ...this.firstTerms });
    const taxCents = sumCents(this.taxes.map((tax) => tax.amountCents));
    this.stack.push({ ...first, effectiveDate, issuedOn: this.today, taxChangeCents: taxCents });
    const plan = INSTALLMENT_PLANS[draw(INSTALLMENT_PLANS.length)] ?? 'PAY_IN_FULL';
    const order = { plan, premiumCents: this.writtenCents, feeCents: this.feeCents, taxCents };
    const schedule = installmentSchedule({ ...order, anchorDate: effectiveDate, notBefore: this.today });
    this.invoices = schedule.map(({ number, dueDate, premiumCents }) =>
      invoiceOf(number, dueDate, [
        line('premium', 'PREMIUM', premiumCents),
        ...(number === 1 ? [line('fee', 'POLICY_FEE', this.feeCents), ...this.taxes.map(taxLine)] : []),
      ]),
    );
  }

  get totalDueCents(): number {
    return sumCents([this.writtenCents, this.feeCents, ...this.taxes.map((tax) => tax.amountCents)]);
  }

  allows(action: PolicyAction): boolean {
    return Object.hasOwn(POLICY_TRANSITIONS[this.status], action);
  }

  endorse(effectiveDate: BusinessDate, changes: Partial<Terms>) {
    const id = `ptx_${this.stack.length + 1}`;
    const added = { transactionId: id, sequence: this.stack.length + 1, effectiveDate, changes };
    const endorsements = this.stack.flatMap((each): Endorsement<Terms>[] =>
      each.type === 'endorsement' ? [{ ...each, transactionId: each.id }] : [],
    );
    const { term, firstTerms } = this;
    const gaps = coverageGaps(this.stack);
    const price = priceEndorsement({ term, gaps, firstTerms, endorsements, added, rate });
    const tax = this.taxChange(price.premiumChangeCents);
    this.append({
      type: 'endorsement',
      effectiveDate,
      changes,
      after: changes,
      premiumChangeCents: price.premiumChangeCents,
      taxChangeCents: tax.taxChangeCents,
      reapplied: price.reapplied,
    });
    this.lastTerms = price.lastTerms;
    this.move({ premiumCents: price.premiumChangeCents, fees: [], taxes: tax.changes }, effectiveDate);
    // This also changes what a scheduled cancellation will return.
    for (const each of [waitingCancellation(this.stack), standingCancellation(this.stack)]) {
      if (each !== null) this.issueCancellation({ ...termsOf(each), lapse: each.changes.lapse ?? false });
    }
    return price;
  }

  /** Returns the row issued, or null when the rules refused. */
  cancel(request: Parameters<typeof cancellationTerms>[0]): Cancellation | null {
    const terms = termsAllowed(request, this);
    if (terms === null) return null;
    const { term, today } = this;
    const atOnce = takesEffectAtOnce(terms, term, today);
    if (!this.allows(atOnce ? 'cancel' : 'schedule_cancellation')) return null;
    try {
      const gaps = coverageGaps(this.stack);
      ensureCancellable(terms, { term, gaps, state: 'TX', inForceSince: term.effectiveDate, today });
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
    const issued = this.issueCancellation({ ...terms, lapse: false });
    if (atOnce) this.endCover(issued);
    else this.status = 'pending_cancellation';
    if (standingCancellation(this.stack)?.changes.lapse !== true) this.noticeSentOn = null;
    return issued;
  }

  reinstate(effectiveDate?: BusinessDate, { isRescission = false } = {}): StackedTransaction | null {
    const cancellation = standingCancellation(this.stack);
    if (cancellation === null || !this.allows('reinstate')) return null;
    if (this.status === 'lapsed' && !this.isEarnedPremiumPaid()) this.payPastDue();
    const policy = { ...this, charged: this.taxes, basis: TEXAS };
    const figures = reinstatementFigures(this.stack, { cancellation, effectiveDate }, policy);
    const { premiumChangeCents, feeChangeCents, taxChangeCents } = figures;
    const issued = this.append({
      type: 'reinstatement',
      ...figures,
      changes: figures.kind === 'withdrawal' ? { withdrawal: true, rescission: isRescission } : {},
    });
    const begun = this.today < this.term.effectiveDate ? 'pending' : 'active';
    this.status = standingCancellation(this.stack) === null ? begun : 'pending_cancellation';
    this.noticeSentOn = null;
    if (figures.kind === 'withdrawal') return issued;
    const change = { premiumCents: premiumChangeCents, fees: feeOf(feeChangeCents), taxes: figures.taxChanges };
    const cancelled = this.amounts.get(cancellation.id) ?? change;
    const order = { change, cancelled, billing: this.billing, invoices: this.invoices, today: this.today };
    const plan = planReinstatementInvoices({
      ...order,
      effectiveDate: figures.effectiveDate,
      description: 'Reinstated',
    });
    for (const { invoiceId, creditLines, dueDate } of plan.reopened) {
      this.change(invoiceId, creditLines, { voided: false, dueDate });
    }
    for (const { invoiceId, addedLines, dueDate } of plan.restored) this.change(invoiceId, addedLines, { dueDate });
    if (plan.newInvoice) this.bill(plan.newInvoice);
    this.owedCents -= totalOfParts(plan.unbilled);
    this.backParts = addParts(this.backParts, negativeParts(plan.unbilled));
    this.addUp(premiumChangeCents, feeChangeCents, figures.taxes);
    if (taxChangeCents !== sumCents(figures.taxChanges.map((tax) => tax.amountCents))) throw new Error('taxes');
    return issued;
  }

  /** One day passes: coverage begins or ends, payments come in or not, and the delinquency clock advances. */
  nextDay(payPercent: number): void {
    this.today = addDays(this.today, 1);
    if (this.status === 'pending' && this.today >= this.term.effectiveDate) this.status = 'active';
    this.collect(payPercent);
    const ending = this.noticeSentOn === null ? standingCancellation(this.stack) : null;
    if (this.status === 'pending_cancellation' && ending?.effectiveDate === this.today) this.endCover(ending);
    if (this.status === 'active' || this.status === 'pending_cancellation') this.runDelinquency();
  }

  payPastDue(): void {
    for (const each of this.invoices) if (each.dueDate < this.today) each.paidCents += invoiceBalance(each);
  }

  private runDelinquency(): void {
    for (let step = this.stepDue(); step !== null; step = this.stepDue()) {
      this.steps.push({ today: this.today, step });
      if (step.step === 'past_due') this.remindedUntil = this.today;
      if (step.step === 'notice') {
        this.noticeSentOn = this.today;
        this.issueCancellation({
          effectiveDate: step.lapsesOn,
          reason: 'non_payment',
          source: 'carrier',
          method: 'pro_rata',
          lapse: true,
        });
        this.status = 'pending_cancellation';
      }
      const ending = standingCancellation(this.stack);
      if (step.step === 'rescind') this.reinstate(undefined, { isRescission: true });
      if (step.step === 'lapse' && ending !== null) this.endCover(ending);
    }
  }

  private stepDue(): DelinquencyStep | null {
    if (this.status === 'lapsed') return null;
    const unpaid = this.invoices.filter((each) => invoiceBalance(each) > 0);
    const { noticeSentOn, remindedUntil, term, stack } = this;
    const ending = (noticeSentOn === null ? standingCancellation : waitingCancellation)(stack);
    const coverageEndsOn = ending?.effectiveDate ?? term.expirationDate;
    const facts = { state: 'TX', unpaid, holds: [], noticeSentOn, remindedUntil, coverageEndsOn };
    const step = nextDelinquencyStep(facts, this.today);
    return step !== null && step.on <= this.today ? step : null;
  }

  private collect(payPercent: number): void {
    for (const each of this.invoices) {
      const isDue = each.dueDate === this.today && this.draw(100) < payPercent;
      const isLate = each.dueDate < this.today && this.draw(1000) < payPercent;
      if (!isDue && !isLate) continue;
      const balance = invoiceBalance(each);
      each.paidCents += this.draw(10) === 0 ? this.draw(balance + 1) : balance;
    }
  }

  private issueCancellation(terms: CancellationTerms & { lapse: boolean }): Cancellation {
    const isFlat = terms.method === 'flat';
    const premiumCents = -premiumReturn(this.stack, terms, this);
    const feeCents = isFlat ? -this.feeCents : 0;
    const tax = this.taxChange(premiumCents, feeCents, isFlat);
    const { reason, source, method, lapse } = terms;
    const issued = this.append({
      type: 'cancellation',
      effectiveDate: terms.effectiveDate,
      premiumChangeCents: premiumCents,
      feeChangeCents: feeCents,
      taxChangeCents: tax.taxChangeCents,
      changes: { reason, source, method, lapse },
    });
    this.amounts.set(issued.id, { premiumCents, fees: feeOf(feeCents), taxes: tax.changes });
    return issued;
  }

  private endCover(cancellation: Cancellation): void {
    const change = this.amounts.get(cancellation.id);
    if (change === undefined) throw new Error('A cancellation without amounts');
    this.status = cancellation.changes.lapse === true ? 'lapsed' : 'cancelled';
    this.noticeSentOn = null;
    this.billing = this.move(change, cancellation.effectiveDate);
  }

  /** Bills a change and adds it to the row. */
  private move(change: ChangeAmounts, effectiveDate: BusinessDate): CancelledBilling {
    const plan = planBillingChange({ ...this, change, effectiveDate, written: costOf(this), description: 'Change' });
    for (const { invoiceId, addedLines } of plan.additions) this.change(invoiceId, addedLines);
    for (const { invoiceId, creditLines } of plan.credits) this.change(invoiceId, creditLines);
    for (const { invoiceId } of plan.voids) this.change(invoiceId, [], { voided: true });
    for (const { invoiceId, lines } of plan.exchanges) this.change(invoiceId, lines);
    for (const each of plan.newInvoices) this.bill(each);
    const taxes = this.taxes.map((tax) => {
      const moved = change.taxes.find(({ code }) => code === tax.code)?.amountCents ?? 0;
      return { ...tax, amountCents: tax.amountCents + moved };
    });
    this.addUp(change.premiumCents, sumCents(change.fees.map((fee) => fee.amountCents)), taxes);
    this.backParts = addParts(this.backParts, plan.refund);
    const refunded = this.refund(totalOfParts(plan.refund)) === 0 ? NO_PARTS : plan.refund;
    return { voidedIds: plan.voids.map(({ invoiceId }) => invoiceId), credits: plan.credits, refunded };
  }

  /** Takes it from fully paid invoices; now and then a refund fails, and the money stays. */
  private refund(cents: number): number {
    if (this.draw(8) === 0) {
      this.owedCents += cents;
      return 0;
    }
    giveBack(this.invoices, cents);
    return cents;
  }

  private addUp(premiumCents: number, feeCents: number, taxes: TaxCharge[]): void {
    this.writtenCents += premiumCents;
    this.feeCents += feeCents;
    this.taxes = taxes;
  }

  private taxChange(premiumCents: number, feeCents = 0, flat = false) {
    const writtenPremiumCents = this.writtenCents + premiumCents;
    return taxChange(TEXAS, { charged: this.taxes, writtenPremiumCents, keptFeeCents: this.feeCents + feeCents, flat });
  }

  private isEarnedPremiumPaid(): boolean {
    try {
      ensureEarnedPremiumPaid(this.invoices, this.today);
      return true;
    } catch {
      return false;
    }
  }

  private append<Type extends StackedTransaction['type']>(given: Given<Type>): RowOf<Type> {
    const issued = row({ ...given, issuedOn: this.today, sequence: this.stack.length + 1 });
    this.stack.push(issued);
    return issued;
  }

  private bill({ dueDate, lines }: NewInvoice): void {
    this.invoices.push(invoiceOf(this.invoices.length + 1, dueDate, lines));
  }

  private change(id: string, lines: readonly ChangeLine[], given: Partial<PlannedInvoice> = {}): void {
    this.invoices = changed(this.invoices, id, lines, given);
  }
}

function termsOf({ effectiveDate, changes }: Cancellation): CancellationTerms {
  return { ...changes, effectiveDate };
}

/** Null for a flat cancellation that is not allowed. */
function termsAllowed(
  request: Parameters<typeof cancellationTerms>[0],
  { term, today }: Life,
): CancellationTerms | null {
  try {
    return cancellationTerms(request, term, today);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
