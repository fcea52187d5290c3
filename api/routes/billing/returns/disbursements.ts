// Disbursements: money owed back by check, from the day it is owed until the bank has paid it or it is cancelled.
// Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { IssuePayload, StopPayload } from '../../../../contracts/disbursement.ts';
import type { Disbursement } from '../../../../db/entities/billing/disbursement.ts';
import { findDisbursement, listDisbursements, notOwed } from '../../../../db/queries/billing/disbursements.ts';
import {
  DISBURSEMENT_CAUSES,
  DISBURSEMENT_METHODS,
  DISBURSEMENT_STATUSES,
  type DisbursementAction,
  issueDay,
  nextDisbursementStatus,
  owedCents,
} from '../../../../domain/billing/disbursement.ts';
import { validationError } from '../../../../domain/errors.ts';
import { toDollars } from '../../../../domain/money.ts';
import { plainReference } from '../../../../domain/text.ts';
import { allow, type Resource } from '../../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../../spine/route.ts';
import {
  businessText,
  dollars,
  externalId,
  idParam,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  pageToWire,
} from '../../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../../rows.ts';
import { instantToWire } from '../charges.wire.ts';

const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;
const params = z.strictObject({ id: idParam('disbursement') });

const DisbursementSchema = z
  .strictObject({
    id: idReference('disbursement'),
    orgId: idReference('organization'),
    refundId: idReference('refund'),
    invoiceId: idReference('invoice').nullable(),
    policyId: idReference('policy').nullable(),
    payee: z.string().nullable().meta({ description: 'The name of the insured.' }),
    cause: z.enum(DISBURSEMENT_CAUSES),
    processorRefundId: externalId.nullable().meta({
      description:
        "The processor's id of the card refund that failed. It is null unless `cause` is `card_refund_failed`.",
    }),
    amount: dollars.meta({ description: 'The amount owed. If all of it was cancelled: the amount owed before.' }),
    cancelledAmount: dollars.meta({
      description: 'The part that is no longer owed: its payment was reversed, or it was kept as unapplied cash.',
    }),
    status: z.enum(DISBURSEMENT_STATUSES),
    owedOn: isoDate,
    method: z.enum(DISBURSEMENT_METHODS).nullable(),
    checkNumber: z.string().nullable(),
    reference: z.string().nullable().meta({
      description: 'The check number or the transfer reference. It is null until the disbursement is issued.',
    }),
    issuedOn: isoDate.nullable(),
    clearedOn: isoDate.nullable(),
    stoppedOn: isoDate.nullable(),
    stopReason: z.string().nullable(),
    cancelledOn: isoDate.nullable(),
    cancelReason: z.string().nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Disbursement', description: 'Money owed to the insured that leaves the trust by check or transfer.' });

/** Numbers that look alike must be equal, so hidden characters are not allowed. */
const numberOnPaper = businessText
  .refine((text) => !/\p{Cf}/u.test(text), {
    error: 'The number must not contain invisible characters.',
    params: { rule: 'format' },
  })
  .overwrite(plainReference);

const IssueSchema = z
  .strictObject({
    checkNumber: numberOnPaper.optional().meta({ description: 'The number of the check.' }),
    reference: numberOnPaper.optional().meta({
      description: 'The reference of a transfer. Send either this or `checkNumber`, not both.',
    }),
    issuedOn: isoDate.optional().meta({
      description: 'The date of the check or transfer, from `owedOn` to today. Default: today.',
    }),
  })
  .meta({ id: 'IssueDisbursement' });

const disbursementResource: Resource<Disbursement> = {
  name: 'disbursement',
  load: findDisbursement,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const listDisbursementsRoute = route({
  ...facts,
  method: 'get',
  path: '/disbursements',
  operationId: 'listDisbursements',
  summary: 'List disbursements, newest first',
  description:
    'Filter by status, policy, invoice or refund. A disbursement is money that goes back by check or transfer instead of to a card.',
  access: allow('disbursement:read'),
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(DISBURSEMENT_STATUSES).optional(),
    policyId: idReference('policy').optional(),
    invoiceId: idReference('invoice').optional(),
    refundId: idReference('refund').optional(),
  }),
  response: { status: 200, body: pageSchema('Disbursement', DisbursementSchema) },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    pageToWire(await db.read((em) => listDisbursements(em, filter, { limit, cursor })), disbursementToWire),
});

const getDisbursement = route({
  ...facts,
  method: 'get',
  path: '/disbursements/:id',
  operationId: 'getDisbursement',
  summary: 'Read a disbursement',
  description:
    'It shows the amount, the payee and the status of the check. The ledger has an entry for each of its steps.',
  access: allow('disbursement:read', disbursementResource),
  params,
  response: { status: 200, body: DisbursementSchema },
  errors: [],
  handler: ({ row }) => disbursementToWire(row),
});

const action = {
  ...facts,
  method: 'post',
  access: allow('disbursement:manage', disbursementResource),
  params,
  response: { status: 200, body: DisbursementSchema },
} as const;

const issueDisbursement = route({
  ...action,
  path: '/disbursements/:id/issue',
  operationId: 'issueDisbursement',
  summary: 'Issue a check or a transfer',
  description:
    'The ledger records the payment (debit 2060, credit 1010). A disbursement that was stopped can be issued again under another number. A number or reference that any payment has used before, even a remittance, returns 409. If the disbursement gives back a card payment that is in dispute, the response is 422 until the bank has decided, and so it is while the name of the payee resembles an entry of the sanctions list and is not cleared.',
  body: IssueSchema,
  errors: ['invalid_state_transition', 'already_exists', 'not_ready'],
  handler: async ({ row, body, org, db, lifecycle, command }) => {
    const payload: IssuePayload = { ...namedBy(body), issuedOn: body.issuedOn ?? null };
    await ensureBeforeCommand({ db, command }, (em) => {
      issueDay(payload.issuedOn, row.owedOn, org.today);
      return ensureMove(em, row, 'issue');
    });
    await lifecycle.issueDisbursement(command(payload, row.id));
    return replyOf(db, row.id);
  },
});

const clearDisbursement = route({
  ...action,
  path: '/disbursements/:id/clear',
  operationId: 'clearDisbursement',
  summary: 'Record that the bank has paid a disbursement',
  description:
    'Call this when the check appears on the bank statement. A disbursement that has not been issued returns 422.',
  errors: ['invalid_state_transition'],
  handler: async ({ row, db, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, (em) => ensureMove(em, row, 'clear'));
    await lifecycle.clearDisbursement(command({}, row.id));
    return replyOf(db, row.id);
  },
});

const stopDisbursement = route({
  ...action,
  path: '/disbursements/:id/stop',
  operationId: 'stopDisbursement',
  summary: 'Stop a check or transfer that was issued',
  description:
    'The ledger entry is reversed, and the money is owed again until the disbursement is reissued. A disbursement that has cleared the bank cannot be stopped.',
  body: z.strictObject({ reason: longText }).meta({ id: 'StopDisbursement' }),
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, db, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, (em) => ensureMove(em, row, 'stop'));
    const payload: StopPayload = { reason: body.reason };
    await lifecycle.stopDisbursement(command(payload, row.id));
    return replyOf(db, row.id);
  },
});

