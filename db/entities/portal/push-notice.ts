// A notification sent to a device once. Kept for some days; a trigger writes most of them.
import { defineEntity, p } from '@mikro-orm/core';
import type { PushKind, PushNoticeStatus } from '../../../domain/portal/push.ts';
import { code, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const PushNoticeSchema = defineEntity({
  name: 'PushNotice',
  tableName: 'push_notices',
  properties: {
    id: idColumn('pushNotice'),
    orgId: orgIdColumn(),
    pushTokenId: p.text(),
    /** The insured it is for: the device may have moved to another insured since. */
    insuredId: p.text(),
    kind: code<PushKind>(),
    /** The invoice, claim or document it is about. */
    subjectId: p.text(),
    /** What happened: a device is notified of it once. */
    source: p.text(),
    status: code<PushNoticeStatus>(),
    /** How often the push service has been called. */
    attempts: p.integer(),
    /** Retried after this. */
    dueAt: instant(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class PushNotice extends PushNoticeSchema.class {}
PushNoticeSchema.setClass(PushNotice);
