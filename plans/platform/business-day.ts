/** The organization's business date inside an activity's transaction. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { clockOffsetDays } from '../../db/queries/platform/organizations.ts';
import { businessDateAt } from '../../domain/business-day.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';

export interface BusinessDay {
  today: BusinessDate;
  clockOffsetDays: number;
}

/** Reads the business date at a real instant. @throws DomainError not_found */
export async function businessDay(em: EntityManager, orgId: string, nowMs: number): Promise<BusinessDay> {
  const offsetDays = await clockOffsetDays(em, orgId);
  if (offsetDays === null) throw new DomainError('not_found', 'There is no such organization.');
  return { today: businessDateAt(nowMs, offsetDays), clockOffsetDays: offsetDays };
}
