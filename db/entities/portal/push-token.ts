// A device on which an insured wants to be notified.
import { defineEntity, p } from '@mikro-orm/core';
import type { PushPlatform } from '../../../domain/portal/push.ts';
import { code, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const PushTokenSchema = defineEntity({
  name: 'PushToken',
  tableName: 'push_tokens',
  properties: {
    id: idColumn('pushToken'),
    orgId: orgIdColumn(),
    insuredId: p.text(),
    /** The push service's identifier for the device; unique in the installation. */
    token: p.text(),
    platform: code<PushPlatform>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class PushToken extends PushTokenSchema.class {}
PushTokenSchema.setClass(PushToken);
