// All quotes of a submission, for the tests of quoting.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Quote } from '../../db/entities/submission/quote.ts';

/** Newest first. */
export const quotesOf = (em: EntityManager, submissionId: string): Promise<Quote[]> =>
  em.find(Quote, { submissionId }, { orderBy: { quoteVersion: 'desc' } });
