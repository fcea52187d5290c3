// A card that an insured enters for autopay, and the terms they agreed to. The card itself goes only to the processor.
import { defineEntity, p } from '@mikro-orm/core';
import {
  code,
  createdAtColumn,
  idColumn,
  instant,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

export type AutopaySetupStatus = 'creating' | 'open' | 'succeeded' | 'cancelled';

const AutopaySetupSchema = defineEntity({
  name: 'AutopaySetup',
  tableName: 'autopay_setups',
  properties: {
    id: idColumn('autopaySetup'),
    orgId: orgIdColumn(),
    insuredId: p.text(),
    /** The processor's id; null until it has answered. */
    setupIntentKey: p.text().strictNullable(),
    status: code<AutopaySetupStatus>(),
    termsVersion: p.text(),
    agreedAt: instant(),
    /** The policy of the insured's token, or the user who recorded their consent. */
    agreedBy: p.text(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class AutopaySetup extends AutopaySetupSchema.class {}
AutopaySetupSchema.setClass(AutopaySetup);
