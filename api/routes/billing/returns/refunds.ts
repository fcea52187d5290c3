// Refunds: list, detail, and the decision on those that need approval. Requesting one is an action on the invoice.
// Contract 3.4 "refund".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { RefundDecisionPayload } from '../../../../contracts/billing.ts';
import type { Payment } from '../../../../db/entities/billing/payment.ts';
import { disbursementsOf } from '../../../../db/queries/billing/disbursements.ts';
import { findRefund, listRefunds } from '../../../../db/queries/billing/refunds.ts';
import { PAYMENT_STATUSES } from '../../../../domain/billing/payment.ts';
import { decidedStatus, requestersOf } from '../../../../domain/billing/refund-approval.ts';
import { allow, type Resource } from '../../../spine/access.ts';
import { entityTag, reply } from '../../../spine/reply.ts';
import { route } from '../../../spine/route.ts';
import { idParam, idReference, longText, pageQuery, pageSchema, pageToWire } from '../../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../../rows.ts';
import { RefundSchema, refundToWire } from './refunds.wire.ts';

const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;
const params = z.strictObject({ id: idParam('refund') });

const refundResource: Resource<Payment> = {
  name: 'refund',
  load: findRefund,
  facts: ({ orgId, approval }) => ({ orgId, requestedBy: requestersOf(approval) }),
  version: ({ version }) => version,
};

const listRefundsRoute = route({
  ...facts,
  method: 'get',
  path: '/refunds',
  operationId: 'listRefunds',
  summary: 'List refunds, newest first',
  description:
    '`status=pending_approval` lists the refunds that wait for a decision. Filter by policy or invoice to see what was paid back for it.',
  access: allow('refund:read'),
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(PAYMENT_STATUSES).optional(),
    policyId: idReference('policy').optional(),
    invoiceId: idReference('invoice').optional(),
  }),
  response: { status: 200, body: pageSchema('Refund', RefundSchema) },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    db.read(async (em) => {
      const page = await listRefunds(em, filter, { limit, cursor });
      const disbursements = await disbursementsOf(
        em,
        page.data.map(({ id }) => id),
      );
      return pageToWire(page, (refund) =>
        refundToWire(
          refund,
          disbursements.filter(({ refundId }) => refundId === refund.id),
        ),
      );
    }),
});

const getRefund = route({
  ...facts,
  method: 'get',
  path: '/refunds/:id',
  operationId: 'getRefund',
  summary: 'Read a refund',
  description:
    'A refund that requires approval stays pending until somebody else approves or rejects it. `parts` shows the card or check by which each share is returned.',
  access: allow('refund:read', refundResource),
  params,
  response: { status: 200, body: RefundSchema },
  errors: [],
  handler: ({ row, db }) => db.read((em) => wireOf(em, row)),
});

const decision = {
  ...facts,
  method: 'post',
  access: allow('refund:approve', refundResource),
  params,
  response: { status: 200, body: RefundSchema },
} as const;

const approveRefund = route({
  ...decision,
  errors: ['invalid_state_transition', 'not_ready'],
  path: '/refunds/:id/approve',
  operationId: 'approveRefund',
  summary: 'Approve a refund that somebody else requested',
  description:
    'Returns as soon as the decision is recorded. The money goes back afterwards. You cannot approve a refund that you requested. If the bank has taken the money back, or a dispute about it is open, the response is 422, and so it is while the name of the insured resembles an entry of the sanctions list and is not cleared.',
  handler: async ({ row, db, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, () => decidedStatus(row.status, 'approve'));
    await lifecycle.decideRefund(command<RefundDecisionPayload>({ decision: 'approve', reason: null }, row.id));
    return db.read((em) => replyOf(em, row.id));
  },
});

const rejectRefund = route({
  ...decision,
  errors: ['invalid_state_transition'],
  path: '/refunds/:id/reject',
  operationId: 'rejectRefund',
  summary: 'Reject a refund that somebody else requested',
  description:
    'The reserved amount becomes available for refunds again. Return premium stays owed: the refund is `succeeded`, and its amount stays with the policy as unapplied cash. A refund that is already decided returns 422.',
  body: z.strictObject({ reason: longText }).meta({ id: 'RejectRefund' }),
  handler: async ({ row, body: { reason }, db, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, () => decidedStatus(row.status, 'reject'));
    await lifecycle.decideRefund(command<RefundDecisionPayload>({ decision: 'reject', reason }, row.id));
    return db.read((em) => replyOf(em, row.id));
  },
});

export const refundRoutes = [listRefundsRoute, getRefund, approveRefund, rejectRefund];

/** Returns a refund with what it owes by check. */
export async function wireOf(em: EntityManager, refund: Payment) {
  return refundToWire(refund, await disbursementsOf(em, [refund.id]));
}

async function replyOf(em: EntityManager, refundId: string) {
  const refund = present(await findRefund(em, refundId));
  return reply({ body: await wireOf(em, refund), etag: entityTag(refund.id, refund.version) });
}
