// Actions on an invoice: collect by card, record a payment, void, refund. The workflows move money; what the row alone
// rules out is refused without waking one. Spec 4.6, Contract 3.4.
import { z } from 'zod';
import type { CollectOutcome, PayPayload } from '../../../contracts/billing.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { findInvoice } from '../../../db/queries/billing/invoices.ts';
import { findPayment, intentsOf, manualPayment, paymentsOf } from '../../../db/queries/billing/payments.ts';
import { unappliedOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { invoiceFacts } from '../../../db/queries/billing/void-invoices.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { ensureChargeable } from '../../../domain/billing/card-attempts.ts';
import {
  ensureInvoiceVoidable,
  ensureNotForLapsed,
  ensureReceivable,
  ensureReceivedInTime,
  ensureRefundable,
} from '../../../domain/billing/invoice-actions.ts';
import { isReceipt, isReserved } from '../../../domain/billing/payment.ts';
import { ensureWritableOff } from '../../../domain/billing/write-off.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { fromDollars, sumCents, toDollars } from '../../../domain/money.ts';
import type { CardIntent, CardProcessor } from '../../../providers/ports.ts';
import type { Lifecycle } from '../../engine/lifecycle.ts';
import { allow } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { type CommandBuilder, type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import {
  CollectSchema,
  InvoiceSchema,
  PaymentIntentSchema,
  PaySchema,
  RefundRequestSchema,
  VoidSchema,
  WriteOffSchema,
} from './invoices.schemas.ts';
import { billedInvoice, invoiceResource } from './invoices.ts';
import { invoiceToWire } from './invoices.wire.ts';
import { PaymentSchema } from './payments.schemas.ts';
import { paymentToWire } from './payments.wire.ts';
import { wireOf } from './returns/refunds.ts';
import { RefundSchema } from './returns/refunds.wire.ts';

/** Facts shared by all operations on an invoice. */
const facts = {
  method: 'post',
  tag: 'Billing',
  spec: '4.6, Contract 3.4',
  params: z.strictObject({ id: idParam('invoice') }),
} as const;

const createPaymentIntent = route({
  ...facts,
  path: '/invoices/:id/payment-intent',
  operationId: 'createPaymentIntent',
  summary: 'Start collecting an invoice by card',
  description:
    "Returns the open attempt if there is one. The payer's browser confirms the payment with the client secret. A repeated call with the same Idempotency-Key returns the secret again.",
  access: allow('invoice:collect', invoiceResource),
  body: CollectSchema,
  response: { status: 201, body: PaymentIntentSchema },
  errors: ['amount_exceeds_balance', 'invalid_state_transition', 'payment_declined'],
  secretFields: ['clientSecret'],
  handler: (call) => collectByCard(call, call.row, call.body.amount),
});

const retryPayment = route({
  ...facts,
  path: '/invoices/:id/retry',
  operationId: 'retryPayment',
  summary: 'Retry the card payment of an invoice after a failed attempt',
  description:
    'The response is a new payment intent, whose client secret the browser of the insured confirms. Without a failed attempt the response is 422.',
  access: allow('invoice:collect', invoiceResource),
  response: { status: 201, body: PaymentIntentSchema },
  errors: ['no_failed_payment', 'amount_exceeds_balance', 'invalid_state_transition', 'payment_declined'],
  secretFields: ['clientSecret'],
  handler: async ({ row, db, lifecycle, command, deps }) => {
    await ensureBeforeCommand({ db, command }, async (em) => {
      const [latest] = await intentsOf(em, row.id);
      ensureChargeable(await invoiceFacts(em, row), latest, { amountCents: null, action: 'retry' });
    });
    const outcome = await lifecycle.collect(command({ amountCents: null, isRetry: true }, row.id));
    return intentReply(db, deps.card, row.id, outcome);
  },
});

const payInvoice = route({
  ...facts,
  path: '/invoices/:id/pay',
  operationId: 'payInvoice',
  summary: 'Record a payment by check, transfer or cash',
  description:
    'An invoice takes each combination of method and reference only once. Commission, ledger entries, receipt and events follow. With `unapplied`, a payment may be more than the balance.',
  access: allow('invoice:record_payment', invoiceResource),
  body: PaySchema,
  response: { status: 201, body: PaymentSchema },
  errors: ['already_exists', 'amount_exceeds_balance', 'invalid_state_transition'],
  handler: async ({ row, body, org, db, lifecycle, command }) => {
    const { method, reference } = body;
    const receivedDate = body.receivedDate ?? null;
    ensureReceivedInTime(receivedDate, org.today);
    const payload: PayPayload = {
      ...{ invoiceId: row.id, method, reference, receivedDate },
      amountCents: fromDollars(body.amount),
      mayExceed: body.unapplied === true,
    };
    await ensureBeforeCommand({ db, command }, async (em) => {
      ensureNew(await manualPayment(em, payload));
      const facts = await invoiceFacts(em, row);
      ensureNotForLapsed(present(await findPolicy(em, row.policyId)), facts, payload);
      ensureReceivable(facts, payload.amountCents, payload.mayExceed === true);
    });
    const { paymentId } = await lifecycle.recordPayment(command(payload, newId('payment', command.seedUuid)));
    return paymentReply(db, row.id, paymentId);
  },
});

const refundInvoice = route({
  ...facts,
  path: '/invoices/:id/refund',
  operationId: 'refundInvoice',
  summary: 'Refund a payment, in full or in part',
  description:
    'Card payments are refunded to the card. All other money is owed by check, as a disbursement. If a policy change later returns premium, this refund counts toward it, part by part. Unapplied money goes back first, for example when an invoice was paid twice. A refund above 1,000 dollars is marked for manual review; if the flag `refund_approval` is on, it also waits until someone else approves it. Smaller refunds on the same policy count together: with the flag on, a refund waits if it and those of the last 30 days that nobody approved come to more than 1,000 dollars. A refund to an insured whose name resembles an entry of the sanctions list, and is not cleared, always waits.',
  access: allow('invoice:refund', invoiceResource),
  body: RefundRequestSchema,
  response: { status: 201, body: RefundSchema },
  errors: ['refund_exceeds_paid', 'invalid_state_transition', 'payment_declined'],
  handler: async ({ row, body, db, lifecycle, command }) => {
    const payload = { invoiceId: row.id, amountCents: centsOrNull(body.amount), reason: body.reason };
    await ensureBeforeCommand({ db, command }, async (em) => {
      const payments = await paymentsOf(em, [row.id]);
      const beside = await unappliedOf(
        em,
        payments.filter(isReceipt).map(({ id }) => id),
      );
      const refundableCents = row.paidCents - row.refundedCents - reservedRefunds(payments);
      ensureRefundable(refundableCents + sumCents([...beside.values()]), payload.amountCents);
    });
    const { refundId } = await lifecycle.refundInvoice(command(payload, newId('refund', command.seedUuid)));
    return refundReply(db, row.id, refundId);
  },
});

const voidInvoice = route({
  ...facts,
  path: '/invoices/:id/void',
  operationId: 'voidInvoice',
  summary: 'Void an invoice that has no payments',
  description:
    "Any amount still owed for it is added to the policy's `unbilledAmount` until `reissue` bills it again under a new number, in this call or a later one. `reissuedAs` names the new invoice. If the policy now owes less than the voided invoice, use `amount` to bill the remainder.",
  access: allow('invoice:void', invoiceResource),
  body: VoidSchema,
  response: { status: 200, body: InvoiceSchema },
  errors: ['invoice_has_payments', 'invalid_state_transition', 'amount_exceeds_balance'],
  handler: async ({ row, body: { reason, reissue = false, amount }, org, db, lifecycle, command }) => {
    if (amount !== undefined && !reissue)
      throw validationError('amount', 'unknown_field', 'An amount is allowed only together with "reissue": true.');
    await ensureBeforeCommand({ db, command }, async (em) => {
      ensureInvoiceVoidable(await invoiceFacts(em, row), reissue);
    });
    await lifecycle.voidInvoice(command({ reason, reissue, reissuedCents: centsOrNull(amount) }, row.id));
    return invoiceReply(db, row.id, org.today);
  },
});

const writeOffInvoice = route({
  ...facts,
  path: '/invoices/:id/write-off',
  operationId: 'writeOffInvoice',
  summary: 'Write off an invoice that will never be paid',
  description:
    'A past-due invoice becomes `uncollectible`: it no longer makes its policy past due and no longer counts as a receivable. If part of it was paid, this invoice is reduced to that part, becomes `paid`, and the money is split among the accounts. The rest becomes a separate uncollectible invoice whose `restOf` names this one. An invoice with an undecided dispute or refund must wait for the decision. An uncollectible invoice still takes payments; once fully paid it is `paid`.',
  access: allow('invoice:write_off', invoiceResource),
  body: WriteOffSchema,
  response: { status: 200, body: InvoiceSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, org, db, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, async (em) => {
      const isReturning = (await paymentsOf(em, [row.id])).some(({ status }) => isReserved(status));
      ensureWritableOff({ ...(await invoiceFacts(em, row)), isReturning }, org.today);
    });
    await lifecycle.writeOffInvoice(command(body, row.id));
    return invoiceReply(db, row.id, org.today);
  },
});

export const invoiceActionRoutes = [
  ...[createPaymentIntent, payInvoice, voidInvoice, writeOffInvoice, refundInvoice, retryPayment],
];

/** What collecting needs from a call. */
interface CollectingCall {
  db: OrganizationDatabase;
  lifecycle: Lifecycle;
  command: CommandBuilder;
  deps: RuntimeDeps;
}

/** Opens an attempt to collect an invoice by card, or finds the open one. `dollars` defaults to the balance. */
export async function collectByCard(
  { db, lifecycle, command, deps }: CollectingCall,
  invoice: Invoice,
  dollars: number | undefined,
): Promise<Reply> {
  const amountCents = centsOrNull(dollars);
  await ensureBeforeCommand({ db, command }, async (em) => {
    ensureChargeable(await invoiceFacts(em, invoice), undefined, { amountCents, action: 'payment_intent' });
  });
  const outcome = await lifecycle.collect(command({ amountCents, isRetry: false }, invoice.id));
  return intentReply(db, deps.card, invoice.id, outcome);
}

/** An amount from a body; null if omitted. */
export function centsOrNull(dollars: number | undefined): number | null {
  return dollars === undefined ? null : fromDollars(dollars);
}

/** @throws DomainError already_exists with the id of the payment */
function ensureNew(earlier: { id: string } | null): void {
  if (earlier === null) return;
  const details = { resource: 'payment', paymentId: earlier.id };
  throw new DomainError(
    'already_exists',
    'A payment with this method and reference has already been recorded on the invoice.',
    details,
  );
}

/** What reserved refunds will take from the invoice, in positive cents. */
function reservedRefunds(payments: readonly Payment[]): number {
  return -sumCents(payments.filter(({ status }) => isReserved(status)).map(({ appliedCents }) => appliedCents));
}

/** The attempt with its secret, fetched now: no row stores it in the clear. */
async function intentReply(
  db: OrganizationDatabase,
  card: CardProcessor,
  invoiceId: string,
  { intentId, amountCents }: CollectOutcome,
): Promise<Reply> {
  const { clientSecret, status }: CardIntent = await card.readIntent(intentId);
  const amount = toDollars(amountCents);
  const body = { paymentIntentId: intentId, clientSecret, amount, currency: 'usd', status };
  return reply({ body, etag: await db.read(async (em) => tagOf(await findInvoice(em, invoiceId))) });
}

/** The current invoice. */
function invoiceReply(db: OrganizationDatabase, invoiceId: string, today: BusinessDate): Promise<Reply> {
  return db.read(async (em) => {
    const invoice = present(await findInvoice(em, invoiceId));
    return reply({ body: invoiceToWire(await billedInvoice(em, invoice), today), etag: tagOf(invoice) });
  });
}

/** A refund as recorded, with the invoice's new tag. */
function refundReply(db: OrganizationDatabase, invoiceId: string, refundId: string): Promise<Reply> {
  return db.read(async (em) => {
    const refund = present(await findPayment(em, refundId));
    return reply({ body: await wireOf(em, refund), etag: tagOf(await findInvoice(em, invoiceId)) });
  });
}

/** A payment as recorded, with the invoice's new tag. */
function paymentReply(db: OrganizationDatabase, invoiceId: string, paymentId: string): Promise<Reply> {
  return db.read(async (em) => {
    const payment = present(await findPayment(em, paymentId));
    const others = await paymentsOf(em, [invoiceId]);
    return reply({ body: paymentToWire(payment, others), etag: tagOf(await findInvoice(em, invoiceId)) });
  });
}

function tagOf(invoice: Invoice | null): string {
  const { id, version } = present(invoice);
  return entityTag(id, version);
}
