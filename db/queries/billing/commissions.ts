// Lists commission records.
import type { EntityManager } from '@mikro-orm/postgresql';
import { CommissionRecord } from '../../entities/billing/commission-record.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface CommissionFilter {
  producerId?: string;
  policyId?: string;
  invoiceId?: string;
}

/**
 * Reads a page of commission records, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listCommissions(
  em: EntityManager,
  { producerId, policyId, invoiceId }: CommissionFilter,
  page: PageRequest,
): Promise<Page<CommissionRecord>> {
  return pageOf(em, CommissionRecord, [equalTo({ producerId, policyId, invoiceId })], page);
}
