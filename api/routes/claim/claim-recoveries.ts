// Recoveries on a claim: salvage and subrogation. Contract 3.3.
import { z } from 'zod';
import type { ClaimRecovery } from '../../../db/entities/claim/claim-recovery.ts';
import { newId } from '../../../db/ids.ts';
import { keepReference, referencesOf } from '../../../db/queries/claim/claim-words.ts';
import { leftFor, recoveriesOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { RECOVERY_KINDS } from '../../../domain/claim/claim-payment.ts';
import { recovered } from '../../../domain/claim/figures.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import { figuresOf } from '../../../plans/claim/claim-figures.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  dollars,
  idParam,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  pageToWire,
  paymentDollars,
  referenceText,
} from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { ensureBeforeCommand } from '../rows.ts';
import { ensureMoves, namingMoves } from './claim-moves.ts';
import { ClaimSchema } from './claims.schemas.ts';
import { claimReply, claimResource, PROTECTED_FIELDS, replayedClaim, seesWords } from './seen-claims.ts';

const facts = { tag: 'Claims', spec: 'Contract 3.3' } as const;
const params = z.strictObject({ id: idParam('claim') });

const ClaimRecoverySchema = z
  .strictObject({
    id: idReference('claimRecovery'),
    orgId: idReference('organization'),
    claimId: idReference('claim'),
    kind: z.enum(RECOVERY_KINDS),
    amount: dollars.meta({ description: 'The amount received, in dollars.' }),
    carrier: z.string().meta({ description: 'The carrier whose loss fund received it.' }),
    reference: z.string().nullable().optional().meta({ description: 'Absent where the claim is redacted.' }),
    receivedOn: isoDate,
    createdAt: instant,
  })
  .meta({ id: 'ClaimRecovery', description: 'Money recovered on a claim.' });

const RecoverSchema = z
  .strictObject({
    kind: z.enum(RECOVERY_KINDS),
    amount: paymentDollars.meta({ description: 'The amount received, in dollars.' }),
    reference: referenceText.optional(),
  })
  .meta({ id: 'RecoverClaim' });

const listRecoveries = route({
  ...facts,
  method: 'get',
  path: '/claims/:id/recoveries',
  operationId: 'listClaimRecoveries',
  summary: 'List the recoveries on a claim, oldest first',
  description:
    'Filter by kind and by the day of receipt. The reference is absent for callers who may not see a protected claim.',
  access: allow('claim:read', claimResource),
  params,
  query: z.strictObject({
    ...pageQuery,
    kind: z.enum(RECOVERY_KINDS).optional(),
    receivedFrom: isoDate.optional(),
    receivedTo: isoDate.optional(),
  }),
  response: { status: 200, body: pageSchema('ClaimRecovery', ClaimRecoverySchema) },
  errors: [],
  handler: async ({ row, query: { limit, cursor, ...filter }, actor, requestId, db }) => {
    const page = pageWithin(await db.read((em) => recoveriesOfClaim(em, row.id, filter)), { limit, cursor });
    const isSeen = await seesWords(row, { actor, requestId, db }, ['reference']);
    const ids = page.data.map(({ id }) => id);
    const references = isSeen ? await db.read((em) => referencesOf(em, ids)) : null;
    return pageToWire(page, (recovery) => recoveryToWire(recovery, references));
  },
});

const recoverClaim = route({
  ...facts,
  method: 'post',
  path: '/claims/:id/recoveries',
  operationId: 'recoverClaim',
  summary: 'Record a salvage or subrogation recovery',
  description:
    'The money returns to the loss fund of the carrier and lowers the incurred amount of the claim. It can only come back ' +
    'from payments that have left the fund.',
  access: allow('claim:pay', claimResource),
  params,
  body: RecoverSchema,
  response: { status: 201, body: ClaimSchema },
  errors: ['invalid_state_transition', 'already_exists', 'amount_exceeds_balance'],
  secretFields: PROTECTED_FIELDS,
  replayed: replayedClaim,
  handler: async ({ row, body, actor, db, lifecycle, command, requestId }) => {
    const amountCents = fromDollars(body.amount, 'amount');
    await ensureMoves(row, 'recover', { db, command });
    const leftCents = await db.read((em) => leftFor(em, row.id));
    await ensureBeforeCommand({ db, command }, () => recovered(figuresOf(row), amountCents, leftCents));
    const recoveryId = newId('claimRecovery', command.seedUuid);
    const { kind, reference } = body;
    await db.transaction((em) => keepReference(em, { id: recoveryId, claimId: row.id, text: reference }));
    await lifecycle.recoverClaim(command({ recoveryId, kind, amountCents }, row.id));
    return claimReply(row.id, { actor, requestId, db });
  },
});

export const claimRecoveryRoutes = [listRecoveries, namingMoves(recoverClaim)];

function recoveryToWire(recovery: Readonly<ClaimRecovery>, references: ReadonlyMap<string, string> | null) {
  const { id, orgId, claimId, kind, amountCents, carrier, receivedOn, createdAt } = recovery;
  const words = references === null ? {} : { reference: references.get(id) ?? null };
  return {
    ...{ id, orgId, claimId, kind, amount: toDollars(amountCents), carrier, ...words, receivedOn },
    createdAt: instantToWire(createdAt),
  };
}
