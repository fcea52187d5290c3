// One invoice in the database next to its model: every operation runs on both, and afterwards they are compared.
import assert from 'node:assert/strict';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordCardReceipt } from '../../../activities/billing/cards/card-receipts.ts';
import { recordCardRefund } from '../../../activities/billing/cards/card-refunds.ts';
import { recordDispute } from '../../../activities/billing/cards/chargebacks.ts';
import type { Deps } from '../../../activities/context.ts';
import type { Activities } from '../../../activities/create-activities.ts';
import { newId } from '../../../db/ids.ts';
import { splitTotal } from '../../../domain/billing/ledger/invoice-split.ts';
import { InvoiceModel, type ModelReceipt, type ModelReturn } from './invoice-model.ts';
import {
  ensureAccount,
  ensureBalanced,
  ensureSharedOut,
  type FreshInvoice,
  readCommissions,
  readStored,
  type Stored,
} from './money-books.ts';
import { disbursementsOf, nextMove } from './money-disbursements.ts';
import {
  ACTOR,
  APPROVER,
  amountOf,
  attempt,
  disputeNotice,
  type Operation,
  refusedAs,
  Sagas,
  type Size,
} from './money-operations.ts';

/** There was nothing to act on. */
const NOTHING = Symbol('nothing');

export class MoneyRun {
  readonly #deps: Deps;
  readonly #activities: Activities;
  readonly #invoice: FreshInvoice;
  readonly #model: InvoiceModel;
  readonly #sagas: Sagas;
  /** Deliveries so far, available for repeats. */
  readonly #deliveries: (() => Promise<unknown>)[] = [];
  #numbered = 0;

  constructor(deps: Deps, activities: Activities, invoice: FreshInvoice) {
    this.#deps = deps;
    this.#activities = activities;
    this.#invoice = invoice;
    this.#model = new InvoiceModel(splitTotal(invoice.split));
    this.#sagas = new Sagas(activities, invoice);
  }

