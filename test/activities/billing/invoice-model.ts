// An invoice as one would keep it on paper: a list of what came in and what went back, everything else counted from it
// each time.
import type { ErrorCode } from '../../../domain/errors.ts';

export interface ModelReceipt {
  id: string;
  isCard: boolean;
  /** Payment intent, or number of the check. */
  reference: string;
  amountCents: number;
  /** What the invoice took of it. */
  appliedCents: number;
  /** The largest refunded sum that the processor has reported for it. */
  reportedCents: number;
}

interface Part {
  receipt: ModelReceipt;
  appliedCents: number;
  unappliedCents: number;
  /** What was not there any more: operating money owes it. */
  coveredCents: number;
}

export interface ModelReturn {
  id: string;
  /** Null for a refund. */
  disputeId: string | null;
  status: 'pending' | 'standing' | 'failed';
  /** A dispute that the bank decided for the cardholder, or a payment that was never good. */
  isLost?: boolean;
  /** A payment that was never good. */
  isReversal?: boolean;
  parts: Part[];
  /** Whether the invoice had not been fully paid when it went back. */
  wasBeforePaid: boolean;
}

const isCovered = ({ coveredCents }: Part) => coveredCents > 0;
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

export class InvoiceModel {
  readonly totalCents: number;
  readonly receipts: ModelReceipt[] = [];
  readonly returns: ModelReturn[] = [];
  isVoid = false;
  isReissued = false;
  /** Checks to the insured that are on their way or cashed. */
  issuedCents = 0;
  /** Whether nothing was owed once: then nothing is owed any more, unless a payment is reversed. */
  wasPaid = false;

  constructor(totalCents: number) {
    this.totalCents = totalCents;
  }

  /** What the invoice holds: what it took less what went back of that. */
  get heldCents(): number {
    return sum(this.receipts.map(({ appliedCents }) => appliedCents)) - this.returnedCents;
  }

