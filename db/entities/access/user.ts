// A place in the organization: a member, or someone invited to become one. The authentication service owns the row;
// here it is the organization's user list. The application may change name, role, active, tokensValidFrom and version;
// inviting goes through a function.
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
 * By a seed, by an administrator's invitation, by a verified address in a domain that the organization lists, or by
 * signing up, which proves nothing: an invitation replaces such a row as if it did not exist.
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
    /**
     * An inactive user cannot sign in here, and their tokens for the organization are refused; an inactive invitation
     * is revoked.
     */
    active: p.boolean().default(true),
    /** How the user joined the organization. */
    origin: code<UserOrigin>(),
    emailVerified: p.boolean().default(false),
    /** Null for an invitation not yet accepted. */
    memberSince: instant().strictNullable(),
    /** Tokens issued before this are refused; null refuses none. */
    tokensValidFrom: instant().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class User extends UserSchema.class {}
UserSchema.setClass(User);