  /** Carries out an operation on both sides and compares them. */
  async apply(operation: Operation): Promise<void> {
    if ((await this.#carryOut(operation)) !== NOTHING) await this.#compare();
  }

  /** Finishes everything that is left and compares the ledgers with the model, to the last account. */
  async finish(): Promise<void> {
    for (const refund of this.#model.waiting) await this.#decide(refund, !this.#model.isStillHeld(refund));
    for (const refund of this.#model.pending) await this.#settle(refund, false);
    for (let tries = 0; !this.#sagas.areOver; tries += 1) {
      assert.ok(tries < 400, 'the steps come to an end');
      await this.#sagas.step(tries);
    }
    await ensureAccount(this.#deps.database, this.#invoice, this.#model);
    const commissions = await readCommissions(this.#deps.database, this.#invoice);
    ensureSharedOut(await this.#compare(), commissions, { model: this.#model, invoice: this.#invoice });
  }

  #carryOut(operation: Operation): Promise<unknown> {
    switch (operation.does) {
      case 'pay':
        return this.#pay(operation);
      case 'reverse':
        return this.#ofOne(this.#manual(), operation.pick, (receipt) => this.#reverse(receipt, operation.feeCents));
      case 'returnUnapplied':
        return this.#ofOne(this.#model.receipts, operation.pick, (receipt) => this.#return(receipt, operation.size));
      case 'disburse':
        return this.#disburse(operation.pick, operation.isStopped);
      case 'card':
        return this.#takeCard(operation.size);
      case 'refund':
        return this.#refund(operation.size);
      case 'decide':
        return this.#ofOne(this.#model.waiting, operation.pick, (refund) => this.#decide(refund, operation.isRejected));
      case 'settle':
        return this.#ofOne(this.#model.pending, operation.pick, (refund) => this.#settle(refund, operation.isDeclined));
      case 'refundAtProcessor':
        return this.#ofOne(this.#cards(), operation.pick, (receipt) => this.#refundOutside(receipt, operation.percent));
      case 'dispute':
        return this.#ofOne(this.#cards(), operation.pick, (receipt) => this.#dispute(receipt, operation));
      case 'closeDispute':
        return this.#ofOne(this.#model.disputed, operation.pick, (each) => this.#closeDispute(each, operation.isWon));
      case 'repeat':
        return this.#ofOne(this.#deliveries, operation.pick, (deliver) => deliver());
      case 'void':
        return this.#void(operation.reissue);
      case 'step':
        return this.#sagas.step(operation.pick, operation.isTwice).then((isTaken) => (isTaken ? true : NOTHING));
    }
  }

  async #pay({ size, isRepeated, mayExceed = false }: { size: Size; isRepeated: boolean; mayExceed?: boolean }) {
    const model = this.#model;
    const amountCents = amountOf(size, model.balanceCents || model.totalCents);
    const earlier = model.receipts.findLast(({ isCard }) => !isCard);
    const reference = isRepeated && earlier ? earlier.reference : `Check ${this.#next()}`;
    const refusal = model.refusalOfPayment(amountCents, reference, mayExceed);
    const id = newId('payment');
    const { invoiceId } = this.#invoice;
    const payload = { invoiceId, amountCents, method: 'check', reference, receivedDate: null, mayExceed } as const;
    const command = this.#command(id, payload);
    const record = () => attempt(() => this.#activities.recordPayment(command));
    await refusedAs(refusal, record);
    if (refusal !== null) return;
    const completes = model.receive({ id, isCard: false, reference, amountCents });
    this.#sagas.startPayment(id, completes);
    this.#deliveries.push(record);
  }

  /** A check bounces, once, which may cost a fee. */
  async #reverse(receipt: ModelReceipt, feeCents: number | null = null): Promise<void> {
    const model = this.#model;
    const refusal = model.isReversed(receipt) ? 'invalid_state_transition' : null;
    const id = newId('refund');
    const command = this.#command(id, { paymentId: receipt.id, reason: 'nsf' as const, feeCents });
    const reverse = () => attempt(() => this.#activities.reversePayment(command));
    await refusedAs(refusal, reverse);
    if (refusal !== null) return;
    model.reverse(id, receipt);
    model.feesCents += feeCents ?? 0;
    this.#sagas.startReturn(id);
    this.#deliveries.push(reverse);
  }

  async #return(receipt: ModelReceipt, size: Size): Promise<void> {
    const model = this.#model;
    const heldCents = Math.max(model.heldOf(receipt).unappliedCents, 0);
    const amountCents = size.how === 'all' ? null : amountOf(size, heldCents);
    const wanted = amountCents ?? heldCents;
    const refusal = wanted <= 0 || wanted > heldCents ? 'refund_exceeds_paid' : null;
    const id = newId('refund');
    const command = this.#command(id, { paymentId: receipt.id, amountCents, reason: 'Model.' });
    const reserve = () => attempt(() => this.#activities.reserveReturn(command));
    await refusedAs(refusal, reserve);
    if (refusal !== null) return;
    model.reserveUnapplied(id, receipt, wanted);
    this.#deliveries.push(reserve);
  }

  /** Issues a check to the insured, once its refund is in the ledger; an issued one is stopped or cashed. */
  async #disburse(pick: number, isStopped: boolean): Promise<unknown> {
    const owed = await disbursementsOf(this.#deps, this.#invoice);
    return this.#ofOne(owed, pick, async (row) => {
      const command = <P>(payload: P) => this.#command(row.id, payload);
      const { issuedCents, run } = nextMove(this.#activities, row, { isStopped, command });
      const isTooEarly = issuedCents > 0 && this.#sagas.isUnposted(row.refundId);
      await refusedAs(isTooEarly ? 'not_ready' : null, () => attempt<unknown>(run));
      if (!isTooEarly) this.#model.issuedCents += issuedCents;
    });
  }

  async #takeCard(size: Size): Promise<void> {
    const model = this.#model;
    const amountCents = amountOf(size, model.balanceCents || model.totalCents);
    const { orgId, invoiceId } = this.#invoice;
    const intentId = `pi_${newId('request')}`;
    const receipt = { orgId, invoiceId, intentId, chargeId: `ch_${intentId}`, amountCents, createdAt: 1_773_570_000 };
    const deliver = () => this.#inTransaction((em) => recordCardReceipt(em, this.#deps, receipt));
    const { paymentId, known } = await deliver();
    assert.equal(known, false);
    this.#sagas.startPayment(
      paymentId,
      model.receive({ id: paymentId, isCard: true, reference: intentId, amountCents }),
    );
    this.#deliveries.push(async () => assert.equal((await deliver()).known, true));
  }

  async #refund(size: Size): Promise<void> {
    const model = this.#model;
    const { refundableCents } = model;
    const amountCents = size.how === 'all' ? null : amountOf(size, refundableCents);
    const wanted = amountCents ?? (model.refundedFirstCents || refundableCents);
    const refusal = wanted <= 0 || wanted > refundableCents ? 'refund_exceeds_paid' : null;
    const id = newId('refund');
    const command = this.#command(id, { invoiceId: this.#invoice.invoiceId, amountCents, reason: 'Model.' });
    const reserve = () => attempt(() => this.#activities.reserveRefund(command));
    await refusedAs(refusal, reserve);
    if (refusal !== null) return;
    model.reserve(id, wanted);
    this.#deliveries.push(reserve);
  }

  /**
   * The processor answers for every card receipt of a refund. A refund that it declines may be one that it reported
   * itself.
   */
  async #settle(refund: ModelReturn, isDeclined: boolean): Promise<void> {
    const model = this.#model;
    const cards = refund.parts.filter(({ receipt }) => receipt.isCard);
    const declines = isDeclined && cards.length > 0;
    const given = declines
      ? []
      : cards.map(({ receipt }) => ({ paymentId: receipt.id, processorRefundId: `re_${this.#next()}_${refund.id}` }));
    const declined = declines ? { message: 'No.', details: {} } : null;
    const { orgId } = this.#invoice;
    const settlement = { orgId, entityId: refund.id, given, declined };
    const settle = () => attempt(() => this.#activities.settleRefund(settlement));
    const { discovered } = await settle();
    if (declines) refund.status = 'failed';
    else {
      model.agree(refund);
      this.#sagas.startReturn(refund.id);
    }
    this.#release(declines ? refund : null, discovered);
    this.#deliveries.push(settle);
  }

  /** A refund that failed, if one did, gives up its reservation: the processor may have refunded some of it itself. */
  #release(refund: ModelReturn | null, discovered: readonly { refundId: string }[]): void {
    const model = this.#model;
    const receipts = refund?.parts.map(({ receipt }) => receipt) ?? [];
    const untold = receipts.filter((receipt) => receipt.isCard && model.unreportedCents(receipt) > 0);
    assert.equal(discovered.length, untold.length);
    for (const [i, receipt] of untold.entries()) {
      const id = discovered[i]?.refundId ?? '';
      model.takeBack(id, receipt, model.unreportedCents(receipt), null);
      this.#sagas.startReturn(id);
    }
    if (refund) model.release(refund);
  }

  /** Somebody else decides on a refund; nobody approves one whose money a bank has taken meanwhile. */
  async #decide(refund: ModelReturn, isRejected: boolean): Promise<void> {
    const refusal = isRejected || this.#model.isStillHeld(refund) ? null : 'invalid_state_transition';
    const payload = { decision: isRejected ? ('reject' as const) : ('approve' as const), reason: null };
    const command = { ...this.#command(refund.id, payload), actor: APPROVER };
    const decide = () => attempt(() => this.#activities.decideRefund(command));
    let discovered: { refundId: string }[] = [];
    await refusedAs(refusal, async () => {
      ({ discovered } = await decide());
    });
    if (refusal !== null) return;
    refund.approval = 'decided';
    if (isRejected) {
      refund.status = 'failed';
      this.#release(refund, discovered);
    }
    this.#deliveries.push(decide);
  }

  async #refundOutside(receipt: ModelReceipt, percent: number): Promise<void> {
    const model = this.#model;
    const refundedCents = Math.max(1, Math.floor((receipt.amountCents * percent) / 100));
    const { orgId } = this.#invoice;
    const notice = { orgId, intentId: receipt.reference, chargeId: null, refundedCents, createdAt: 1_773_570_000 };
    const deliver = () => this.#inTransaction((em) => recordCardRefund(em, this.#deps, notice));
    receipt.reportedCents = Math.max(receipt.reportedCents, refundedCents);
    const untold = model.unreportedCents(receipt);
    const recorded = await deliver();
    assert.equal(recorded?.known ?? true, untold <= 0);
    if (recorded !== null && untold > 0) {
      model.takeBack(recorded.refundId, receipt, untold, null);
      this.#sagas.startReturn(recorded.refundId);
    }
    this.#deliveries.push(async () => assert.notEqual((await deliver())?.known, model.unreportedCents(receipt) > 0));
  }

  async #dispute(
    receipt: ModelReceipt,
    { percent, isWonFirst }: { percent: number; isWonFirst: boolean },
  ): Promise<void> {
    const amountCents = Math.max(1, Math.floor((receipt.amountCents * percent) / 100));
    const disputeId = `dp_${newId('request')}`;
    const deliver = (status: string) => this.#deliverDispute(receipt, disputeId, amountCents, status);
    if (isWonFirst) assert.equal((await deliver('won')).refund, null);
    const { refund } = await deliver('needs_response');
    assert.equal(refund === null, isWonFirst);
    this.#deliveries.push(() => deliver('needs_response'));
    if (refund === null) return;
    this.#model.takeBack(refund.refundId, receipt, amountCents, disputeId);
    this.#sagas.startReturn(refund.refundId);
  }

  async #closeDispute(chargeback: ModelReturn, isWon: boolean): Promise<void> {
    const [part] = chargeback.parts;
    if (!part || chargeback.disputeId === null) return;
    const amountCents = part.appliedCents + part.unappliedCents + part.coveredCents;
    const deliver = () =>
      this.#deliverDispute(part.receipt, chargeback.disputeId ?? '', amountCents, isWon ? 'won' : 'lost');
    await deliver();
    if (!isWon) this.#model.lose(chargeback);
    else if (chargeback.status === 'standing') this.#model.winBack(chargeback);
    if (isWon) this.#deliveries.push(deliver);
  }