  get returnedCents(): number {
    return sum(this.#parts('standing').map(({ appliedCents }) => appliedCents));
  }

  get balanceCents(): number {
    return this.isVoid || this.wasPaid ? 0 : this.totalCents - this.#countedCents;
  }

  get refundableCents(): number {
    const reservedCents = sum(this.#parts('pending').map(({ appliedCents }) => appliedCents));
    return this.heldCents - reservedCents + this.refundedFirstCents;
  }

  /** What the invoice did not take goes back before anything that it took. */
  get refundedFirstCents(): number {
    return sum(this.receipts.map((receipt) => Math.max(this.heldOf(receipt).unappliedCents, 0)));
  }

  /** What came in, was not taken by the invoice, and is still here. */
  get unappliedCents(): number {
    const came = sum(this.receipts.map(({ amountCents, appliedCents }) => amountCents - appliedCents));
    return came - sum(this.#parts('standing').map(({ unappliedCents }) => unappliedCents));
  }

  /** What refunds owe by check: all that did not come by card, until its check is issued. */
  get owedCents(): number {
    const refunds = this.returns.filter(({ status, isReversal }) => status === 'standing' && isReversal !== true);
    const byCheck = refunds.flatMap(({ parts }) => parts).filter(({ receipt }) => !receipt.isCard);
    return sum(byCheck.map((part) => part.appliedCents + part.unappliedCents)) - this.issuedCents;
  }

  get coveredCents(): number {
    return sum(this.#parts('standing').map((part) => part.coveredCents));
  }

  /** What was paid and counts towards the total. */
  get #countedCents(): number {
    const { paidCents, refundedBeforePaidCents } = this.row;
    return paidCents - refundedBeforePaidCents;
  }

  /** The columns that the row must have. */
  get row() {
    const paidCents = sum(this.receipts.map(({ appliedCents }) => appliedCents));
    const before = this.returns.filter(({ status, wasBeforePaid }) => status === 'standing' && wasBeforePaid);
    const refundedBeforePaidCents = sum(before.flatMap(({ parts }) => parts).map(({ appliedCents }) => appliedCents));
    return { paidCents, refundedCents: this.returnedCents, refundedBeforePaidCents, isVoid: this.isVoid };
  }

  /** Takes what is owed of money that came in. Answers whether nothing is owed from now on. */
  receive(receipt: Pick<ModelReceipt, 'id' | 'isCard' | 'reference' | 'amountCents'>): boolean {
    const appliedCents = Math.min(receipt.amountCents, this.balanceCents);
    this.receipts.push({ ...receipt, appliedCents, reportedCents: 0 });
    const completes = appliedCents > 0 && this.balanceCents === 0;
    this.wasPaid ||= completes;
    return completes;
  }

  refusalOfPayment(amountCents: number, reference: string, mayExceed = false): ErrorCode | null {
    if (this.receipts.some((receipt) => !receipt.isCard && receipt.reference === reference)) return 'already_exists';
    if (this.isVoid) return 'invalid_state_transition';
    if (mayExceed) return null;
    return amountCents > this.balanceCents ? 'amount_exceeds_balance' : null;
  }

  refusalOfVoid(reissue: boolean): ErrorCode | null {
    if (this.isVoid) return reissue && !this.isReissued ? null : 'invalid_state_transition';
    return this.heldCents > 0 ? 'invoice_has_payments' : null;
  }

  /**
   * Reserves a refund: from cards first, from the newest receipt first; what the invoice did not take before the rest.
   */
  reserve(id: string, amountCents: number): ModelReturn {
    const newestFirst = this.receipts.toReversed();
    const inOrder = [...newestFirst.filter(({ isCard }) => isCard), ...newestFirst.filter(({ isCard }) => !isCard)];
    const all = inOrder.map((receipt): Part => ({ receipt, appliedCents: 0, unappliedCents: 0, coveredCents: 0 }));
    let rest = amountCents;
    for (const which of ['unappliedCents', 'appliedCents'] as const) {
      for (const part of all) {
        part[which] = Math.min(rest, Math.max(this.heldOf(part.receipt)[which], 0));
        rest -= part[which];
      }
    }
    const parts = all.filter((part) => part.appliedCents + part.unappliedCents > 0);
    const made: ModelReturn = { id, disputeId: null, status: 'pending', parts, wasBeforePaid: false };
    this.returns.push(made);
    return made;
  }

  /** Reserves a return of money of a receipt that the invoice did not take. */
  reserveUnapplied(id: string, receipt: ModelReceipt, unappliedCents: number): ModelReturn {
    const parts = [{ receipt, appliedCents: 0, unappliedCents, coveredCents: 0 }];
    const made: ModelReturn = { id, disputeId: null, status: 'pending', parts, wasBeforePaid: false };
    this.returns.push(made);
    return made;
  }

  /** A payment was never good: all of it is gone, and what it paid is owed again. */
  reverse(id: string, receipt: ModelReceipt): void {
    const made = this.takeBack(id, receipt, receipt.amountCents, null);
    made.isReversal = true;
    this.lose(made);
  }

  isReversed(receipt: ModelReceipt): boolean {
    const reversals = this.returns.filter(({ isReversal }) => isReversal === true);
    return reversals.some(({ parts }) => parts.some((part) => part.receipt === receipt));
  }

  /** The processor has agreed: now the money has gone back. */
  agree(refund: ModelReturn): void {
    refund.status = 'standing';
    refund.wasBeforePaid = !this.wasPaid;
  }

  /** A refund was declined: what it had reserved is there for what banks took meanwhile. */
  release(refund: ModelReturn): void {
    const receipts = refund.parts.map(({ receipt }) => receipt);
    const short = this.returns.filter(({ status, parts }) => status === 'standing' && parts.some(isCovered));
    for (const made of short) {
      const [part] = made.parts;
      if (!part || !receipts.includes(part.receipt)) continue;
      const cents = part.appliedCents + part.unappliedCents + part.coveredCents;
      made.parts = [];
      const taken = this.#taken(part.receipt, cents);
      made.parts = [taken];
      if (taken.appliedCents === part.appliedCents) continue;
      if (!this.wasPaid) made.wasBeforePaid = true;
      if (made.isLost) this.wasPaid = this.#countedCents >= this.totalCents;
    }
  }

  /** Money that went back outside: first what the invoice had not taken of the receipt; the rest is covered. */
  takeBack(id: string, receipt: ModelReceipt, amountCents: number, disputeId: string | null): ModelReturn {
    const parts = [this.#taken(receipt, amountCents)];
    const made: ModelReturn = { id, disputeId, status: 'standing', parts, wasBeforePaid: !this.wasPaid };
    this.returns.push(made);
    return made;
  }

  /** What the processor has given back of a receipt beyond the refunds that are known or on their way. */
  unreportedCents(receipt: ModelReceipt): number {
    const refunds = this.returns.filter(({ disputeId, status }) => disputeId === null && status !== 'failed');
    const parts = refunds.flatMap((refund) => refund.parts).filter((part) => part.receipt === receipt);
    return (
      receipt.reportedCents - sum(parts.map((part) => part.appliedCents + part.unappliedCents + part.coveredCents))
    );
  }

  /** A chargeback is lost: its payment never was, and the invoice is owed again. */
  lose(chargeback: ModelReturn): void {
    if (chargeback.status !== 'standing' || chargeback.isLost) return;
    chargeback.isLost = true;
    chargeback.wasBeforePaid = true;
    this.wasPaid = this.#countedCents >= this.totalCents;
  }

  /** A chargeback is won: its money is here again, and the invoice takes of it what it lacks. */
  winBack(chargeback: ModelReturn): void {
    const [part] = chargeback.parts;
    chargeback.status = 'failed';
    if (!part) return;
    const { receipt, appliedCents } = part;
    receipt.appliedCents -= appliedCents;
    const lackingCents = this.isVoid ? 0 : Math.max(this.totalCents - this.#countedCents, 0);
    receipt.appliedCents += Math.min(lackingCents, appliedCents);
    this.wasPaid = this.#countedCents >= this.totalCents;
  }

  #taken(receipt: ModelReceipt, amountCents: number): Part {
    const held = this.heldOf(receipt);
    const unappliedCents = Math.min(amountCents, Math.max(held.unappliedCents, 0));
    const appliedCents = Math.min(amountCents - unappliedCents, Math.max(held.appliedCents, 0));
    return { receipt, appliedCents, unappliedCents, coveredCents: amountCents - unappliedCents - appliedCents };
  }

  heldOf(receipt: ModelReceipt) {
    const parts = [...this.#parts('standing'), ...this.#parts('pending')].filter((part) => part.receipt === receipt);
    const { amountCents, appliedCents } = receipt;
    return {
      appliedCents: appliedCents - sum(parts.map((part) => part.appliedCents)),
      unappliedCents: amountCents - appliedCents - sum(parts.map((part) => part.unappliedCents)),
    };
  }

  #parts(status: ModelReturn['status']): Part[] {
    return this.returns.filter((each) => each.status === status).flatMap(({ parts }) => parts);
  }
}
