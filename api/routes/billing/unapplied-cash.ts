// The unapplied cash desk: list payment money that no invoice has taken, apply it to an invoice of any policy, or
// return it. Contract 3.4.
import { z } from 'zod';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { findInvoice } from '../../../db/queries/billing/invoices.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { listUnapplied, type UnappliedReceipt, unappliedOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { invoiceFacts } from '../../../db/queries/billing/void-invoices.ts';
import { ensureAppliable, ensureRefundable } from '../../../domain/billing/invoice-actions.ts';
import { isReceipt } from '../../../domain/billing/payment.ts';
import { validationError } from '../../../domain/errors.ts';
import { toDollars } from '../../../domain/money.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import { instantToWire } from './charges.wire.ts';
import { centsOrNull } from './invoice-actions.ts';
import { PaymentSchema } from './payments.schemas.ts';
import { paymentToWire } from './payments.wire.ts';
import { wireOf } from './returns/refunds.ts';
import { RefundSchema } from './returns/refunds.wire.ts';
import {
  ApplySchema,
  ReturnSchema,
  UnappliedCashPageSchema,
  UnappliedCashQuery,
  type UnappliedCashWire,
} from './unapplied-cash.schemas.ts';

const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;

/** Only received money can be unapplied. */
const receiptResource: Resource<Payment> = {
  name: 'payment',
  load: async (em, id) => {
    const payment = await findPayment(em, id);
    return payment !== null && isReceipt(payment) ? payment : null;
  },
  facts: ({ orgId }) => ({ orgId }),
};

const listUnappliedCash = route({
  ...facts,
  method: 'get',
  path: '/unapplied-cash',
  operationId: 'listUnappliedCash',
  summary: 'List payments with unapplied money, newest first',
  description:
    'Money is unapplied when its invoice could not take it, or when no invoice was found for it. Apply it to an invoice, or return it.',
  access: allow('invoice:read'),
  query: UnappliedCashQuery,
  response: { status: 200, body: UnappliedCashPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    pageToWire(await db.read((em) => listUnapplied(em, filter, { limit, cursor })), unappliedToWire),
});

const applyUnappliedCash = route({
  ...facts,
  method: 'post',
  path: '/unapplied-cash/:id/apply',
  operationId: 'applyUnappliedCash',
  summary: 'Apply unapplied money to an invoice',
  description:
    'Returns the new payment on the invoice; its `appliedFrom` names the original payment. Once the invoice is fully paid, commission and ledgers follow as for any other payment. If the money is a kept refund of a card payment that is in dispute, the response is 422 until the bank has decided.',
  access: allow('invoice:record_payment', receiptResource),
  params: z.strictObject({ id: idParam('payment') }),
  body: ApplySchema,
  response: { status: 201, body: PaymentSchema },
  errors: ['amount_exceeds_balance', 'invalid_state_transition'],
  handler: async ({ row, body, db, lifecycle, command }) => {
    const payload = { paymentId: row.id, invoiceId: body.invoiceId, amountCents: centsOrNull(body.amount) };
    await ensureBeforeCommand({ db, command }, async (em) => {
      const invoice = await findInvoice(em, body.invoiceId);
      if (invoice === null) throw validationError('invoiceId', 'unknown_reference', 'There is no such invoice.');
      const unapplied = await unappliedOf(em, [row.id]);
      ensureAppliable(await invoiceFacts(em, invoice), unapplied.get(row.id) ?? 0, payload.amountCents);
    });
    const { paymentId } = await lifecycle.applyUnapplied(command(payload, newId('payment', command.seedUuid)));
    return db.read(async (em) => reply({ body: paymentToWire(present(await findPayment(em, paymentId)), []) }));
  },
});

const returnUnappliedCash = route({
  ...facts,
  method: 'post',
  path: '/unapplied-cash/:id/return',
  operationId: 'returnUnappliedCash',
  summary: 'Return unapplied money to the payer',
  description:
    'Money that came by card goes back to that card. All other money is owed by check, as a disbursement. If the flag `refund_approval` is on, a return above 1,000 dollars waits until somebody else approves it, and so does a smaller one if it and the refunds on the same policy in the last 30 days that nobody approved come to more than that. A return to an insured whose name resembles an entry of the sanctions list, and is not cleared, always waits. If the money is a kept refund of a card payment that is in dispute, the response is 422 until the bank has decided.',
  access: allow('invoice:refund', receiptResource),
  params: z.strictObject({ id: idParam('payment') }),
  body: ReturnSchema,
  response: { status: 201, body: RefundSchema },
  errors: ['refund_exceeds_paid', 'invalid_state_transition', 'payment_declined'],
  handler: async ({ row, body, db, lifecycle, command }) => {
    const payload = { paymentId: row.id, amountCents: centsOrNull(body.amount), reason: body.reason };
    await ensureBeforeCommand({ db, command }, async (em) => {
      const unapplied = await unappliedOf(em, [row.id]);
      ensureRefundable(unapplied.get(row.id) ?? 0, payload.amountCents);
    });
    const { refundId } = await lifecycle.returnUnapplied(command(payload, newId('refund', command.seedUuid)));
    return db.read(async (em) => reply({ body: await wireOf(em, present(await findPayment(em, refundId))) }));
  },
});

export const unappliedCashRoutes = [listUnappliedCash, applyUnappliedCash, returnUnappliedCash];

function unappliedToWire({ payment, unappliedCents }: UnappliedReceipt): UnappliedCashWire {
  const { id, invoiceId, policyId, method, reference, amountCents, receivedAt } = payment;
  return {
    ...{ id, paymentId: id, invoiceId, policyId, method, reference },
    amount: toDollars(amountCents),
    unappliedAmount: toDollars(unappliedCents),
    receivedDate: payment.receivedOn,
    receivedAt: instantToWire(receivedAt),
  };
}
