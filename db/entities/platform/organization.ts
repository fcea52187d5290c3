// A tenant: the managing general agent that owns all other rows.
import { defineEntity, p } from '@mikro-orm/core';
import { code, createdAtColumn, idColumn, json, updatedAtColumn, versionColumn } from '../../columns.ts';

export type OrganizationTier = 'standard' | 'enterprise';

const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: idColumn('organization'),
    name: p.text(),
    tier: code<OrganizationTier>().default('standard'),
    emailDomains: json<string[]>().onCreate(() => []),
    /** Where insureds pay, line by line; nothing is printed if empty. */
    paymentInstructions: json<string[]>().onCreate(() => []),
    /** Days by which the business date is ahead of the UTC date. */
    clockOffsetDays: p.integer().default(0),
    /** The month up to which the calendar has opened bordereaux; null before the first. */
    bordereauxThrough: p.text().strictNullable(),
    isDemo: p.boolean().default(false),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
