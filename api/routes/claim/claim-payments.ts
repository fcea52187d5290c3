// Money on a claim besides its settlement: partial payments, expenses, payments taken back, recoveries. Contract 3.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { ClaimPayment } from '../../../db/entities/claim/claim-payment.ts';
import { newId } from '../../../db/ids.ts';
import { keepPayee, keepReference, payeeOf, referenceOf } from '../../../db/queries/claim/claim-words.ts';
import { findClaim } from '../../../db/queries/claim/claims.ts';
import { findClaimPayment, paymentsOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { voidedClaimStatus } from '../../../domain/claim/claim.ts';
import { CLAIM_PAYMENT_STATUSES, ensurePaymentVoidable, PAYMENT_KINDS } from '../../../domain/claim/claim-payment.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import { ensureMay } from '../../../domain/permissions.ts';
import { claimFacts } from '../../../plans/authority/resource-facts.ts';
import { settledInAll } from '../../../plans/claim/claim-figures.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  businessText,
  dollars,
  idParam,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  pageToWire,
  paymentDollars,
  referenceText,
} from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import { ensureMoves, namingMoves } from './claim-moves.ts';
import { ClaimSchema } from './claims.schemas.ts';
import {
  claimReply,
  claimResource,
  keptNote,
  PROTECTED_FIELDS,
  type Reader,
  replayedClaim,
  seesWords,
} from './seen-claims.ts';

const facts = { tag: 'Claims', spec: 'Contract 3.3' } as const;
const params = z.strictObject({ id: idParam('claim') });

/** Fields of a payment that may be protected. */
const PAYMENT_WORDS = ['payee', 'reference'] as const;

const ClaimPaymentSchema = z
  .strictObject({
    id: idReference('claimPayment'),
    orgId: idReference('organization'),
    claimId: idReference('claim'),
    kind: z.enum(PAYMENT_KINDS),
    amount: dollars.meta({
      description: 'The amount to pay, in dollars; `status` says whether it has left the loss fund.',
    }),
    carrier: z.string().meta({ description: 'The carrier from whose loss fund it is paid.' }),
    payee: z.string().optional().meta({ description: 'The name of the payee. Absent where the claim is redacted.' }),
    reference: z.string().nullable().optional().meta({ description: 'Absent where the claim is redacted.' }),
    status: z.enum(CLAIM_PAYMENT_STATUSES),
    paidOn: isoDate.nullable(),
    voidedOn: isoDate.nullable(),
    createdAt: instant,
    updatedAt: instant,
    version: z.int(),
  })
  .meta({ id: 'ClaimPayment', description: 'A payment on a claim. `pending` waits for the loss fund of the carrier.' });

const PaySchema = z
  .strictObject({
    kind: z.enum(PAYMENT_KINDS).meta({ description: 'Whether it pays for the loss or for handling the claim.' }),
    amount: paymentDollars.meta({ description: 'The amount to pay, in dollars.' }),
    payee: businessText.meta({ description: 'The name of the payee, which is screened for sanctions.' }),
    reference: referenceText.optional(),
  })
  .meta({ id: 'PayClaim' });

const listPayments = route({
  ...facts,
  method: 'get',
  path: '/claims/:id/payments',
  operationId: 'listClaimPayments',
  summary: 'List the payments of a claim, oldest first',
  description:
    'Each payment shows its kind, its status and its amount in dollars. The payee is absent for callers who may not see a protected claim.',
  access: allow('claim:read', claimResource),
  params,
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageSchema('ClaimPayment', ClaimPaymentSchema) },
  errors: [],
  handler: async ({ row, query, actor, requestId, db }) => {
    const page = pageWithin(await db.read((em) => paymentsOfClaim(em, row.id)), query);
    const isSeen = await seesWords(row, { actor, requestId, db }, PAYMENT_WORDS);
    const words = await db.read((em) =>
      Promise.all(page.data.map(async (payment) => (isSeen ? await paymentWords(em, payment) : {}))),
    );
    const worded = page.data.map((payment, index) => ({ payment, words: words[index] ?? {} }));
    return pageToWire({ ...page, data: worded }, ({ payment, words }) => paymentToWire(payment, words));
  },
});

