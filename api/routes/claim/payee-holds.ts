// Claim payees whose names are on a sanctions list, and their clearance. Domain facts 6.4, decision 0150.
import { z } from 'zod';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { findClaim } from '../../../db/queries/claim/claims.ts';
import { findHold, holdsOf } from '../../../db/queries/claim/payee-holds.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { ensureClearable } from '../../../domain/claim/payee-hold.ts';
import { heldClaimFacts } from '../../../plans/authority/resource-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, longText, pageQuery, pageToWire } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import { PayeeHoldPageSchema, PayeeHoldSchema } from './payee-holds.schemas.ts';
import { holdToWire } from './payee-holds.wire.ts';
import { claimResource, keptNote, seesWords } from './seen-claims.ts';

const facts = { tag: 'Claims', spec: 'Contract 2, 3.3' } as const;

/** Fields of a hold that may be protected. */
const HOLD_WORDS = ['payee', 'matches', 'reason'] as const;

const heldClaim: Resource<Claim> = { ...claimResource, facts: heldClaimFacts };

const listHolds = route({
  ...facts,
  method: 'get',
  path: '/claims/:id/payee-holds',
  operationId: 'listPayeeHolds',
  summary: 'List the payees of a claim who are held for sanctions',
  description:
    'A payee is screened at the offer, at its approval, at each payment, and again before the money leaves the fund. ' +
    'Each hold shows the list entries that the name matches, and who cleared it.',
  access: allow('sanctions:read', heldClaim),
  params: z.strictObject({ id: idParam('claim') }),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: PayeeHoldPageSchema },
  errors: [],
  handler: async ({ row, query, actor, requestId, db }) => {
    await seesWords(row, { actor, requestId, db }, HOLD_WORDS);
    const holds = await db.read((em) => holdsOf(em, row.id));
    const page = pageWithin(
      holds.map((each) => ({ ...each, id: each.hold.id, isProtected: row.containsPhi })),
      query,
    );
    return pageToWire(page, holdToWire);
  },
});

const clearHold = route({
  ...facts,
  method: 'post',
  path: '/claims/:id/payee-holds/:holdId/clear',
  operationId: 'clearPayeeHold',
  summary: 'Clear a held payee who only shares a name with a listed party',
  description:
    'Clears this name on this claim for the list entries that the hold shows; a new entry on the list holds the payee again. A waiting payment is retried automatically. On a protected claim, only those who may see ' +
    'protected values can clear a payee.',
  access: allow('sanctions:clear', heldClaim),
  params: z.strictObject({ id: idParam('claim'), holdId: idParam('payeeHold') }),
  body: z
    .strictObject({ reason: longText.meta({ description: 'Why the payee is not the listed party.' }) })
    .meta({ id: 'ClearPayeeHold' }),
  response: { status: 200, body: PayeeHoldSchema },
  errors: ['invalid_state_transition'],
  secretFields: HOLD_WORDS,
  replayed: async (kept: { claimId: string }, reader) => {
    const claim = present(await reader.db.read((em) => findClaim(em, kept.claimId)));
    // Only those who may see the words may clear; a repeated call reads them again.
    await seesWords(claim, reader, HOLD_WORDS);
    return kept;
  },
  handler: async ({ row, params: { holdId }, body, actor, db, lifecycle, command, requestId }) => {
    const hold = await db.read((em) => findHold(em, holdId));
    if (hold?.claimId !== row.id) throw notFound('payee hold');
    await ensureBeforeCommand({ db, command }, () => ensureClearable(hold.clearedOn));
    const noteId = (await keptNote(row.id, body.reason, { db, command })) ?? '';
    await lifecycle.clearPayee(command({ holdId, noteId }, row.id));
    await seesWords(row, { actor, requestId, db }, HOLD_WORDS);
    const holds = await db.read((em) => holdsOf(em, row.id));
    const cleared = present(holds.find((each) => each.hold.id === holdId) ?? null);
    return holdToWire({ ...cleared, isProtected: row.containsPhi });
  },
});

export const payeeHoldRoutes = [listHolds, clearHold];
