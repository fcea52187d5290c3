// The wire format of users and their own authority. Contract 3.10.
import { z } from 'zod';
import { PAGE_SIZE_MAX } from '../../../domain/limits.ts';
import { ROLES } from '../../../domain/permissions.ts';
import {
  businessText,
  dollars,
  emailAddress,
  idReference,
  instant,
  lineOfBusiness,
  pageQuery,
  pageSchema,
  positiveDollars,
  tokenSubject,
} from '../../spine/schemas.ts';

/** A policyholder is not a user: they sign in with a one-time code. */
const role = z.enum(ROLES.filter((name) => name !== 'policyholder')).meta({ id: 'UserRole' });

const status = z.enum(['invited', 'active', 'deactivated']).meta({ id: 'UserStatus' });

export const UserInvitationSchema = z
  .strictObject({
    email: emailAddress.toLowerCase(),
    role,
    name: businessText.optional().meta({ description: 'The name of the user. Default: the e-mail address.' }),
    producerId: idReference('producer').optional().meta({
      description: 'For users with the role producer only: the producer whose submissions and policies they see.',
    }),
  })
  .meta({ id: 'UserInvitation' });

export const UserChangesSchema = z
  .strictObject({ role: role.optional(), active: z.boolean().optional() })
  .meta({ id: 'UserChanges' });

export const UserListQuery = z.strictObject({
  ...pageQuery,
  role: role.optional(),
  active: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ type: 'boolean', enum: undefined }),
  status: status.optional(),
  q: businessText.optional().meta({ description: 'Any part of the name or of the e-mail address.' }),
});

const UserSchema = z
  .strictObject({
    id: idReference('user'),
    orgId: idReference('organization'),
    email: z.string(),
    name: z.string(),
    role,
    active: z.boolean().meta({
      description:
        'False: the user cannot sign in to this organization, and their tokens are rejected within 30 seconds. A pending invitation is revoked.',
    }),
    status: status.meta({ description: '`invited`: the invitation has not been accepted yet.' }),
    origin: z.enum(['seeded', 'invited', 'domain', 'self_registered']),
    emailVerified: z.boolean(),
    producerIds: z.array(idReference('producer')).max(PAGE_SIZE_MAX),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'User' });

export const InvitedUserSchema = z
  .strictObject({
    ...UserSchema.shape,
    invitationSent: z.boolean().meta({
      description:
        'Whether the mail server took the e-mail immediately. False: deactivate the user and invite the address again when mail works.',
    }),
  })
  .meta({ id: 'InvitedUser' });

export const ChangedUserSchema = z
  .strictObject({
    ...UserSchema.shape,
    apiKeys: z
      .array(z.strictObject({ id: idReference('apiKey'), orgId: idReference('organization'), name: z.string() }))
      .optional()
      .meta({
        description: 'For a deactivated user: the keys that they created, which stay valid until they are revoked.',
      }),
  })
  .meta({ id: 'ChangedUser' });

export const UserPageSchema = pageSchema('User', UserSchema);

const lines = z.array(lineOfBusiness).min(1).max(50);

const claimLimit = dollars
  .nullable()
  .meta({ description: 'Dollars for each claim; null if the user has no limit of their own.' });

const underwritingLimit = positiveDollars.optional().meta({
  description:
    'Required, except for a user who handles claims and is given a `maxReserve` or `maxSettlement`: without it they may underwrite nothing, whatever role they have later.',
});

export const UserAuthorityChangesSchema = z
  .strictObject({
    maxLimit: underwritingLimit,
    maxPremium: underwritingLimit,
    linesOfBusiness: lines
      .nullable()
      .default(null)
      .meta({ description: 'The lines of business the user may write. Null or left out: every line.' }),
    maxReserve: claimLimit.default(null),
    maxSettlement: claimLimit.default(null),
  })
  .meta({ id: 'UserAuthorityChanges' });

export const UserAuthoritySchema = z
  .strictObject({
    userId: tokenSubject,
    maxLimit: dollars,
    maxPremium: dollars,
    linesOfBusiness: z.array(lineOfBusiness).nullable(),
    maxReserve: claimLimit,
    maxSettlement: claimLimit,
    inherited: z.boolean().meta({
      description: 'True when the user has no limits of their own, so that those of the authority contract apply.',
    }),
  })
  .meta({ id: 'UserAuthority' });

export type UserWire = z.output<typeof UserSchema>;
export type UserAuthorityWire = z.output<typeof UserAuthoritySchema>;
