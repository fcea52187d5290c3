// A key that a program of the organization calls with. Only its hash is kept.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, instant, json, orgIdColumn, updatedAtColumn } from '../columns.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: idColumn('apiKey'),
    orgId: orgIdColumn(),
    name: p.text(),
    /** SHA-256 of the whole key in hex; unique in the installation. */
    hash: p.text(),
    /** First characters of the key, to tell keys apart in a list. */
    displayPrefix: p.text(),
    scopes: json<string[]>(),
    expiresAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
    lastUsedAt: instant().strictNullable(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
