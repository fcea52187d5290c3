// The worked example's policy, with invoices paid by card and disputed, through the activities alone: each dispute
// event is followed by everything that it triggers.
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordCardReceipt } from '../../../activities/billing/cards/card-receipts.ts';
import { recordDispute } from '../../../activities/billing/cards/chargebacks.ts';
import type { Deps } from '../../../activities/context.ts';
import { newId } from '../../../db/ids.ts';
import { paymentsOf } from '../../../db/queries/billing/payments.ts';
import { silentLogger } from '../../support/logger.ts';
import type { InsuredLife } from '../policy/insured-life.ts';

const MS_TO_NOON = 43_200_000;

export class DisputedLife {
  readonly life: InsuredLife;
  #day = 0;

  constructor(life: InsuredLife) {
    this.life = life;
  }

  passTo(day: number): void {
    this.life.passTo(day);
    this.#day = day;
  }

  /** A card pays an invoice; returns the intent. */
  async payByCard(number: number, amountCents?: number): Promise<string> {
    const { orgId, activities } = this.life.steps;
    const invoice = (await this.life.invoices())[number - 1];
    if (invoice === undefined) throw new Error(`There is no invoice ${number}`);
    const intentId = `pi_${newId('request')}`;
    const facts = { orgId, intentId, chargeId: null, invoiceId: invoice.id, createdAt: this.#nowMs / 1000 };
    const receipt = { ...facts, amountCents: amountCents ?? invoice.totalCents };
    const { paymentId, completesInvoice } = await this.#write((em) => recordCardReceipt(em, this.#deps, receipt));
    const of = { orgId, entityId: paymentId };
    if (completesInvoice) {
      await activities.recordCommission(of);
      await activities.postEarnings(of);
      await activities.postFiduciarySplit(of);
    }
    return intentId;
  }

  /** An event about an intent's single dispute, and its postings to the ledgers. */
  async dispute(intentId: string, amountCents: number, what: string, status: string): Promise<string> {
    const { outcome, refundId } = await this.hearOf(intentId, amountCents, what, status);
    if (refundId !== null) await this.post(refundId);
    return outcome;
  }

  /** Like `dispute`, but before the ledgers are posted. */
  async hearOf(intentId: string, amountCents: number, what: string, status: string) {
    const { orgId } = this.life.steps;
    const notice = {
      ...{ orgId, intentId, disputeId: `dp_${intentId}`, amountCents, type: `charge.dispute.${what}`, status },
      ...{ reason: 'fraudulent', createdAt: this.#nowMs / 1000 },
    };
    const { outcome, refund } = await this.#write((em) => recordDispute(em, this.#deps, notice));
    return { outcome, refundId: refund?.refundId ?? null };
  }

  /** Posts what a return takes to the ledgers and commission. */
  async post(refundId: string): Promise<void> {
    const { orgId, activities } = this.life.steps;
    const of = { orgId, entityId: refundId };
    const { splitCents } = await activities.postRefund(of);
    if (splitCents === 0) return;
    await activities.postRefundEarnings(of);
    await activities.reverseCommission(of);
  }

  /** Reverses the latest payment by hand. */
  async reverse(feeCents: number | null = null): Promise<void> {
    const { command, activities, orgId } = this.life.steps;
    const ids = (await this.life.invoices()).map(({ id }) => id);
    const payments = await this.life.read((em) => paymentsOf(em, ids));
    const paymentId = payments.findLast(({ kind }) => kind === 'manual')?.id ?? '';
    const payload = { paymentId, reason: 'nsf', feeCents } as const;
    const { refundId } = await activities.reversePayment(command(newId('refund'), payload));
    await activities.postRefund({ orgId, entityId: refundId });
  }

  get #nowMs(): number {
    return Date.parse(this.life.date(this.#day)) + MS_TO_NOON;
  }

  get #deps(): Deps {
    return { now: () => this.#nowMs, logger: silentLogger } as unknown as Deps;
  }

  #write<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const { database, orgId } = this.life.steps;
    return database.transaction(orgId, work);
  }
}
