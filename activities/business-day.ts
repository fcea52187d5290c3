/** The organization's business date in the transaction of a step. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { findOrganization } from '../db/queries/organizations.ts';
import { type BusinessDate, businessDateAt } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';

export interface BusinessDay {
  today: BusinessDate;
  clockOffsetDays: number;
}

/** Reads the business date at a real instant. @throws DomainError not_found */
export async function businessDay(em: EntityManager, orgId: string, nowMs: number): Promise<BusinessDay> {
  const organization = await findOrganization(em, orgId);
  if (organization === null) throw new DomainError('not_found', 'There is no such organization.');
  const { clockOffsetDays } = organization;
  return { today: businessDateAt(nowMs, clockOffsetDays), clockOffsetDays };
}
