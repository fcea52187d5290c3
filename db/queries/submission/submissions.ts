// Queries on submissions and their quotes.
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { clearanceWindow, isLikelyDuplicate } from '../../../domain/submission/clearance.ts';
import type { SubmissionStatus } from '../../../domain/submission/submission.ts';
import { Quote } from '../../entities/submission/quote.ts';
import { Submission } from '../../entities/submission/submission.ts';
import { lockById } from '../../entity-rows.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { onOneConnection } from '../../prepared.ts';
import type { Orders } from '../orders.ts';
import { between, containing, equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** A submission and its current offer. */
export interface QuotedSubmission {
  id: string;
  submission: Readonly<Submission>;
  /** The newest quote. */
  quote: Readonly<Quote> | null;
}

/** List orders besides the default, the order of creation. */
export const SUBMISSION_ORDERS = { effectiveDate: 'optionalDate' } as const satisfies Orders;

/** Filters of the list; `createdFrom` is included, `createdBefore` is not. */
export interface SubmissionFilter {
  visibility: Visibility;
  status?: string;
  producerId?: string;
  lineOfBusiness?: string;
  state?: string;
  /** Part of the insured's name. */
  q?: string;
  createdFrom?: Date;
  createdBefore?: Date;
}

/** Reads a current submission, or null; read-only. */
export function findSubmission(em: EntityManager, id: string): Promise<Readonly<Submission> | null> {
  return readRow(em, Submission, id);
}

/** Reads a submission with its newest quote, in one round trip; null when there is none. Read-only. */
export function findQuotedSubmission(em: EntityManager, id: string): Promise<QuotedSubmission | null> {
  return onOneConnection(em, async (own) => {
    const [submission, [quote = null]] = await Promise.all([
      readRow(own, Submission, id),
      readRows(own, Quote, 'org_id = $1 and submission_id = $2 order by quote_version desc limit 1', [id]),
    ]);
    return submission && { id, submission, quote };
  });
}

/** Reads a submission and locks its row until the transaction ends; null when there is none. */
export function lockSubmission(em: EntityManager, id: string): Promise<Submission | null> {
  return lockById(em, Submission, id);
}

/**
 * Reads a page of submissions, newest first unless another order is chosen.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listSubmissions(
  em: EntityManager,
  filter: SubmissionFilter,
  page: PageRequest,
): Promise<Page<Submission>> {
  const { visibility, status, producerId, lineOfBusiness, state, q, createdFrom, createdBefore } = filter;
  const conditions: (FilterQuery<Submission> | null)[] = [
    visibleTo(visibility),
    equalTo({ status, producerId, lineOfBusiness, state }),
  ];
  if (q) conditions.push({ insuredName: containing(q) });
  const created = between(createdFrom, undefined);
  if (created) conditions.push({ createdAt: created });
  if (createdBefore) conditions.push({ createdAt: { $lt: createdBefore } });
  return pageOf(em, Submission, conditions, page);
}

const NO_LONGER_SOUGHT: SubmissionStatus[] = ['withdrawn', 'declined', 'expired', 'not_taken'];
const DUPLICATES_LOOKED_AT = 50;

/** Returns which of these submissions a caller may read. */
export async function visibleSubmissions(
  em: EntityManager,
  ids: readonly string[],
  seen: Visibility,
): Promise<string[]> {
  const visible = visibleTo(seen);
  if (visible === null || ids.length === 0) return [];
  const rows = await em.find(Submission, { id: { $in: [...ids] }, ...visible }, { fields: ['id'] });
  return rows.map(({ id }) => id);
}

/**
 * Finds the oldest earlier submission that is likely the same risk, leaving out those that ended without coverage.
 * @returns its id, or null
 */
export async function likelyDuplicate(
  em: EntityManager,
  facts: {
    id: string;
    insuredName: string;
    insuredNameNormalized: string;
    state: string;
    lineOfBusiness: string;
    effectiveDate: BusinessDate;
  },
): Promise<string | null> {
  const window = clearanceWindow(facts.effectiveDate);
  const candidates = await em.find(
    Submission,
    {
      insuredNameNormalized: facts.insuredNameNormalized,
      state: facts.state,
      lineOfBusiness: facts.lineOfBusiness,
      effectiveDate: { $gte: window.from, $lte: window.to },
      status: { $nin: NO_LONGER_SOUGHT },
      id: { $ne: facts.id },
    },
    { orderBy: { id: 'asc' }, limit: DUPLICATES_LOOKED_AT },
  );
  return candidates.find((other) => isLikelyDuplicate(facts, other))?.id ?? null;
}

/** Reads a quote, or null; read-only. */
export function findQuote(em: EntityManager, id: string): Promise<Readonly<Quote> | null> {
  return readRow(em, Quote, id);
}

/** Reads the newest quote of a submission, or null. */
export function latestQuote(em: EntityManager, submissionId: string): Promise<Quote | null> {
  return em.findOne(Quote, { submissionId }, { orderBy: { quoteVersion: 'desc' } });
}

/** Reads the newest quotes of submissions: id of the submission → its quote; those without one are missing. */
export async function latestQuotes(
  em: EntityManager,
  submissions: readonly Submission[],
): Promise<Map<string, Readonly<Quote>>> {
  const ids = submissions.flatMap(({ quoteId }) => quoteId ?? []);
  const quotes = ids.length === 0 ? [] : await readRows(em, Quote, 'org_id = $1 and id = any($2)', [ids]);
  return new Map(quotes.map((quote) => [quote.submissionId, quote]));
}

/** Marks a submission's open quotes as superseded; entities loaded before keep their old state. */
export function supersedeQuotes(em: EntityManager, submissionId: string): Promise<number> {
  return em.nativeUpdate(
    Quote,
    { submissionId, status: { $in: ['quoted', 'referred'] } },
    { status: 'superseded', updatedAt: new Date() },
  );
}
