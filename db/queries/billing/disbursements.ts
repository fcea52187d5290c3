// Queries on disbursements.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DisbursementMethod, DisbursementStatus } from '../../../domain/billing/disbursement.ts';
import { Disbursement } from '../../entities/billing/disbursement.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface DisbursementFilter {
  status?: DisbursementStatus;
  policyId?: string;
  invoiceId?: string;
  refundId?: string;
}

/** Reads a disbursement, or null. */
export function findDisbursement(em: EntityManager, id: string): Promise<Disbursement | null> {
  return em.findOne(Disbursement, { id });
}

/** Reads a current disbursement and locks it, after its policy and invoice. Null when there is none. */
export function lockDisbursement(em: EntityManager, id: string): Promise<Disbursement | null> {
  return em.findOne(Disbursement, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Reads the disbursement that was issued under a number or reference and not stopped, or null. */
export function issuedUnder(
  em: EntityManager,
  paid: { method: DisbursementMethod; reference: string },
): Promise<Disbursement | null> {
  return em.findOne(Disbursement, { ...paid, status: { $in: ['issued', 'cleared'] } });
}

/** Reads what returns owe by check, oldest first. */
export function disbursementsOf(em: EntityManager, refundIds: readonly string[]): Promise<Disbursement[]> {
  return em.find(Disbursement, { refundId: { $in: [...refundIds] } }, { orderBy: { id: 'asc' } });
}

/** Reads a page of disbursements, newest first. @throws DomainError validation_failed for a bad cursor */
export function listDisbursements(
  em: EntityManager,
  { status, policyId, invoiceId, refundId }: DisbursementFilter,
  page: PageRequest,
): Promise<Page<Disbursement>> {
  return pageOf(em, Disbursement, [equalTo({ status, policyId, invoiceId, refundId })], page);
}
