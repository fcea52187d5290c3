// An invoice as kept on paper: a list of what came in and what went back, with everything else recalculated from it
// each time.
import type { ErrorCode } from '../../../domain/errors.ts';

export interface ModelReceipt {
  id: string;
  isCard: boolean;
  /** Payment intent or check number. */
  reference: string;
  amountCents: number;
  /** How much of it was applied to the invoice. */
  appliedCents: number;
  /** The largest refunded total that the processor has reported for it. */
  reportedCents: number;
}

interface Part {
  receipt: ModelReceipt;
  appliedCents: number;
  unappliedCents: number;
  /** The amount that was already gone: operating money covers it. */
  coveredCents: number;
}

export interface ModelReturn {
  id: string;
  /** Null for a refund. */
  disputeId: string | null;
  status: 'pending' | 'standing' | 'failed';
  /** A dispute decided for the cardholder, or a payment that bounced. */
  isLost?: boolean;
  /** A payment that bounced. */
  isReversal?: boolean;
  parts: Part[];
  /** Whether somebody else must approve a refund, or has decided on it. */
  approval?: 'waiting' | 'decided';
  /** Whether the invoice was not fully paid when the money went back. */
  wasBeforePaid: boolean;
}

const allOf = ({ parts }: ModelReturn) =>
  sum(parts.map((part) => part.appliedCents + part.unappliedCents + part.coveredCents));
const isCovered = ({ coveredCents }: Part) => coveredCents > 0;
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

export class InvoiceModel {
  readonly totalCents: number;
  readonly receipts: ModelReceipt[] = [];
  readonly returns: ModelReturn[] = [];
  isVoid = false;
  isReissued = false;
  /** Checks to the insured that are issued or cashed. */
  issuedCents = 0;
  /** Fees for payments that bounced, on invoices of their own. */
  feesCents = 0;
  /** Whether the balance ever reached zero: after that nothing is owed, unless a payment is reversed. */
  wasPaid = false;

  constructor(totalCents: number) {
    this.totalCents = totalCents;
  }

  /** What the invoice holds: the money applied to it, less what was returned of that. */
  get heldCents(): number {
    return sum(this.receipts.map(({ appliedCents }) => appliedCents)) - this.returnedCents;
  }

  /** Reserved refunds that wait for the processor's answer. */
  get pending(): ModelReturn[] {
    return this.returns.filter(({ status, approval }) => status === 'pending' && approval !== 'waiting');
  }

  /** Reserved refunds that wait for somebody else's approval. */
  get waiting(): ModelReturn[] {
    return this.returns.filter(({ status, approval }) => status === 'pending' && approval === 'waiting');
  }

  get disputed(): ModelReturn[] {
    return this.returns.filter(({ disputeId }) => disputeId !== null);
  }

  /** Whether a chargeback of it was won. */
  get hasWon(): boolean {
    return this.returns.some(({ disputeId, status }) => disputeId !== null && status === 'failed');
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

  /** Unapplied money is refunded before any applied money. */
  get refundedFirstCents(): number {
    return sum(this.receipts.map((receipt) => Math.max(this.heldOf(receipt).unappliedCents, 0)));
  }

  /** Money that came in, was not applied to the invoice, and is still here. */
  get unappliedCents(): number {
    const came = sum(this.receipts.map(({ amountCents, appliedCents }) => amountCents - appliedCents));
    return came - sum(this.#parts('standing').map(({ unappliedCents }) => unappliedCents));
  }

  /** What refunds owe by check: everything that did not come by card, until its check is issued. */
  get owedCents(): number {
    const refunds = this.returns.filter(({ status, isReversal }) => status === 'standing' && isReversal !== true);
    const byCheck = refunds.flatMap(({ parts }) => parts).filter(({ receipt }) => !receipt.isCard);
    return sum(byCheck.map((part) => part.appliedCents + part.unappliedCents)) - this.issuedCents;
  }

  get coveredCents(): number {
    return sum(this.#parts('standing').map((part) => part.coveredCents));
  }

  /** Payments that count towards the total. */
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

  /** Applies incoming money to the balance. Returns whether that pays the invoice off. */
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

  /** Reserves a refund: from cards first, newest receipt first; unapplied money before the rest. */
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
    return this.#reserved(id, parts);
  }

  /** Reserves a return of a receipt's unapplied money. */
  reserveUnapplied(id: string, receipt: ModelReceipt, unappliedCents: number): ModelReturn {
    const parts = [{ receipt, appliedCents: 0, unappliedCents, coveredCents: 0 }];
    return this.#reserved(id, parts);
  }

  /** Above 1,000.00, together with what nobody had to approve, a refund waits for somebody else. */
  #reserved(id: string, parts: Part[]): ModelReturn {
    const made: ModelReturn = { id, disputeId: null, status: 'pending', parts, wasBeforePaid: false };
    const counted = this.returns.filter((each) => {
      const isRefund = each.disputeId === null && each.isReversal !== true;
      return isRefund && each.status !== 'failed' && each.approval === undefined;
    });
    if (sum([...counted, made].map(allOf)) > 100_000) made.approval = 'waiting';
    this.returns.push(made);
    return made;
  }

  /** Whether no bank has taken money that a waiting refund would return: nobody approves it then. */
  isStillHeld(refund: ModelReturn): boolean {
    const receipts = refund.parts.map(({ receipt }) => receipt);
    return !this.#parts('standing').some((part) => isCovered(part) && receipts.includes(part.receipt));
  }

  /** A payment bounced: all of it is gone, and what it paid is owed again. */
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

  /** A refund was declined: what it had reserved is now available to cover what banks have taken since. */
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

  /** Money returned outside the platform: the receipt's unapplied money first; any shortfall is covered. */
  takeBack(id: string, receipt: ModelReceipt, amountCents: number, disputeId: string | null): ModelReturn {
    const parts = [this.#taken(receipt, amountCents)];
    const made: ModelReturn = { id, disputeId, status: 'standing', parts, wasBeforePaid: !this.wasPaid };
    this.returns.push(made);
    return made;
  }

  /** What the processor has refunded from a receipt beyond the known and pending refunds. */
  unreportedCents(receipt: ModelReceipt): number {
    const refunds = this.returns.filter(({ disputeId, status }) => disputeId === null && status !== 'failed');
    const parts = refunds.flatMap((refund) => refund.parts).filter((part) => part.receipt === receipt);
    return (
      receipt.reportedCents - sum(parts.map((part) => part.appliedCents + part.unappliedCents + part.coveredCents))
    );
  }

  /** A chargeback is lost: its payment does not count, and the invoice is owed again. */
  lose(chargeback: ModelReturn): void {
    if (chargeback.status !== 'standing' || chargeback.isLost) return;
    chargeback.isLost = true;
    chargeback.wasBeforePaid = true;
    this.wasPaid = this.#countedCents >= this.totalCents;
  }

  /** A chargeback is won: its money is back, and the invoice takes what it still needs. */
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