const payClaim = route({
  ...facts,
  method: 'post',
  path: '/claims/:id/payments',
  operationId: 'payClaim',
  summary: 'Pay part of a claim, or a claim expense',
  description:
    "The payment is `pending` until the money has left the carrier's loss fund. A payment above the reserve is refused: raise the reserve first.",
  access: allow('claim:pay', claimResource),
  params,
  body: PaySchema,
  response: { status: 201, body: ClaimPaymentSchema },
  errors: ['invalid_state_transition', 'already_exists', 'reserve_too_low', 'limit_exhausted', 'not_ready'],
  secretFields: PAYMENT_WORDS,
  replayed: replayedPayment,
  handler: async ({ row, body, actor, db, lifecycle, command }) => {
    const amountCents = fromDollars(body.amount, 'amount');
    ensureMay(actor, 'claim:pay', { ...claimFacts(row), settlementCents: settledInAll(row, amountCents) });
    await ensureMoves(row, 'pay', { db, command });
    const paymentId = newId('claimPayment', command.seedUuid);
    const { kind, payee, reference } = body;
    await db.transaction(async (em) => {
      await keepPayee(em, { id: paymentId, claimId: row.id, name: payee });
      await keepReference(em, { id: paymentId, claimId: row.id, text: reference });
    });
    await lifecycle.payClaim(command({ paymentId, kind, amountCents }, row.id));
    const payment = present(await db.read((em) => findClaimPayment(em, paymentId)));
    return paymentToWire(payment, { payee, reference: reference ?? null });
  },
});

const voidPayment = route({
  ...facts,
  method: 'post',
  path: '/claims/:id/payments/:paymentId/void',
  operationId: 'voidClaimPayment',
  summary: 'Void a claim payment',
  description:
    'On a closed claim only a payment that is still pending can be stopped. The call is refused if recoveries would then exceed what has been paid.',
  access: allow('claim:pay', claimResource),
  params: z.strictObject({ id: idParam('claim'), paymentId: idParam('claimPayment') }),
  body: z.strictObject({ reason: longText }).meta({ id: 'VoidClaimPayment' }),
  response: { status: 200, body: ClaimSchema },
  errors: ['invalid_state_transition', 'amount_exceeds_balance'],
  secretFields: PROTECTED_FIELDS,
  replayed: replayedClaim,
  handler: async ({ row, params: { paymentId }, body, actor, db, lifecycle, command, requestId }) => {
    const payment = await db.read((em) => findClaimPayment(em, paymentId));
    if (payment?.claimId !== row.id) throw notFound('claim payment');
    await ensureBeforeCommand({ db, command }, () => {
      voidedClaimStatus(row.status, payment.status);
      ensurePaymentVoidable(payment.status);
    });
    const noteId = (await keptNote(row.id, body.reason, { db, command })) ?? '';
    await lifecycle.voidClaimPayment(command({ paymentId, noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

export const claimPaymentRoutes = [listPayments, ...[payClaim, voidPayment].map(namingMoves)];

/** The text fields of a payment; none for those who may not see them. */
interface PaymentWords {
  payee?: string;
  reference?: string | null;
}

async function paymentWords(em: EntityManager, { id, payeeId }: Readonly<ClaimPayment>): Promise<PaymentWords> {
  return { payee: (await payeeOf(em, payeeId)) ?? '', reference: await referenceOf(em, id) };
}

/** Re-checks the stored response for a payment, as `replayedClaim` does for a claim. */
async function replayedPayment(kept: PaymentWords & { claimId: string }, reader: Reader): Promise<object> {
  const claim = present(await reader.db.read((em) => findClaim(em, kept.claimId)));
  if (await seesWords(claim, reader, PAYMENT_WORDS)) return kept;
  const { payee, reference, ...payment } = kept;
  return payment;
}

function paymentToWire(payment: Readonly<ClaimPayment>, words: PaymentWords) {
  const { id, orgId, claimId, kind, amountCents, carrier, status, paidOn, voidedOn } = payment;
  return {
    ...{ id, orgId, claimId, kind, amount: toDollars(amountCents), carrier, ...words },
    ...{ status, paidOn, voidedOn },
    ...{ createdAt: instantToWire(payment.createdAt), updatedAt: instantToWire(payment.updatedAt) },
    version: payment.version,
  };
}
