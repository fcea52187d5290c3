// Queries on referrals.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Referral } from '../../entities/authority/referral.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface ReferralFilter {
  status?: string;
  submissionId?: string;
  policyId?: string;
}

const IDS_SHOWN = 100;

/** Reads the one undecided referral of a submission or a policy, or null. */
export function openReferralOf(
  em: EntityManager,
  subject: { submissionId: string } | { policyId: string },
): Promise<Referral | null> {
  return em.findOne(Referral, { ...subject, status: { $in: ['pending', 'info_requested'] } });
}

/** Reads a referral, or null. */
export function findReferral(em: EntityManager, id: string): Promise<Referral | null> {
  return em.findOne(Referral, { id });
}

/**
 * Reads a page of referrals, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listReferrals(em: EntityManager, filter: ReferralFilter, page: PageRequest): Promise<Page<Referral>> {
  const { status, submissionId, policyId } = filter;
  return pageOf(em, Referral, [equalTo({ status, submissionId, policyId })], page);
}

/** Reads the ids of the last 100 referrals of a submission, newest first. */
export async function referralIdsOf(em: EntityManager, submissionId: string): Promise<string[]> {
  const rows = await em.find(Referral, { submissionId }, { fields: ['id'], orderBy: { id: 'desc' }, limit: IDS_SHOWN });
  return rows.map(({ id }) => id);
}
