// The shapes of a sanctions screening and its clearances on the wire.
import { z } from 'zod';
import { actorId, businessText, externalId, idReference, instant, longText, pageSchema } from '../../spine/schemas.ts';

const MOST_ENTRIES = 100;

const match = {
  entryId: externalId.meta({ description: 'The entry of the sanctions list.' }),
  name: z.string(),
  program: z.string(),
  score: z.number().int().meta({ description: 'How similar the names are, in percent.' }),
};

export const SanctionsMatchSchema = z.strictObject(match).meta({ id: 'SanctionsMatch' });

export const ScreeningSchema = z
  .strictObject({ name: businessText.meta({ description: 'The name of a person or a business.' }) })
  .meta({ id: 'Screening' });

export const ScreenedMatchesSchema = z
  .strictObject({
    data: z.array(
      z
        .strictObject({
          ...match,
          isCleared: z.boolean().meta({ description: 'Whether somebody has cleared the name of this entry.' }),
        })
        .meta({ id: 'ScreenedMatch' }),
    ),
  })
  .meta({ id: 'ScreenedMatches' });

export const SanctionsClearanceCreateSchema = z
  .strictObject({
    name: businessText.meta({ description: 'The name of the insured.' }),
    entryIds: z
      .array(externalId)
      .min(1)
      .max(MOST_ENTRIES)
      .meta({ description: 'The entries of the list that are somebody else.' }),
    reason: longText.meta({ description: 'Why the insured is not the listed party.' }),
  })
  .meta({ id: 'SanctionsClearanceCreate' });

export const SanctionsClearanceSchema = z
  .strictObject({
    id: idReference('sanctionsClearance'),
    orgId: idReference('organization'),
    name: z.string(),
    matches: z.array(SanctionsMatchSchema).meta({ description: 'The entries as they were when the name was cleared.' }),
    reason: z.string(),
    clearedBy: actorId,
    withdrawnAt: instant.nullable(),
    withdrawnBy: actorId.nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'SanctionsClearance',
    description: 'A name that resembles parties of the sanctions list and was found to be somebody else.',
  });

export const SanctionsClearancePageSchema = pageSchema('SanctionsClearance', SanctionsClearanceSchema);
