// A place in the organization: a member, or somebody who was offered to become one. The authentication service owns the
// row; here it is seen as the organization's list of users. The application may change name, role, active,
// tokensValidFrom and version; inviting goes through a function.
import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '../../../domain/permissions.ts';
import {
  code,
  createdAtColumn,
  idColumn,
  instant,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

/**
 * By a seed, by an administrator's invitation, by a proven address of a domain that the organization lists, or by
 * signing up, which proves nothing: such a row makes way for an invitation as if it were not there.
 */
export type UserOrigin = 'seeded' | 'invited' | 'domain' | 'self_registered';

const UserSchema = defineEntity({
  name: 'User',
  schema: 'auth',
  tableName: 'users',
  properties: {
    id: idColumn('user'),
    orgId: orgIdColumn(),
    /** Lower case, unique in the organization. */
    email: p.text(),
    name: p.text(),
    role: code<Role>(),
    /** Who is not active cannot sign in here, and their tokens of the organization are refused; an offer is revoked. */
    active: p.boolean().default(true),
    /** How the user joined the organization. */
    origin: code<UserOrigin>(),
    emailVerified: p.boolean().default(false),
    /** Null for an offer that nobody has accepted. */
    memberSince: instant().strictNullable(),
    /** Tokens issued before are refused; null means none is. */
    tokensValidFrom: instant().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class User extends UserSchema.class {}
UserSchema.setClass(User);
