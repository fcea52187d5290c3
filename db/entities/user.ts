// A person who signs in. The authentication service owns the row; here it serves as the organization's member list. The
// application may change name, role, active, tokensValidFrom and version; inviting goes through a function.
import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '../../domain/permissions.ts';
import { code, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn, versionColumn } from '../columns.ts';

/**
 * By a seed, by an administrator's invitation, by a proven address in a domain that the organization lists, or by
 * signing up, which proves nothing: such a row may be invited as if it did not exist.
 */
export type UserOrigin = 'seeded' | 'invited' | 'domain' | 'self_registered';

const UserSchema = defineEntity({
  name: 'User',
  schema: 'auth',
  tableName: 'users',
  properties: {
    id: idColumn('user'),
    orgId: orgIdColumn(),
    /** Lower case, unique in the installation. */
    email: p.text(),
    name: p.text(),
    role: code<Role>(),
    /** An inactive user cannot sign in, and their tokens are refused. */
    active: p.boolean().default(true),
    /** How the user joined the organization. */
    origin: code<UserOrigin>(),
    emailVerified: p.boolean().default(false),
    /** Tokens issued earlier are refused; null refuses none. */
    tokensValidFrom: instant().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class User extends UserSchema.class {}
UserSchema.setClass(User);
