// Actions on a claim: investigate, assign, set reserves, deny, close, reopen. Spec 4.5, Contract 3.3.
import { keepReference } from '../../../db/queries/claim/claim-words.ts';
import { closedClaimStatus, isAssignedBy, isDecidedByClose } from '../../../domain/claim/claim.ts';
import { noteLetter } from '../../../domain/claim/clocks.ts';
import { reserved } from '../../../domain/claim/figures.ts';
import { fromDollars } from '../../../domain/money.ts';
import { ensureMay } from '../../../domain/permissions.ts';
import { claimFacts } from '../../../plans/authority/resource-facts.ts';
import { figuresOf } from '../../../plans/claim/claim-figures.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { ensureBeforeCommand } from '../rows.ts';
import { ensureMoves, namingMoves } from './claim-moves.ts';
import {
  AssignSchema,
  ClaimSchema,
  CloseSchema,
  DenySchema,
  InvestigateSchema,
  LetterSchema,
  ReopenClaimSchema,
  ReservesSchema,
} from './claims.schemas.ts';
import { CLAIM_STEP, claimReply, claimResource, keptNote } from './seen-claims.ts';

const claimAnswer = { status: 200, body: ClaimSchema } as const;

const investigateClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/investigate',
  operationId: 'investigateClaim',
  summary: 'Begin the investigation of a claim',
  description:
    'This acknowledges the notice of loss. If you name an adjuster, the claim is assigned to them; you need permission to assign claims.',
  access: allow('claim:investigate', claimResource),
  body: InvestigateSchema,
  response: claimAnswer,
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    const { adjusterId = null, notes } = body;
    await ensureMoves(row, 'investigate', { db, command });
    if (adjusterId !== null && isAssignedBy(actor.id, adjusterId, row))
      ensureMay(actor, 'claim:assign', claimFacts(row));
    const noteId = await keptNote(row.id, notes, { db, command });
    await lifecycle.investigateClaim(command({ adjusterId, noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const assignClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/assign',
  operationId: 'assignClaim',
  summary: 'Assign a claim to an adjuster',
  description:
    'The previous adjuster loses access to it immediately. The new one must be an active user who handles claims.',
  access: allow('claim:assign', claimResource),
  body: AssignSchema,
  response: claimAnswer,
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    await ensureMoves(row, 'assign', { db, command });
    await lifecycle.assignClaim(command(body, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const reserveClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/reserves',
  operationId: 'reserveClaim',
  summary: 'Set the reserves of a claim',
  description:
    'Send the total that the claim is expected to cost, not the change. `reserves` in the response is what is still outstanding: the total less what has been paid.',
  access: allow('claim:reserve', claimResource),
  body: ReservesSchema,
  response: { ...claimAnswer, status: 201 },
  errors: ['invalid_state_transition', 'reserve_too_low'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    const indemnityCents = fromDollars(body.indemnity, 'indemnity');
    const expenseCents = fromDollars(body.expense, 'expense');
    const reserves = { indemnityCents, expenseCents };
    ensureMay(actor, 'claim:reserve', { ...claimFacts(row), reserveCents: indemnityCents + expenseCents });
    await ensureMoves(row, 'reserve', { db, command });
    await ensureBeforeCommand({ db, command }, () => reserved(figuresOf(row), reserves));
    const noteId = await keptNote(row.id, body.reason, { db, command });
    await lifecycle.reserveClaim(command({ reserves, noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const denyClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/deny',
  operationId: 'denyClaim',
  summary: 'Deny coverage',
  description:
    'Give the reason and, if you can, the provision of the policy that excludes the loss. A denied claim can be closed, and reopened after that.',
  access: allow('claim:deny', claimResource),
  body: DenySchema,
  response: claimAnswer,
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    await ensureMoves(row, 'deny', { db, command });
    const noteId = (await keptNote(row.id, body.reason, { db, command })) ?? '';
    const provision = { id: noteId, claimId: row.id, text: body.policyProvision };
    await db.transaction((em) => keepReference(em, provision));
    await lifecycle.denyClaim(command({ noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const closeClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/close',
  operationId: 'closeClaim',
  summary: 'Close a claim',
  description:
    'Close a claim after a decision or a payment. Before either, use the outcome `no_payment`; it is not allowed once ' +
    'indemnity has been paid. A payment counts from the decision to pay, even while it is `pending`; it is still made ' +
    'after the close unless you void it. Outstanding reserves go to zero.',
  access: allow('claim:close', claimResource),
  body: CloseSchema,
  response: claimAnswer,
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    const { outcome = null, notes } = body;
    if (isDecidedByClose(row.status, outcome)) ensureMay(actor, 'claim:deny', claimFacts(row));
    await ensureBeforeCommand({ db, command }, () => closedClaimStatus(row.status, outcome, figuresOf(row).paid));
    const noteId = await keptNote(row.id, notes, { db, command });
    await lifecycle.closeClaim(command({ outcome, noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const reopenClaim = route({
  ...CLAIM_STEP,
  path: '/claims/:id/reopen',
  operationId: 'reopenClaim',
  summary: 'Reopen a closed claim',
  description:
    'The claim is under investigation again and keeps its payments and history. Set new reserves before you pay more.',
  access: allow('claim:reopen', claimResource),
  body: ReopenClaimSchema,
  response: claimAnswer,
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    await ensureMoves(row, 'reopen', { db, command });
    const noteId = await keptNote(row.id, body.reason, { db, command });
    await lifecycle.reopenClaim(command({ noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

const recordStatusLetter = route({
  ...CLAIM_STEP,
  path: '/claims/:id/status-letters',
  operationId: 'recordStatusLetter',
  summary: 'Record that a status letter was sent',
  description:
    'Some states require a letter that explains why the claim is still open. The time until the next letter runs from the day on which this one was sent.',
  access: allow('claim:investigate', claimResource),
  body: LetterSchema,
  response: { ...claimAnswer, status: 201 },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, org, db, lifecycle, command, requestId }) => {
    const { sentOn = null, notes } = body;
    const { clocks, status, reportedOn: earliest } = row;
    await ensureBeforeCommand({ db, command }, () => {
      noteLetter(clocks, sentOn ?? org.today, { earliest, today: org.today, status });
    });
    const noteId = await keptNote(row.id, notes, { db, command });
    await lifecycle.recordStatusLetter(command({ sentOn, noteId }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

export const claimActionRoutes = [
  ...[investigateClaim, assignClaim, reserveClaim, denyClaim, closeClaim, reopenClaim],
  recordStatusLetter,
].map(namingMoves);
