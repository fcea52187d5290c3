// Lists commission records.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { CommissionRecord } from '../../entities/billing/commission-record.ts';
import { between, equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface CommissionFilter {
  producerId?: string;
  policyId?: string;
  invoiceId?: string;
  /** Business dates of the records, both included. */
  from?: BusinessDate;
  to?: BusinessDate;
}

/**
 * Reads a page of commission records, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listCommissions(
  em: EntityManager,
  { producerId, policyId, invoiceId, from, to }: CommissionFilter,
  page: PageRequest,
): Promise<Page<CommissionRecord>> {
  const recordedOn = between(from, to);
  const conditions = [equalTo({ producerId, policyId, invoiceId }), ...(recordedOn ? [{ recordedOn }] : [])];
  return pageOf(em, CommissionRecord, conditions, page);
}
