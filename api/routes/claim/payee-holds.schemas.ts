// The shapes of held payees on the wire.
import { z } from 'zod';
import { HOLD_STEPS } from '../../../domain/claim/payee-hold.ts';
import { ROLES } from '../../../domain/permission-table.ts';
import { actorId, idReference, instant, isoDate, pageSchema } from '../../spine/schemas.ts';
import { SanctionsMatchSchema } from '../submission/sanctions.schemas.ts';

const step = z.enum(HOLD_STEPS).meta({
  description: 'The step that was stopped: the offer, its approval, a payment, or the release of money from the fund.',
});
const clearableBy = z.array(z.enum(ROLES)).meta({ description: 'The roles that may clear the payee.' });

export const PayeeHoldSchema = z
  .strictObject({
    id: idReference('payeeHold'),
    orgId: idReference('organization'),
    claimId: idReference('claim'),
    status: z.enum(['held', 'cleared']),
    step,
    payee: z.string().meta({ description: 'The name of the payee.' }),
    matches: z.array(SanctionsMatchSchema),
    heldOn: isoDate,
    clearableBy,
    clearedBy: actorId.nullable(),
    clearedOn: isoDate.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PayeeHold', description: 'A payee whose name is on a sanctions list. Nothing is paid to them.' });

export const PayeeHoldPageSchema = pageSchema('PayeeHold', PayeeHoldSchema);

/** A currently held payee, as the claim shows them. */
export const HeldPayeeSchema = z
  .strictObject({
    id: idReference('payeeHold').meta({ description: 'The id of the hold, for clearing the payee.' }),
    code: z.string().meta({ examples: ['SANCTIONS_REVIEW'] }),
    step,
    payee: z.string().optional().meta({ description: 'Absent where the claim is redacted.' }),
    heldOn: isoDate,
    clearableBy,
  })
  .meta({ id: 'HeldPayee' });