const cancelDisbursement = route({
  ...action,
  path: '/disbursements/:id/cancel',
  operationId: 'cancelDisbursement',
  summary: 'Cancel a disbursement that is not to be paid out',
  description:
    'Before it is issued, or once it is stopped: the money is not paid out but stays with the policy as unapplied cash, a payment with the method `kept_refund`. If a payment behind the disbursement was reversed because it was never good, only the part that came from it is cancelled and no longer owed, and nothing can be issued until then.',
  body: z.strictObject({ reason: longText }).meta({ id: 'CancelDisbursement' }),
  errors: ['invalid_state_transition', 'not_ready'],
  handler: async ({ row, body, db, lifecycle, command }) => {
    await ensureBeforeCommand({ db, command }, (em) => ensureMove(em, row, 'cancel'));
    const payload: StopPayload = { reason: body.reason };
    await lifecycle.cancelDisbursement(command(payload, row.id));
    return replyOf(db, row.id);
  },
});

export const disbursementRoutes = [
  listDisbursementsRoute,
  getDisbursement,
  issueDisbursement,
  clearDisbursement,
  stopDisbursement,
  cancelDisbursement,
];

/** @throws DomainError invalid_state_transition */
async function ensureMove(em: EntityManager, row: Disbursement, action: DisbursementAction): Promise<void> {
  nextDisbursementStatus(row.status, action, await notOwed(em, row));
}

/** @throws DomainError validation_failed unless exactly one of the two is given */
function namedBy({ checkNumber, reference }: z.output<typeof IssueSchema>): Pick<IssuePayload, 'method' | 'reference'> {
  if (checkNumber !== undefined && reference !== undefined) {
    throw validationError('reference', 'unknown_field', 'Send either checkNumber or reference, not both.');
  }
  if (checkNumber !== undefined) return { method: 'check', reference: checkNumber };
  if (reference !== undefined) return { method: 'transfer', reference };
  throw validationError('checkNumber', 'required', 'Send checkNumber for a check, or reference for a transfer.');
}

function replyOf(db: OrganizationDatabase, id: string): Promise<Reply> {
  return db.read(async (em) => {
    const row = present(await findDisbursement(em, id));
    return reply({ body: disbursementToWire(row), etag: entityTag(row.id, row.version) });
  });
}

function disbursementToWire(row: Disbursement): z.output<typeof DisbursementSchema> {
  const { id, orgId, refundId, invoiceId, policyId, payee, cause, processorRefundId, status, version } = row;
  const { owedOn, method, reference, issuedOn, clearedOn, stoppedOn, stopReason } = row;
  const { cancelledOn = null, cancelReason = null } = row;
  return {
    ...{ id, orgId, refundId, invoiceId, policyId, payee, cause, processorRefundId, status, version },
    ...{ owedOn, method, reference, issuedOn, clearedOn, stoppedOn, stopReason, cancelledOn, cancelReason },
    amount: toDollars(owedCents(row)),
    cancelledAmount: toDollars(row.cancelledCents),
    checkNumber: method === 'check' ? reference : null,
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}
