// An organization's setting for a flag, instead of its default.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const FlagOverrideSchema = defineEntity({
  name: 'FlagOverride',
  tableName: 'flag_overrides',
  properties: {
    id: idColumn('flag'),
    orgId: orgIdColumn(),
    key: p.text(),
    value: json<unknown>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class FlagOverride extends FlagOverrideSchema.class {}
FlagOverrideSchema.setClass(FlagOverride);
