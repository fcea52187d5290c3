// Claim settlements: offered, then approved or rejected by someone else. Spec 4.5, Contract 3.3.
import { newId } from '../../../db/ids.ts';
import { keepPayee } from '../../../db/queries/claim/claim-words.ts';
import { fromDollars } from '../../../domain/money.ts';
import { ensureMay, may } from '../../../domain/permissions.ts';
import { claimFacts } from '../../../plans/authority/resource-facts.ts';
import { settledInAll } from '../../../plans/claim/claim-figures.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { ensureMoves, namingMoves } from './claim-moves.ts';
import { ClaimSchema, RejectSettlementSchema, SettleSchema } from './claims.schemas.ts';
import { CLAIM_STEP, claimReply, claimResource, keptNote } from './seen-claims.ts';

const OF_LIMITS = ['invalid_state_transition', 'reserve_too_low', 'limit_exhausted'] as const;

const settleClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/settle',
  operationId: 'settleClaim',
  summary: 'Offer a settlement',
  description:
    'A caller who may approve settlements approves it immediately, unless `approve` is false or the payee is on a ' +
    'sanctions list: then it waits as an offer, and `settlement.blockers` says so. An offer above your own authority waits for somebody with more authority. An amount above the remaining limit of the policy is refused.',
  access: allow('claim:settle', claimResource),
  body: SettleSchema,
  response: { status: 201, body: ClaimSchema },
  errors: OF_LIMITS,
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    const amountCents = fromDollars(body.amount, 'amount');
    const judged = { ...claimFacts(row), settlementCents: settledInAll(row, amountCents) };
    if (body.approve === true) ensureMay(actor, 'claim:approve', judged);
    const isApproved = body.approve !== false && may(actor, 'claim:approve', judged);
    await ensureMoves(row, 'settle', { db, command });
    const settlementId = newId('settlement', command.seedUuid);
    await db.transaction((em) => keepPayee(em, { id: settlementId, claimId: row.id, name: body.payee }));
    const noteId = await keptNote(row.id, body.notes, { db, command });
    await lifecycle.settleClaim(command({ settlementId, amountCents, isApproved, noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const approveSettlement = route({
  ...CLAIM_STEP,
  path: '/claims/:id/settle/approve',
  operationId: 'approveSettlement',
  summary: 'Approve the offered settlement',
  description:
    'Someone other than the person who made the offer must approve it; an administrator may do both. While the payee is on a sanctions list, the approval returns 422 `not_ready`.',
  access: allow('claim:approve', claimResource),
  response: { status: 200, body: ClaimSchema },
  errors: [...OF_LIMITS, 'not_ready'],
  handler: async ({ row, actor, db, lifecycle, command, requestId }) => {
    await ensureMoves(row, 'approve', { db, command });
    await lifecycle.approveSettlement(command({}, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const rejectSettlement = route({
  ...CLAIM_STEP,
  path: '/claims/:id/settle/reject',
  operationId: 'rejectSettlement',
  summary: 'Reject the offered settlement',
  description: 'The offer is withdrawn and the investigation continues. You can then offer another settlement.',
  access: allow('claim:approve', claimResource),
  body: RejectSettlementSchema,
  response: { status: 200, body: ClaimSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    await ensureMoves(row, 'reject', { db, command });
    const noteId = await keptNote(row.id, body.reason, { db, command });
    await lifecycle.rejectSettlement(command({ noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

export const settlementRoutes = [settleClaim, approveSettlement, rejectSettlement].map(namingMoves);