  #deliverDispute({ reference }: ModelReceipt, disputeId: string, amountCents: number, status: string) {
    const notice = disputeNotice(status, { orgId: this.#invoice.orgId, intentId: reference, disputeId, amountCents });
    return this.#inTransaction((em) => recordDispute(em, this.#deps, notice));
  }

  async #void(reissue: boolean): Promise<void> {
    const model = this.#model;
    const refusal = model.refusalOfVoid(reissue);
    const command = this.#command(this.#invoice.invoiceId, { reason: 'Model.', reissue });
    await refusedAs(refusal, () => attempt(() => this.#activities.voidInvoice(command)));
    if (refusal !== null) return;
    model.isVoid = true;
    model.isReissued ||= reissue;
  }

  async #compare(): Promise<Stored> {
    const stored = await readStored(this.#deps.database, this.#invoice);
    ensureBalanced(stored, this.#model);
    return stored;
  }

  #inTransaction<R>(work: (em: EntityManager) => Promise<R>): Promise<R> {
    return this.#deps.database.transaction(this.#invoice.orgId, work);
  }

  #command<P>(entityId: string, payload: P) {
    const { orgId } = this.#invoice;
    return { commandId: newId('request'), orgId, entityId, actor: ACTOR, requestId: newId('request'), payload };
  }

  async #ofOne<T>(list: readonly T[], pick: number, work: (one: T) => Promise<unknown>): Promise<unknown> {
    const one = list[pick % list.length];
    return one === undefined ? NOTHING : work(one);
  }

  #cards(): ModelReceipt[] {
    return this.#model.receipts.filter(({ isCard }) => isCard);
  }

  #manual(): ModelReceipt[] {
    return this.#model.receipts.filter(({ isCard }) => !isCard);
  }

  #next(): number {
    this.#numbered += 1;
    return this.#numbered;
  }
}
