// A new tenant with everything it needs to quote right away: an authority contract, rate tables and commission
// schedules.

import type { EntityManager } from '@mikro-orm/postgresql';
import { DEFAULT_AUTHORITY, DEFAULT_CARRIER } from '../../../domain/authority/authority-contract.ts';
import { DEFAULT_COMMISSION_SCHEDULES } from '../../defaults/commission-schedules.ts';
import { DEFAULT_RATE_TABLES } from '../../defaults/rate-tables.ts';
import { DaContract } from '../../entities/authority/da-contract.ts';
import { Organization, type OrganizationTier } from '../../entities/platform/organization.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { addCommissionSchedule, addRateTable } from '../submission/rates.ts';

const CREATED_BY = 'bindery';

export interface NewOrganization {
  /** An `org_…` id, which is also the scope of the transaction. */
  id: string;
  name: string;
  tier?: OrganizationTier;
  emailDomains?: string[];
  isDemo?: boolean;
}

/** Adds an organization with its defaults to the transaction. Contract 3.10. */
export async function createOrganization(em: EntityManager, organization: NewOrganization): Promise<Organization> {
  const row = addRow(em, Organization, { ...organization });
  addRow(em, DaContract, {
    id: newId('daContract'),
    carrier: DEFAULT_CARRIER,
    ...structuredClone(DEFAULT_AUTHORITY),
    status: 'active',
  });
  for (const { effectiveFrom, table } of DEFAULT_RATE_TABLES) {
    addRateTable(em, { effectiveFrom, table, createdBy: CREATED_BY });
  }
  for (const { effectiveFrom, schedule } of DEFAULT_COMMISSION_SCHEDULES) {
    addCommissionSchedule(em, { effectiveFrom, schedule, createdBy: CREATED_BY });
  }
  return row;
}
