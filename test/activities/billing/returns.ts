// An invoice of the worked example without workflows: money comes in and goes back through the activities alone, and
// each saga's steps are taken one at a time, in any order the test wants.
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordCardReceipt } from '../../../activities/billing/cards/card-receipts.ts';
import { recordCardRefund } from '../../../activities/billing/cards/card-refunds.ts';
import { recordDispute } from '../../../activities/billing/cards/chargebacks.ts';
import type { Deps } from '../../../activities/context.ts';
import type { PaymentOutcome, RefundOutcome } from '../../../contracts/billing.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { silentLogger } from '../../support/logger.ts';
import { addProducer, bill, type Insurance } from '../../workflows/billing/billed.ts';
import type { Tenant } from '../../workflows/run-engine.ts';
import type { Steps } from '../steps.ts';

/** A saga with its remaining steps, in order. */
export interface PendingSaga {
  entityId: string;
  steps: (
    | 'recordCommission'
    | 'postEarnings'
    | 'postFiduciarySplit'
    | 'postRefund'
    | 'postRefundEarnings'
    | 'reverseCommission'
  )[];
}

/** A policy with a producer of the lowest tier, on which the sample can be billed. */
export async function insuredBy(steps: Steps): Promise<Insurance> {
  const tenant = steps as unknown as Tenant;
  const submissionId = await steps.quoted({ producerId: await addProducer(tenant) });
  const payload = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
  const { policyId } = await steps.activities.bindPolicy(steps.command(submissionId, payload));
  const [invoice] = await steps.database.forOrg(steps.orgId, (em) => invoicesOfPolicy(em, policyId));
  if (!invoice) throw new Error('A bound policy has an invoice');
  return { tenant, invoice };
}

export class Money {
  readonly invoiceId: string;
  readonly sagas: PendingSaga[] = [];
  readonly #steps: Steps;
  readonly #deps: Deps;
  #numbered = 0;

  private constructor(steps: Steps, invoiceId: string) {
    this.#steps = steps;
    this.invoiceId = invoiceId;
    this.#deps = { now: Date.now, logger: silentLogger } as unknown as Deps;
  }

  static async on(steps: Steps, insurance: Insurance, invoice: Partial<Invoice> = {}): Promise<Money> {
    return new Money(steps, await bill(insurance, invoice));
  }

  async payByCheck(amountCents: number): Promise<void> {
    const { activities, command } = this.#steps;
    this.#numbered += 1;
    const reference = `${this.#numbered}`;
    const payload = { invoiceId: this.invoiceId, amountCents, method: 'check', reference, receivedDate: null } as const;
    this.#paid(await activities.recordPayment(command(newId('payment'), payload)));
  }

  async payByCard(amountCents: number, invoiceId: string | null = this.invoiceId): Promise<string> {
    const { orgId } = this.#steps;
    const intentId = `pi_${newId('request')}`;
    const facts = { orgId, intentId, chargeId: null, amountCents, invoiceId, createdAt: seconds() };
    this.#paid(await this.#inTransaction((em) => recordCardReceipt(em, this.#deps, facts)));
    return intentId;
  }

  reserve(amountCents: number | null): Promise<RefundOutcome> {
    const { activities, command } = this.#steps;
    const payload = { invoiceId: this.invoiceId, amountCents, reason: 'Paid twice' };
    return activities.reserveRefund(command(newId('refund'), payload));
  }

  /** The processor has agreed to all of a refund, or declined it. */
  async settle({ refundId, cardAllocations }: RefundOutcome, isDeclined: boolean): Promise<void> {
    const { activities, orgId } = this.#steps;
    const given = cardAllocations.map(({ paymentId }) => ({
      paymentId,
      processorRefundId: `re_${refundId}${paymentId}`,
    }));
    const declined = isDeclined ? { message: 'No.', details: {} } : null;
    const settlement = { orgId, entityId: refundId, given: isDeclined ? [] : given, declined };
    const { refund, discovered } = await activities.settleRefund(settlement);
    for (const returned of refund ? [refund, ...discovered] : discovered) this.#returned(returned);
  }

  async refundByCheck(amountCents: number | null): Promise<void> {
    await this.settle(await this.reserve(amountCents), false);
  }

  async chargeRefunded(intentId: string, refundedCents: number): Promise<RefundOutcome | null> {
    const { orgId } = this.#steps;
    const facts = { orgId, intentId, chargeId: null, refundedCents, createdAt: seconds() };
    const recorded = await this.#inTransaction((em) => recordCardRefund(em, this.#deps, facts));
    if (recorded !== null && !recorded.known) this.#returned(recorded);
    return recorded;
  }

  /** An event about a payment's dispute: by default the closing event for a final status, otherwise the opening one. */
  async dispute(
    intentId: string,
    amountCents: number,
    status: string,
    what = whatOf(status),
    which = '',
  ): Promise<string> {
    const { orgId } = this.#steps;
    const facts = {
      ...{ orgId, intentId, disputeId: `dp_${intentId}${which}`, amountCents, type: `charge.dispute.${what}`, status },
      ...{ reason: 'fraudulent', createdAt: seconds() },
    };
    const { outcome, refund } = await this.#inTransaction((em) => recordDispute(em, this.#deps, facts));
    if (outcome === 'recorded' && refund !== null) this.#returned(refund);
    return outcome;
  }

  /** Takes a saga's next step; false when it has to wait for another saga. */
  async step(saga: PendingSaga): Promise<boolean> {
    const { activities, orgId } = this.#steps;
    const [name] = saga.steps;
    if (name === undefined) return false;
    try {
      await activities[name]({ orgId, entityId: saga.entityId });
    } catch (error) {
      if ((error as { type?: string }).type === 'not_ready') return false;
      throw error;
    }
    saga.steps.shift();
    if (saga.steps.length === 0) this.sagas.splice(this.sagas.indexOf(saga), 1);
    return true;
  }

  /** Takes all remaining steps. @throws Error when the sagas wait for each other forever */
  async finish(): Promise<void> {
    while (this.sagas.length > 0) {
      let isAhead = false;
      for (const saga of [...this.sagas]) isAhead = (await this.step(saga)) || isAhead;
      if (!isAhead) throw new Error(`No saga can go on: ${JSON.stringify(this.sagas)}`);
    }
  }

  #inTransaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const { database, orgId } = this.#steps;
    return database.transaction(orgId, async (em) => {
      const outcome = await work(em);
      await em.flush();
      return outcome;
    });
  }

  #paid({ paymentId, completesInvoice }: PaymentOutcome): void {
    if (!completesInvoice) return;
    this.sagas.push({ entityId: paymentId, steps: ['recordCommission', 'postEarnings', 'postFiduciarySplit'] });
  }

  #returned({ refundId }: RefundOutcome): void {
    this.sagas.push({ entityId: refundId, steps: ['postRefund', 'postRefundEarnings', 'reverseCommission'] });
  }
}

const whatOf = (status: string) => (['won', 'lost'].includes(status) ? 'closed' : 'created');

const seconds = () => Math.floor(Date.now() / 1000);
