// A value that expires at a known time: one-time codes, attempt counters, replay marks.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, instant, json, updatedAtColumn } from '../../columns.ts';

const KvEntrySchema = defineEntity({
  name: 'KvEntry',
  tableName: 'kv_entries',
  properties: {
    key: p.text().primary(),
    value: json<unknown>(),
    expiresAt: instant(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class KvEntry extends KvEntrySchema.class {}
KvEntrySchema.setClass(KvEntry);
