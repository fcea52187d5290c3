// Payments: list, detail, and reversal of those that were never good. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { findPayment, findReversal, listPayments, paymentsOf } from '../../../db/queries/billing/payments.ts';
import { unappliedOf } from '../../../db/queries/billing/unapplied-cash.ts';
import { isReceipt } from '../../../domain/billing/payment.ts';
import { ensureReversible } from '../../../domain/billing/reversal.ts';
import { fromDollars } from '../../../domain/money.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import {
  PaymentListQuery,
  PaymentPageSchema,
  PaymentSchema,
  type PaymentWire,
  ReverseSchema,
} from './payments.schemas.ts';
import { paymentToWire } from './payments.wire.ts';

const paymentResource: Resource<Payment> = {
  name: 'payment',
  load: findPayment,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

/** Facts shared by the operations. */
const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;
const ofPayment = z.strictObject({ id: idParam('payment') });

const listPaymentsRoute = route({
  ...facts,
  method: 'get',
  path: '/payments',
  operationId: 'listPayments',
  summary: 'List payments, newest first',
  description:
    'Finds the payment for a check, a transfer or a card payment by its reference, and the invoice by its `invoiceId`. Money that went back (refunds, chargebacks and reversals) is listed with a negative amount.',
  access: allow('invoice:read'),
  query: PaymentListQuery,
  response: { status: 200, body: PaymentPageSchema },
  errors: [],
  handler: ({ query: { limit, cursor, ...filter }, db }) =>
    db.read(async (em) => {
      const { data, nextCursor } = await listPayments(em, filter, { limit, cursor });
      return { data: await shownPayments(em, data), nextCursor };
    }),
});

const getPayment = route({
  ...facts,
  method: 'get',
  path: '/payments/:id',
  operationId: 'getPayment',
  summary: 'Read a payment',
  description:
    'Reads money that was received. `status` shows whether the payment is disputed or reversed. Refunds are read at `/refunds/{id}`; chargebacks and reversals are listed with their invoice.',
  access: allow('invoice:read', paymentResource),
  params: z.strictObject({ id: idParam('payment', 'refund') }),
  response: { status: 200, body: PaymentSchema },
  errors: [],
  handler: ({ row, db }) => db.read((em) => toWire(em, row)),
});

const reversePayment = route({
  ...facts,
  method: 'post',
  path: '/payments/:id/reverse',
  operationId: 'reversePayment',
  summary: 'Reverse a check, transfer or cash payment that was never good',
  description:
    'Returns the negative payment. A check or an ACH payment can be reversed for any reason; a wire or cash, which no bank returns, only with reason `error`. A fee can be charged for `nsf` and `stopped`, not for an `error` of your own. The invoice becomes payable again; it is due on its own due date or in ten days, whichever is later. Commission and both ledgers are reversed accordingly. If part of the payment had already been refunded, operating funds owe that part to the trust, less any refund that was kept (`kept_refund`): it is taken back from unapplied cash and from the invoices that it has paid.',
  access: allow('invoice:refund', paymentResource),
  params: ofPayment,
  body: ReverseSchema,
  response: { status: 201, body: PaymentSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body: { reason, fee }, db, lifecycle, command }) => {
    const payload = { paymentId: row.id, reason, feeCents: fee === undefined ? null : fromDollars(fee) };
    await ensureBeforeCommand({ db, command }, async (em) => {
      const isReversed = (await findReversal(em, row)) !== null;
      ensureReversible({ kind: row.kind, method: row.method, isReversed }, payload);
    });
    const { refundId } = await lifecycle.reversePayment(command(payload, newId('refund', command.seedUuid)));
    return db.read(async (em) => toWire(em, present(await findPayment(em, refundId))));
  },
});

export const paymentRoutes = [listPaymentsRoute, getPayment, reversePayment];

async function toWire(em: EntityManager, payment: Payment): Promise<PaymentWire> {
  return present((await shownPayments(em, [payment]))[0] ?? null);
}

/**
 * One query for the other payments on their invoices, and one for what is left of those that exceeded their invoice.
 */
async function shownPayments(em: EntityManager, payments: readonly Payment[]): Promise<PaymentWire[]> {
  const invoiceIds = payments.flatMap(({ invoiceId }) => invoiceId ?? []);
  const others = Map.groupBy(await paymentsOf(em, [...new Set(invoiceIds)]), ({ invoiceId }) => invoiceId);
  const beyond = payments.filter((each) => isReceipt(each) && each.amountCents > each.appliedCents);
  const unapplied = await unappliedOf(
    em,
    beyond.map(({ id }) => id),
  );
  return payments.map((payment) =>
    paymentToWire(
      payment,
      payment.invoiceId === null ? [] : (others.get(payment.invoiceId) ?? []),
      unapplied.get(payment.id),
    ),
  );
}
