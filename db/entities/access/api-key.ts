// A key for an organization's programs. Only its hash is stored.
import { defineEntity, p } from '@mikro-orm/core';
import type { KeyRole } from '../../../domain/access/key-makers.ts';
import {
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: idColumn('apiKey'),
    orgId: orgIdColumn(),
    name: p.text(),
    /** SHA-256 of the whole key in hex; unique in the installation. */
    hash: p.text(),
    /** The first characters of the key, to distinguish keys in a list. */
    displayPrefix: p.text(),
    scopes: json<string[]>(),
    expiresAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
    lastUsedAt: instant().strictNullable(),
    /** The `sub` of the maker's token, stored user or not; a fixed name for the machine. */
    createdBy: p.text(),
    /** The maker's role at that time, in which the key acts. */
    makerRole: code<KeyRole>(),
    /** The maker acted in the organization only by a tuple; the key ends with that tuple. */
    throughOperator: p.boolean(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
