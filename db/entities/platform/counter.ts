// Numbers without gaps: one row per series, advanced inside the transaction that uses the number.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, orgIdColumn } from '../../columns.ts';

const wholeNumber = cents;

/** Policy numbers: one series per line, state and year for the whole installation. */
const PolicyNumberCounterSchema = defineEntity({
  name: 'PolicyNumberCounter',
  tableName: 'policy_number_counters',
  properties: { key: p.text().primary(), value: wholeNumber() },
});

export class PolicyNumberCounter extends PolicyNumberCounterSchema.class {}
PolicyNumberCounterSchema.setClass(PolicyNumberCounter);

/** An organization's own series, such as its invoice numbers for a year. */
const OrgCounterSchema = defineEntity({
  name: 'OrgCounter',
  tableName: 'org_counters',
  properties: { orgId: orgIdColumn().primary(), key: p.text().primary(), value: wholeNumber() },
});

export class OrgCounter extends OrgCounterSchema.class {}
OrgCounterSchema.setClass(OrgCounter);
